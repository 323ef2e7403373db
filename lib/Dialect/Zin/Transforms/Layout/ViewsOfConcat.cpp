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
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Blocks for each of which one may be joined anew. Assigned.
constexpr size_t leastBlocks = 4;

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

/// Some of one of the values that are joined.
struct Taken {
  Value part;
  int64_t from, to;
};

/// What a view along the axis of a concatenation has of the joined values.
SmallVector<Taken> takenBy(InputViewOp view, ConcatOp concat) {
  SmallVector<Taken> taken;
  int64_t axis = concat.getAxis();
  int64_t begin = view.getBegin()[axis], end = begin + shapeOf(view)[axis];
  for (Value part : concat.getValues()) {
    int64_t extent = shapeOf(part)[axis], from = std::max(begin, int64_t(0)),
            to = std::min(end, extent);
    if (from < to)
      taken.push_back({part, from, to});
    begin -= extent;
    end -= extent;
  }
  return taken;
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
    for (int64_t dim = 0; dim < int64_t(numDims); ++dim)
      if (dim != int64_t(op.getAxis()) &&
          shapeOf(view)[dim] != shapeOf(concat)[dim])
        return false;
    SmallVector<Taken> taken = takenBy(view, concat);
    if (taken.size() < 2)
      return false;
    for (auto [part, from, to] : taken)
      values.push_back(viewAlong(rewriter, op.getLoc(), part, op.getAxis(),
                                 from, to - from));
    return true;
  }
};

} // namespace

void ane::zin::populateViewsOfConcat(RewritePatternSet &patterns) {
  patterns.add<ViewOfPart, JoinParts>(patterns.getContext());
}

void ane::zin::mergeViews(RewriterBase &rewriter, InputViewOp outer,
                          InputViewOp inner) {
  SmallVector<int64_t> begin, strides;
  for (unsigned dim = 0; dim < numDims; ++dim) {
    begin.push_back(inner.getBegin()[dim] +
                    outer.getBegin()[dim] * inner.getStrides()[dim]);
    // One that is no number is of a single element, whose stride says nothing.
    strides.push_back(
        llvm::checkedMul(outer.getStrides()[dim], inner.getStrides()[dim])
            .value_or(1));
  }
  rewriter.replaceOpWithNewOp<InputViewOp>(outer, outer.getType(), inner.getX(),
                                           begin, strides);
}

/// Blocks of views of a value are views of that.
static void mergeBlocks(RewriterBase &rewriter, ConcatOp concat) {
  for (Operation *user : llvm::make_early_inc_range(concat->getUsers())) {
    auto view = dyn_cast<InputViewOp>(user);
    if (!view || view->use_empty() ||
        !llvm::all_of(view->getUsers(), llvm::IsaPred<InputViewOp>))
      continue;
    for (Operation *block : llvm::make_early_inc_range(view->getUsers())) {
      rewriter.setInsertionPoint(block);
      mergeViews(rewriter, cast<InputViewOp>(block), view);
    }
    rewriter.eraseOp(view);
  }
}

void ane::zin::partJoinedSlices(Region &region) {
  IRRewriter rewriter(region.getContext());
  SmallVector<ConcatOp> joined;
  region.walk([&](ConcatOp concat) {
    if (concat.getAxis() < C && !concat->use_empty())
      joined.push_back(concat);
  });
  llvm::erase_if(joined, [&](ConcatOp concat) {
    mergeBlocks(rewriter, concat);
    return !llvm::all_of(concat->getUsers(), [&](Operation *user) {
      auto view = dyn_cast<InputViewOp>(user);
      return view && planesOf(view) == concat;
    });
  });
  for (ConcatOp concat : joined) {
    int64_t axis = concat.getAxis();
    SmallVector<SmallVector<Taken>> taken;
    for (Operation *user : concat->getUsers())
      taken.push_back(takenBy(cast<InputViewOp>(user), concat));
    size_t mixed = llvm::count_if(taken, [](const SmallVector<Taken> &parts) {
      return parts.size() > 1;
    });
    if (mixed * leastBlocks > taken.size())
      continue;
    auto users = llvm::to_vector(concat->getUsers());
    for (auto [user, parts] : llvm::zip_equal(users, taken)) {
      auto view = cast<InputViewOp>(user);
      rewriter.setInsertionPoint(view);
      SmallVector<int64_t> begin(view.getBegin()), shape(shapeOf(view));
      SmallVector<Value> values;
      for (auto [part, from, to] : parts) {
        begin[axis] = from;
        shape[axis] = to - from;
        values.push_back(viewOf(rewriter, view.getLoc(), part, begin, shape,
                                view.getStrides()));
      }
      if (values.size() == 1)
        rewriter.replaceOp(view, values.front());
      else
        rewriter.replaceOpWithNewOp<ConcatOp>(view, view.getType(), values,
                                              axis, /*interleave=*/false);
    }
    rewriter.eraseOp(concat);
  }
}
