//===- MILStateOps.td - Buffers that outlive a run ------------------------===//

#ifndef ANE_MIL_STATE_OPS_TD
#define ANE_MIL_STATE_OPS_TD

include "MIL/MILOpBase.td"

def MIL_ReadStateOp : MIL_EffectOp<"read_state",
    [MIL_In<"input", "state">],
    []> {
  let summary = "what a state holds now";
  let description = [{
    A copy: later writes do not change it. A state holds zeros before the first
    write of the first run.

    ```mil
    func main<ios18>(state<tensor<fp16, [1, 4, 64]>> kv) {
      tensor<fp16, [1, 4, 64]> v = read_state(input = kv);
    } -> (v);
    ```

    Constraints:
    * `mil-state-c1`: a state holds a tensor.
  }];
  let since = 18;
}

def MIL_WriteStateOp : MIL_EffectOp<"write_state",
    [MIL_In<"input", "state">, MIL_In<"data", "any">],
    []> {
  let summary = "put a tensor into a state";
  let description = [{
    In text it is a statement without results: `write_state(data = v, input =
    kv);`.

    ```mil
    func main<ios18>(state<tensor<fp16, [1, 128]>> sum,
        tensor<fp16, [1, 128]> x) {
      tensor<fp16, [1, 128]> old = read_state(input = sum);
      tensor<fp16, [1, 128]> new = add(x = old, y = x);
      write_state(data = new, input = sum);
    } -> (new);
    ```

    Constraints:
    * `mil-state-c1`.
    * `mil-state-c2`: what is written has the type of the state's tensor.
  }];
  let since = 18;
  let results = (outs);
}

def MIL_CoremlUpdateStateOp : MIL_EffectOp<"coreml_update_state",
    [MIL_In<"state", "state">, MIL_In<"value", "any">],
    []> {
  let summary = "put a tensor into a state and read it back";
  let description = [{
    `write_state` and `read_state` in one. Converters use it; text says the two.

    ```mil
    func main<ios18>(state<tensor<fp16, [2, 8]>> s, tensor<fp16, [2, 8]> x) {
      tensor<fp16, [2, 8]> now = coreml_update_state(state = s, value = x);
      tensor<fp16, [2, 8]> y = relu(x = now);
    } -> (y);
    ```

    Constraints:
    * `mil-state-c1`, `mil-state-c2`.
  }];
  let since = 18;
}

#endif // ANE_MIL_STATE_OPS_TD
