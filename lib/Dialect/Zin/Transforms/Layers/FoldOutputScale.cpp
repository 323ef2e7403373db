//===- FoldOutputScale.cpp - Scales and offsets of outputs ----------------===//
//
// A norm, a bias and what was quantized end in products and sums with
// constants. Each is composed with those that a layer has taken before it, and
// goes into the coefficients that the layer came with: so they are rounded
// once, however many there are.
//
//===----------------------------------------------------------------------===//

#include "Layers/FoldOutputScale.h"
#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layers/PaletteLoss.h"
#include "PerOutput.h"
#include "ane/Dialect/Zin/IR/RoundingOffset.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Values that are looked at from one line on, at most: joins of joins may have
/// many operands. Assigned.
constexpr unsigned mostValues = 512;

/// A bias in front of a scale leaves 31 of 32 parts of what sums may be, with
/// this one. Assigned.
constexpr double largestBias = accumulatorLimit / 32;

/// x * scale + offset. Both have one number, or one for each index of `dim`.
struct Line {
  unsigned dim = C;
  SmallVector<double> scale = {1}, offset = {0};

  bool isUniform() const { return scale.size() == 1; }
};

/// `second` of what `first` gives; nothing if they go along two dimensions.
std::optional<Line> compose(const Line &first, const Line &second) {
  if (!first.isUniform() && !second.isUniform() && first.dim != second.dim)
    return std::nullopt;
  Line line = first.isUniform() ? second : first;
  for (size_t i = 0; i < line.scale.size(); ++i) {
    size_t a = first.isUniform() ? 0 : i, b = second.isUniform() ? 0 : i;
    line.scale[i] = first.scale[a] * second.scale[b];
    line.offset[i] = first.offset[a] * second.scale[b] + second.offset[b];
  }
  return line;
}

/// A line with some of its numbers, in this order.
template <typename Indices>
Line withNumbers(const Line &line, unsigned dim, Indices indices) {
  Line picked = {dim, {}, {}};
  for (size_t index : indices) {
    picked.scale.push_back(line.scale[index]);
    picked.offset.push_back(line.offset[index]);
  }
  return picked;
}

/// The factors that a constant has for all of a value, or for each index of one
/// of its dimensions.
std::optional<Line> factorsOf(Value constant, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> extents = shapeOf(constant);
  Line line;
  for (unsigned dim = 0; dim < numDims; ++dim)
    if (extents[dim] != 1)
      line.dim = dim;
  int64_t extent = extents[line.dim];
  std::vector<uint16_t> bits = numbersAlong(constant, line.dim, extent);
  if (bits.empty() || (extent != 1 && extent != shape[line.dim]))
    return std::nullopt;
  line.scale.clear();
  llvm::append_range(line.scale, llvm::map_range(bits, halfToDouble));
  line.offset.assign(line.scale.size(), 0);
  return line;
}

/// An element-wise layer that is a line of one operand, as large as its result.
struct LineOp {
  Value x;
  Line line;
};

std::optional<LineOp> lineOf(ElementWiseOp op) {
  EWType kind = op.getKind();
  if (kind != EWType::Mult && kind != EWType::Add && kind != EWType::Sub)
    return std::nullopt;
  for (bool isSwapped : {false, true}) {
    Value x = isSwapped ? op.getY() : op.getX();
    if (x.getType() != op.getType())
      continue;
    std::optional<Line> line =
        factorsOf(isSwapped ? op.getX() : op.getY(), shapeOf(x));
    if (!line)
      continue;
    if (kind != EWType::Mult) {
      std::swap(line->scale, line->offset);
      bool isMinus = kind == EWType::Sub;
      llvm::fill(line->scale, isMinus && isSwapped ? -1 : 1);
      if (isMinus && !isSwapped)
        for (double &offset : line->offset)
          offset = -offset;
    }
    return LineOp{x, std::move(*line)};
  }
  return std::nullopt;
}

std::optional<LineOp> lineOf(GOCOp op) {
  if (roundsToIntegers(op.getBias()))
    return std::nullopt;
  Line line;
  line.scale = {op.getScale().convertToDouble()};
  line.offset = {op.getBias().convertToDouble()};
  return LineOp{op.getX(), std::move(line)};
}

/// A convolution of each channel for itself, with a window of one element: a
/// norm becomes one. Steps larger than 1 leave elements out, and with padding
/// behind the result is as large all the same.
std::optional<LineOp> lineOf(ConvOp op) {
  ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
  size_t channels = kernel[N];
  if (op.getX().getType() != op.getType() ||
      llvm::product_of(kernel) != kernel[N] ||
      size_t(op.getGroups()) != channels ||
      op.getStrides() != ArrayRef<int64_t>{1, 1} ||
      op.getPadding() != ArrayRef<int64_t>{0, 0} || op.getActivation() ||
      op.getScale())
    return std::nullopt;
  std::optional<HalfElements> scale = halfElementsOf(op.getKernel()),
                              offset = halfElementsOf(op.getBias());
  if (!scale || (op.getBias() && !offset))
    return std::nullopt;
  Line line = {C, {}, {}};
  for (size_t channel = 0; channel < channels; ++channel) {
    line.scale.push_back(halfToDouble((*scale)[channel]));
    line.offset.push_back(offset ? halfToDouble((*offset)[channel]) : 0);
  }
  return LineOp{op.getX(), std::move(line)};
}

/// A scale of one number alone: `zin-fuse-epilogue` rounds no coefficient for
/// it. It goes with what is behind it.
bool isScaleAlone(Operation *op) {
  auto goc = dyn_cast<GOCOp>(op);
  return goc && goc.getBias().isZero();
}

/// The same line of what a reshape reads: a dimension of it that has one number
/// for so many indices, or goes through all numbers again and again.
std::optional<Line> inFrontOf(ReshapeOp op, const Line &line) {
  auto stride = [](ArrayRef<int64_t> shape, unsigned dim) {
    return llvm::product_of(shape.drop_front(dim + 1));
  };
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  int64_t count = line.scale.size(), apart = stride(to, line.dim);
  for (unsigned dim = 0; dim < numDims; ++dim) {
    int64_t own = stride(from, dim);
    if (apart % own != 0 || from[dim] % (apart / own * count) != 0)
      continue;
    auto numberOf = [&](int64_t i) { return i / (apart / own) % count; };
    return withNumbers(line, dim,
                       llvm::map_range(llvm::seq(from[dim]), numberOf));
  }
  return std::nullopt;
}

/// The same line of what a value is moved or joined from.
std::optional<Line> inFrontOf(OpOperand &operand, const Line &line) {
  if (line.isUniform())
    return line;
  Operation *move = operand.getOwner();
  if (auto reshape = dyn_cast<ReshapeOp>(move))
    return inFrontOf(reshape, line);
  Line moved = line;
  if (auto turn = dyn_cast<TransposeOp>(move)) {
    moved.dim = turn.getPermutation()[line.dim];
    return moved;
  }
  auto joined = cast<ConcatOp>(move);
  if (joined.getAxis() != line.dim)
    return moved;
  unsigned place = operand.getOperandNumber();
  int64_t begin = 0, step = 1, extent = shapeOf(operand.get())[line.dim];
  if (joined.getInterleave()) {
    begin = place;
    step = joined.getNumOperands();
  } else {
    for (Value before : joined.getValues().take_front(place))
      begin += shapeOf(before)[line.dim];
  }
  return withNumbers(line, line.dim,
                     llvm::map_range(llvm::seq(extent), [&](int64_t i) {
                       return begin + i * step;
                     }));
}

/// The coefficients and biases that a layer came with, and the line that it has
/// taken since.
struct LayerOrigin {
  HalfElements kernel;
  std::optional<HalfElements> bias;
  Line line;
};
using LayerOrigins = llvm::DenseMap<Operation *, LayerOrigin>;

/// What becomes of a layer's constants: a kernel that is empty stays, and
/// without biases there are none.
struct Folded {
  std::vector<uint16_t> kernel, bias;
  double scale = 1; ///< behind the sums
};

/// A sum with a coefficient that does not is infinite with most numbers, where
/// a scale behind it would give a large one.
bool fitsSums(double coefficient) {
  return std::fabs(coefficient) < accumulatorLimit;
}

bool isScaled(const Line &line) {
  return llvm::any_of(line.scale, [](double scale) { return scale != 1; });
}
bool hasOffset(const Line &line) {
  return llvm::any_of(line.offset, [](double offset) { return offset != 0; });
}

/// In fp32, which is rounded once more to fp16.
double folded(uint16_t a, double scale, double offset) {
  return static_cast<float>(halfToDouble(a) * scale + offset);
}

/// Coefficients and biases times the scale of their output. A bias that
/// would be denormal counts as a coefficient that is lost.
template <typename Op>
std::optional<Folded> foldIntoKernel(Op layer, const LayerOrigin &origin,
                                     const Line &line) {
  const HalfElements &kernel = origin.kernel;
  size_t outputs = outputsOf(layer), taps = tapsOf(layer);
  bool scales = isScaled(line) || isScaled(origin.line);
  Folded result;
  std::vector<double> ofOutput;
  for (size_t row = 0; row * taps < kernel.size(); ++row) {
    size_t output = row % outputs, number = line.isUniform() ? 0 : output;
    double scale = line.scale[number];
    double bias = folded(origin.bias ? (*origin.bias)[output] : 0, scale,
                         line.offset[number]);
    if (row < outputs)
      result.bias.push_back(halfFromDouble(bias));
    if (!scales && isCoefficient(bias) && fitsSums(bias))
      continue;
    ofOutput.clear();
    for (size_t tap = row * taps; tap < (row + 1) * taps; ++tap)
      ofOutput.push_back(folded(kernel[tap], scale, 0));
    if (scales)
      llvm::append_range(result.kernel,
                         llvm::map_range(ofOutput, halfFromDouble));
    if (!isCoefficient(bias))
      ofOutput.push_back(bias);
    if (!areCoefficients(ofOutput) || !llvm::all_of(ofOutput, fitsSums) ||
        !fitsSums(bias))
      return std::nullopt;
  }
  if (scales && losesPalette(layer, kernel, result.kernel, kernel.size() / taps,
                             llvm::product_of(shapeOf(layer.getResult()))))
    return std::nullopt;
  return result;
}

/// Biases divided by the scale, which is one number for all outputs and comes
/// behind them. They take little of what the sums may be. A layer with a scale
/// has the kernel that it came with.
template <typename Op>
std::optional<Folded> foldBehindSums(Op layer, const LayerOrigin &origin,
                                     const Line &line) {
  Folded result;
  result.scale = line.scale.front();
  if (!llvm::all_equal(line.scale) || result.scale == 0 ||
      !isCoefficient(result.scale) ||
      (isScaled(origin.line) && !layer.getScale()))
    return std::nullopt;
  for (size_t output : llvm::seq<size_t>(outputsOf(layer))) {
    double bias =
        folded(origin.bias ? (*origin.bias)[output] : 0, 1,
               line.offset[line.isUniform() ? 0 : output] / result.scale);
    if (!isCoefficient(bias) || std::fabs(bias) > largestBias)
      return std::nullopt;
    result.bias.push_back(halfFromDouble(bias));
  }
  return result;
}

template <typename Op>
std::optional<Folded> fold(Op layer, const LayerOrigin &origin,
                           const Line &line) {
  std::optional<Folded> result = foldIntoKernel(layer, origin, line);
  if (!result)
    result = foldBehindSums(layer, origin, line);
  if (result && !origin.bias && !hasOffset(line))
    result->bias.clear();
  return result;
}

template <typename Op>
void replaceConstants(Op layer, Folded folded, PatternRewriter &rewriter) {
  rewriter.setInsertionPoint(layer);
  Value kernel = layer.getKernel(), bias;
  if (!folded.kernel.empty())
    kernel = makeConstant(rewriter, layer.getLoc(), shapeOf(kernel),
                          std::move(folded.kernel));
  if (!folded.bias.empty())
    bias = makeConstant(rewriter, layer.getLoc(),
                        biasShape(layer, outputsOf(layer)),
                        std::move(folded.bias));
  rewriter.modifyOpInPlace(layer, [&] {
    layer.getKernelMutable().assign(kernel);
    // Offsets may have cancelled each other.
    layer.getBiasMutable().clear();
    if (bias)
      layer.getBiasMutable().append(bias);
    layer.setScaleAttr(folded.scale == 1
                           ? FloatAttr()
                           : rewriter.getF16FloatAttr(folded.scale));
  });
}

/// Calls a function with a layer of the kind that it is.
template <typename Function> auto withLayer(Operation *op, Function function) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return function(conv);
  return function(cast<MatMulOp>(op));
}

template <typename Op>
LayerOrigin originOf(Op layer, const LayerOrigins &origins) {
  auto known = origins.find(layer);
  return known != origins.end()
             ? known->second
             : LayerOrigin{*halfElementsOf(layer.getKernel()),
                           halfElementsOf(layer.getBias()),
                           {}};
}

/// All that a layer has taken, and this line; nothing if it does not take it.
std::optional<Line> lineOfLayer(Operation *op, const Line &line,
                                const LayerOrigins &origins) {
  return withLayer(op, [&](auto layer) -> std::optional<Line> {
    // Nothing else happens to its sums yet.
    if (layer.getActivation() || (layer.getScale() && !origins.contains(op)) ||
        !isAtHand(layer.getKernel()) ||
        (layer.getBias() && !isAtHand(layer.getBias())) ||
        (!line.isUniform() && line.dim != outputDim(layer)))
      return std::nullopt;
    return compose(originOf(layer, origins).line, line);
  });
}

/// Layers with all that they are to do by then, and what stands behind them,
/// each with what it reads.
struct Found {
  SmallVector<std::pair<Operation *, Line>> layers;
  SmallVector<std::pair<Operation *, Value>> lines;
};

/// The layers that a line is of, if nobody else reads what they give.
std::optional<Found> findLayers(Operation *op, LineOp last,
                                const LayerOrigins &origins) {
  Found found;
  found.lines.push_back({op, last.x});
  SmallVector<std::pair<Value, Line>> open = {{last.x, std::move(last.line)}};
  for (unsigned values = 0; !open.empty(); ++values) {
    auto [value, line] = open.pop_back_val();
    Operation *from = value.getDefiningOp();
    if (!from || !from->hasOneUse() || values == mostValues)
      return std::nullopt;
    if (isa<ConvOp, MatMulOp>(from)) {
      std::optional<Line> all = lineOfLayer(from, line, origins);
      if (!all)
        return std::nullopt;
      found.layers.push_back({from, std::move(*all)});
    } else if (isScaleAlone(from)) {
      LineOp scale = *lineOf(cast<GOCOp>(from));
      if (llvm::any_of(line.scale, [&](double next) {
            return hidesInfinity(scale.line.scale.front(), next);
          }))
        return std::nullopt;
      found.lines.push_back({from, scale.x});
      open.push_back({scale.x, *compose(scale.line, line)});
    } else if (isa<ReshapeOp, TransposeOp, ConcatOp>(from)) {
      for (OpOperand &operand : from->getOpOperands()) {
        std::optional<Line> moved = inFrontOf(operand, line);
        if (!moved)
          return std::nullopt;
        open.push_back({operand.get(), std::move(*moved)});
      }
    } else {
      return std::nullopt;
    }
  }
  return found;
}

template <typename Op> struct FoldOutputScale : CountingPattern<Op> {
  FoldOutputScale(MLIRContext *context, PassStatistic &count,
                  LayerOrigins &origins)
      : CountingPattern<Op>(context, count), origins(origins) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<LineOp> line = lineOf(op);
    if (!line || isScaleAlone(op))
      return rewriter.notifyMatchFailure(op, "no line, or a scale alone");
    std::optional<Found> found = findLayers(op, std::move(*line), origins);
    if (!found)
      return rewriter.notifyMatchFailure(op, "not of layers alone");
    SmallVector<Folded> results;
    for (auto &[layer, all] : found->layers) {
      std::optional<Folded> result = withLayer(layer, [&](auto layer) {
        return fold(layer, originOf(layer, origins), all);
      });
      if (!result)
        return rewriter.notifyMatchFailure(op, "a coefficient would be lost");
      results.push_back(std::move(*result));
    }
    for (auto [target, result] : llvm::zip_equal(found->layers, results))
      withLayer(target.first, [&](auto layer) {
        LayerOrigin origin = originOf(layer, origins);
        replaceConstants(layer, std::move(result), rewriter);
        origin.line = std::move(target.second);
        origins[layer] = std::move(origin);
      });
    for (auto [line, x] : found->lines) {
      origins.erase(line);
      rewriter.replaceOp(line, x);
      ++this->count;
    }
    return success();
  }

private:
  LayerOrigins &origins;
};

} // namespace

LogicalResult ane::zin::foldOutputScales(Region &region, PassStatistic &count) {
  LayerOrigins origins;
  RewritePatternSet patterns(region.getContext());
  patterns.add<FoldOutputScale<GOCOp>, FoldOutputScale<ElementWiseOp>,
               FoldOutputScale<ConvOp>>(region.getContext(), count, origins);
  return rewriteLayers(region, std::move(patterns));
}
