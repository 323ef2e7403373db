//===- DecomposeLayout.cpp - Layouts of many dimensions -------------------===//
//
// The engine has five dimensions. Programs split dimensions, exchange the parts
// and join them again, with more than five on the way. Some of these moves are
// an op of their own; of the others dimensions that stay together are one, and
// what is left is exchanged in steps.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include <algorithm>
#include <array>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

bool isReshape(Operation *op) { return op && op->hasTrait<Reshapes>(); }

/// The last dimension of what is reshaped to a value.
int64_t columnsBefore(Value value) {
  while (isReshape(value.getDefiningOp()) &&
         staticType(value.getDefiningOp()->getOperand(0)))
    value = value.getDefiningOp()->getOperand(0);
  return shapeOf(value).empty() ? 1 : shapeOf(value).back();
}

/// The last dimension of what a value is reshaped to.
int64_t columnsBehind(Value value) {
  while (value.hasOneUse() && isReshape(*value.user_begin()) &&
         staticType(value.user_begin()->getResult(0)))
    value = value.user_begin()->getResult(0);
  return shapeOf(value).empty() ? 1 : shapeOf(value).back();
}

/// A transpose that an op of blocks is, of the dimensions of one image: which
/// one becomes which, and what each of them is.
struct BlockLayout {
  std::array<int64_t, 5> order;
  unsigned channels, blockRows, blockColumns, rows, columns;
};
constexpr BlockLayout spaceToDepth = {{2, 4, 0, 1, 3}, 0, 2, 4, 1, 3};
constexpr BlockLayout pixelUnshuffle = {{0, 2, 4, 1, 3}, 0, 2, 4, 1, 3};
constexpr BlockLayout depthToSpace = {{2, 3, 0, 4, 1}, 2, 0, 1, 3, 4};
constexpr BlockLayout pixelShuffle = {{0, 3, 1, 4, 2}, 0, 1, 2, 3, 4};

/// Channels of one image that trade places with blocks of its pixels: an op
/// whose rows stay rows. Of few channels they do not, nor on the way from
/// pixels to channels where blocks have more than two columns.
template <typename Op> struct BlockRule : OpRewritePattern<TransposeOp> {
  BlockRule(MLIRContext *context, BlockLayout layout)
      : OpRewritePattern(context, /*benefit=*/2), layout(layout) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    constexpr bool toSpace =
        llvm::is_one_of<Op, DepthToSpaceOp, PixelShuffleOp>::value;
    RankedTensorType type = staticType(op.getX());
    std::optional<SmallVector<int64_t>> perm = permutationOf(op);
    if (!type || !perm || !isa<FloatType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no floats of a known layout");
    TransposeStep step = withoutOnes(type.getShape(), *perm);
    if (!llvm::equal(step.permutation, layout.order))
      return rewriter.notifyMatchFailure(op, "no move of blocks");
    int64_t block = step.shape[layout.blockRows],
            channels = step.shape[layout.channels],
            rows = step.shape[layout.rows],
            columns = step.shape[layout.columns];
    int64_t sourceColumns = toSpace ? columns : columns * block,
            resultColumns = toSpace ? columns * block : columns;
    if (block != step.shape[layout.blockColumns] ||
        channels < leastRowChannels || (!toSpace && block > mostRowTurns) ||
        columnsBefore(op.getX()) != sourceColumns ||
        columnsBehind(op.getResult()) != resultColumns)
      return rewriter.notifyMatchFailure(op, "rows do not stay rows");
    SmallVector<int64_t> deep = {1, channels * block * block, rows, columns},
                         wide = {1, channels, rows * block, columns * block};
    if (!fitsEngine(deep) || !fitsEngine(wide))
      return rewriter.notifyMatchFailure(op, "an image is too large");
    Replacer r(rewriter, op);
    Type blockType = std::is_same_v<Op, PixelUnshuffleOp>
                         ? rewriter.getIntegerType(32, /*isSigned=*/false)
                         : rewriter.getI32Type();
    Value x = r.reshape(op.getX(), toSpace ? deep : wide);
    Value y =
        Op::create(rewriter, op.getLoc(), type.clone(toSpace ? wide : deep), x,
                   r.scalar(double(block), blockType));
    return r.replace(r.reshape(y, staticType(op.getResult()).getShape()));
  }

private:
  BlockLayout layout;
};

/// More dimensions than the engine has.
struct LargeTransposeRule : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<SmallVector<int64_t>> perm = permutationOf(op);
    if (!type || !perm || type.getRank() <= mostDims)
      return rewriter.notifyMatchFailure(op, "dimensions are few or unknown");
    TransposeStep merged = mergedTranspose(type.getShape(), *perm);
    SmallVector<TransposeStep> steps =
        stepsOf(merged, columnsBefore(op.getX()), columnsBehind(op));
    if (steps.empty() && merged.shape.size() > 1)
      steps = exchangeFirst(merged);
    Replacer r(rewriter, op);
    Value x = op.getX();
    for (const TransposeStep &step : steps)
      x = r.transpose(r.reshape(x, step.shape), step.permutation);
    return r.replace(r.reshape(x, staticType(op.getResult()).getShape()));
  }

private:
  /// Brings the first dimension that moves to its place. The rest may have too
  /// many dimensions still.
  static SmallVector<TransposeStep> exchangeFirst(const TransposeStep &merged) {
    ArrayRef<int64_t> shape = merged.shape;
    int64_t to = 0;
    while (merged.permutation[to] == to)
      ++to;
    int64_t from = merged.permutation[to];
    auto product = [&](int64_t begin, int64_t end) {
      return llvm::product_of(shape.slice(begin, end - begin));
    };
    TransposeStep first = {{product(0, to), product(to, from), shape[from],
                            product(from + 1, shape.size())},
                           {0, 2, 1, 3}};
    SmallVector<int64_t> rotated(shape), rest;
    std::rotate(rotated.begin() + to, rotated.begin() + from,
                rotated.begin() + from + 1);
    for (int64_t dim : merged.permutation)
      rest.push_back(dim == from               ? to
                     : dim >= to && dim < from ? dim + 1
                                               : dim);
    return {first, mergedTranspose(rotated, rest)};
  }
};

/// A layout of many dimensions that somebody gives another shape at once.
template <typename Op> struct ReshapedRule : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Operation *source = op.getX().getDefiningOp();
    RankedTensorType between = staticType(op.getX()),
                     type = staticType(op.getResult());
    if (!isReshape(source) || !between || !type ||
        between.getRank() <= mostDims || !staticType(source->getOperand(0)))
      return rewriter.notifyMatchFailure(op, "no reshape of many dimensions");
    Replacer r(rewriter, op);
    return r.replace(r.reshape(source->getOperand(0), type.getShape()));
  }
};

/// Scalars that are joined make a list, whatever the axis.
struct ScalarsRule : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (!shapeOf(op.getValues().front()).empty())
      return rewriter.notifyMatchFailure(op, "no scalars");
    Replacer r(rewriter, op);
    Value list =
        StackOp::create(rewriter, op.getLoc(), op.getResult().getType(),
                        op.getValues(), r.integer(0));
    return r.replace(list);
  }
};

/// Joined without what has no elements, such as a cache before the first step.
struct EmptyPartRule : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getResult());
    std::optional<int64_t> axis = getConstantInt(op.getAxis());
    if (!type || !axis || op.getInterleaveOrDefault() != false)
      return rewriter.notifyMatchFailure(op, "how it joins is not known");
    auto isEmpty = [](Value value) {
      return llvm::is_contained(shapeOf(value), 0);
    };
    SmallVector<Value> values = llvm::filter_to_vector(
        op.getValues(), [&](Value value) { return !isEmpty(value); });
    // A result with elements has some of a value with elements.
    if (values.size() == op.getValues().size() || values.empty())
      return rewriter.notifyMatchFailure(op, "all values have elements");
    Replacer r(rewriter, op);
    return r.replace(values.size() == 1
                         ? r.unary<IdentityOp>(values.front())
                         : r.concat(values, fromFront(*axis, type.getRank())));
  }
};

} // namespace

void ane::mil::populateDecomposeLayout(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<BlockRule<SpaceToDepthOp>>(context, spaceToDepth);
  patterns.add<BlockRule<PixelUnshuffleOp>>(context, pixelUnshuffle);
  patterns.add<BlockRule<DepthToSpaceOp>>(context, depthToSpace);
  patterns.add<BlockRule<PixelShuffleOp>>(context, pixelShuffle);
  patterns.add<ScalarsRule, EmptyPartRule, LargeTransposeRule,
               ReshapedRule<ReshapeOp>, ReshapedRule<ExpandDimsOp>,
               ReshapedRule<SqueezeOp>>(context);
}
