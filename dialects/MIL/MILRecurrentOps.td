//===- MILRecurrentOps.td - Recurrent layers ------------------------------===//

#ifndef ANE_MIL_RECURRENT_OPS_TD
#define ANE_MIL_RECURRENT_OPS_TD

include "MIL/MILOpBase.td"

def MIL_GruOp : MIL_Op<"gru",
    [MIL_In<"x">, MIL_In<"initial_h">, MIL_ConstIn<"weight_ih">,
     MIL_ConstIn<"weight_hh">, MIL_OptConstIn<"bias", "zeros">,
     MIL_OptConstIn<"direction", "forward", "string">,
     MIL_OptConstIn<"output_sequence", "false", "bool">,
     MIL_OptConstIn<"recurrent_activation", "sigmoid", "string">,
     MIL_OptConstIn<"activation", "tanh", "string">,
     MIL_Since<18, MIL_OptConstIn<"reset_after", "false", "bool">>,
     MIL_Since<18, MIL_OptConstIn<"input_bias", "zeros">>],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "gated recurrent unit over a sequence";
  let description = [{
    `x` is [s, b, I], `initial_h` [b, H], `weight_ih` [3H, I], `weight_hh`
    [3H, H], `bias` and `input_bias` [3H]; rows come in the order reset r, new
    o, update z. At each step, with * by element,

        r = recurrent_activation(Wr x + Ur h + br)
        z = recurrent_activation(Wz x + Uz h + bz)
        o = activation(Wo x + Uo (r * h) + bo)
        h = (1 - z) * o + z * h

    With `reset_after` the reset gate follows the product: o =
    activation(Wo x + ci + r * (Uo h + bo)), ci from `input_bias`. `input_bias`
    also adds to r and z, and to o in either form. Both inputs exist from ios18
    on; fp16 from ios17 on.

    The results are the states of all steps, [s, b, H], or with
    `output_sequence` false the last one, [1, b, H]; and the last one, [b, H].
    Direction reverse starts at the end of `x`; states are given in the order of
    computation. For the activations see `lstm`.

    ```mil
    func main<ios17>(tensor<fp16, [25, 1, 8]> x, tensor<fp16, [1, 16]> h) {
      tensor<fp16, [48, 8]> w = const()[val = tensor<fp16, [48, 8]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp16, [48, 16]> u = const()[val = tensor<fp16, [48, 16]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(896)))];
      tensor<fp16, [25, 1, 16]> all, tensor<fp16, [1, 16]> last =
          gru(direction = string("forward"), initial_h = h,
              output_sequence = bool(true), weight_hh = u, weight_ih = w,
              x = x);
    } -> (all, last);
    ```

    Constraints:
    * `mil-recurrent-c1` to `mil-recurrent-c6`: see `lstm`; the direction is
      forward or reverse.
  }];
  let results = (outs MIL_Value:$sequence, MIL_Value:$state);
}

def MIL_LstmOp : MIL_Op<"lstm",
    [MIL_In<"x">, MIL_In<"initial_h">, MIL_In<"initial_c">,
     MIL_ConstIn<"weight_ih">, MIL_ConstIn<"weight_hh">,
     MIL_OptConstIn<"bias", "zeros">, MIL_OptConstIn<"peephole", "zeros">,
     MIL_OptConstIn<"weight_ih_back", "none">,
     MIL_OptConstIn<"weight_hh_back", "none">,
     MIL_OptConstIn<"bias_back", "zeros">,
     MIL_OptConstIn<"peephole_back", "zeros">,
     MIL_OptConstIn<"direction", "forward", "string">,
     MIL_OptConstIn<"output_sequence", "false", "bool">,
     MIL_OptConstIn<"recurrent_activation", "sigmoid", "string">,
     MIL_OptConstIn<"cell_activation", "tanh", "string">,
     MIL_OptConstIn<"activation", "tanh", "string">,
     MIL_OptConstIn<"clip", "none">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "long short-term memory over a sequence";
  let description = [{
    `x` is [s, b, I], `initial_h` and `initial_c` [b, D * H], `weight_ih` [4H,
    I], `weight_hh` [4H, H], `bias` [4H], `peephole` [3H]; D is 2 for direction
    bidirectional, else 1. Rows come in the order input i, forget f, output o,
    cell g; `peephole` has none for g. At each step, with * by element,

        i = recurrent_activation(Wi x + Ui h + bi + pi * c)
        f = recurrent_activation(Wf x + Uf h + bf + pf * c)
        g = cell_activation(Wg x + Ug h + bg)
        c = clip(f * c + i * g)
        o = recurrent_activation(Wo x + Uo h + bo + po * c)
        h = o * activation(c)

    clip limits to [-clip, clip] where that input is given; o sees the new c.

    The results are the states h of all steps, [s, b, D * H], or with
    `output_sequence` false the last ones, [1, b, D * H]; the last h and the
    last c, [b, D * H]. Direction reverse starts at the end of `x` and gives
    states in the order of computation. Bidirectional runs both ways, backwards
    with the inputs named `_back`, and puts the backward states behind the
    forward ones, step by step at the place of x; what is last of them is that
    of the first step.

    Activations are relu, tanh, sigmoid, linear, hard_sigmoid, which is
    min(max(0.2 x + 0.5, 0), 1), and scaled_tanh, which is tanh. fp16 exists
    from ios17 on.

    ```mil
    // One step of a stream; the caller keeps both states.
    func main<ios17>(tensor<fp16, [1, 1, 40]> x, tensor<fp16, [1, 32]> h,
        tensor<fp16, [1, 32]> c) {
      tensor<fp16, [128, 40]> w = const()[val = tensor<fp16, [128, 40]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp16, [128, 32]> u = const()[val = tensor<fp16, [128, 32]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(10368)))];
      tensor<fp16, [128]> b = const()[val = tensor<fp16, [128]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(18624)))];
      tensor<fp16, [1, 1, 32]> y, tensor<fp16, [1, 32]> next_h,
          tensor<fp16, [1, 32]> next_c =
          lstm(bias = b, direction = string("forward"), initial_c = c,
              initial_h = h, output_sequence = bool(false), weight_hh = u,
              weight_ih = w, x = x);
    } -> (y, next_h, next_c);
    ```

    Constraints:
    * `mil-recurrent-c1`: `x` has rank 3, `weight_ih` and `weight_hh` rank 2.
    * `mil-recurrent-c2`: `weight_hh` is [G * H, H] with H at least 1, and
      `weight_ih` [G * H, I]; G is 4 for lstm, 3 for gru, 1 for rnn.
    * `mil-recurrent-c3`: a bias is [G * H], a peephole [3H].
    * `mil-recurrent-c4`: an initial state is [b, D * H].
    * `mil-recurrent-c5`: the direction is one that the op has.
    * `mil-recurrent-c6`: an activation is one of those above.
    * `mil-lstm-c1`: bidirectional has `weight_ih_back` and `weight_hh_back`.
    * `mil-lstm-c2`: `clip` is a scalar.
  }];
  let results = (outs MIL_Value:$sequence, MIL_Value:$hidden, MIL_Value:$cell);
}

def MIL_RnnOp : MIL_Op<"rnn",
    [MIL_In<"x">, MIL_In<"initial_h">, MIL_ConstIn<"weight_ih">,
     MIL_ConstIn<"weight_hh">, MIL_OptConstIn<"bias", "zeros">,
     MIL_OptConstIn<"direction", "forward", "string">,
     MIL_OptConstIn<"output_sequence", "false", "bool">,
     MIL_OptConstIn<"activation", "tanh", "string">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "simple recurrent layer over a sequence";
  let description = [{
    `x` is [s, b, I], `initial_h` [b, H], `weight_ih` [H, I], `weight_hh` [H,
    H], `bias` [H]. At each step h = activation(W x + U h + b). Results,
    directions and activations are those of `gru`.

    ```mil
    func main<ios15>(tensor<fp32, [12, 4, 2]> x, tensor<fp32, [4, 3]> h) {
      tensor<fp32, [1, 4, 3]> y, tensor<fp32, [4, 3]> last =
          rnn(activation = string("relu"), direction = string("reverse"),
              initial_h = h, weight_hh = tensor<fp32, [3, 3]>(
              [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]),
              weight_ih = tensor<fp32, [3, 2]>([[1, 0], [0, 1], [1, 1]]),
              x = x);
    } -> (y, last);
    ```

    Constraints:
    * `mil-recurrent-c1` to `mil-recurrent-c6`: as for `gru`.
  }];
  let results = (outs MIL_Value:$sequence, MIL_Value:$state);
}

#endif // ANE_MIL_RECURRENT_OPS_TD
