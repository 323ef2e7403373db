//===- Window.cpp - Sliding windows of conv and pool ----------------------===//

#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Npy.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The inputs that describe a window, in the op's own words.
struct WindowInputs {
  Operation *op;
  Value x;
  SmallVector<int64_t, 3> kernel;
  Value strides;
  Value padType;
  Value pad;
  Value dilations;
  Value ceilMode;
};

/// A list input with `count` entries, or `count` times the default.
FailureOr<SmallVector<int64_t, 3>> readList(Operation *op, StringRef name,
                                            Value value, size_t count,
                                            int64_t defaultEntry,
                                            int64_t lowest) {
  if (!value)
    return SmallVector<int64_t, 3>(count, defaultEntry);
  std::optional<SmallVector<int64_t>> entries = getConstantInts(value);
  if (!entries || entries->size() != count)
    return refuse(
        op, "mil-window-c1",
        "'" + name + "' must have " + Twine(count) + " entries" +
            (entries ? ", not " + Twine(entries->size()) : Twine("")));
  for (int64_t entry : *entries)
    if (entry < lowest)
      return refuse(op, "mil-window-c2",
                    "'" + name + "' is " + formatShape(*entries) +
                        "; each entry must be at least " + Twine(lowest));
  return SmallVector<int64_t, 3>(entries->begin(), entries->end());
}

/// The number of windows along one dimension, and the padding that
/// `pad_type` asks for. An unknown extent gives an unknown number.
struct Axis {
  int64_t before, after, output;
};

std::optional<Axis> placeWindows(int64_t input, int64_t reach, int64_t stride,
                                 StringRef padType, int64_t before,
                                 int64_t after, bool ceilMode) {
  if (ShapedType::isDynamic(input))
    return Axis{before, after, ShapedType::kDynamic};
  if (padType == "same" || padType == "same_lower") {
    int64_t output = llvm::divideCeil(input, stride);
    int64_t total = std::max<int64_t>((output - 1) * stride + reach - input, 0);
    int64_t less = total / 2, more = total - less;
    return padType == "same" ? Axis{less, more, output}
                             : Axis{more, less, output};
  }
  int64_t padded = input + before + after;
  if (padded < reach)
    return std::nullopt;
  int64_t output = (padded - reach) / stride + 1;
  // Rounding up adds one window if it starts inside the input or in front.
  if (ceilMode && (padded - reach) % stride != 0 &&
      output * stride < input + before)
    ++output;
  return Axis{before, after, output};
}

FailureOr<Window> resolve(const WindowInputs &inputs) {
  Operation *op = inputs.op;
  auto type = dyn_cast<RankedTensorType>(inputs.x.getType());
  if (!type || type.getRank() < 3 || type.getRank() > 5)
    return refuse(op, "mil-window-c5",
                  "'x' is " + formatType(inputs.x.getType()) +
                      "; it must have rank 3 to 5: batch, channels and one to "
                      "three spatial dimensions");
  size_t spatial = type.getRank() - 2;
  Window window;
  window.input.assign(type.getShape().begin() + 2, type.getShape().end());
  window.kernel = inputs.kernel;
  if (window.kernel.size() != spatial)
    return refuse(op, "mil-window-c1",
                  "the kernel has " + Twine(window.kernel.size()) +
                      " dimensions, 'x' has " + Twine(spatial) +
                      " spatial ones");

  FailureOr<SmallVector<int64_t, 3>> strides =
      readList(op, "strides", inputs.strides, spatial, 1, 1);
  FailureOr<SmallVector<int64_t, 3>> dilations =
      readList(op, "dilations", inputs.dilations, spatial, 1, 1);
  FailureOr<SmallVector<int64_t, 3>> pad =
      readList(op, "pad", inputs.pad, 2 * spatial, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pad))
    return failure();
  window.stride = *strides;
  window.dilation = *dilations;

  StringRef padType =
      inputs.padType ? getConstantString(inputs.padType).value_or("") : "valid";
  if (padType != "valid" && padType != "same" && padType != "same_lower" &&
      padType != "custom")
    return refuse(op, "mil-window-c3",
                  "'pad_type' is \"" + padType +
                      "\"; it must be valid, same, same_lower or custom");
  std::optional<bool> ceilMode = getBoolOr(inputs.ceilMode, false);
  if (!ceilMode)
    return refuse(op, "mil-sig-c1",
                  "'ceil_mode' must be known at compile time");

  for (size_t i = 0; i < spatial; ++i) {
    std::optional<int64_t> reach = llvm::checkedMulAdd(
        window.dilation[i], window.kernel[i] - 1, int64_t(1));
    constexpr int64_t reachLimit = int64_t(1) << 32;
    if (!reach || *reach > reachLimit)
      return refuse(op, "mil-window-c4",
                    "a kernel of " + Twine(window.kernel[i]) +
                        " with dilation " + Twine(window.dilation[i]) +
                        " reaches over more than any input");
    bool custom = padType == "custom";
    std::optional<Axis> axis = placeWindows(
        window.input[i], *reach, window.stride[i], padType,
        custom ? (*pad)[2 * i] : 0, custom ? (*pad)[2 * i + 1] : 0, *ceilMode);
    if (!axis)
      return refuse(op, "mil-window-c4",
                    "the window reaches over " + Twine(*reach) +
                        " elements of spatial dimension " + Twine(i) +
                        ", which has " + Twine(window.input[i]) +
                        " with padding " +
                        Twine(custom ? (*pad)[2 * i] + (*pad)[2 * i + 1] : 0));
    window.padBefore.push_back(axis->before);
    window.padAfter.push_back(axis->after);
    window.output.push_back(axis->output);
  }
  return window;
}

template <typename PoolOp> FailureOr<Window> getPoolWindow(PoolOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getX().getType());
  size_t spatial = type && type.getRank() > 2 ? type.getRank() - 2 : 1;
  FailureOr<SmallVector<int64_t, 3>> kernel =
      readList(op, "kernel_sizes", op.getKernelSizes(), spatial, 1, 1);
  if (failed(kernel))
    return failure();
  return resolve({op, op.getX(), *kernel, op.getStrides(), op.getPadType(),
                  op.getPad(), /*dilations=*/{}, op.getCeilMode()});
}

} // namespace

FailureOr<Window> ane::mil::getWindow(ConvOp op) {
  auto weight = dyn_cast<RankedTensorType>(op.getWeight().getType());
  SmallVector<int64_t, 3> kernel;
  if (weight && weight.getRank() > 2)
    kernel.assign(weight.getShape().begin() + 2, weight.getShape().end());
  return resolve({op, op.getX(), kernel, op.getStrides(), op.getPadType(),
                  op.getPad(), op.getDilations(), /*ceilMode=*/{}});
}

FailureOr<Window> ane::mil::getWindow(MaxPoolOp op) {
  return getPoolWindow(op);
}
FailureOr<Window> ane::mil::getWindow(AvgPoolOp op) {
  return getPoolWindow(op);
}
