//===- MILBufferOps.td - Tensors whose layout the program states ----------===//
//
// No published list of ops has these two. Programs do that are handed to the
// compiler of the engine as text: what they say of the ops is all that is known.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_MIL_BUFFER_OPS_TD
#define ANE_MIL_BUFFER_OPS_TD

include "MIL/MILOpBase.td"

/// What a buffer can hold.
def MIL_Numeric : MIL_Domain<"dtype::All & ~dtype::String">;

def MIL_TensorBufferToTensorOp : MIL_Op<"tensor_buffer_to_tensor",
    [MIL_In<"input", "any">],
    []> {
  let summary = "the elements of a buffer as a tensor";
  let description = [{
    A `tensor_buffer` is a tensor with a layout in memory: strides, counted in
    elements, and for each dimension how many neighbours lie side by side. This
    op alone reads one. In no published list of ops; programs have it.

    ```mil
    func main<ios18>(tensor_buffer<fp16, shape=[1, 1, 4, 64],
        strides=[256, 256, 64, 1], interleave_factors=[1, 1, 1, 1]> x) {
      tensor<fp16, [1, 1, 4, 64]> x_t = tensor_buffer_to_tensor<ios17>(
          input = x);
      tensor<fp16, [1, 1, 4, 64]> y = relu(x = x_t);
    } -> (y);
    ```

    Constraints:
    * `mil-buffer-c5`: the input is a `tensor_buffer`.
  }];
  let since = 17;
}

def MIL_TensorToTensorBufferOp : MIL_Op<"tensor_to_tensor_buffer",
    [MIL_In<"input">, MIL_ConstIn<"interleave_factors", "uint8">,
     MIL_ConstIn<"strides", "int64">],
    [MIL_TypeVar<"T", MIL_Numeric>]> {
  let summary = "a tensor as a buffer of a stated layout";
  let description = [{
    The inputs state the layout, and so does the declared type of the result. In
    no published list of ops; programs have it.

    ```mil
    func main<ios18>(tensor<fp16, [1, 1, 4, 40]> x) {
      tensor<fp16, [1, 1, 4, 40]> x_t = relu(x = x);
      tensor_buffer<fp16, shape=[1, 1, 4, 40], strides=[256, 256, 64, 1],
          interleave_factors=[1, 1, 1, 1]> y = tensor_to_tensor_buffer<ios17>(
          input = x_t, strides = tensor<int64, [4]>([256, 256, 64, 1]),
          interleave_factors = tensor<uint8, [4]>([1, 1, 1, 1]));
    } -> (y);
    ```

    Constraints:
    * `mil-buffer-c1` to `mil-buffer-c3`: what holds for the type of any
      `tensor_buffer` holds for the layout.
  }];
  let since = 17;
}

#endif // ANE_MIL_BUFFER_OPS_TD
