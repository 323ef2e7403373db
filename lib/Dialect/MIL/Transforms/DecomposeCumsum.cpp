//===- DecomposeCumsum.cpp - Cumulative sums of many elements -------------===//
//
// A cumulative sum is a product with a triangle of ones, which has the square
// of the extent of elements. A long one is taken in parts, which share one
// triangle.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "llvm/Support/MathExtras.h"

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

/// A sum whose triangle is too large.
struct LongCumsumRule : OpRewritePattern<CumsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CumsumOp op,
                                PatternRewriter &rewriter) const override {
    // Triangles of 32 and of 8 MiB. Assigned.
    constexpr int64_t mostElements = 4096, longestPart = 2048;
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!type || !axis)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    int64_t extent = type.getDimSize(*axis);
    if (extent <= mostElements)
      return rewriter.notifyMatchFailure(op, "one product does it");
    Replacer r(rewriter, op);
    int64_t length = llvm::divideCeil(
        extent, int64_t(llvm::divideCeil(extent, longestPart)));
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < extent; begin += length)
      parts.push_back(
          r.slice(op.getX(), *axis, begin, std::min(length, extent - begin)));
    if (failed(sumOn(r, op, parts)))
      return rewriter.notifyMatchFailure(op, "an attribute is computed");
    return r.replace(r.concat(parts, *axis));
  }
};

} // namespace

void ane::mil::populateDecomposeCumsum(RewritePatternSet &patterns) {
  patterns.add<LongCumsumRule>(patterns.getContext());
}
