//===- SkewedRows.cpp - Rows that begin one element later each ------------===//
//
// Scores of relative positions are moved to those of keys by padding: with a
// column in front, rows that are read one element further apart than they are
// long begin one element later each. An engine reads no rows at such places,
// but where each element is a row of its own they are a matter of strides.
//
//===----------------------------------------------------------------------===//

#include "Layout/SkewedRows.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether a view leaves out so much in front along one dimension, and nothing
/// else but what is behind it.
bool isPart(InputViewOp view, unsigned dim, int64_t begin) {
  ArrayRef<int64_t> from = shapeOf(view.getX()), to = shapeOf(view.getResult());
  for (unsigned other = 0; other < numDims; ++other)
    if (view.getStrides()[other] != 1 ||
        view.getBegin()[other] != (other == dim ? begin : 0) ||
        (other != dim && from[other] != to[other]))
      return false;
  return true;
}

/// A layer that made a value for one reader.
template <typename Layer> Layer madeBy(Value value) {
  return value.hasOneUse() ? value.getDefiningOp<Layer>() : nullptr;
}

/// Rows [rows, columns] with a column in front, as [columns + 1, rows], without
/// the first row, as [rows, columns], of which some columns are read: element j
/// of row i is element rows - 1 - i + j of it.
struct SkewRows : OpRewritePattern<InputViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InputViewOp op,
                                PatternRewriter &rewriter) const override {
    auto back = madeBy<ReshapeOp>(op.getX());
    auto rest = back ? madeBy<InputViewOp>(back.getX()) : nullptr;
    auto turned = rest ? madeBy<ReshapeOp>(rest.getX()) : nullptr;
    auto padded = turned ? madeBy<ConcatOp>(turned.getX()) : nullptr;
    if (!padded || padded.getAxis() != W || padded.getInterleave() ||
        padded.getValues().size() != 2 || !isPart(op, W, 0) ||
        !isPart(rest, H, 1))
      return rewriter.notifyMatchFailure(op, "no padded rows");
    Value x = padded.getValues()[1];
    SmallVector<int64_t> shape(shapeOf(x));
    int64_t rows = shape[H], columns = shape[W],
            kept = shapeOf(op.getResult())[W];
    SmallVector<int64_t> across = shape;
    across[H] = columns + 1;
    across[W] = rows;
    if (shapeOf(padded.getValues()[0])[W] != 1 ||
        shapeOf(turned.getResult()) != ArrayRef(across) ||
        shapeOf(back.getResult()) != ArrayRef(shape))
      return rewriter.notifyMatchFailure(op, "not padded by one column");
    // Beyond, elements are those of the next row.
    if (kept > columns - rows + 1)
      return rewriter.notifyMatchFailure(op, "the padding is read");

    Location location = op.getLoc();
    auto reshape = [&](Value value, ArrayRef<int64_t> to) {
      return reshapeTo(rewriter, location, value, to);
    };
    int64_t matrices = llvm::product_of(ArrayRef(shape).take_front(H));
    x = reshape(x, {1, 1, matrices, rows, columns});
    // Elements of all matrices in each row.
    x = transposeBy(rewriter, location, x, {N, D, H, W, C});
    x = reshape(x, {1, 1, 1, rows * columns, matrices});
    x = viewAlong(rewriter, location, x, H, rows - 1, rows * (columns - 1));
    x = reshape(x, {1, 1, rows, columns - 1, matrices});
    x = viewAlong(rewriter, location, x, H, 0, kept);
    x = transposeBy(rewriter, location, x, {N, D, W, C, H});
    rewriter.replaceOp(op, reshape(x, shapeOf(op.getResult())));
    return success();
  }
};

} // namespace

void zin::populateSkewedRows(RewritePatternSet &patterns) {
  patterns.add<SkewRows>(patterns.getContext());
}
