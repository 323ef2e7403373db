//===- EarlyNeurons.cpp - Activations in front of moves -------------------===//
//
// A detector joins the scores of all its images and takes the sigmoid of them
// at once. The convolutions that made them compute it on the way.
//
//===----------------------------------------------------------------------===//

#include "Layout/EarlyNeurons.h"
#include "ane/Dialect/Zin/IR/Zin.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Moves that are followed, at most: joins of joins may have many operands.
/// Assigned.
constexpr unsigned mostMoves = 64;

/// Whether the task of a layer computes an activation on the way. One that is
/// the operand times a part of it (`zin-refine-sigmoid`) is a task more.
bool isFree(NeuronOp op) {
  NonLinearMode mode = op.getFunction().getMode();
  return op.isPlain() && mode != NonLinearMode::swish &&
         mode != NonLinearMode::gelu &&
         mode != NonLinearMode::gelu_sigmoid_approximation;
}

bool takesNeuron(Operation *layer) {
  if (auto conv = dyn_cast<ConvOp>(layer))
    return !conv.getActivation();
  auto product = dyn_cast<MatMulOp>(layer);
  return product && !product.getActivation();
}

/// What moves lead from to a value, if such layers alone made it and nobody
/// reads anything in between.
SmallVector<OpOperand *> usesOfLayers(OpOperand &use) {
  SmallVector<OpOperand *> found, open = {&use};
  for (unsigned moves = 0; !open.empty(); ++moves) {
    OpOperand *next = open.pop_back_val();
    Operation *layer = next->get().getDefiningOp();
    if (!layer || !next->get().hasOneUse() || moves == mostMoves)
      return {};
    if (takesNeuron(layer))
      found.push_back(next);
    else if (isa<ReshapeOp, TransposeOp, ConcatOp>(layer))
      for (OpOperand &operand : layer->getOpOperands())
        open.push_back(&operand);
    else
      return {};
  }
  return found;
}

struct NeuronInFront : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp op,
                                PatternRewriter &rewriter) const override {
    if (!isFree(op) || !op.getX().getDefiningOp() ||
        takesNeuron(op.getX().getDefiningOp()))
      return rewriter.notifyMatchFailure(op, "nothing moves in front of it");
    SmallVector<OpOperand *> uses = usesOfLayers(op.getXMutable());
    if (uses.empty())
      return rewriter.notifyMatchFailure(op, "not of convolutions alone");
    for (OpOperand *use : uses) {
      Value value = use->get();
      rewriter.setInsertionPointAfterValue(value);
      auto early = NeuronOp::create(rewriter, op.getLoc(), value,
                                    op.getFunction(), FloatAttr(), FloatAttr());
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(early); });
    }
    rewriter.replaceOp(op, op.getX());
    return success();
  }
};

} // namespace

void ane::zin::populateEarlyNeurons(RewritePatternSet &patterns) {
  patterns.add<NeuronInFront>(patterns.getContext());
}
