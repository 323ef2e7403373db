//===- DecomposeCumsum.cpp - Cumulative sums of many elements -------------===//
//
// A cumulative sum is a product with a triangle of ones, which has the square
// of the extent of elements. A long one has two levels: sums within pieces,
// which share one small triangle, and sums of the pieces before each.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

LogicalResult ane::mil::sumOn(Replacer &r, CumsumOp op,
                              MutableArrayRef<Value> parts) {
  std::optional<bool> isExclusive = op.getExclusiveOrDefault(),
                      isReverse = op.getReverseOrDefault();
  std::optional<int64_t> axis = op.getAxisOrDefault();
  if (!isExclusive || !isReverse || !axis)
    return failure();
  *axis = fromFront(*axis, int64_t(shapeOf(op.getX()).size()));
  if (*isReverse)
    std::reverse(parts.begin(), parts.end());
  Value before;
  for (Value &part : parts) {
    Value own = part;
    part = r.with<CumsumOp>(own, r.integer(*axis), op.getExclusive(),
                            op.getReverse());
    if (before)
      part = r.binary<AddOp>(part, before);
    int64_t last = *isReverse ? 0 : shapeOf(part)[*axis] - 1;
    before = r.slice(part, *axis, last, 1);
    if (*isExclusive)
      before = r.binary<AddOp>(before, r.slice(own, *axis, last, 1));
  }
  if (*isReverse)
    std::reverse(parts.begin(), parts.end());
  return success();
}

namespace {

/// The length of the pieces of a sum, near the root of its extent. Pieces that
/// are rows and fill `alignment` are there without a copy, and those that fill
/// the extent need no zeros behind it.
int64_t pieceLength(int64_t extent, int64_t alignment) {
  int64_t root = std::llround(std::ceil(std::sqrt(extent)));
  int64_t least = llvm::alignTo(root, alignment);
  for (int64_t length = least; length <= 4 * root; length += alignment)
    if (extent % length == 0)
      return length;
  return least;
}

/// Whether pieces cost less than one product, in elements that are read or
/// written. The product reads the triangle and computes 256 products in the
/// time of an element. Pieces are moved four times, by more tasks; zeros behind
/// them move every row. All of that is what the cost model gives.
bool isWorthPieces(int64_t extent, int64_t length, int64_t total) {
  constexpr int64_t productsPerElement = 256, tasks = 6000;
  int64_t moves = extent % length == 0 ? 4 : 16;
  return extent * extent + extent * (total / productsPerElement) >
         moves * total + tasks;
}

struct LongCumsumRule : OpRewritePattern<CumsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CumsumOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!type || !axis || !op.getExclusiveOrDefault() ||
        !op.getReverseOrDefault())
      return rewriter.notifyMatchFailure(
          op, "an extent or an attribute is not known");
    *axis = fromFront(*axis, type.getRank());
    ArrayRef<int64_t> shape = type.getShape();
    int64_t extent = shape[*axis],
            outer = llvm::product_of(shape.take_front(*axis)),
            inner = llvm::product_of(shape.drop_front(*axis + 1));
    constexpr int64_t rowElements = h13.rowStep(); // they fill their bytes
    int64_t length = pieceLength(extent, inner > 1 ? 1 : rowElements),
            pieces = llvm::divideCeil(extent, length);
    if (!isWorthPieces(extent, length, type.getNumElements()))
      return rewriter.notifyMatchFailure(op, "one product does it");
    if (outer > longestDim || inner > longestDim)
      return rewriter.notifyMatchFailure(op, "joined dimensions are too long");
    // Each level has bounds of its own, which together pass those of the sum.
    if (isa<IntegerType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "integers must stay exact");

    // Rows of one element would take as much memory as long ones.
    auto withInner = [&](SmallVector<int64_t> dims) {
      if (inner > 1)
        dims.push_back(inner);
      return dims;
    };
    // As rows, unless the engine has no such rows: an extent of channels may be
    // longer.
    int64_t dim = 1, whole = pieces * length;
    SmallVector<int64_t> flat = withInner({outer, whole});
    if (!fitsEngine(flat)) {
      dim = *axis;
      flat.assign(shape.begin(), shape.end());
    }
    auto withExtent = [&](int64_t count) {
      flat[dim] = count;
      return ArrayRef(flat);
    };
    Replacer r(rewriter, op);
    Value x = r.reshape(op.getX(), withExtent(extent));
    if (int64_t missing = whole - extent) {
      ArrayRef<int64_t> zeros = withExtent(missing);
      x = r.concat({x, r.tensor(SmallVector<double>(llvm::product_of(zeros), 0),
                                zeros, x)},
                   dim);
    }
    x = r.reshape(x, withInner({outer, pieces, length}));
    Value within =
        r.with<CumsumOp>(x, r.integer(2), op.getExclusive(), op.getReverse());
    Value sums = r.reduce<ReduceSumOp>(x, {2}, /*keepDims=*/true);
    Value before =
        r.with<CumsumOp>(sums, r.integer(1), r.boolean(true), op.getReverse());
    Value result =
        r.reshape(r.binary<AddOp>(within, before), withExtent(whole));
    return r.replace(r.reshape(r.slice(result, dim, 0, extent), shape));
  }
};

} // namespace

void ane::mil::populateDecomposeCumsum(RewritePatternSet &patterns) {
  patterns.add<LongCumsumRule>(patterns.getContext());
}
