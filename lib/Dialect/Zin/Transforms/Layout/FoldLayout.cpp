//===- FoldLayout.cpp - Remove layers that only move elements -------------===//

#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layout/EarlyNeurons.h"
#include "Layout/RowMoves.h"
#include "Layout/ShareColumns.h"
#include "Layout/SkewedRows.h"
#include "Layout/ViewsOfConcat.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace ane::zin {
#define GEN_PASS_DEF_FOLDLAYOUT
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether the dimensions with more than one element keep their order.
bool movesNothing(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t dim : permutation) {
    if (shape[dim] == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

template <typename Op> bool allUsersAre(Value value) {
  return llvm::all_of(value.getUsers(),
                      [](Operation *user) { return isa<Op>(user); });
}

/// Whether a value goes through layers that a transpose can pass, each the only
/// reader of the one before, into another transpose.
bool leadsToTranspose(Value value) {
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (isa<TransposeOp>(user))
      return true;
    auto pair = dyn_cast<ElementWiseOp>(user);
    bool passes = pair ? bool(pair.getX().getDefiningOp<ConstantOp>()) ||
                             bool(pair.getY().getDefiningOp<ConstantOp>())
                       : isa<NeuronOp, GOCOp>(user);
    if (!passes)
      return false;
    value = user->getResult(0);
  }
  return false;
}

/// Transposes in a row are one, and one that changes nothing is none.
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (isIdentityPermutation(op.getPermutation())) {
      rewriter.replaceOp(op, op.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no transpose before it");
    rewriter.replaceOpWithNewOp<TransposeOp>(
        op, op.getType(), inner.getX(),
        applyPermutation(inner.getPermutation(), op.getPermutation()));
    return success();
  }
};

/// A transpose that moves no element is a reshape. Alone it is worth more as a
/// transpose, which is a view; beside a reshape it vanishes in that.
struct TransposeAsReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!movesNothing(shapeOf(op.getX()), op.getPermutation()))
      return rewriter.notifyMatchFailure(op, "elements move");
    if (!op.getX().getDefiningOp<ReshapeOp>() &&
        (op->use_empty() || !allUsersAre<ReshapeOp>(op)))
      return rewriter.notifyMatchFailure(op, "no reshape beside it");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

/// f(transpose(x)) -> transpose(f(x)) on the way to another transpose, for
/// layers of one operand whose attributes do not name dimensions.
template <typename Layer> struct SinkBelowUnary : OpRewritePattern<Layer> {
  using OpRewritePattern<Layer>::OpRewritePattern;

  LogicalResult matchAndRewrite(Layer op,
                                PatternRewriter &rewriter) const override {
    auto transpose = op.getX().template getDefiningOp<TransposeOp>();
    if (!transpose || !transpose->hasOneUse() ||
        !leadsToTranspose(op.getResult()))
      return rewriter.notifyMatchFailure(op, "not between two transposes");
    auto moved = cast<Layer>(rewriter.clone(*op));
    moved.getXMutable().assign(transpose.getX());
    moved.getResult().setType(
        cast<RankedTensorType>(transpose.getX().getType()));
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), moved,
                                             transpose.getPermutation());
    return success();
  }
};

/// A constant as it is before a transpose.
Value transposedBack(PatternRewriter &rewriter, ConstantOp constant,
                     ArrayRef<int64_t> permutation) {
  std::optional<HalfElements> elements =
      HalfElements::get(constant.getElements());
  if (!elements)
    return {};
  SmallVector<int64_t> back = invertPermutationVector(permutation),
                       strides(numDims, 1);
  ArrayRef<int64_t> old = shapeOf(constant);
  SmallVector<int64_t> shape;
  for (int64_t dim : back)
    shape.push_back(old[dim]);
  for (unsigned dim = numDims - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * old[dim];
  std::vector<uint16_t> bits;
  bits.reserve(elements->size());
  SmallVector<int64_t> place(numDims, 0);
  for (size_t i = 0; i < elements->size(); ++i) {
    int64_t from = 0;
    for (unsigned dim = 0; dim < numDims; ++dim)
      from += place[dim] * strides[back[dim]];
    bits.push_back((*elements)[from]);
    for (unsigned dim = numDims; dim-- > 0 && ++place[dim] == shape[dim];)
      place[dim] = 0;
  }
  return makeConstant(rewriter, constant.getLoc(), shape, std::move(bits));
}

/// f(transpose(x), transpose(y)) -> transpose(f(x, y)), also where y is a
/// constant and another transpose follows.
struct SinkBelowElementWise : OpRewritePattern<ElementWiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementWiseOp op,
                                PatternRewriter &rewriter) const override {
    auto x = op.getX().getDefiningOp<TransposeOp>();
    auto y = op.getY().getDefiningOp<TransposeOp>();
    TransposeOp transpose = x ? x : y;
    if (!transpose || !transpose->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no transpose of its own");
    SmallVector<int64_t> order(transpose.getPermutation());
    Value operands[2];
    if (x && y) {
      if (!y->hasOneUse() || !llvm::equal(y.getPermutation(), order))
        return rewriter.notifyMatchFailure(op, "two different transposes");
      operands[0] = x.getX();
      operands[1] = y.getX();
    } else {
      auto constant = (x ? op.getY() : op.getX()).getDefiningOp<ConstantOp>();
      if (!constant || !leadsToTranspose(op))
        return rewriter.notifyMatchFailure(op, "nothing cancels");
      Value other = transposedBack(rewriter, constant, order);
      if (!other)
        return rewriter.notifyMatchFailure(op, "the constant is not at hand");
      operands[x ? 0 : 1] = transpose.getX();
      operands[x ? 1 : 0] = other;
    }
    SmallVector<int64_t> shape;
    for (int64_t dim : invertPermutationVector(order))
      shape.push_back(shapeOf(op)[dim]);
    auto moved = ElementWiseOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(shape, rewriter.getF16Type()), op.getKind(),
        operands[0], operands[1]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), moved, order);
    return success();
  }
};

/// reshape(f(reshape(x))) -> f(x) for element-wise layers that nothing else
/// reads, if all their operands come from reshapes of the same shape or are
/// constants for columns.
struct MeetReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SetVector<Operation *> layers;
    if (shapeOf(op)[W] != shapeOf(op.getX())[W] || !collect(op, layers))
      return rewriter.notifyMatchFailure(op, "other layers before it");
    for (Operation *layer : layers)
      for (Operation *user : layer->getUsers())
        if (user != op && !layers.contains(user))
          return rewriter.notifyMatchFailure(op, "somebody else reads them");
    SmallVector<Operation *> order(layers.begin(), layers.end());
    llvm::sort(order, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    IRMapping moved;
    for (Operation *layer : order) {
      for (Value operand : layer->getOperands())
        if (auto reshape = operand.getDefiningOp<ReshapeOp>())
          moved.map(operand, reshape.getX());
      Operation *copy = rewriter.clone(*layer, moved);
      copy->getResult(0).setType(op.getType());
    }
    rewriter.replaceOp(op, moved.lookup(op.getX()));
    return success();
  }

private:
  /// So that no tree is looked through for each of many reshapes.
  static constexpr unsigned mostLayers = 16;

  static bool collect(ReshapeOp op, llvm::SetVector<Operation *> &layers) {
    SmallVector<Value> open = {op.getX()};
    bool comesFromReshape = false;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation *layer = value.getDefiningOp();
      if (auto reshape = dyn_cast_or_null<ReshapeOp>(layer);
          reshape && reshape.getX().getType() == op.getType() &&
          reshape.getType() == op.getX().getType()) {
        comesFromReshape = true;
        continue;
      }
      if (isa_and_nonnull<ConstantOp>(layer) &&
          llvm::product_of(shapeOf(value).drop_back()) == 1)
        continue;
      if (!layer || !layer->hasTrait<Elementwise>() ||
          value.getType() != op.getX().getType())
        return false;
      if (!layers.insert(layer))
        continue;
      if (layers.size() > mostLayers)
        return false;
      llvm::append_range(open, layer->getOperands());
    }
    return comesFromReshape && !layers.empty();
  }
};

/// A view of all is no view, and one of a view is a view.
struct MergeViews : OpRewritePattern<InputViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InputViewOp op,
                                PatternRewriter &rewriter) const override {
    // As many elements in a dimension leave no choice of begin and stride.
    if (op.getType() == op.getX().getType()) {
      rewriter.replaceOp(op, op.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<InputViewOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no view before it");
    mergeViews(rewriter, op, inner);
    return success();
  }
};

/// view(transpose(x)) -> transpose(view(x)), for all views of a transpose of
/// which some begins within the memory of a row, so that it needs a copy.
/// Before the transpose its columns lie elsewhere.
struct ViewBeforeTranspose : OpRewritePattern<TransposeOp> {
  ViewBeforeTranspose(MLIRContext *context, int64_t rowStep)
      : OpRewritePattern(context), rowStep(rowStep) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> order = op.getPermutation();
    if (order[W] == W || op->use_empty() || !allUsersAre<InputViewOp>(op))
      return rewriter.notifyMatchFailure(op, "not a transpose for views");
    int64_t elements = 0;
    bool needsCopy = false;
    for (Operation *user : op->getUsers()) {
      auto view = cast<InputViewOp>(user);
      elements += llvm::product_of(shapeOf(view));
      needsCopy |= view.getBegin()[W] % rowStep != 0;
    }
    if (!needsCopy || elements > llvm::product_of(shapeOf(op)))
      return rewriter.notifyMatchFailure(op, "no fewer elements move");
    SmallVector<int64_t> back = invertPermutationVector(order);
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto view = cast<InputViewOp>(user);
      rewriter.setInsertionPoint(view);
      auto part = InputViewOp::create(
          rewriter, view.getLoc(),
          RankedTensorType::get(applyPermutation(shapeOf(view), back),
                                rewriter.getF16Type()),
          op.getX(), applyPermutation(view.getBegin(), back),
          applyPermutation(view.getStrides(), back));
      rewriter.replaceOpWithNewOp<TransposeOp>(view, view.getType(), part,
                                               order);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  int64_t rowStep;
};

/// Views of one value that follow each other are one view.
struct JoinViews : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInterleave())
      return rewriter.notifyMatchFailure(op, "values alternate");
    int64_t axis = op.getAxis();
    SmallVector<Value> values;
    for (Value value : op.getValues()) {
      auto view = value.getDefiningOp<InputViewOp>();
      auto last = values.empty() ? InputViewOp()
                                 : values.back().getDefiningOp<InputViewOp>();
      if (!view || !last || !follows(last, view, axis)) {
        values.push_back(value);
        continue;
      }
      SmallVector<int64_t> shape(shapeOf(last));
      shape[axis] += shapeOf(view)[axis];
      values.back() = InputViewOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(shape, rewriter.getF16Type()), last.getX(),
          last.getBegin(), last.getStrides());
    }
    if (values.size() == op.getValues().size())
      return rewriter.notifyMatchFailure(op, "no two views follow each other");
    if (values.size() == 1)
      rewriter.replaceOp(op, values.front());
    else
      rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), values, axis,
                                            /*interleave=*/false);
    return success();
  }

private:
  static bool follows(InputViewOp a, InputViewOp b, int64_t axis) {
    if (a.getX() != b.getX() || !llvm::equal(a.getStrides(), b.getStrides()))
      return false;
    for (int64_t dim = 0; dim < int64_t(numDims); ++dim) {
      int64_t reach = dim == axis ? a.getStrides()[dim] * shapeOf(a)[dim] : 0;
      if (b.getBegin()[dim] != a.getBegin()[dim] + reach ||
          (dim != axis && shapeOf(a)[dim] != shapeOf(b)[dim]))
        return false;
    }
    return true;
  }
};

/// Values that another concatenation has joined before, as some of those that
/// follow each other here, are that concatenation: it can lie in this one.
struct NestConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    OperandRange parts = op.getValues();
    if (op.getInterleave())
      return rewriter.notifyMatchFailure(op, "elements take turns");
    ConcatOp best;
    size_t place = 0;
    for (size_t begin = 0; begin + 1 < parts.size(); ++begin) {
      for (Operation *user : parts[begin + 1].getUsers()) {
        auto inner = dyn_cast<ConcatOp>(user);
        if (!inner || inner == op || inner.getInterleave() ||
            inner.getAxis() != op.getAxis() || !inner->isBeforeInBlock(op))
          continue;
        OperandRange joined = inner.getValues();
        size_t most = parts.size() - begin;
        if (joined.size() < 2 || joined.size() > most ||
            (best && joined.size() <= best.getValues().size()) ||
            !llvm::equal(joined, parts.slice(begin, joined.size())))
          continue;
        best = inner;
        place = begin;
      }
    }
    if (!best)
      return rewriter.notifyMatchFailure(op, "nothing joined before");
    SmallVector<Value> nested(parts.take_front(place));
    nested.push_back(best);
    llvm::append_range(nested,
                       parts.drop_front(place + best.getValues().size()));
    if (nested.size() == 1)
      rewriter.replaceOp(op, nested.front());
    else
      rewriter.modifyOpInPlace(op,
                               [&] { op.getValuesMutable().assign(nested); });
    return success();
  }
};

/// x * 1 + 0 is x.
struct DropGOC : OpRewritePattern<GOCOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GOCOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getScale().isExactlyValue(1) || !op.getBias().isZero())
      return rewriter.notifyMatchFailure(op, "it computes something");
    rewriter.replaceOp(op, op.getX());
    return success();
  }
};

class FoldLayout : public ane::zin::impl::FoldLayoutBase<FoldLayout> {
public:
  using FoldLayoutBase::FoldLayoutBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    MLIRContext *context = &getContext();
    auto countLayers = [&] {
      unsigned count = 0;
      getOperation()->walk([&](Operation *op) {
        count += op->hasTrait<MovesElements>() || isa<GOCOp>(op);
      });
      return count;
    };
    unsigned before = countLayers();
    RewritePatternSet patterns(context);
    patterns.add<MergeTransposes, TransposeAsReshape, SinkBelowUnary<NeuronOp>,
                 SinkBelowUnary<GOCOp>, SinkBelowElementWise, MeetReshapes,
                 MergeViews, JoinViews, NestConcat, DropGOC>(context);
    patterns.add<ViewBeforeTranspose>(context, description->rowStep());
    populateEarlyNeurons(patterns);
    populateViewsOfConcat(patterns);
    populateSkewedRows(patterns);
    populateRowMoves(patterns);
    if (failed(rewriteLayers(getOperation().getBody(), std::move(patterns))))
      return signalPassFailure();
    // Only now: here a view of a view is one.
    shareColumns(getOperation(), *description);
    numRemoved += before - std::min(before, countLayers());
  }
};

} // namespace
