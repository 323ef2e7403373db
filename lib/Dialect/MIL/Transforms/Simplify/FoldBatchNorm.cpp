//===- FoldBatchNorm.cpp - Fold batch norms into convolutions -------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "ane/Support/Inventory.h"
#include "ane/TaskDescriptor/Palettes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace ane::mil {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// About what weights take where they may be palettes.
uint64_t storedBytes(ArrayRef<double> weights, size_t outputs) {
  std::vector<uint16_t> halves;
  halves.reserve(weights.size());
  llvm::append_range(halves, llvm::map_range(weights, halfFromDouble));
  StringRef bytes(reinterpret_cast<const char *>(halves.data()),
                  halves.size() * halfBytes);
  return td::leastPaletteBytes(bytes, outputs, halves.size());
}

/// Exchanges rows and columns, of `taps` numbers each, in each of some groups.
void exchange(SmallVector<double> &numbers, size_t groups, size_t rows,
              size_t columns, size_t taps) {
  if (rows == 1 || columns == 1)
    return;
  SmallVector<double> result;
  result.reserve(numbers.size());
  for (size_t group = 0; group < groups; ++group)
    for (size_t column = 0; column < columns; ++column)
      for (size_t row = 0; row < rows; ++row) {
        size_t place = (group * rows + row) * columns + column;
        llvm::append_range(result, ArrayRef(numbers).slice(place * taps, taps));
      }
  numbers = std::move(result);
}

/// How weights lie: in each group by inputs, and then by outputs. Those of a
/// convolution lie by outputs alone.
struct WeightOrder {
  size_t groups, inputs, outputs, taps;
};
WeightOrder orderOf(ConvOp, ArrayRef<int64_t> shape, size_t channels) {
  return {1, 1, channels, size_t(llvm::product_of(shape.drop_front()))};
}
WeightOrder orderOf(ConvTransposeOp, ArrayRef<int64_t> shape, size_t channels) {
  size_t outputs = shape[1], groups = channels / outputs;
  return {groups, shape[0] / groups, outputs,
          size_t(llvm::product_of(shape.drop_front(2)))};
}

/// batch_norm(conv(x, weight, bias)) -> conv(x, weight', bias').
template <typename Conv> struct FoldIntoConv : CountingPattern<BatchNormOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(BatchNormOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getX().getDefiningOp<Conv>();
    if (!conv || !conv->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no convolution to fold into");
    std::optional<ChannelAffine> affine = getChannelAffine(op);
    ElementsAttr weight = getConstantElements(conv.getWeight());
    std::optional<SmallVector<double>> weights, bias;
    if (weight)
      weights = getConstantFloats(weight);
    if (conv.getBias()) {
      if (ElementsAttr elements = getConstantElements(conv.getBias()))
        bias = getConstantFloats(elements);
    } else if (affine) {
      bias = SmallVector<double>(affine->scale.size(), 0);
    }
    if (!affine || !weights || !bias || bias->size() != affine->scale.size())
      return rewriter.notifyMatchFailure(op, "weights are not at hand");
    if (weights->empty() || affine->scale.empty())
      return rewriter.notifyMatchFailure(op, "there are no channels");

    size_t channels = affine->scale.size();
    auto weightType = cast<RankedTensorType>(weight.getShapedType());
    auto [groups, inputs, outputs, taps] =
        orderOf(conv, weightType.getShape(), channels);
    exchange(*weights, groups, inputs, outputs, taps);
    if (failed(scale(op, *affine, *weights, *bias, rewriter)))
      return failure();
    exchange(*weights, groups, outputs, inputs, taps);

    rewriter.setInsertionPoint(conv);
    auto biasType =
        RankedTensorType::get({int64_t(channels)}, weightType.getElementType());
    auto makeConst = [&](RankedTensorType type, ArrayRef<double> values) {
      return ConstOp::create(rewriter, op.getLoc(), type,
                             makeFloatElements(type, values),
                             /*label=*/std::nullopt, /*result_names=*/{},
                             /*text_attrs=*/nullptr);
    };
    Value newWeight = makeConst(weightType, *weights);
    Value newBias = makeConst(biasType, *bias);
    rewriter.modifyOpInPlace(conv, [&] {
      takeLocations(conv, op.getOperation());
      conv.getWeightMutable().assign(newWeight);
      conv.getBiasMutable().assign(newBias);
      setLabel(conv, op.getLabel());
      setResultNames(conv, op.getResultNames());
    });
    rewriter.replaceOp(op, conv);
    ++count;
    return success();
  }

private:
  /// Weights, all of a channel together, and biases times the scale of their
  /// channel. What fp16 cannot hold stays two ops.
  static LogicalResult scale(BatchNormOp op, const ChannelAffine &affine,
                             MutableArrayRef<double> weights,
                             MutableArrayRef<double> bias,
                             PatternRewriter &rewriter) {
    auto result = cast<RankedTensorType>(op.getType());
    bool mayHavePalette = op->getParentOfType<FuncOp>()->hasAttr(
                              MILDialect::palettizedAttrName) &&
                          result.hasStaticShape();
    uint64_t before = mayHavePalette ? storedBytes(weights, bias.size()) : 0;
    size_t perChannel = weights.size() / bias.size();
    for (size_t channel : llvm::seq(bias.size())) {
      auto ofChannel = weights.slice(channel * perChannel, perChannel);
      for (double &weight : ofChannel)
        weight *= affine.scale[channel];
      bias[channel] =
          bias[channel] * affine.scale[channel] + affine.bias[channel];
      if (!areCoefficients(ofChannel) ||
          !(std::fabs(bias[channel]) <= largestHalf))
        return rewriter.notifyMatchFailure(op, "a folded weight leaves fp16");
    }
    if (mayHavePalette &&
        td::keepsPalette(before, storedBytes(weights, bias.size()),
                         result.getNumElements()))
      return rewriter.notifyMatchFailure(op, "the weight is worth its palette");
    return success();
  }
};

class FoldBatchNorm : public mil::impl::FoldBatchNormBase<FoldBatchNorm> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<BatchNormOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldIntoConv<ConvOp>, FoldIntoConv<ConvTransposeOp>>(
        &getContext(), numFolded);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
