//===- DecomposeSort.cpp - Orders by comparisons --------------------------===//
//
// A few elements of many are taken one after the other, the best one each time.
// Otherwise the ranks are counted: how many others come before an element.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The best elements along an axis, and what is left of K after their places.
struct Best {
  SmallVector<Value> values, fromEnd;
};

/// Takes the best element, its first place, and so on with what remains. A
/// place that was taken has no weight, so that it is not taken again where only
/// infinities are left.
Best takeBest(Replacer &r, Location location, Value x, int64_t axis,
              int64_t count, bool smallest) {
  auto type = cast<RankedTensorType>(x.getType());
  auto truths = type.clone(r.rewriter.getI1Type());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Beyond all integers.
  double worst = isa<FloatType>(type.getElementType()) ? infinity : largestHalf;
  Value beaten = r.scalar(smallest ? worst : -worst, x);
  int64_t extent = type.getDimSize(axis);
  Value weights = r.positions(axis, type.getRank(), extent, double(extent), -1);
  auto equal = [&](Value a, Value b) -> Value {
    return EqualOp::create(r.rewriter, location, truths, a, b);
  };
  Best best;
  for (int64_t i = 0; i < count; ++i) {
    Value extreme = smallest ? r.reduce<ReduceMinOp>(x, {axis}, true)
                             : r.reduce<ReduceMaxOp>(x, {axis}, true);
    Value candidates =
        r.binary<MulOp>(r.convert(equal(x, extreme), weights), weights);
    Value place = r.reduce<ReduceMaxOp>(candidates, {axis}, true);
    best.values.push_back(extreme);
    best.fromEnd.push_back(place);
    if (i + 1 == count)
      break;
    Value taken = equal(candidates, place);
    weights = r.binary<MulOp>(weights,
                              r.convert(r.unary<LogicalNotOp>(taken), weights));
    x = SelectOp::create(r.rewriter, location, type, taken, beaten, x);
  }
  return best;
}

/// The best elements along an axis and their places.
struct Taken {
  Value values, places;
};

/// Takes them all from one value; places are the extent without what is left.
Taken takeAtOnce(Replacer &r, Location location, Value x, int64_t axis,
                 int64_t count, bool smallest) {
  Best best = takeBest(r, location, x, axis, count, smallest);
  Value fromEnd = r.concat(best.fromEnd, axis);
  double extent = shapeOf(x)[axis];
  return {r.concat(best.values, axis),
          r.binary<AddOp>(r.binary<MulOp>(fromEnd, -1), extent)};
}

/// The same in blocks of another dimension, of which L2 holds all that is made
/// of one at a time. Columns are not cut, elements of a row lie together; nor
/// is what zin-split-layers cuts.
Taken takeInBlocks(Replacer &r, Location location, Value x, int64_t axis,
                   int64_t count, bool smallest) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t blocks = llvm::divideCeil(type.getNumElements(), mostTakenFrom);
  auto dims = llvm::seq<int64_t>(0, type.getRank() - 1);
  auto dim = llvm::find_if(dims, [&](int64_t dim) {
    return dim != axis && type.getDimSize(dim) >= blocks;
  });
  if (blocks <= 1 || dim == dims.end() ||
      type.getNumElements() > mostInOneValue)
    return takeAtOnce(r, location, x, axis, count, smallest);
  int64_t extent = type.getDimSize(*dim),
          most = llvm::divideCeil(extent, blocks);
  SmallVector<Value> values, places;
  for (int64_t first = 0; first < extent; first += most) {
    Taken taken = takeAtOnce(
        r, location, r.slice(x, *dim, first, std::min(most, extent - first)),
        axis, count, smallest);
    values.push_back(taken.values);
    places.push_back(taken.places);
  }
  return {r.concat(values, *dim), r.concat(places, *dim)};
}

/// How many rows of `extent` elements are compared at a time.
int64_t mostRows(int64_t extent) {
  return std::clamp<int64_t>(mostPairs / (extent * extent), 1, longestDim);
}

/// Of more rows than an image has these are a channel: one, or the fewest that
/// make no more channels than there are. 0 where their number has no such
/// divisor.
int64_t rowsOfChannel(int64_t rows, int64_t extent) {
  int64_t count = llvm::divideCeil(rows, longestOuter), most = mostRows(extent);
  while (count <= most && rows % count != 0)
    ++count;
  return count <= most ? count : 0;
}

bool canRank(RankedTensorType type, int64_t axis) {
  int64_t extent = type.getDimSize(axis);
  return extent > 0 && extent <= largestExactInteger &&
         type.getNumElements() <= mostAllPairs / extent &&
         rowsOfChannel(type.getNumElements() / extent, extent) > 0;
}

/// What sorts cost in cycles, at most, from sorts of many shapes in the cost
/// model (assigned).
namespace cycles {

/// All pairs are compared, and a constant as large says which is in front.
constexpr int64_t startOfRanking = 1000, pairsEach = 6;

int64_t ofRanking(RankedTensorType type, int64_t axis) {
  return startOfRanking +
         type.getNumElements() * type.getDimSize(axis) / pairsEach;
}

/// Taking one is a number of tasks on all elements. A row that is alone in its
/// lines of L2 takes as long as many.
constexpr int64_t startOfTaking = 600, elementsEach = 5, columnOfRow = 3;

int64_t ofTaking(RankedTensorType type, int64_t axis, int64_t count) {
  int64_t elements = type.getNumElements() / elementsEach;
  if (axis + 1 == type.getRank())
    elements = std::max(elements, columnOfRow * type.getDimSize(axis));
  return count * (startOfTaking + elements);
}

} // namespace cycles

/// Whether so many elements are ranked, not taken one after the other.
bool isRanked(RankedTensorType type, int64_t axis, int64_t count) {
  return canRank(type, axis) &&
         (count > mostTaken ||
          cycles::ofRanking(type, axis) < cycles::ofTaking(type, axis, count));
}

/// Of rows [rows, extent]: the rank of an element is how many are better, or as
/// good and in front of it. Element r of the result is the one of rank r.
/// `isInFront` has a truth for each pair of elements of a row.
Taken takeRows(Replacer &r, Location location, Value x, Value isInFront,
               int64_t count, bool smallest) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t rows = type.getDimSize(0), extent = type.getDimSize(1);
  Value others = r.reshape(x, {rows, 1, extent}),
        own = r.reshape(x, {rows, extent, 1});
  auto truths = [&](int64_t each) {
    return RankedTensorType::get({rows, each, extent}, r.rewriter.getI1Type());
  };
  Value isBetter;
  if (smallest)
    isBetter =
        LessOp::create(r.rewriter, location, truths(extent), others, own);
  else
    isBetter =
        GreaterOp::create(r.rewriter, location, truths(extent), others, own);
  Value isEqual =
      EqualOp::create(r.rewriter, location, truths(extent), others, own);
  Value isBefore = r.binary<LogicalOrOp>(
      isBetter, r.binary<LogicalAndOp>(isEqual, isInFront));
  Value numbers = r.positions(2, 3, extent, 0, 1);
  Value before = r.convert(isBefore, numbers);
  Value ranks = r.reshape(r.reduce<ReduceSumOp>(before, 2, /*keepDims=*/false),
                          {rows, 1, extent});

  Value isTaken = EqualOp::create(r.rewriter, location, truths(count), ranks,
                                  r.positions(1, 3, count, 0, 1));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool isFloat = isa<FloatType>(type.getElementType());
  Value values = SelectOp::create(
      r.rewriter, location, truths(count).clone(type.getElementType()), isTaken,
      others, r.scalar(isFloat ? -infinity : -largestHalf, x));
  Value places = r.binary<MulOp>(r.convert(isTaken, numbers), numbers);
  return {r.reduce<ReduceMaxOp>(values, 2, /*keepDims=*/false),
          r.reduce<ReduceMaxOp>(places, 2, /*keepDims=*/false)};
}

/// The same along an axis, for as many rows at a time as can be compared.
Taken takeRanked(Replacer &r, Location location, Value x, int64_t axis,
                 int64_t count, bool smallest) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t extent = type.getDimSize(axis), rows = type.getNumElements() / extent;
  // The axis goes to the end; what is in front of it is one dimension.
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(order[axis], order.back());
  x = r.transpose(x, order);
  SmallVector<int64_t> turned(shapeOf(x));
  turned.back() = count;
  // Of equal elements the one in front.
  SmallVector<bool> inFront;
  for (int64_t i = 0; i < extent; ++i)
    for (int64_t j = 0; j < extent; ++j)
      inFront.push_back(j < i);
  Value isInFront = r.truths(inFront, {extent, extent});
  bool isImage = rows <= longestDim;
  int64_t unit = isImage ? 1 : rowsOfChannel(rows, extent);
  int64_t most = mostRows(extent) / unit * unit;
  x = isImage ? r.reshape(x, {rows, extent})
              : r.reshape(x, {rows / unit, unit, extent});
  SmallVector<Value> values, places;
  for (int64_t first = 0; first < rows; first += most) {
    int64_t part = std::min(most, rows - first);
    Value taken = r.slice(x, 0, first / unit, part / unit);
    if (!isImage)
      taken = r.reshape(taken, {part, extent});
    Taken ranked = takeRows(r, location, taken, isInFront, count, smallest);
    auto keep = [&](SmallVector<Value> &to, Value ranks) {
      to.push_back(isImage ? ranks
                           : r.reshape(ranks, {part / unit, unit, count}));
    };
    keep(values, ranked.values);
    keep(places, ranked.places);
  }
  auto finish = [&](ArrayRef<Value> parts) {
    return r.transpose(r.reshape(r.concat(parts, 0), turned), order);
  };
  return {finish(values), finish(places)};
}

struct TopkRule : OpRewritePattern<TopkOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TopkOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getValues());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    std::optional<bool> ascending = op.getAscendingOrDefault();
    if (!type || !result || !axis || !ascending)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    int64_t extent = type.getDimSize(*axis), count = result.getDimSize(*axis);
    bool ranks = isRanked(type, *axis, count);
    if (extent > largestExactInteger || count < 1 ||
        (count > mostTaken && !ranks))
      return rewriter.notifyMatchFailure(op, "too many elements");
    Replacer r(rewriter, op);
    // fp16 holds the integers of 8 bits, and a choice is made of what it has.
    Value x = op.getX();
    if (!isa<FloatType>(type.getElementType()) &&
        !type.getElementType().isInteger(32))
      x = r.convert(x, r.scalar(0, rewriter.getF16Type()));
    Taken taken = (ranks ? takeRanked : takeInBlocks)(r, op.getLoc(), x, *axis,
                                                      count, *ascending);
    SmallVector<Value> results = {r.convert(taken.values, op.getValues())};
    if (op.getIndices())
      results.push_back(r.convert(taken.places, op.getIndices()));
    return r.replace(results);
  }
};

struct ArgsortRule : OpRewritePattern<ArgsortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ArgsortOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    std::optional<bool> ascending = op.getAscendingOrDefault();
    if (!type || !axis || !ascending)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    int64_t extent = type.getDimSize(*axis);
    bool ranks = isRanked(type, *axis, extent);
    if (extent > mostTaken && !ranks)
      return rewriter.notifyMatchFailure(op, "too many elements");
    Replacer r(rewriter, op);
    Taken taken = (ranks ? takeRanked : takeInBlocks)(
        r, op.getLoc(), op.getX(), *axis, extent, *ascending);
    return r.replace(r.convert(taken.places, op.getResult()));
  }
};

} // namespace

void ane::mil::populateDecomposeSort(RewritePatternSet &patterns) {
  patterns.add<TopkRule, ArgsortRule>(patterns.getContext());
}
