//===- FuseReduction.cpp - Fuse what stands around reductions -------------===//
//
// Norms that a program writes out: squares in front of a sum or a mean, a
// scale, an epsilon and a root behind it are of the planar engine's task that
// sums. Verified: squares and an epsilon in an RMS norm of a real program, all
// of them in layer_norm.
//
//===----------------------------------------------------------------------===//

#include "FusedLocations.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {
#define GEN_PASS_DEF_FUSEREDUCTION
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The reduction that computes a value for nobody else, if it is a sum or a
/// mean without a function behind it.
ReductionOp openReduction(Value value) {
  auto reduction = value.getDefiningOp<ReductionOp>();
  if (!reduction || !reduction->hasOneUse() ||
      reduction.getKind() == ReductionType::Max ||
      reduction.getPost().value_or(PEPost::none) != PEPost::none)
    return {};
  return reduction;
}

/// What is to be added behind a reduction, unless it has an epsilon or the
/// number is none.
bool addEpsilon(PatternRewriter &rewriter, ReductionOp reduction,
                FloatAttr addend) {
  APFloat number = addend.getValue();
  if (number.isNegative() || !number.isFinite() || reduction.getEpsilon())
    return false;
  rewriter.modifyOpInPlace(reduction,
                           [&] { reduction.setEpsilonAttr(addend); });
  return true;
}

/// sum(x * x) -> the sum of squares.
struct FuseSquare : CountingPattern<ReductionOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ReductionOp op,
                                PatternRewriter &rewriter) const override {
    auto product = op.getX().getDefiningOp<ElementWiseOp>();
    if (op.getKind() == ReductionType::Max || op.getSquare() || !product ||
        product.getKind() != EWType::Mult || product.getX() != product.getY() ||
        !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no sum of squares");
    rewriter.replaceOp(product, product.getX());
    rewriter.modifyOpInPlace(op, [&] { op.setSquare(true); });
    ++count;
    return success();
  }
};

/// sum(x) * scale + epsilon -> the sum with that scale and that epsilon.
struct FuseEpsilon : CountingPattern<GOCOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(GOCOp op,
                                PatternRewriter &rewriter) const override {
    ReductionOp reduction = openReduction(op.getX());
    APFloat scale = op.getScale();
    bool scales = !scale.isExactlyValue(1);
    if (!reduction ||
        (scales && (reduction.getScale() || reduction.getEpsilon() ||
                    scale.isNegative() || !scale.isFiniteNonZero())))
      return rewriter.notifyMatchFailure(op, "no scale behind a sum");
    if (!op.getBias().isPosZero() &&
        !addEpsilon(rewriter, reduction, op.getBiasAttr()))
      return rewriter.notifyMatchFailure(op, "no epsilon");
    if (scales)
      rewriter.modifyOpInPlace(
          reduction, [&] { reduction.setScaleAttr(op.getScaleAttr()); });
    rewriter.replaceOp(op, reduction.getResult());
    ++count;
    return success();
  }
};

/// 1 / sum(x), 1 / sqrt(sum(x)) -> the sum with that function.
struct FusePost : CountingPattern<NeuronOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(NeuronOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<PEPost> post;
    if (op.getFunction().getMode() == NonLinearMode::inv)
      post = PEPost::reciprocal;
    if (op.getFunction().getMode() == NonLinearMode::rsqrt)
      post = PEPost::rsqrt;
    ReductionOp reduction = openReduction(op.getX());
    if (!post || !reduction || op.getScaleAttr() ||
        (op.getBiasAttr() &&
         !addEpsilon(rewriter, reduction, op.getBiasAttr())))
      return rewriter.notifyMatchFailure(op, "no function behind a sum");
    rewriter.modifyOpInPlace(reduction, [&] { reduction.setPost(post); });
    rewriter.replaceOp(op, reduction.getResult());
    ++count;
    return success();
  }
};

/// 1 / sqrt(x) in one.
struct MergeRoot : CountingPattern<NeuronOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(NeuronOp op,
                                PatternRewriter &rewriter) const override {
    auto root = op.getX().getDefiningOp<NeuronOp>();
    if (op.getFunction().getMode() != NonLinearMode::inv || !op.isPlain() ||
        !root || root.getFunction().getMode() != NonLinearMode::sqrt ||
        !root->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no inverse of a root");
    auto inverse = NeuronAttr::get(op.getContext(), NonLinearMode::rsqrt,
                                   FloatAttr(), FloatAttr());
    rewriter.replaceOpWithNewOp<NeuronOp>(
        op, root.getX(), inverse, root.getScaleAttr(), root.getBiasAttr());
    ++count;
    return success();
  }
};

class FuseReduction : public ane::zin::impl::FuseReductionBase<FuseReduction> {
public:
  void runOnOperation() override {
    if (!hasReductionsOrInverses())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseSquare, FuseEpsilon, FusePost, MergeRoot>(&getContext(),
                                                               numFused);
    if (failed(rewriteLayers(getOperation().getBody(), std::move(patterns))))
      signalPassFailure();
  }

private:
  /// Each pattern is about one or the other; most layers with a function have
  /// another one.
  bool hasReductionsOrInverses() {
    const auto &inventory = getAnalysis<Inventory>();
    return inventory.hasAny<ReductionOp>() ||
           (inventory.hasAny<NeuronOp>() &&
            llvm::any_of(
                getOperation().getBody().getOps<NeuronOp>(), [](NeuronOp op) {
                  return op.getFunction().getMode() == NonLinearMode::inv;
                }));
  }
};

} // namespace
