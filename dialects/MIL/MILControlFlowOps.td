//===- MILControlFlowOps.td - Choice between values or blocks -------------===//

#ifndef ANE_MIL_CONTROL_FLOW_OPS_TD
#define ANE_MIL_CONTROL_FLOW_OPS_TD

include "MIL/MILOpBase.td"

def MIL_SelectOp : MIL_Op<"select",
    [MIL_In<"cond", "bool">, MIL_In<"a">, MIL_In<"b">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>], [MIL_Elementwise]> {
  let summary = "a where cond holds, b elsewhere";
  let description = [{
    Of each element. The shapes of `cond`, `a` and `b` broadcast: aligned at the
    last dimension, their extents are equal or 1. Both values are computed; a
    NaN in the one that is not taken does not matter.

    ```mil
    func main<ios15>(tensor<bool, [3]> mask, tensor<fp16, [2, 3]> x) {
      tensor<fp16, [2, 3]> y = select(a = x, b = fp16(0.0), cond = mask);
    } -> (y);
    ```

    Constraints:
    * `mil-broadcast-c1`: the shapes of `cond`, `a` and `b` broadcast.
  }];
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//
//
// MIL text has a form for the blocks of these ops that is not publicly known,
// so they exist in IR only.

def MIL_CondOp : Op<MIL_Dialect, "cond",
                    [RecursiveMemoryEffects, SingleBlock, NoRegionArguments]> {
  let summary = "the values of one of two blocks";
  let description = [{
    Runs the first block if `pred` is true, else the second, and gives what it
    yields. Blocks may use any value defined before the op.

    ```mlir
    mil.func @main(%p: tensor<i1> {mil.name = "p"},
                   %a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16>
        attributes {opset = "ios15"} {
      %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
        mil.yield %a : tensor<2xf16>
      } else {
        %b = mil.relu(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
        mil.yield %b : tensor<2xf16>
      }
      mil.return %y : tensor<2xf16>
    }
    ```

    Constraints:
    * `mil-cond-c1`: `pred` is one bool.
    * `mil-cond-c2`: both blocks yield values of the result types.
  }];
  let arguments = (ins AnyRankedTensor:$pred);
  let regions = (region SizedRegion<1>:$true_block,
                        SizedRegion<1>:$false_block);
  let results = (outs Variadic<MIL_Value>:$results);
  let assemblyFormat = [{
    $pred `:` type($pred) `->` `(` type($results) `)` $true_block `else`
    $false_block attr-dict
  }];
  let hasRegionVerifier = 1;
}

def MIL_WhileLoopOp : Op<MIL_Dialect, "while_loop",
                         [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "repeat a block while another gives true";
  let description = [{
    Both blocks get the loop variables. The first yields one bool; while it is
    true the second runs and yields their next values. The results are the last
    ones.

    ```mlir
    mil.func @main(%i: tensor<i32> {mil.name = "i"}) -> tensor<i32>
        attributes {opset = "ios15"} {
      %ten = mil.const dense<10> : tensor<i32>
      %n = mil.while_loop(%i : tensor<i32>) -> (tensor<i32>) {
      ^bb0(%v: tensor<i32>):
        %c = mil.less(x = %v, y = %ten)
            : (tensor<i32>, tensor<i32>) -> tensor<i1>
        mil.yield %c : tensor<i1>
      } do {
      ^bb0(%v: tensor<i32>):
        %next = mil.add(x = %v, y = %v)
            : (tensor<i32>, tensor<i32>) -> tensor<i32>
        mil.yield %next : tensor<i32>
      }
      mil.return %n : tensor<i32>
    }
    ```

    Constraints:
    * `mil-while_loop-c1`: the first block yields one bool.
    * `mil-while_loop-c2`: blocks take and the second yields the loop variables,
      whose types are those of the results.
  }];
  let arguments = (ins Variadic<MIL_Value>:$loop_vars);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let results = (outs Variadic<MIL_Value>:$results);
  let assemblyFormat = [{
    `(` $loop_vars `:` type($loop_vars) `)` `->` `(` type($results) `)`
    $condition `do` $body attr-dict
  }];
  let hasRegionVerifier = 1;
}

def MIL_YieldOp : Op<MIL_Dialect, "yield",
                     [Pure, Terminator,
                      ParentOneOf<["CondOp", "WhileLoopOp"]>]> {
  let summary = "what a block gives";
  let description = [{
    Stands at the end of each block of `mil.cond` and `mil.while_loop`.

    ```mlir
    mil.func @main(%p: tensor<i1> {mil.name = "p"},
                   %a: tensor<3xi32> {mil.name = "a"},
                   %b: tensor<3xi32> {mil.name = "b"}) -> tensor<3xi32>
        attributes {opset = "ios15"} {
      %most, %least = mil.cond %p : tensor<i1>
          -> (tensor<3xi32>, tensor<3xi32>) {
        mil.yield %a, %b : tensor<3xi32>, tensor<3xi32>
      } else {
        mil.yield %b, %a : tensor<3xi32>, tensor<3xi32>
      }
      mil.return %most : tensor<3xi32>
    }
    ```
  }];
  let arguments = (ins Variadic<MIL_Value>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // ANE_MIL_CONTROL_FLOW_OPS_TD
