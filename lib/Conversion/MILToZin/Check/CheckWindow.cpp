//===- CheckWindow.cpp - Convolutions and pools that the target has -------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/CheckedProduct.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

LogicalResult SupportChecker::checkWindow(Operation *op,
                                          const mil::Window &window) {
  if (window.kernel.size() > 2)
    return refuse(op, id("window-c1"),
                  "the window has " + Twine(window.kernel.size()) +
                      " spatial dimensions; the engine has 2");
  for (int64_t padding : window.padBefore)
    if (padding > target.maxPadding)
      return refuse(op, id("window-c2"),
                    "the padding in front is " + Twine(padding) +
                        ", the limit " + Twine(target.maxPadding) +
                        "; pad in a separate op");
  return success();
}

/// Of a computed weight that would have become other ops, why it has not.
LogicalResult SupportChecker::requireWeight(Operation *op, Value weight) {
  ArrayRef<int64_t> kernel = milShape(weight).drop_front(2);
  if (mil::getConstantElements(weight) ||
      llvm::product_of(kernel) <= mil::mostComputedTaps)
    return requireConstant(op, weight, "weight");
  return refuse(op, id("conv-c4"),
                llvm::formatv("'weight' is computed and has {0} taps, {1}; the "
                              "limit is {2}: add up convolutions with parts of "
                              "the kernel, or make it a constant",
                              llvm::product_of(kernel),
                              llvm::interleaved(kernel, "x"),
                              mil::mostComputedTaps)
                    .str());
}

LogicalResult SupportChecker::checkOp(mil::ConvOp op) {
  if (failed(requireWeight(op, op.getWeight())) ||
      failed(requireConstant(op, op.getBias(), "bias")))
    return failure();
  int64_t groups = *op.getGroupsOrDefault();
  // A channel-wise kernel is not grouped on the engine.
  bool channelwise =
      groups == milShape(op.getX())[1] && groups == milShape(op.getWeight())[0];
  if (groups > target.maxGroups && !channelwise)
    return refuse(op, id("conv-c2"),
                  "there are " + Twine(groups) + " groups, the limit is " +
                      Twine(target.maxGroups) +
                      "; split the convolution into several");
  return checkPaddedInput(op);
}

/// Padding in front becomes zeros in memory where registers do not hold it.
LogicalResult SupportChecker::checkPaddedInput(mil::ConvOp op) {
  FailureOr<mil::Window> window = mil::getWindow(op);
  if (failed(window))
    return failure();
  SmallVector<int64_t> padded(milShape(op.getX()).take_front(2));
  for (auto [extent, front] : llvm::zip_equal(window->input, window->padBefore))
    padded.push_back(extent + front);
  std::optional<int64_t> bytes =
      checkedProduct<int64_t>(zin::elementBytes, padded);
  if (bytes && *bytes <= target.maxProgramBytes)
    return success();
  return refuse(op, id("memory-c3"),
                "its input is " + formatShape(padded) +
                    " with the padding in front, more than the " +
                    Twine(target.maxProgramBytes) +
                    " bytes that a program has in memory; pad less");
}

LogicalResult SupportChecker::checkOp(mil::ConvTransposeOp op) {
  if (failed(requireWeight(op, op.getWeight())) ||
      failed(requireConstant(op, op.getBias(), "bias")))
    return failure();
  FailureOr<mil::Window> window = mil::getWindow(op);
  if (failed(window))
    return failure();
  // Each is a convolution of its own.
  constexpr int64_t mostPhases = int64_t(1) << 14;
  int64_t phases = 1;
  for (int64_t stride : window->stride) {
    // Neither factor is beyond the limit, so that the product does not
    // overflow.
    phases = stride > mostPhases ? stride : phases * stride;
    if (phases > mostPhases)
      return refuse(op, id("conv_transpose-c1"),
                    llvm::formatv("the strides {0} make more than {1} phases, "
                                  "each a convolution; enlarge in two steps",
                                  llvm::interleaved_array(window->stride),
                                  mostPhases)
                        .str());
  }
  return success();
}

template <typename PoolOp> LogicalResult SupportChecker::checkPool(PoolOp op) {
  FailureOr<mil::Window> window = mil::getWindow(op);
  if (failed(window) || failed(checkWindow(op, *window)))
    return failure();
  for (int64_t extent : window->kernel)
    if (extent > target.maxPoolWindow)
      return refuse(op, id("pool-c1"),
                    "the window has extent " + Twine(extent) +
                        ", the limit is " + Twine(target.maxPoolWindow) +
                        "; reduce whole dimensions with reduce_mean, or pool "
                        "in two steps");
  return success();
}

LogicalResult SupportChecker::checkOp(mil::MaxPoolOp op) {
  return checkPool(op);
}

LogicalResult SupportChecker::checkOp(mil::AvgPoolOp op) {
  return checkPool(op);
}
