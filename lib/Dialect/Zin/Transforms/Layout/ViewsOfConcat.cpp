//===- ViewsOfConcat.cpp - Parts of values that were joined ---------------===//
//
// A program that keeps the caches of all layers in one state takes a part of
// it, changes that, and joins it with the rest, layer by layer. Each part is
// made once then, and all of them are joined at the end alone.
//
//===----------------------------------------------------------------------===//

#include "Layout/ViewsOfConcat.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The concatenation of whole planes that a view is of, which takes elements
/// that follow each other along its axis; null for another view, and for one of
/// a copy.
ConcatOp planesOf(InputViewOp view) {
  auto concat = view.getX().getDefiningOp<ConcatOp>();
  if (!concat || concat.getInterleave() || concat.getAxis() > C ||
      concat.getValues().size() == 1)
    return {};
  int64_t axis = concat.getAxis();
  bool isDense = view.getStrides()[axis] == 1 || shapeOf(view)[axis] == 1;
  return isDense ? concat : ConcatOp();
}

struct ViewOfPart : OpRewritePattern<InputViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InputViewOp op,
                                PatternRewriter &rewriter) const override {
    ConcatOp concat = planesOf(op);
    if (!concat)
      return rewriter.notifyMatchFailure(op, "of no planes that were joined");
    int64_t axis = concat.getAxis(), count = shapeOf(op)[axis];
    SmallVector<int64_t> begin(op.getBegin());
    for (Value part : concat.getValues()) {
      int64_t extent = shapeOf(part)[axis];
      if (begin[axis] + count <= extent) {
        rewriter.replaceOp(op, viewOf(rewriter, op.getLoc(), part, begin,
                                      shapeOf(op), op.getStrides()));
        return success();
      }
      if (begin[axis] < extent)
        break;
      begin[axis] -= extent;
    }
    return rewriter.notifyMatchFailure(op, "it has something of two parts");
  }
};

struct JoinParts : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (Value value : op.getValues())
      if (!addParts(rewriter, op, value.getDefiningOp<InputViewOp>(), values))
        values.push_back(value);
    if (values.size() == op.getValues().size())
      return rewriter.notifyMatchFailure(op, "nothing of several parts");
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), values,
                                          op.getAxis(), /*interleave=*/false);
    return success();
  }

private:
  /// The parts that a view joins again, if what it is of need not be made then.
  static bool addParts(PatternRewriter &rewriter, ConcatOp op, InputViewOp view,
                       SmallVectorImpl<Value> &values) {
    ConcatOp concat = view ? planesOf(view) : ConcatOp();
    if (!concat || op.getInterleave() || concat.getAxis() != op.getAxis() ||
        !llvm::all_of(concat->getUsers(), llvm::IsaPred<InputViewOp>))
      return false;
    int64_t axis = op.getAxis();
    for (int64_t dim = 0; dim < int64_t(numDims); ++dim)
      if (dim != axis && shapeOf(view)[dim] != shapeOf(concat)[dim])
        return false;
    struct Taken {
      Value part;
      int64_t from, to;
    };
    SmallVector<Taken> taken;
    int64_t begin = view.getBegin()[axis], end = begin + shapeOf(view)[axis];
    for (Value part : concat.getValues()) {
      int64_t extent = shapeOf(part)[axis], from = std::max(begin, int64_t(0)),
              to = std::min(end, extent);
      if (from < to)
        taken.push_back({part, from, to});
      begin -= extent;
      end -= extent;
    }
    if (taken.size() < 2)
      return false;
    for (auto [part, from, to] : taken)
      values.push_back(
          viewAlong(rewriter, op.getLoc(), part, axis, from, to - from));
    return true;
  }
};

} // namespace

void ane::zin::populateViewsOfConcat(RewritePatternSet &patterns) {
  patterns.add<ViewOfPart, JoinParts>(patterns.getContext());
}
