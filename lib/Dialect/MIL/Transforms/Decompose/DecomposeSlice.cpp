//===- DecomposeSlice.cpp - Slices that are put in place ------------------===//
//
// What lies around a slice that is replaced is known where its bounds are: the
// result is that and the update, joined. Nothing is computed.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Slice.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A dimension of a slice, of elements side by side.
struct Place {
  int64_t begin;
  int64_t extent;
};

/// Nothing where a place is computed, or elements are apart or reversed.
std::optional<SmallVector<Place>> knownPlaces(SliceUpdateOp op) {
  SmallVector<Place> places;
  if (std::optional<SmallVector<SliceDim>> slice = getSlice(op)) {
    for (const SliceDim &dim : *slice) {
      if (dim.step != 1 && dim.extent > 1)
        return std::nullopt;
      places.push_back({dim.begin, dim.extent});
    }
    return places;
  }
  // A computed end says nothing that the extent of the update does not.
  std::optional<SmallVector<ComputedDim>> slice = getComputedSlice(op);
  if (!slice)
    return std::nullopt;
  for (const ComputedDim &dim : *slice) {
    if (!dim.begin || (dim.step != 1 && dim.extent > 1))
      return std::nullopt;
    places.push_back({*dim.begin, dim.extent});
  }
  return places;
}

/// The update between what is in front of it and behind it, in one dimension
/// after the other from the last on. In those that are still to come all three
/// have the extents of the slice.
struct SliceUpdateRule : OpRewritePattern<SliceUpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceUpdateOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<SmallVector<Place>> places = knownPlaces(op);
    if (!type || !places)
      return rewriter.notifyMatchFailure(op, "the place is not known");
    Replacer r(rewriter, op);
    SmallVector<int64_t> extents = llvm::map_to_vector(
        *places, [](const Place &place) { return place.extent; });
    if (llvm::is_contained(extents, 0))
      return r.replace(op.getX());

    // The rows of x that have the slice in the dimensions before each.
    SmallVector<Value> around = {op.getX()};
    for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim) {
      auto [begin, extent] = (*places)[dim];
      around.push_back(r.slice(around.back(), dim, begin, extent));
    }
    Value result = op.getUpdate();
    if (shapeOf(result) != ArrayRef(extents))
      result = r.reshape(result, extents);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      auto [begin, extent] = (*places)[dim];
      int64_t end = begin + extent, full = type.getDimSize(dim);
      SmallVector<Value> joined;
      if (begin > 0)
        joined.push_back(r.slice(around[dim], dim, 0, begin));
      joined.push_back(result);
      if (end < full)
        joined.push_back(r.slice(around[dim], dim, end, full - end));
      result = r.concat(joined, dim);
    }
    return r.replace(result);
  }
};

/// Of a place that is known in some dimensions and computed in others, the
/// update of what lies there in the first ones, put back: of caches of all
/// layers that of one.
struct PartUpdateRule : OpRewritePattern<SliceUpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceUpdateOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<SmallVector<ComputedDim>> dims = getComputedSlice(op);
    if (!type || !dims || knownPlaces(op))
      return rewriter.notifyMatchFailure(op, "all of the place is known, or "
                                             "its extents are not");
    auto isCut = [&](int64_t dim) {
      const ComputedDim &cut = (*dims)[dim];
      return cut.begin && cut.extent < type.getDimSize(dim) &&
             (cut.step == 1 || cut.extent == 1);
    };
    int64_t rank = type.getRank();
    auto all = llvm::seq<int64_t>(0, rank);
    if (llvm::none_of(all, isCut))
      return rewriter.notifyMatchFailure(op, "no dimension is cut");
    auto flagsOf = [&](Value mask) {
      auto flags = mask ? getConstantInts(mask) : SmallVector<int64_t>(rank, 0);
      return SmallVector<bool>(flags->begin(), flags->end());
    };
    SmallVector<bool> beginMask = flagsOf(op.getBeginMask()),
                      endMask = flagsOf(op.getEndMask());
    Replacer r(rewriter, op);
    Value part = op.getX();
    SmallVector<int64_t> begins, ends;
    for (int64_t dim : all) {
      int64_t begin = isCut(dim) ? *(*dims)[dim].begin : 0;
      int64_t count = isCut(dim) ? (*dims)[dim].extent : type.getDimSize(dim);
      part = r.slice(part, dim, begin, count);
      begins.push_back(begin);
      ends.push_back(begin + count);
      beginMask[dim] |= isCut(dim);
      endMask[dim] |= isCut(dim);
    }
    Value updated = SliceUpdateOp::create(
        rewriter, op.getLoc(), part.getType(), part, op.getUpdate(),
        op.getBegin(), op.getEnd(), op.getStride(), r.truths(beginMask, {rank}),
        r.truths(endMask, {rank}), op.getSqueezeMask());
    Value whole = SliceUpdateOp::create(
        rewriter, op.getLoc(), type, op.getX(), updated, r.ints(begins),
        r.ints(ends), /*stride=*/Value(), /*begin_mask=*/Value(),
        /*end_mask=*/Value(), /*squeeze_mask=*/Value());
    return r.replace(whole);
  }
};

} // namespace

void ane::mil::populateDecomposeSlice(RewritePatternSet &patterns) {
  patterns.add<SliceUpdateRule, PartUpdateRule>(patterns.getContext());
}
