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

/// batch_norm(conv(x, weight, bias)) -> conv(x, weight', bias').
struct FoldIntoConv : CountingPattern<BatchNormOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(BatchNormOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getX().getDefiningOp<ConvOp>();
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
    if (affine->scale.empty())
      return rewriter.notifyMatchFailure(op, "there are no channels");

    auto result = cast<RankedTensorType>(op.getType());
    bool mayHavePalette = conv->getParentOfType<FuncOp>()->hasAttr(
                              MILDialect::palettizedAttrName) &&
                          result.hasStaticShape();
    uint64_t before =
        mayHavePalette ? storedBytes(*weights, affine->scale.size()) : 0;
    size_t perChannel = weights->size() / affine->scale.size();
    for (auto [index, value] : llvm::enumerate(*weights))
      value *= affine->scale[index / perChannel];
    for (auto [index, value] : llvm::enumerate(*bias))
      value = value * affine->scale[index] + affine->bias[index];

    // What fp16 cannot hold stays two ops.
    auto fits = [](double value) { return std::fabs(value) <= largestHalf; };
    for (size_t channel : llvm::seq(bias->size()))
      if (!areCoefficients(
              ArrayRef(*weights).slice(channel * perChannel, perChannel)) ||
          !fits((*bias)[channel]))
        return rewriter.notifyMatchFailure(op, "a folded weight leaves fp16");

    if (mayHavePalette &&
        td::keepsPalette(before, storedBytes(*weights, affine->scale.size()),
                         result.getNumElements()))
      return rewriter.notifyMatchFailure(op, "the weight is worth its palette");

    rewriter.setInsertionPoint(conv);
    auto weightType = cast<RankedTensorType>(weight.getShapedType());
    auto biasType = RankedTensorType::get({int64_t(bias->size())},
                                          weightType.getElementType());
    auto makeConst = [&](RankedTensorType type, ArrayRef<double> values) {
      return ConstOp::create(rewriter, op.getLoc(), type,
                             makeFloatElements(type, values),
                             /*label=*/std::nullopt, /*result_names=*/{},
                             /*text_attrs=*/nullptr);
    };
    auto newWeight = makeConst(weightType, *weights);
    auto newBias = makeConst(biasType, *bias);
    takeLocations(conv, op.getOperation());
    auto folded =
        ConvOp::create(rewriter, conv.getLoc(), op.getType(), conv.getX(),
                       newWeight, newBias, conv.getStrides(), conv.getPadType(),
                       conv.getPad(), conv.getDilations(), conv.getGroups(),
                       op.getLabel(), op.getResultNames());
    rewriter.replaceOp(op, folded);
    rewriter.eraseOp(conv);
    ++count;
    return success();
  }
};

class FoldBatchNorm : public mil::impl::FoldBatchNormBase<FoldBatchNorm> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<BatchNormOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldIntoConv>(&getContext(), numFolded);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
