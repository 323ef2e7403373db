//===- FoldInputScale.cpp - Scales and offsets of channels ----------------===//
//
// A norm ends with a scale and an offset for each channel, and mostly products
// are all that reads it. Their coefficients take the scale, their biases what
// the offset adds to each sum.
//
//===----------------------------------------------------------------------===//

#include "Layers/FoldInputScale.h"
#include "HalfConstant.h"
#include "Layers/PaletteLoss.h"
#include "PerOutput.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "llvm/Support/Parallel.h"
#include <atomic>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Each coefficient is rounded once more, copied and kept in memory. With fewer
/// elements the two tasks that go take less than a thirtieth of the time in
/// which coefficients come. Assigned.
constexpr int64_t mostCoefficientsPerElement = 32;

/// Where a dimension of a move's operand lies in its result; nothing if it is
/// taken apart or joined with another.
std::optional<unsigned> movedDim(Operation *move, unsigned dim) {
  if (auto turn = dyn_cast<TransposeOp>(move))
    return llvm::find(turn.getPermutation(), dim) -
           turn.getPermutation().begin();
  ArrayRef<int64_t> from = shapeOf(move->getOperand(0)),
                    to = shapeOf(move->getResult(0));
  for (unsigned other = 0; other < numDims; ++other)
    if (to[other] == from[dim] &&
        llvm::product_of(to.drop_front(other + 1)) ==
            llvm::product_of(from.drop_front(dim + 1)))
      return other;
  return std::nullopt;
}

/// x * scale + offset, with a number for each index of `dim`, or one of both.
struct Line {
  Value x;
  unsigned dim = 0;
  std::vector<uint16_t> scale, offset; ///< empty where there is none
};

/// Numbers for each index of one dimension that an element-wise layer of this
/// kind has for the other operand, which is as large as its result.
struct Numbers {
  Value x;
  unsigned dim;
  std::vector<uint16_t> bits;
};

std::optional<Numbers> numbersOf(ElementWiseOp op, EWType kind) {
  if (!op || op.getKind() != kind)
    return std::nullopt;
  for (auto [x, constant] :
       {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
    if (x.getType() != op.getType())
      continue;
    for (unsigned dim : {C, H, W}) {
      int64_t extent = shapeOf(op.getResult())[dim];
      if (extent == 1 || shapeOf(constant)[dim] != extent)
        continue;
      std::vector<uint16_t> bits = numbersAlong(constant, dim, extent);
      if (!bits.empty())
        return Numbers{x, dim, std::move(bits)};
    }
  }
  return std::nullopt;
}

bool isFinite(uint16_t half) { return (half & halfInfinity) != halfInfinity; }

/// Whether a value is for the layer in front to scale, or to add to.
bool isSum(Value value) {
  if (!value.hasOneUse())
    return false;
  if (auto conv = value.getDefiningOp<ConvOp>())
    return !conv.getActivation();
  auto product = value.getDefiningOp<MatMulOp>();
  return product && !product.getActivation();
}

std::optional<Line> lineOf(ElementWiseOp op) {
  Line line;
  std::optional<Numbers> scale = numbersOf(op, EWType::Mult);
  if (std::optional<Numbers> offset = numbersOf(op, EWType::Add)) {
    line = {offset->x, offset->dim, {}, std::move(offset->bits)};
    if (line.x.hasOneUse())
      scale = numbersOf(line.x.getDefiningOp<ElementWiseOp>(), EWType::Mult);
    if (scale && scale->dim != line.dim)
      return std::nullopt;
  }
  if (scale) {
    line.x = scale->x;
    line.dim = scale->dim;
    line.scale = std::move(scale->bits);
  }
  if (!line.x || isSum(line.x) || !areFoldableScales(line.scale) ||
      !llvm::all_of(line.offset, isFinite))
    return std::nullopt;
  return line;
}

/// The indices of what a layer contracts for the coefficients of an output.
int64_t firstIndexOf(MatMulOp, int64_t) { return 0; }
int64_t firstIndexOf(ConvOp op, int64_t output) {
  ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
  int64_t perGroup = kernel[N] / op.getGroups();
  return output / perGroup * kernel[C];
}
int64_t tapsOfIndex(MatMulOp) { return 1; }
int64_t tapsOfIndex(ConvOp op) {
  return llvm::product_of(shapeOf(op.getKernel()).drop_front(H));
}

/// Whether windows of a convolution go beyond what it reads.
bool isPadded(ConvOp op) {
  return llvm::any_of(llvm::seq(2u), [&](unsigned axis) {
    return op.getPadding()[axis] > 0 || op.getPaddingBehind(axis) > 0;
  });
}

/// Whether a layer with constant coefficients of its own contracts `dim` of its
/// first operand. Padding is 0 as well where an offset is in front.
bool contracts(OpOperand &use, unsigned dim, bool hasOffset) {
  Operation *layer = use.getOwner();
  if (!isa<ConvOp, MatMulOp>(layer) || use.getOperandNumber() != 0 ||
      !isAtHand(layer->getOperand(1)) || !layer->getOperand(1).hasOneUse() ||
      (layer->getNumOperands() > 2 && !isAtHand(layer->getOperand(2))))
    return false;
  ArrayRef<int64_t> kernel = shapeOf(layer->getOperand(1));
  if (auto product = dyn_cast<MatMulOp>(layer))
    return kernel[C] == 1 && dim == (product.getContractRows() ? H : W);
  auto conv = cast<ConvOp>(layer);
  return dim == C && kernel[D] == 1 && !(hasOffset && isPadded(conv));
}

/// The layers that read a value, also behind moves, if all contract `dim` of
/// it.
SmallVector<Operation *> readersAlong(Value value, unsigned dim,
                                      bool hasOffset) {
  SmallVector<Operation *> layers;
  SmallVector<std::pair<Value, unsigned>> open = {{value, dim}};
  while (!open.empty()) {
    auto [moved, along] = open.pop_back_val();
    for (OpOperand &use : moved.getUses()) {
      Operation *user = use.getOwner();
      if (isa<ReshapeOp, TransposeOp>(user)) {
        std::optional<unsigned> next = movedDim(user, along);
        if (!next)
          return {};
        open.push_back({user->getResult(0), *next});
      } else if (contracts(use, along, hasOffset)) {
        layers.push_back(user);
      } else {
        return {};
      }
    }
  }
  return layers;
}

/// What becomes of a layer's constants.
struct Folded {
  std::vector<uint16_t> kernel, bias;
};

/// The numbers of a line for each coefficient of an output; 1 or 0 if there are
/// none.
template <typename Layer>
std::vector<uint16_t> forCoefficients(Layer layer, int64_t output,
                                      ArrayRef<uint16_t> numbers,
                                      uint16_t otherwise) {
  std::vector<uint16_t> bits(tapsOf(layer), otherwise);
  if (numbers.empty())
    return bits;
  int64_t perIndex = tapsOfIndex(layer);
  const uint16_t *number = numbers.begin() + firstIndexOf(layer, output);
  for (auto tap = bits.begin(); tap != bits.end(); tap += perIndex)
    std::fill_n(tap, perIndex, *number++);
  return bits;
}

template <typename Layer>
std::optional<Folded> fold(Layer layer, const Line &line) {
  HalfElements kernel = *halfElementsOf(layer.getKernel());
  std::optional<HalfElements> present = halfElementsOf(layer.getBias());
  size_t taps = tapsOf(layer), outputs = kernel.size() / taps;
  Folded folded = {std::vector<uint16_t>(kernel.size()), {}};
  std::vector<double> biases(outputs);
  std::atomic<bool> isLost = false;
  llvm::parallelFor(0, outputs, [&](size_t output) {
    std::vector<uint16_t> weights(taps);
    for (size_t tap = 0; tap < taps; ++tap)
      weights[tap] = kernel[output * taps + tap];
    if (!scaleCoefficients(
            weights, forCoefficients(layer, output, line.scale, halfOne),
            MutableArrayRef(folded.kernel).slice(output * taps, taps)))
      isLost = true;
    biases[output] =
        (present ? halfToDouble((*present)[output]) : 0) +
        sumOfProducts(weights, forCoefficients(layer, output, line.offset, 0));
  });
  llvm::append_range(folded.bias, llvm::map_range(biases, halfFromDouble));
  bool losesBias = !line.offset.empty() && !areCoefficients(biases);
  if (isLost || losesBias ||
      losesPalette(layer, kernel, folded.kernel, outputs,
                   llvm::product_of(shapeOf(line.x))))
    return std::nullopt;
  return folded;
}

std::optional<Folded> fold(Operation *layer, const Line &line) {
  if (auto conv = dyn_cast<ConvOp>(layer))
    return fold(conv, line);
  return fold(cast<MatMulOp>(layer), line);
}

template <typename Layer>
void replaceConstants(Layer layer, const Line &line, Folded folded,
                      PatternRewriter &rewriter) {
  rewriter.setInsertionPoint(layer);
  Value kernel, bias;
  if (!line.scale.empty())
    kernel = makeConstant(rewriter, layer.getLoc(), shapeOf(layer.getKernel()),
                          std::move(folded.kernel));
  if (!line.offset.empty())
    bias = makeConstant(rewriter, layer.getLoc(),
                        biasShape(layer, outputsOf(layer)),
                        std::move(folded.bias));
  rewriter.modifyOpInPlace(layer, [&] {
    if (kernel)
      layer.getKernelMutable().assign(kernel);
    if (bias)
      layer.getBiasMutable().assign(bias);
  });
}

struct FoldInputScale : CountingPattern<ElementWiseOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ElementWiseOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Line> line = lineOf(op);
    if (!line)
      return rewriter.notifyMatchFailure(op, "no numbers for channels");
    SmallVector<Operation *> layers =
        readersAlong(op.getResult(), line->dim, !line->offset.empty());
    if (layers.empty())
      return rewriter.notifyMatchFailure(op, "not for layers alone");
    int64_t coefficients = 0;
    for (Operation *layer : layers)
      coefficients += llvm::product_of(shapeOf(layer->getOperand(1)));
    if (coefficients / mostCoefficientsPerElement >
        llvm::product_of(shapeOf(op.getResult())))
      return rewriter.notifyMatchFailure(op, "few elements are scaled");
    SmallVector<Folded> constants;
    for (Operation *layer : layers) {
      std::optional<Folded> folded = fold(layer, *line);
      if (!folded)
        return rewriter.notifyMatchFailure(op, "a coefficient would be lost");
      constants.push_back(std::move(*folded));
    }
    for (auto [layer, folded] : llvm::zip_equal(layers, constants))
      if (auto conv = dyn_cast<ConvOp>(layer))
        replaceConstants(conv, *line, std::move(folded), rewriter);
      else
        replaceConstants(cast<MatMulOp>(layer), *line, std::move(folded),
                         rewriter);
    rewriter.replaceOp(op, line->x);
    ++count;
    return success();
  }
};

} // namespace

void ane::zin::populateFoldInputScale(RewritePatternSet &patterns,
                                      PassStatistic &count) {
  patterns.add<FoldInputScale>(patterns.getContext(), count);
}
