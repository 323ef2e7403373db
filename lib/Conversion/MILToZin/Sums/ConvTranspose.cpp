//===- ConvTranspose.cpp - Transposed convolution -------------------------===//
//
// With stride s, result elements that are s apart come from the same part of
// the kernel: each of the s * s phases is a convolution of the input with that
// part, flipped, and the results alternate. So no zero is multiplied, unlike in
// a convolution of the input with zeros in between, which has s * s times the
// products. Putting columns in turn costs s + 1 transposed copies, of the rows
// of each phase.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Along one dimension, what the result elements of a transposed convolution
/// that are one stride apart are computed from: a window over the input.
struct TransposedPhase {
  int64_t padding;  ///< in front of the input
  int64_t dilation; ///< how far apart the taps are
  /// Elements of the kernel, -1 where the window has none.
  SmallVector<int64_t> taps;
};

/// One for each of the first `stride` elements of the result.
SmallVector<TransposedPhase> transposedPhases(const mil::Window &window,
                                              size_t dim) {
  int64_t stride = window.stride[dim], dilation = window.dilation[dim];
  // The window of a convolution has its input where the transpose has a result.
  int64_t input = window.output[dim],
          results = llvm::divideCeil(window.input[dim], stride);
  SmallVector<TransposedPhase> phases;
  for (int64_t first = 0; first < stride; ++first) {
    TransposedPhase phase = {0, dilation / std::gcd(stride, dilation), {}};
    // Result element first + stride * j takes input element j + offset by
    // kernel element k. Offsets that lead beside the input for each j are none.
    for (int64_t k = window.kernel[dim]; k-- > 0;) {
      int64_t distance = first + window.padBefore[dim] - k * dilation;
      int64_t offset = distance / stride;
      if (distance % stride != 0 || offset >= input || offset <= -results)
        continue;
      if (phase.taps.empty())
        phase.padding = -offset;
      phase.taps.push_back(k);
    }
    // The first window begins at the front of the input, or before.
    if (phase.padding < 0) {
      int64_t missing = llvm::divideCeil(-phase.padding, phase.dilation);
      phase.taps.insert(phase.taps.begin(), missing, -1);
      phase.padding += missing * phase.dilation;
    }
    if (phase.taps.empty())
      phase.taps.push_back(-1);
    phases.push_back(std::move(phase));
  }
  return phases;
}

/// A kernel [Cin, Cout / groups, 1, rows, columns] of a transposed convolution.
struct TransposedKernel {
  std::vector<uint16_t> elements;
  int64_t inputs, outputs, rows, columns, groups;

  /// The part of a phase as [Cout, 1, Cin / groups, rows, columns].
  Value phase(OpBuilder &builder, Location location,
              const TransposedPhase &vertical,
              const TransposedPhase &horizontal) const {
    std::vector<uint16_t> bits;
    int64_t perGroup = inputs / groups;
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t output = 0; output < outputs; ++output)
        for (int64_t input = 0; input < perGroup; ++input)
          for (int64_t y : vertical.taps)
            for (int64_t x : horizontal.taps) {
              int64_t plane = (group * perGroup + input) * outputs + output;
              bits.push_back(y < 0 || x < 0
                                 ? 0
                                 : elements[(plane * rows + y) * columns + x]);
            }
    RankedTensorType type =
        halfType(builder.getContext(),
                 {groups * outputs, 1, perGroup, int64_t(vertical.taps.size()),
                  int64_t(horizontal.taps.size())});
    return zin::ConstantOp::create(
        builder, location,
        cast<TypedAttr>(zin::makeHalfElements(type, std::move(bits))));
  }
};

/// A transposed convolution, one dimension of a window at a time.
struct Transposed {
  OpBuilder &builder;
  Location location;
  const mil::Window &window;
  Value bias;

  Value reshape(Value x, ArrayRef<int64_t> shape) const {
    return reshapeTo(builder, location, x, shape);
  }

  /// Over the last dimensions of the window, rows and columns: [N, 1, Cin, H,
  /// W] to `shape`.
  Value planes(Value x, const TransposedKernel &kernel,
               const Shape5 &shape) const {
    size_t last = window.kernel.size() - 1;
    SmallVector<TransposedPhase> horizontal = transposedPhases(window, last);
    SmallVector<TransposedPhase> vertical = {{0, 1, {0}}};
    if (last > 0)
      vertical = transposedPhases(window, last - 1);
    Shape5 part = shape;
    part[zin::H] = llvm::divideCeil(shape[zin::H], vertical.size());
    part[zin::W] = llvm::divideCeil(shape[zin::W], horizontal.size());
    auto phase = [&](int64_t row, int64_t column) -> Value {
      const TransposedPhase &down = vertical[row], &right = horizontal[column];
      return zin::ConvOp::create(
          builder, location, halfType(builder.getContext(), part), x,
          kernel.phase(builder, location, down, right), bias,
          builder.getDenseI64ArrayAttr({1, 1}),
          builder.getDenseI64ArrayAttr({down.padding, right.padding}),
          builder.getDenseI64ArrayAttr({down.dilation, right.dilation}),
          builder.getI64IntegerAttr(kernel.groups), zin::NeuronAttr());
    };
    return begin(imagesInTurns(builder, location, vertical.size(),
                               horizontal.size(), phase),
                 shape);
  }

  /// The front of a value; what is behind is not part of the result.
  Value begin(Value x, ArrayRef<int64_t> shape) const {
    return zin::viewOf(builder, location, x, SmallVector<int64_t>(zin::numDims),
                       shape);
  }

  /// Over three dimensions: slices of the result that are a stride apart come
  /// from the same slices of the kernel. Those of the input that they see lie
  /// side by side as channels, and the slices of the result are a batch.
  Value volume(Value x, const zin::HalfElements &elements,
               ArrayRef<int64_t> weight, int64_t groups,
               ArrayRef<int64_t> result) const {
    int64_t batch = result[0], outputs = result[1], depth = result[2];
    x = zin::transposeBy(builder, location, x, {2, 0, 1, 3, 4});
    SmallVector<TransposedPhase> phases = transposedPhases(window, 0);
    int64_t slices = llvm::divideCeil(depth, phases.size());
    Shape5 shape = {slices * batch, 1, outputs, result[3], result[4]};
    SmallVector<Value> parts;
    for (const TransposedPhase &phase : phases) {
      Value y = planes(slicesSide(x, phase, slices, groups),
                       kernelOf(elements, weight, groups, phase), shape);
      parts.push_back(
          reshape(y, {slices, 1, batch * outputs, result[3], result[4]}));
    }
    Value whole = zin::concatAlong(builder, location, parts, zin::D);
    whole = reshape(whole, {slices * int64_t(phases.size()), batch, outputs,
                            result[3], result[4]});
    whole = begin(whole, {depth, batch, outputs, result[3], result[4]});
    return zin::transposeBy(builder, location, whole, {1, 2, 0, 3, 4});
  }

private:
  /// [depth, N, Cin, H, W] to [slices * N, 1, taps * Cin, H, W], the channels
  /// of a group side by side.
  Value slicesSide(Value x, const TransposedPhase &phase, int64_t slices,
                   int64_t groups) const {
    SmallVector<int64_t> from(milShape(x));
    auto taps = int64_t(phase.taps.size());
    int64_t reach = (taps - 1) * phase.dilation + 1;
    int64_t behind = slices - 1 + reach - phase.padding - from[0];
    SmallVector<Value> padded;
    if (phase.padding > 0)
      padded.push_back(
          splatLike(builder, location, x, zin::N, phase.padding, 0));
    padded.push_back(x);
    if (behind > 0)
      padded.push_back(splatLike(builder, location, x, zin::N, behind, 0));
    x = zin::concatAlong(builder, location, padded, zin::N);
    SmallVector<Value> sides;
    for (int64_t tap = 0; tap < taps; ++tap) {
      Value side = zin::viewAlong(builder, location, x, zin::N,
                                  tap * phase.dilation, slices);
      sides.push_back(reshape(side, {slices * from[1], groups, from[2] / groups,
                                     from[3], from[4]}));
    }
    return reshape(zin::concatAlong(builder, location, sides, zin::C),
                   {slices * from[1], 1, taps * from[2], from[3], from[4]});
  }

  /// [Cin, Cout / groups, depth, rows, columns] with the taps of a phase in
  /// front of the input channels of a group.
  static TransposedKernel kernelOf(const zin::HalfElements &elements,
                                   ArrayRef<int64_t> weight, int64_t groups,
                                   const TransposedPhase &phase) {
    int64_t perGroup = weight[0] / groups, plane = weight[3] * weight[4];
    std::vector<uint16_t> bits;
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t tap : phase.taps)
        for (int64_t input = 0; input < perGroup; ++input)
          for (int64_t output = 0; output < weight[1]; ++output) {
            int64_t row = (group * perGroup + input) * weight[1] + output;
            for (int64_t i = 0; i < plane; ++i)
              bits.push_back(
                  tap < 0 ? 0 : elements[(row * weight[2] + tap) * plane + i]);
          }
    auto taps = int64_t(phase.taps.size());
    return {std::move(bits), taps * weight[0], weight[1],
            weight[3],       weight[4],        groups};
  }
};

struct ConvTransposeRule : OpConversionPattern<mil::ConvTransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ConvTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<mil::Window> window = mil::getWindow(op);
    std::optional<int64_t> groups = op.getGroupsOrDefault();
    if (failed(window) || !groups)
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    Location location = op.getLoc();
    ArrayRef<int64_t> result = milShape(op.getResult()),
                      given = milShape(op.getWeight());
    std::optional<zin::HalfElements> elements =
        zin::HalfElements::get(halfConstant(op.getWeight(), given));
    if (!elements)
      return rewriter.notifyMatchFailure(op, "the weights are not at hand");
    Value bias;
    if (op.getBias())
      bias = materializeHalf(rewriter, location, op.getBias(),
                             {1, 1, result[1], 1, 1});
    Transposed transposed{rewriter, location, *window, bias};
    if (given.size() == zin::numDims) {
      rewriter.replaceOp(op, transposed.volume(adaptor.getX(), *elements, given,
                                               *groups, result));
      return success();
    }
    Shape5 weight = windowShape(given);
    std::vector<uint16_t> bits;
    bits.reserve(elements->size());
    for (size_t i = 0; i < elements->size(); ++i)
      bits.push_back((*elements)[i]);
    TransposedKernel kernel{std::move(bits), weight[zin::N], weight[zin::C],
                            weight[zin::H],  weight[zin::W], *groups};
    Value x = reshapeTo(rewriter, location, adaptor.getX(),
                        windowShape(milShape(op.getX())));
    Value y = transposed.planes(x, kernel, windowShape(result));
    rewriter.replaceOp(op, reshapeTo(rewriter, location, y,
                                     alignShape(result, result.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateConvTransposePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvTransposeRule>(converter, patterns.getContext());
}
