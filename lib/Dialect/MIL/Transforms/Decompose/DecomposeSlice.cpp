//===- DecomposeSlice.cpp - Slices that are put in place, or backwards ----===//
//
// What lies around a slice that is replaced is known where its bounds are: the
// result is that and the update, joined, or alternating where the slice takes
// steps. Nothing is computed. What goes backwards does so in short dimensions.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Simplify/JoinedProducts.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include <cstdlib>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Nothing where a place is computed.
std::optional<SmallVector<SliceDim>> knownPlaces(SliceUpdateOp op) {
  if (std::optional<SmallVector<SliceDim>> slice = getSlice(op))
    return slice;
  // A computed end says nothing that the extent of the update does not.
  std::optional<SmallVector<ComputedDim>> slice = getComputedSlice(op);
  if (!slice)
    return std::nullopt;
  SmallVector<SliceDim> places;
  for (const ComputedDim &dim : *slice) {
    if (!dim.begin)
      return std::nullopt;
    places.push_back({*dim.begin, dim.step, dim.extent});
  }
  return places;
}

/// How elements that are apart come between those of x. All limits are
/// assigned, by what tasks cost.
enum class Alternation {
  Phases, ///< the update and each of the elements behind it in turn
  Rows,   ///< a row for each element of the update, which is its first
  None
};

/// Phases are as many as a step is long. Along the last dimension each is moved
/// twice. Many rows times a small matrix of zeros and ones cost less still.
Alternation alternationOf(ArrayRef<int64_t> shape, int64_t dim,
                          const SliceDim &place) {
  int64_t outer = llvm::product_of(shape.take_front(dim)),
          inner = llvm::product_of(shape.drop_front(dim + 1));
  bool isLast = dim + 1 == int64_t(shape.size());
  if (isLast && outer > 1 && place.extent <= outer)
    return Alternation::None;
  if (place.step <= (isLast ? 3 : 32))
    return Alternation::Phases;
  return fitsEngine({outer, place.extent, place.step * inner})
             ? Alternation::Rows
             : Alternation::None;
}

/// Elements of x, `step` apart from the first on, replaced by the update.
Value alternate(Replacer &r, Value x, Value update, int64_t dim, int64_t step,
                Alternation how) {
  int64_t count = shapeOf(update)[dim];
  if (how == Alternation::Phases) {
    SmallVector<Value> phases = {update};
    for (int64_t phase = 1; phase < step; ++phase)
      phases.push_back(r.slice(x, dim, phase, count, step));
    return r.concat(phases, dim, /*interleave=*/true);
  }
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t outer = llvm::product_of(shape.take_front(dim)),
          inner = llvm::product_of(shape.drop_front(dim + 1));
  Value rows = r.reshape(x, {outer, count, step * inner});
  rows = r.slice(rows, 2, inner, (step - 1) * inner);
  update = r.reshape(update, {outer, count, inner});
  return r.reshape(r.concat({update, rows}, 2), shape);
}

/// `count` elements of x along a dimension, of what x itself is a slice of
/// along that.
Value partOf(Replacer &r, Value x, int64_t dim, int64_t begin, int64_t count) {
  std::optional<Cut> cut = getCut(x, dim);
  if (cut && cut->dim.step == 1 &&
      shapeOf(cut->whole).size() == shapeOf(x).size())
    return r.slice(cut->whole, dim, cut->dim.begin + begin, count);
  return r.slice(x, dim, begin, count);
}

/// Adds such elements to values that are joined along the dimension: of what
/// has been joined along it already, its parts. A join that nothing else reads
/// is not made then.
void appendPart(Replacer &r, SmallVectorImpl<Value> &joined, Value x,
                int64_t dim, int64_t begin, int64_t count) {
  auto concat = x.getDefiningOp<ConcatOp>();
  SmallVector<Value> values = {x};
  if (concat && joinsAlong(concat, dim) && x.hasOneUse())
    values.assign(concat.getValues().begin(), concat.getValues().end());
  for (Value value : values) {
    int64_t extent = shapeOf(value)[dim];
    int64_t from = std::clamp<int64_t>(begin, 0, extent),
            to = std::clamp<int64_t>(begin + count, 0, extent);
    if (from < to)
      joined.push_back(partOf(r, value, dim, from, to - from));
    begin -= extent;
  }
}

/// What the update of one dimension is among the rows of x around it: between
/// those in front and behind, and in steps each followed by those that the
/// steps pass over.
Value joinDim(Replacer &r, Value x, Value update, int64_t dim,
              const SliceDim &place) {
  auto [begin, step, extent] = place;
  int64_t full = shapeOf(x)[dim], end = begin + (extent - 1) * step + 1;
  SmallVector<Value> joined;
  appendPart(r, joined, x, dim, 0, begin);
  if (step == 1) {
    joined.push_back(update);
  } else {
    // Behind the last element there may be fewer than behind the others.
    int64_t count = end + step - 1 <= full ? extent : extent - 1;
    joined.push_back(alternate(r, r.slice(x, dim, begin, count * step),
                               r.slice(update, dim, 0, count), dim, step,
                               alternationOf(shapeOf(x), dim, place)));
    if (count < extent)
      joined.push_back(r.slice(update, dim, count, 1));
    else
      end += step - 1;
  }
  appendPart(r, joined, x, dim, end, full - end);
  return r.concat(joined, dim);
}

/// The update among what is around it, in one dimension after the other from
/// the last on. In those that are still to come all of them have the extents of
/// the slice.
struct SliceUpdateRule : OpRewritePattern<SliceUpdateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceUpdateOp op,
                                PatternRewriter &rewriter) const override {
    Replacer r(rewriter, op);
    if (failed(joinUpdate(r, op)))
      return rewriter.notifyMatchFailure(op, "the place is not known, or a "
                                             "product is as good");
    return success();
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

/// A long dimension backwards is two short ones backwards: products with small
/// matrices in the place of large ones. Where rows become shorter ones that
/// start at steps of memory, these lie as before.
struct LongReverseRule : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReverseOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || !isOfEngineValues(op) || type.getRank() >= mostDims)
      return rewriter.notifyMatchFailure(op, "no dimension can be added");
    int64_t rank = type.getRank();
    std::optional<SmallVector<int64_t>> axes = reducedAxes(op.getAxes(), rank);
    if (!axes)
      return rewriter.notifyMatchFailure(op, "the axes are not constant");
    for (int64_t axis : *axes) {
      int64_t extent = type.getDimSize(axis);
      int64_t inner = innerOf(extent, /*isRow=*/axis == rank - 1);
      if (inner == 0)
        continue;
      SmallVector<int64_t> shape(type.getShape()), all;
      shape[axis] = extent / inner;
      shape.insert(shape.begin() + axis + 1, inner);
      for (int64_t other : *axes) {
        all.push_back(other > axis ? other + 1 : other);
        if (other == axis)
          all.push_back(axis + 1);
      }
      Replacer r(rewriter, op);
      Value x = r.with<ReverseOp>(r.reshape(op.getX(), shape), r.ints(all));
      return r.replace(r.reshape(x, type.getShape()));
    }
    return rewriter.notifyMatchFailure(op,
                                       "dimensions are short, or no product");
  }

private:
  /// What one product reverses (assigned).
  static constexpr int64_t mostReversed = 1024;

  /// The inner of two dimensions with the smallest matrices; 0 if there are
  /// none or one product does.
  static int64_t innerOf(int64_t extent, bool isRow) {
    if (extent <= mostReversed)
      return 0;
    auto costOf = [&](int64_t inner) {
      return std::pair(isRow && inner % h13.rowStep() != 0,
                       inner + extent / inner);
    };
    int64_t best = 0;
    for (int64_t inner = 2; inner <= mostReversed; ++inner)
      if (extent % inner == 0 && extent / inner <= mostReversed &&
          (best == 0 || costOf(inner) < costOf(best)))
        best = inner;
    return best;
  }
};

} // namespace

bool ane::mil::canJoinSlice(ArrayRef<int64_t> shape,
                            ArrayRef<SliceDim> places) {
  SmallVector<int64_t> around(shape);
  for (auto [dim, place] : llvm::enumerate(places)) {
    if (place.step != 1 &&
        alternationOf(around, dim, place) == Alternation::None)
      return false;
    around[dim] = place.extent;
  }
  return true;
}

Value ane::mil::joinSlice(Replacer &r, Value x, Value update,
                          ArrayRef<SliceDim> places) {
  // The rows of x that have the slice in the dimensions before each.
  SmallVector<Value> around = {x};
  for (const SliceDim &place : places.drop_back())
    around.push_back(r.slice(around.back(), int64_t(around.size()) - 1,
                             place.begin, place.extent, place.step));
  for (int64_t dim = places.size() - 1; dim >= 0; --dim)
    update = joinDim(r, around[dim], update, dim, places[dim]);
  return update;
}

LogicalResult ane::mil::joinUpdate(Replacer &r, SliceUpdateOp op) {
  RankedTensorType type = staticType(op.getX());
  std::optional<SmallVector<SliceDim>> places = knownPlaces(op);
  if (!type || !places)
    return failure();
  SmallVector<int64_t> extents = llvm::map_to_vector(
      *places, [](const SliceDim &place) { return place.extent; });
  if (llvm::is_contained(extents, 0))
    return r.replace(op.getX());
  SmallVector<int64_t> reversed;
  for (auto [dim, place] : llvm::enumerate(*places)) {
    if (place.extent > 1 && place.step < 0) {
      reversed.push_back(int64_t(dim));
      place.begin += (place.extent - 1) * place.step;
    }
    place.step = place.extent > 1 ? std::abs(place.step) : 1;
  }
  if (!canJoinSlice(type.getShape(), *places))
    return failure();
  Value update = op.getUpdate();
  if (shapeOf(update) != ArrayRef(extents))
    update = r.reshape(update, extents);
  if (!reversed.empty())
    update = r.with<ReverseOp>(update, r.ints(reversed));
  return r.replace(joinSlice(r, op.getX(), update, *places));
}

void ane::mil::populateDecomposeSlice(RewritePatternSet &patterns) {
  patterns.add<SliceUpdateRule, PartUpdateRule, LongReverseRule>(
      patterns.getContext());
}
