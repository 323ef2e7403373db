//===- Window.h - Sliding windows of conv and pool --------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_WINDOW_H
#define ANE_DIALECT_MIL_IR_WINDOW_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// A window over the spatial dimensions of [N, C, *D], with every default
/// filled in and padding resolved to numbers. All lists have one entry for each
/// spatial dimension.
struct Window {
  llvm::SmallVector<int64_t, 3> input; ///< dynamic extents are kDynamic
  llvm::SmallVector<int64_t, 3> kernel;
  llvm::SmallVector<int64_t, 3> stride;
  llvm::SmallVector<int64_t, 3> dilation;
  llvm::SmallVector<int64_t, 3> padBefore;
  llvm::SmallVector<int64_t, 3> padAfter;
  llvm::SmallVector<int64_t, 3> output;

  /// Elements of spatial dimension `dim` from the first tap of a window to its
  /// last. These three want extents that are known.
  int64_t reach(size_t dim) const {
    return (kernel[dim] - 1) * dilation[dim] + 1;
  }
  /// Elements from the first tap of the first window to the last of the last
  /// one.
  int64_t reachOfAll(size_t dim) const {
    return (output[dim] - 1) * stride[dim] + reach(dim);
  }
  /// How many of these lie behind the input, whatever `padAfter` says.
  int64_t reachBehind(size_t dim) const {
    return std::max<int64_t>(reachOfAll(dim) - padBefore[dim] - input[dim], 0);
  }
};

/// The window of a convolution or pool. Reports violated constraints
/// `mil-window-c1` to `mil-window-c5` at the op.
llvm::FailureOr<Window> getWindow(ConvOp op);
llvm::FailureOr<Window> getWindow(ConvQuantizedOp op);
llvm::FailureOr<Window> getWindow(MaxPoolOp op);
llvm::FailureOr<Window> getWindow(AvgPoolOp op);
llvm::FailureOr<Window> getWindow(L2PoolOp op);

/// The window of the convolution that a conv_transpose is the transpose of: its
/// `output` are the extents of `x`, its `input` those of the result. `padAfter`
/// is how far the last window reaches behind the result, at least 0. Reports
/// violated constraints `mil-conv_transpose-c2` to `mil-conv_transpose-c4` and
/// those of every window.
llvm::FailureOr<Window> getWindow(ConvTransposeOp op);

/// [N, channels, *output of the window] in the element type of `x`.
mlir::Type windowResultType(mlir::Value x, int64_t channels,
                            const Window &window);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_WINDOW_H
