//===- DecomposeIndexing.cpp - Positions as numbers -----------------------===//
//
// Positions along an axis are a constant 0, 1, 2, ..., which comparisons and
// products work on.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Half.h"
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Integers `first`, `first + step`, ... along `axis`, with extents of 1 up to
/// `rank` behind it.
Value positions(Replacer &r, int64_t axis, int64_t rank, int64_t count,
                double first, double step) {
  SmallVector<int64_t> shape(rank - axis, 1);
  shape.front() = count;
  SmallVector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(first + step * double(i));
  return r.tensor(numbers, shape, r.rewriter.getI32Type());
}

/// The value, of bool as 0 and 1.
Value numbersFrom(Replacer &r, Value x) {
  return staticType(x).getElementType().isInteger(1)
             ? r.convert(x, r.scalar(0, r.rewriter.getF16Type()))
             : x;
}

/// The first of the places where the extreme is: K - max(is extreme * (K - i)).
template <typename Op, typename ExtremeOp>
struct ArgRule : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = getIntOr(op.getAxis(), -1);
    std::optional<bool> keepDims = getBoolOr(op.getKeepDims(), false);
    RankedTensorType result = staticType(op.getResult());
    if (!type || !result || !axis || !keepDims)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    int64_t rank = type.getRank();
    *axis = fromFront(*axis, rank);
    int64_t count = type.getDimSize(*axis);
    if (count > largestExactInteger)
      return rewriter.notifyMatchFailure(op, "more positions than fp16 has");
    Replacer r(rewriter, op);
    Value x = op.getX();
    Value extreme = r.template reduce<ExtremeOp>(x, {*axis}, true);
    Value isExtreme = EqualOp::create(
        rewriter, op.getLoc(), type.clone(rewriter.getI1Type()), x, extreme,
        /*label=*/nullptr, /*result_names=*/nullptr);
    Value fromEnd = positions(r, *axis, rank, count, double(count), -1);
    Value candidates = r.binary<MulOp>(r.convert(isExtreme, fromEnd), fromEnd);
    Value first =
        r.template reduce<ReduceMaxOp>(candidates, {*axis}, *keepDims);
    first = r.binary<AddOp>(r.binary<MulOp>(first, -1), double(count));
    return r.replace(r.convert(first, op.getResult()));
  }
};

/// More elements than this are not taken one after the other (assigned: each
/// is eight ops).
constexpr int64_t mostTaken = 32;

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
  Value weights =
      positions(r, axis, type.getRank(), extent, double(extent), -1);
  auto equal = [&](Value a, Value b) -> Value {
    return EqualOp::create(r.rewriter, location, truths, a, b,
                           /*label=*/nullptr, /*result_names=*/nullptr);
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
    x = SelectOp::create(r.rewriter, location, type, taken, beaten, x,
                         /*label=*/nullptr, /*result_names=*/nullptr);
  }
  return best;
}

/// Positions out of what is left of `extent` behind them.
Value placesOf(Replacer &r, const Best &best, int64_t axis, int64_t extent) {
  Value fromEnd = r.concat(best.fromEnd, axis);
  return r.binary<AddOp>(r.binary<MulOp>(fromEnd, -1), double(extent));
}

struct TopkRule : OpRewritePattern<TopkOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TopkOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getValues());
    std::optional<int64_t> axis = getIntOr(op.getAxis(), -1);
    std::optional<bool> ascending = getBoolOr(op.getAscending(), false);
    if (!type || !result || !axis || !ascending)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    int64_t extent = type.getDimSize(*axis), count = result.getDimSize(*axis);
    if (extent > largestExactInteger || count < 1 || count > mostTaken)
      return rewriter.notifyMatchFailure(op, "too many elements");
    Replacer r(rewriter, op);
    // fp16 holds the integers of 8 bits, and a choice is made of what it has.
    Value x = op.getX();
    if (!isa<FloatType>(type.getElementType()) &&
        !type.getElementType().isInteger(32))
      x = r.convert(x, r.scalar(0, rewriter.getF16Type()));
    Best best = takeBest(r, op.getLoc(), x, *axis, count, *ascending);
    SmallVector<Value> results = {
        r.convert(r.concat(best.values, *axis), op.getValues())};
    if (op.getIndices())
      results.push_back(
          r.convert(placesOf(r, best, *axis, extent), op.getIndices()));
    return r.replace(results);
  }
};

struct ArgsortRule : OpRewritePattern<ArgsortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ArgsortOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = getIntOr(op.getAxis(), -1);
    std::optional<bool> ascending = getBoolOr(op.getAscending(), false);
    if (!type || !axis || !ascending)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    int64_t extent = type.getDimSize(*axis);
    if (extent > mostTaken)
      return rewriter.notifyMatchFailure(op, "too many elements");
    Replacer r(rewriter, op);
    Best best = takeBest(r, op.getLoc(), op.getX(), *axis, extent, *ascending);
    return r.replace(
        r.convert(placesOf(r, best, *axis, extent), op.getResult()));
  }
};

/// x gathered along the sequence, from `length` - 1 - i where i is less than
/// the length, from i elsewhere.
struct ReverseSequenceRule : OpRewritePattern<ReverseSequenceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReverseSequenceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> sequence = getIntOr(op.getSeqAxis(), 0),
                           batch = getIntOr(op.getBatchAxis(), 0);
    if (!type || !staticType(op.getLengths()) || !sequence || !batch)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    int64_t rank = type.getRank();
    for (std::optional<int64_t> *axis : {&sequence, &batch})
      **axis = fromFront(**axis, rank);
    int64_t extent = type.getDimSize(*sequence);
    if (extent > largestExactInteger)
      return rewriter.notifyMatchFailure(op, "more positions than fp16 has");
    Replacer r(rewriter, op);
    Value here = positions(r, *sequence, rank, extent, 0, 1);
    SmallVector<int64_t> shape(rank, 1);
    shape[*batch] = type.getDimSize(*batch);
    Value length = r.convert(r.reshape(op.getLengths(), shape), here);
    // With all extents of x.
    SmallVector<double> zeros(type.getNumElements(), 0);
    length = r.binary<AddOp>(
        length, r.tensor(zeros, type.getShape(), rewriter.getI32Type()));
    Value isFront =
        r.convert(LessOp::create(rewriter, op.getLoc(),
                                 type.clone(rewriter.getI1Type()), here, length,
                                 /*label=*/nullptr, /*result_names=*/nullptr),
                  here);
    Value mirrored =
        r.binary<SubOp>(r.binary<AddOp>(length, -1), r.binary<MulOp>(here, 2));
    Value places = r.binary<AddOp>(r.binary<MulOp>(isFront, mirrored), here);
    Value x = numbersFrom(r, op.getX());
    Value y = GatherAlongAxisOp::create(
        rewriter, op.getLoc(), x.getType(), x, places, r.integer(*sequence),
        /*validate_indices=*/Value(), /*label=*/nullptr,
        /*result_names=*/nullptr);
    return r.replace(r.convert(y, op.getResult()));
  }
};

/// Element j of all windows is a strided slice.
struct SlidingWindowsRule : OpRewritePattern<SlidingWindowsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SlidingWindowsOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getResult());
    std::optional<int64_t> axis = getConstantInt(op.getAxis());
    std::optional<int64_t> stride = getIntOr(op.getStride(), 1);
    if (!type || !result || !axis || !stride)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    SmallVector<int64_t> shape(result.getShape());
    int64_t windows = shape[*axis], size = shape[*axis + 1];
    shape[*axis + 1] = 1;
    Replacer r(rewriter, op);
    SmallVector<Value> sides;
    for (int64_t i = 0; i < size; ++i)
      sides.push_back(
          r.reshape(r.slice(op.getX(), *axis, i, windows, *stride), shape));
    return r.replace(r.concat(sides, *axis + 1));
  }
};

/// select(index == position, on, off).
struct OneHotRule : OpRewritePattern<OneHotOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OneHotOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType indices = staticType(op.getIndices());
    RankedTensorType result = staticType(op.getResult());
    std::optional<int64_t> axis = getIntOr(op.getAxis(), -1);
    if (!indices || !result || !axis)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    int64_t rank = result.getRank();
    *axis = fromFront(*axis, rank);
    int64_t count = result.getDimSize(*axis);
    if (count > largestExactInteger)
      return rewriter.notifyMatchFailure(op, "more positions than fp16 has");
    Replacer r(rewriter, op);
    SmallVector<int64_t> shape(result.getShape());
    shape[*axis] = 1;
    Value expanded = r.reshape(op.getIndices(), shape);
    Value isOn = EqualOp::create(
        rewriter, op.getLoc(), result.clone(rewriter.getI1Type()), expanded,
        positions(r, *axis, rank, count, 0, 1), /*label=*/nullptr,
        /*result_names=*/nullptr);
    if (!op.getOnValue() && !op.getOffValue())
      return r.replace(r.convert(isOn, op.getResult()));
    auto valueOr = [&](Value given, double other) {
      return given ? given : r.scalar(other, op.getResult());
    };
    return r.replace(SelectOp::create(rewriter, op.getLoc(), result, isOn,
                                      valueOr(op.getOnValue(), 1),
                                      valueOr(op.getOffValue(), 0),
                                      /*label=*/nullptr,
                                      /*result_names=*/nullptr)
                         .getResult());
  }
};

/// x * a mask of zeros and ones.
struct BandPartRule : OpRewritePattern<BandPartOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BandPartOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> lower = getIntOr(op.getLower(), -1);
    std::optional<int64_t> upper = getIntOr(op.getUpper(), -1);
    if (!type || !lower || !upper)
      return rewriter.notifyMatchFailure(op, "no static tensor of numbers");
    ArrayRef<int64_t> matrix = type.getShape().take_back(2);
    SmallVector<double> mask;
    for (int64_t m = 0; m < matrix[0]; ++m)
      for (int64_t n = 0; n < matrix[1]; ++n)
        mask.push_back((*lower < 0 || m - n <= *lower) &&
                       (*upper < 0 || n - m <= *upper));
    Replacer r(rewriter, op);
    Value x = numbersFrom(r, op.getX());
    return r.replace(r.convert(r.binary<MulOp>(x, r.tensor(mask, matrix, x)),
                               op.getResult()));
  }
};

} // namespace

void ane::mil::populateDecomposeIndexing(RewritePatternSet &patterns) {
  patterns.add<ArgRule<ReduceArgmaxOp, ReduceMaxOp>,
               ArgRule<ReduceArgminOp, ReduceMinOp>, OneHotRule, BandPartRule,
               TopkRule, ArgsortRule, SlidingWindowsRule, ReverseSequenceRule>(
      patterns.getContext());
}
