//===- DecomposeSlice.cpp - Slices that are put in place ------------------===//
//
// What lies around a slice that is replaced is known where its bounds are: the
// result is that and the update, joined. Nothing is computed.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
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
    if (!dim.begin)
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

} // namespace

void ane::mil::populateDecomposeSlice(RewritePatternSet &patterns) {
  patterns.add<SliceUpdateRule>(patterns.getContext());
}
