//===- Window.cpp - Sliding windows of conv and pool ----------------------===//

#include "ane/Dialect/MIL/IR/Window.h"
#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
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
  std::optional<bool> ceilMode;
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
        "'" + name + "' must have " + counted(count, "entry", "entries") +
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
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(reach))
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
  if (!ceilMode)
    return Axis{before, after, (padded - reach) / stride + 1};
  // The last window is dropped if it starts behind the input, also where the
  // division has no rest. Of several that do it is the only one.
  int64_t output = llvm::divideCeil(padded - reach, stride) + 1;
  if ((output - 1) * stride >= input + before)
    --output;
  return Axis{before, after, output};
}

/// More elements than any dimension has.
constexpr int64_t reachLimit = int64_t(1) << 32;

/// Over how many elements a dilated kernel reaches.
FailureOr<int64_t> reachOf(Operation *op, int64_t kernel, int64_t dilation) {
  if (ShapedType::isDynamic(kernel))
    return ShapedType::kDynamic;
  if (kernel < 1)
    return refuse(op, "mil-window-c2",
                  "the kernel has extent " + Twine(kernel) +
                      "; it must be at least 1");
  std::optional<int64_t> reach =
      llvm::checkedMulAdd(dilation, kernel - 1, int64_t(1));
  if (!reach || *reach > reachLimit)
    return refuse(op, "mil-window-c4",
                  "a kernel of " + Twine(kernel) + " with dilation " +
                      Twine(dilation) + " reaches over more than any input");
  return *reach;
}

/// Reads what conv, pool and their transposed form say alike: the strides and
/// dilations of a window and, returned, the padding that `pad` lists.
FailureOr<SmallVector<int64_t, 3>> readSteps(const WindowInputs &inputs,
                                             size_t spatial, Window &window) {
  FailureOr<SmallVector<int64_t, 3>> strides =
      readList(inputs.op, "strides", inputs.strides, spatial, 1, 1);
  FailureOr<SmallVector<int64_t, 3>> dilations =
      readList(inputs.op, "dilations", inputs.dilations, spatial, 1, 1);
  FailureOr<SmallVector<int64_t, 3>> pad =
      readList(inputs.op, "pad", inputs.pad, 2 * spatial, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pad))
    return failure();
  window.stride = *strides;
  window.dilation = *dilations;
  return pad;
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
                  "the kernel has " +
                      counted(window.kernel.size(), "dimension") +
                      ", 'x' has " + Twine(spatial) + " spatial ones");

  FailureOr<SmallVector<int64_t, 3>> pad = readSteps(inputs, spatial, window);
  if (failed(pad))
    return failure();

  StringRef padType =
      inputs.padType ? getConstantString(inputs.padType).value_or("") : "valid";
  if (padType != "valid" && padType != "same" && padType != "same_lower" &&
      padType != "custom")
    return refuse(op, "mil-window-c3",
                  "'pad_type' is \"" + padType +
                      "\"; it must be valid, same, same_lower or custom");
  constexpr unsigned firstWithSameLower = 16;
  if (padType == "same_lower" && getOpset(op) < firstWithSameLower)
    return refuse(op, "mil-window-c3",
                  "'pad_type' is \"same_lower\", which exists from ios" +
                      Twine(firstWithSameLower) +
                      " on; use custom with more padding in front");
  if (!inputs.ceilMode)
    return refuse(op, "mil-sig-c1",
                  "'ceil_mode' must be known at compile time");
  if (*inputs.ceilMode && padType.starts_with("same"))
    return refuse(op, "mil-window-c3",
                  "'ceil_mode' is true, but 'pad_type' is \"" + padType +
                      "\", which rounds up already; leave 'ceil_mode' out, or "
                      "use custom");

  for (size_t i = 0; i < spatial; ++i) {
    FailureOr<int64_t> reach =
        reachOf(op, window.kernel[i], window.dilation[i]);
    if (failed(reach))
      return failure();
    bool custom = padType == "custom";
    std::optional<Axis> axis =
        placeWindows(window.input[i], *reach, window.stride[i], padType,
                     custom ? (*pad)[2 * i] : 0, custom ? (*pad)[2 * i + 1] : 0,
                     *inputs.ceilMode);
    if (!axis)
      return refuse(op, "mil-window-c4",
                    "the window reaches over " + counted(*reach, "element") +
                        " of spatial dimension " + Twine(i) + ", which has " +
                        Twine(window.input[i]) + " with padding " +
                        Twine(custom ? (*pad)[2 * i] + (*pad)[2 * i + 1] : 0));
    window.padBefore.push_back(axis->before);
    window.padAfter.push_back(axis->after);
    window.output.push_back(axis->output);
  }
  return window;
}

/// The spatial extents of a weight. They may be unknown.
SmallVector<int64_t, 3> kernelOf(Value weight) {
  auto type = dyn_cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t, 3> kernel;
  if (type && type.getRank() > 2)
    kernel.assign(type.getShape().begin() + 2, type.getShape().end());
  return kernel;
}

template <typename Op> WindowInputs getConvInputs(Op op) {
  return {op,
          op.getX(),
          kernelOf(op.getWeight()),
          op.getStrides(),
          op.getPadType(),
          op.getPad(),
          op.getDilations(),
          /*ceilMode=*/false};
}

/// The output channels of a transposed convolution.
int64_t getResultChannels(ConvTransposeOp op) {
  int64_t channels =
      cast<RankedTensorType>(op.getWeight().getType()).getDimSize(1);
  std::optional<int64_t> groups = op.getGroupsOrDefault();
  if (ShapedType::isDynamic(channels) || !groups)
    return ShapedType::kDynamic;
  return llvm::checkedMul(channels, *groups).value_or(ShapedType::kDynamic);
}

/// The spatial entries of 'output_shape'; none if it is absent.
FailureOr<SmallVector<int64_t, 3>> readOutputShape(ConvTransposeOp op,
                                                   size_t spatial) {
  if (!op.getOutputShape())
    return SmallVector<int64_t, 3>();
  std::optional<SmallVector<int64_t>> entries =
      getConstantInts(op.getOutputShape());
  int64_t batch = cast<RankedTensorType>(op.getX().getType()).getDimSize(0);
  int64_t channels = getResultChannels(op);
  if (!entries || entries->size() != spatial + 2 ||
      !agree((*entries)[0], batch) || !agree((*entries)[1], channels) ||
      llvm::any_of(*entries, [](int64_t entry) { return entry < 1; }))
    return refuse(op, "mil-conv_transpose-c2",
                  "'output_shape' is " +
                      (entries ? formatShape(*entries) : std::string("?")) +
                      "; it must be the batch of 'x', the " +
                      counted(channels, "output channel") + " and " +
                      Twine(spatial) + " positive extents");
  return SmallVector<int64_t, 3>(entries->begin() + 2, entries->end());
}

/// The extent of the result of a transposed convolution along one dimension,
/// and the padding that it takes away.
struct TransposedAxis {
  int64_t before, after, result;
};

std::optional<TransposedAxis> placeTransposed(int64_t x, int64_t reach,
                                              int64_t stride, bool same,
                                              int64_t before, int64_t after,
                                              std::optional<int64_t> declared) {
  if (ShapedType::isDynamic(x) || ShapedType::isDynamic(reach))
    return TransposedAxis{before, after,
                          declared.value_or(ShapedType::kDynamic)};
  std::optional<int64_t> whole = llvm::checkedMulAdd(x - 1, stride, reach);
  std::optional<int64_t> scaled = llvm::checkedMul(x, stride);
  if (!whole || !scaled || x < 1)
    return std::nullopt;
  int64_t result = declared ? *declared
                   : same   ? *scaled
                            : *whole - before - after;
  if (result < 1 || result > reachLimit)
    return std::nullopt;
  if (same)
    before = std::max<int64_t>(*whole - result, 0) / 2;
  return TransposedAxis{before, std::max<int64_t>(*whole - before - result, 0),
                        result};
}

template <typename PoolOp> FailureOr<Window> getPoolWindow(PoolOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getX().getType());
  size_t spatial = type && type.getRank() > 2 ? type.getRank() - 2 : 1;
  FailureOr<SmallVector<int64_t, 3>> kernel =
      readList(op, "kernel_sizes", op.getKernelSizes(), spatial, 1, 1);
  if (failed(kernel))
    return failure();
  return resolve({op, op.getX(), *kernel, op.getStrides(), op.getPadType(),
                  op.getPad(), /*dilations=*/{}, op.getCeilModeOrDefault()});
}

} // namespace

FailureOr<Window> ane::mil::getWindow(ConvOp op) {
  return resolve(getConvInputs(op));
}
FailureOr<Window> ane::mil::getWindow(ConvQuantizedOp op) {
  return resolve(getConvInputs(op));
}

FailureOr<Window> ane::mil::getWindow(MaxPoolOp op) {
  return getPoolWindow(op);
}
FailureOr<Window> ane::mil::getWindow(AvgPoolOp op) {
  return getPoolWindow(op);
}
FailureOr<Window> ane::mil::getWindow(L2PoolOp op) { return getPoolWindow(op); }

FailureOr<Window> ane::mil::getWindow(ConvTransposeOp op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  size_t spatial = x.getRank() - 2;
  WindowInputs inputs = getConvInputs(op);
  Window window;
  window.output.assign(x.getShape().begin() + 2, x.getShape().end());
  window.kernel = inputs.kernel;
  FailureOr<SmallVector<int64_t, 3>> pad = readSteps(inputs, spatial, window);
  if (failed(pad))
    return failure();

  StringRef padType = "valid";
  if (op.getPadType())
    padType = getConstantString(op.getPadType()).value_or("");
  if (padType != "valid" && padType != "same" && padType != "custom")
    return refuse(op, "mil-conv_transpose-c3",
                  "'pad_type' is \"" + padType +
                      "\"; it must be valid, same or custom");
  FailureOr<SmallVector<int64_t, 3>> declared = readOutputShape(op, spatial);
  if (failed(declared))
    return failure();

  for (size_t i = 0; i < spatial; ++i) {
    FailureOr<int64_t> reach =
        reachOf(op, window.kernel[i], window.dilation[i]);
    if (failed(reach))
      return failure();
    bool custom = padType == "custom";
    std::optional<TransposedAxis> axis = placeTransposed(
        window.output[i], *reach, window.stride[i], padType == "same",
        custom ? (*pad)[2 * i] : 0, custom ? (*pad)[2 * i + 1] : 0,
        declared->empty() ? std::nullopt : std::optional((*declared)[i]));
    if (!axis)
      return refuse(op, "mil-conv_transpose-c4",
                    "spatial dimension " + Twine(i) + " of the result is not " +
                        "1 to 2^32: " + counted(window.output[i], "element") +
                        ", stride " + Twine(window.stride[i]) +
                        ", a kernel that reaches over " + Twine(*reach) +
                        " and padding " +
                        Twine(custom ? (*pad)[2 * i] + (*pad)[2 * i + 1] : 0) +
                        " leave none or too many");
    window.padBefore.push_back(axis->before);
    window.padAfter.push_back(axis->after);
    window.input.push_back(axis->result);
  }
  return window;
}

Type ane::mil::windowResultType(Value x, int64_t channels,
                                const Window &window) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape = {type.getDimSize(0), channels};
  llvm::append_range(shape, window.output);
  return RankedTensorType::get(shape, type.getElementType());
}
