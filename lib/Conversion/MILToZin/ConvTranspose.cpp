//===- ConvTranspose.cpp - Transposed convolution -------------------------===//
//
// With stride s, result elements that are s apart come from the same part of
// the kernel: each of the s * s phases is a convolution of the input with that
// part, flipped, and the results alternate. So no zero is multiplied, unlike in
// a convolution of the input with zeros in between, which has s * s times the
// products. Putting columns in turn costs s + 1 transposed copies.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/MIL/IR/Window.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

SmallVector<TransposedPhase>
ane::lowering::transposedPhases(int64_t kernel, int64_t stride,
                                int64_t dilation, int64_t padBefore) {
  SmallVector<TransposedPhase> phases;
  for (int64_t first = 0; first < stride; ++first) {
    // Result element first + stride * j takes input element j + offset by
    // kernel element k.
    auto offsetOf = [&](int64_t k) -> std::optional<int64_t> {
      int64_t distance = first + padBefore - k * dilation;
      if (distance % stride != 0)
        return std::nullopt;
      return distance / stride;
    };
    int64_t low = 0, high = std::numeric_limits<int64_t>::min();
    for (int64_t k = 0; k < kernel; ++k)
      if (std::optional<int64_t> offset = offsetOf(k)) {
        low = std::min(low, *offset);
        high = std::max(high, *offset);
      }
    TransposedPhase phase;
    phase.padding = -low;
    phase.taps.assign(std::max(high, low) - low + 1, -1);
    for (int64_t k = 0; k < kernel; ++k)
      if (std::optional<int64_t> offset = offsetOf(k))
        phase.taps[*offset - low] = k;
    phases.push_back(std::move(phase));
  }
  return phases;
}

namespace {

/// A kernel [Cin, Cout / groups, 1, rows, columns] of a transposed convolution.
struct TransposedKernel {
  zin::HalfElements elements;
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

/// Values of which elements alternate along a dimension.
Value alternate(OpBuilder &builder, Location location, ArrayRef<Value> values,
                unsigned dim) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(milShape(values.front()));
  shape[dim] *= values.size();
  return zin::ConcatOp::create(builder, location,
                               halfType(builder.getContext(), shape), values,
                               dim, /*interleave=*/true);
}

struct ConvTransposeRule : OpConversionPattern<mil::ConvTransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ConvTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<mil::Window> window = mil::getWindow(op);
    std::optional<int64_t> groups = mil::getIntOr(op.getGroups(), 1);
    if (failed(window) || !groups)
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    Location location = op.getLoc();
    ArrayRef<int64_t> result = milShape(op.getResult());
    Shape5 weight = windowShape(milShape(op.getWeight()));
    std::optional<zin::HalfElements> elements =
        zin::HalfElements::get(halfConstant(op.getWeight(), weight));
    if (!elements)
      return rewriter.notifyMatchFailure(op, "the weights are not at hand");
    TransposedKernel kernel{*elements,      weight[zin::N], weight[zin::C],
                            weight[zin::H], weight[zin::W], *groups};
    Value bias;
    if (op.getBias())
      bias = materializeHalf(rewriter, location, op.getBias(),
                             {1, 1, result[1], 1, 1});
    size_t last = window->kernel.size() - 1;
    auto phasesOf = [&](size_t dim) {
      return transposedPhases(window->kernel[dim], window->stride[dim],
                              window->dilation[dim], window->padBefore[dim]);
    };
    SmallVector<TransposedPhase> horizontal = phasesOf(last);
    SmallVector<TransposedPhase> vertical =
        last == 0 ? transposedPhases(1, 1, 1, 0) : phasesOf(0);

    Value x = reshapeTo(rewriter, location, adaptor.getX(),
                        windowShape(milShape(op.getX())));
    Shape5 shape = windowShape(result), part = shape;
    part[zin::H] = llvm::divideCeil(shape[zin::H], vertical.size());
    part[zin::W] = llvm::divideCeil(shape[zin::W], horizontal.size());
    SmallVector<Value> columns;
    for (const TransposedPhase &right : horizontal) {
      SmallVector<Value> rows;
      for (const TransposedPhase &down : vertical)
        rows.push_back(zin::ConvOp::create(
            rewriter, location, halfType(op.getContext(), part), x,
            kernel.phase(rewriter, location, down, right), bias,
            rewriter.getDenseI64ArrayAttr({1, 1}),
            rewriter.getDenseI64ArrayAttr({down.padding, right.padding}),
            rewriter.getDenseI64ArrayAttr({1, 1}),
            rewriter.getI64IntegerAttr(*groups), zin::NeuronAttr()));
      columns.push_back(alternate(rewriter, location, rows, zin::H));
    }
    Value whole = alternate(rewriter, location, columns, zin::W);
    // What is behind the result.
    if (milShape(whole) != ArrayRef<int64_t>(shape))
      whole = zin::InputViewOp::create(rewriter, location,
                                       halfType(op.getContext(), shape), whole,
                                       SmallVector<int64_t>(zin::numDims, 0),
                                       SmallVector<int64_t>(zin::numDims, 1));
    rewriter.replaceOp(op, reshapeTo(rewriter, location, whole,
                                     alignShape(result, result.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateConvTransposePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvTransposeRule>(converter, patterns.getContext());
}
