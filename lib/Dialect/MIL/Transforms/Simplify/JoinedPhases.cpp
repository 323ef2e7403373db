//===- JoinedPhases.cpp - Transposed convolutions as one ------------------===//
//
// With stride s, elements of a result that are s apart come from the same part
// of the kernel, so that s * s convolutions make all of them. These read the
// same values: one convolution with s * s times the outputs makes them, which
// are then moved to their places.
//
//===----------------------------------------------------------------------===//

#include "Simplify/JoinedPhases.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Strides and outputs from which on, and up to which, that takes fewer cycles
/// by estimate: half of the engines are idle in each phase. Assigned.
constexpr int64_t leastStride = 4, mostOutputs = h13.neuralEngines / 2;

/// One dimension of a transposed convolution. Element `phase + stride * j` of
/// the result is a sum over taps of elements from `j - before` of the input on.
struct JoinedDim {
  int64_t stride, kernel, taps, front, before, after, windows;

  /// The element of the kernel that a tap of a phase is; outside of it for
  /// none.
  int64_t elementOf(int64_t phase, int64_t tap) const {
    return phase + stride * (taps - 1 - tap) - front;
  }

  static std::optional<JoinedDim> get(const Window &window, size_t dim) {
    int64_t stride = window.stride[dim], kernel = window.kernel[dim],
            cut = window.padBefore[dim];
    if (window.dilation[dim] != 1)
      return std::nullopt;
    // The input elements that add to the first phases, relative to the first.
    int64_t last = llvm::divideCeil(cut, stride),
            first = llvm::divideFloorSigned(cut + stride - kernel, stride);
    int64_t windows = llvm::divideCeil(window.input[dim], stride);
    JoinedDim joined{
        stride,           kernel,
        last - first + 1, last * stride - cut,
        -first,           windows - 1 + last - (window.output[dim] - 1),
        windows};
    // Each window has something of the input.
    if (joined.before < 0 ||
        std::max(joined.before, joined.after) >= joined.taps)
      return std::nullopt;
    return joined;
  }
};

/// The same of rows and columns; of one row where the window has columns alone.
struct JoinedPhases {
  JoinedDim rows, columns;
  int64_t groups, inputs, outputs;

  int64_t phases() const { return rows.stride * columns.stride; }

  bool isCheaper(RankedTensorType x, RankedTensorType result) const;

  /// [Cin, Cout / groups, rows, columns] to [Cout * phases, Cin / groups, taps
  /// of rows, taps of columns].
  SmallVector<double> weight(ArrayRef<double> given) const;
  /// [N, Cout * phases, windows] to [N, Cout, windows * stride].
  Value apart(Replacer &r, Value x) const;
};

bool JoinedPhases::isCheaper(RankedTensorType x,
                             RankedTensorType result) const {
  int64_t channels = groups * outputs, least = columns.stride;
  if (least < leastStride || x.getShape().back() > longestDim)
    return false;
  // Each lane has an output, and each phase as many windows as any: what that
  // adds to a kernel has to be less than half of the lanes that it fills.
  int64_t most = mostOutputs * rows.kernel * columns.kernel;
  if (channels * phases() * rows.taps * columns.taps > most)
    return false;
  // What the scratchpad does not hold is moved through memory, as are rows that
  // the engine does not have.
  if (channels > 1 && result.getNumElements() * elementBytes > h13.l2Bytes / 2)
    return false;
  if (result.getShape().back() > longestDim && least < 2 * leastStride)
    return false;
  if (rows.stride == 1)
    return channels <= mostOutputs;
  // Rows in turn are a matter of strides; both are more moves.
  least = std::min(least, rows.stride);
  return least >= leastStride && channels <= mostOutputs / 2 &&
         channels <= least / 2;
}

SmallVector<double> JoinedPhases::weight(ArrayRef<double> given) const {
  SmallVector<double> weight(groups * outputs * phases() * inputs * rows.taps *
                             columns.taps);
  auto *to = weight.begin();
  for (int64_t output = 0; output < groups * outputs; ++output)
    for (int64_t phase = 0; phase < phases(); ++phase)
      for (int64_t input = 0; input < inputs; ++input)
        for (int64_t down = 0; down < rows.taps; ++down)
          for (int64_t right = 0; right < columns.taps; ++right, ++to) {
            int64_t y = rows.elementOf(phase / columns.stride, down),
                    x = columns.elementOf(phase % columns.stride, right);
            int64_t plane = (output / outputs * inputs + input) * outputs +
                            output % outputs;
            if (y >= 0 && y < rows.kernel && x >= 0 && x < columns.kernel)
              *to = given[(plane * rows.kernel + y) * columns.kernel + x];
          }
  return weight;
}

Value JoinedPhases::apart(Replacer &r, Value x) const {
  int64_t batch = shapeOf(x)[0], channels = groups * outputs;
  bool isImage = shapeOf(x).size() > 3;
  if (isImage)
    x = r.transposeAs(x,
                      {batch * channels, rows.stride, columns.stride,
                       rows.windows, columns.windows},
                      {0, 3, 1, 4, 2});
  else
    x = r.transposeAs(x, {batch * channels, columns.stride, columns.windows},
                      {0, 2, 1});
  SmallVector<int64_t> shape = {batch, channels};
  if (isImage)
    shape.push_back(rows.windows * rows.stride);
  shape.push_back(columns.windows * columns.stride);
  return r.reshape(x, shape);
}

} // namespace

LogicalResult ane::mil::joinPhases(PatternRewriter &rewriter,
                                   ConvTransposeOp op) {
  RankedTensorType x = staticType(op.getX()),
                   result = staticType(op.getResult()),
                   weight = staticType(op.getWeight());
  FailureOr<Window> window = getWindow(op);
  std::optional<int64_t> groups = op.getGroupsOrDefault();
  if (!x || !result || !weight || x.getRank() > 4 || failed(window) || !groups)
    return rewriter.notifyMatchFailure(op, "no image of known extents");
  size_t last = window->kernel.size() - 1;
  std::optional<JoinedDim> columns = JoinedDim::get(*window, last), rows;
  if (last > 0)
    rows = JoinedDim::get(*window, 0);
  else
    rows = {1, 1, 1, 0, 0, 0, 1};
  if (!columns || !rows)
    return rewriter.notifyMatchFailure(op, "dilated, or beside the input");
  JoinedPhases joined{*rows, *columns, *groups, weight.getDimSize(0) / *groups,
                      weight.getDimSize(1)};
  if (!joined.isCheaper(x, result))
    return rewriter.notifyMatchFailure(op, "moves more than it saves");
  std::optional<SmallVector<double>> given = getConstantNumbers(op.getWeight());
  std::optional<SmallVector<double>> biases(std::in_place);
  if (op.getBias())
    biases = getConstantNumbers(op.getBias());
  if (!given || !biases)
    return rewriter.notifyMatchFailure(op, "a computed kernel or bias");

  Replacer r(rewriter, op);
  int64_t channels = joined.groups * joined.outputs * joined.phases();
  Value bias;
  if (op.getBias()) {
    SmallVector<double> all;
    for (double number : *biases)
      all.append(joined.phases(), number);
    bias = r.tensor(all, {channels}, op.getBias());
  }
  SmallVector<const JoinedDim *> dims = {&*rows, &*columns};
  SmallVector<int64_t> padding, ones(last + 1, 1),
      shape = {x.getDimSize(0), channels}, kernel = {channels, joined.inputs};
  for (const JoinedDim *dim : ArrayRef(dims).take_back(last + 1)) {
    // What is left out at the end is computed and cut off.
    int64_t beyond = std::max<int64_t>(-dim->after, 0);
    llvm::append_values(padding, dim->before, dim->after + beyond);
    shape.push_back(dim->windows + beyond);
    kernel.push_back(dim->taps);
  }
  Value y =
      ConvOp::create(rewriter, op.getLoc(), result.clone(shape), op.getX(),
                     r.tensor(joined.weight(*given), kernel, op.getWeight()),
                     bias, r.ints(ones), r.string("custom"), r.ints(padding),
                     r.ints(ones), op.getGroups());
  for (auto [dim, own] : llvm::enumerate(ArrayRef(dims).take_back(last + 1)))
    y = r.slice(y, int64_t(dim) + 2, 0, own->windows);
  y = joined.apart(r, y);
  for (int64_t dim = 2; dim < result.getRank(); ++dim)
    y = r.slice(y, dim, 0, result.getDimSize(dim));
  return r.replace(y);
}
