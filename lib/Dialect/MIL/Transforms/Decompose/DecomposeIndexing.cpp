//===- DecomposeIndexing.cpp - Positions as numbers -----------------------===//
//
// Positions along an axis are a constant 0, 1, 2, ..., which comparisons and
// products work on.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The value, of bool as 0 and 1.
Value numbersFrom(Replacer &r, Value x) {
  return staticType(x).getElementType().isInteger(1)
             ? r.convert(x, r.scalar(0, r.rewriter.getF16Type()))
             : x;
}

/// x gathered along the sequence, from `length` - 1 - i where i is less than
/// the length, from i elsewhere.
struct ReverseSequenceRule : OpRewritePattern<ReverseSequenceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReverseSequenceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> sequence = op.getSeqAxisOrDefault(),
                           batch = op.getBatchAxisOrDefault();
    if (!type || !staticType(op.getLengths()) || !sequence || !batch)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    for (std::optional<int64_t> *axis : {&sequence, &batch})
      **axis = fromFront(**axis, type.getRank());
    std::optional<SmallVector<int64_t>> known =
        getConstantInts(op.getLengths());
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    if (!known && type.getDimSize(*sequence) > largestExactInteger)
      return rewriter.notifyMatchFailure(op, "more positions than fp16 has");
    Replacer r(rewriter, op);
    int64_t extent = type.getDimSize(*sequence);
    if (known && type.getNumElements() > mostKnownPlaces / extent) {
      SmallVector<Run> runs = runsOf(*known, extent);
      if (runs.size() <= mostReversedRuns)
        return r.replace(reverseRuns(r, op.getX(), *sequence, *batch, runs));
    }
    if (type.getNumElements() > mostMaskElements)
      return rewriter.notifyMatchFailure(op, "more places than are known");
    Value places = known ? knownPlaces(r, type, *sequence, *batch, *known)
                         : computedPlaces(r, op, *sequence, *batch);
    Value x = numbersFrom(r, op.getX());
    Value y = GatherAlongAxisOp::create(rewriter, op.getLoc(), x.getType(), x,
                                        places, r.integer(*sequence),
                                        /*validate_indices=*/Value());
    return r.replace(r.convert(y, op.getResult()));
  }

private:
  /// Neighbours in the batch of which as much is reversed.
  struct Run {
    int64_t begin, count, length;
  };

  static SmallVector<Run> runsOf(ArrayRef<int64_t> lengths, int64_t extent) {
    SmallVector<Run> runs;
    for (auto [index, length] : llvm::enumerate(lengths)) {
      int64_t own = std::min(length, extent);
      if (runs.empty() || runs.back().length != own)
        runs.push_back({int64_t(index), 0, own});
      ++runs.back().count;
    }
    return runs;
  }

  static Value reverseRuns(Replacer &r, Value x, int64_t sequence,
                           int64_t batch, ArrayRef<Run> runs) {
    int64_t extent = shapeOf(x)[sequence];
    SmallVector<Value> parts;
    for (const Run &run : runs) {
      Value part = r.slice(x, batch, run.begin, run.count);
      SmallVector<Value> pieces;
      if (run.length > 0) {
        Value front = r.slice(part, sequence, 0, run.length);
        pieces.push_back(ReverseOp::create(r.rewriter, x.getLoc(),
                                           front.getType(), front,
                                           r.ints({sequence})));
      }
      if (run.length < extent)
        pieces.push_back(
            r.slice(part, sequence, run.length, extent - run.length));
      parts.push_back(r.concat(pieces, sequence));
    }
    return r.concat(parts, batch);
  }

  static Value knownPlaces(Replacer &r, RankedTensorType type, int64_t sequence,
                           int64_t batch, ArrayRef<int64_t> lengths) {
    ArrayRef<int64_t> shape = type.getShape();
    int64_t step = llvm::product_of(shape.drop_front(sequence + 1)),
            batchStep = llvm::product_of(shape.drop_front(batch + 1));
    SmallVector<double> places;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t here = i / step % shape[sequence],
              length = std::min(lengths[i / batchStep % shape[batch]],
                                shape[sequence]);
      places.push_back(double(here < length ? length - 1 - here : here));
    }
    return r.tensor(places, shape, r.rewriter.getI32Type());
  }

  static Value computedPlaces(Replacer &r, ReverseSequenceOp op,
                              int64_t sequence, int64_t batch) {
    RankedTensorType type = staticType(op.getX());
    int64_t rank = type.getRank(), extent = type.getDimSize(sequence);
    Value here = r.positions(sequence, rank, extent, 0, 1);
    SmallVector<int64_t> shape(rank, 1);
    shape[batch] = type.getDimSize(batch);
    Value length = r.convert(r.reshape(op.getLengths(), shape), here);
    // So that what follows is exact, whatever comes in.
    length =
        r.binary<MaximumOp>(r.binary<MinimumOp>(length, double(extent)), 0);
    // With all extents of x.
    SmallVector<double> zeros(type.getNumElements(), 0);
    length = r.binary<AddOp>(
        length, r.tensor(zeros, type.getShape(), r.rewriter.getI32Type()));
    Value isFront =
        LessOp::create(r.rewriter, op.getLoc(),
                       type.clone(r.rewriter.getI1Type()), here, length);
    Value mirrored = r.binary<SubOp>(r.binary<AddOp>(length, -1), here);
    return SelectOp::create(r.rewriter, op.getLoc(), mirrored.getType(),
                            isFront, mirrored, here);
  }
};

/// A strided slice is element j of all windows, or block j of elements where
/// windows begin and end at multiples of one.
struct SlidingWindowsRule : OpRewritePattern<SlidingWindowsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SlidingWindowsOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getResult());
    std::optional<int64_t> axis = getConstantInt(op.getAxis());
    std::optional<int64_t> stride = op.getStrideOrDefault();
    if (!type || !result || !axis || !stride)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    *axis = fromFront(*axis, type.getRank());
    SmallVector<int64_t> shape(result.getShape());
    int64_t windows = shape[*axis], size = shape[*axis + 1];
    int64_t block = windows == 1 ? size : std::gcd(size, *stride),
            step = windows == 1 ? 1 : *stride / block;
    Replacer r(rewriter, op);
    SmallVector<Value> sides;
    if (block == 1) {
      shape[*axis + 1] = 1;
      for (int64_t i = 0; i < size; ++i)
        sides.push_back(
            r.reshape(r.slice(op.getX(), *axis, i, windows, *stride), shape));
    } else {
      Value blocks =
          r.slice(op.getX(), *axis, 0, (windows - 1) * step * block + size);
      shape.assign(shapeOf(blocks).begin(), shapeOf(blocks).end());
      shape[*axis] /= block;
      shape.insert(shape.begin() + *axis + 1, block);
      blocks = r.reshape(blocks, shape);
      for (int64_t i = 0; i < size / block; ++i)
        sides.push_back(r.slice(blocks, *axis, i, windows, step));
    }
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
    std::optional<int64_t> axis = op.getAxisOrDefault();
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
    Value isOn = EqualOp::create(rewriter, op.getLoc(),
                                 result.clone(rewriter.getI1Type()), expanded,
                                 r.positions(*axis, rank, count, 0, 1));
    if (!op.getOnValue() && !op.getOffValue())
      return r.replace(r.convert(isOn, op.getResult()));
    auto valueOr = [&](Value given, double other) {
      return given ? given : r.scalar(other, op.getResult());
    };
    return r.replace(SelectOp::create(rewriter, op.getLoc(), result, isOn,
                                      valueOr(op.getOnValue(), 1),
                                      valueOr(op.getOffValue(), 0))
                         .getResult());
  }
};

/// Tuples that choose among more elements than fp16 counts: by their first
/// numbers, and by the others among what these leave to each tuple.
struct GatherNdRule : OpRewritePattern<GatherNdOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherNdOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     tuples = staticType(op.getIndices()),
                     result = staticType(op.getResult());
    std::optional<int64_t> batchDims = op.getBatchDimsOrDefault();
    if (!type || !tuples || !result || !batchDims || !isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is not known or large");
    if (isConst(op.getIndices()))
      return rewriter.notifyMatchFailure(op, "places that are known");
    SmallVector<int64_t> batch(type.getShape().take_front(*batchDims));
    ArrayRef<int64_t> inBatch = type.getShape().drop_front(*batchDims);
    int64_t length = tuples.getShape().back();
    std::optional<int64_t> first = countOfFirst(inBatch.take_front(length));
    if (!first)
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    ArrayRef<int64_t> rest = inBatch.drop_front(*first);
    int64_t count = tuples.getNumElements() / length, others = length - *first;
    if (count > mostPairs / llvm::product_of(rest))
      return rewriter.notifyMatchFailure(op, "too much is left to choose in");

    Replacer r(rewriter, op);
    // One dimension of tuples, so that no value has more than the engine has.
    batch.push_back(count / llvm::product_of(batch));
    auto indices = [&](int64_t begin, int64_t numbers) {
      return r.slice(r.reshape(op.getIndices(), join(batch, length)),
                     batch.size(), begin, numbers);
    };
    Value left = choose(r, op, op.getX(), indices(0, *first), join(batch, rest),
                        op.getBatchDims());
    Value y = choose(r, op, r.reshape(left, join(count, rest)),
                     r.reshape(indices(*first, others), {count, others}),
                     join(count, rest.drop_front(others)), r.integer(1));
    return r.replace(r.reshape(y, result.getShape()));
  }

private:
  /// How many of the first numbers choose at once, as many as can; nothing
  /// where all do, or one of them cannot.
  static std::optional<int64_t> countOfFirst(ArrayRef<int64_t> extents) {
    if (llvm::product_of(extents) <= largestExactInteger ||
        llvm::any_of(extents, [](int64_t extent) {
          return extent > largestExactInteger;
        }))
      return std::nullopt;
    int64_t count = 0;
    for (int64_t among = 1; among * extents[count] <= largestExactInteger;)
      among *= extents[count++];
    return count;
  }

  static SmallVector<int64_t> join(ArrayRef<int64_t> front,
                                   ArrayRef<int64_t> back) {
    SmallVector<int64_t> shape(front);
    llvm::append_range(shape, back);
    return shape;
  }

  static Value choose(Replacer &r, GatherNdOp op, Value x, Value indices,
                      ArrayRef<int64_t> shape, Value batchDims) {
    return GatherNdOp::create(r.rewriter, op.getLoc(),
                              staticType(x).clone(shape), x, indices, batchDims,
                              op.getValidateIndices());
  }
};

/// Indices that are repeated beside the axis, as exporters spell a gather of
/// whole slices, choose those: a comparison for each slice, not for each of its
/// elements.
struct RepeatedIndicesRule : OpRewritePattern<GatherAlongAxisOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherAlongAxisOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    // A cast stands between where indices have been made short.
    auto cast = op.getIndices().getDefiningOp<CastOp>();
    Value repeated = cast ? cast.getX() : op.getIndices();
    auto tile = repeated.getDefiningOp<TileOp>();
    if (!type || !axis || !tile || !staticType(tile.getX()))
      return rewriter.notifyMatchFailure(op, "no repeated indices");
    *axis = fromFront(*axis, type.getRank());
    ArrayRef<int64_t> own = shapeOf(tile.getX()),
                      all = shapeOf(op.getIndices());
    // Dimensions of slices behind those that have slices of their own.
    SmallVector<int64_t> order, slices;
    bool isAny = false;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      bool isRepeated = own[dim] != all[dim];
      if (isRepeated && (own[dim] != 1 || dim == *axis))
        return rewriter.notifyMatchFailure(op, "repeated along an extent");
      isAny |= isRepeated;
      if (dim != *axis && all[dim] != 1 && !isRepeated)
        order.push_back(dim);
      else if (dim != *axis)
        slices.push_back(dim);
    }
    int64_t batch = order.size();
    if (!isAny || (getOpset(op) < firstWithBatches && batch > 0))
      return rewriter.notifyMatchFailure(op, "nothing repeated, or no batches");
    order.push_back(*axis);
    llvm::append_range(order, slices);

    Replacer r(rewriter, op);
    bool isInOrder = isIdentityPermutation(order);
    Value x = isInOrder ? op.getX() : r.transpose(op.getX(), order);
    SmallVector<int64_t> places, result(shapeOf(x));
    for (int64_t dim : ArrayRef(order).take_front(batch + 1))
      places.push_back(all[dim]);
    result[batch] = all[*axis];
    Value indices = isInOrder ? tile.getX() : r.transpose(tile.getX(), order);
    indices = r.convert(r.reshape(indices, places), op.getIndices());
    Value y = GatherOp::create(
        rewriter, op.getLoc(), type.clone(result), x, indices, r.integer(batch),
        batch > 0 ? r.integer(batch) : Value(), op.getValidateIndices());
    return r.replace(
        isInOrder ? y : r.transpose(y, invertPermutationVector(order)));
  }

private:
  /// The opset from which on a gather has batches (documented).
  static constexpr unsigned firstWithBatches = 16;
};

/// x * a mask of zeros and ones.
struct BandPartRule : OpRewritePattern<BandPartOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BandPartOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<int64_t> lower = op.getLowerOrDefault();
    std::optional<int64_t> upper = op.getUpperOrDefault();
    if (!type || !lower || !upper)
      return rewriter.notifyMatchFailure(op, "no static tensor of numbers");
    // The mask would be as large.
    if (!fitsEngine(type.getShape()))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    ArrayRef<int64_t> matrix = type.getShape().take_back(2);
    if (llvm::product_of(matrix) > mostMaskElements)
      return rewriter.notifyMatchFailure(op, "a mask beyond the limit");
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
  patterns.add<OneHotRule, BandPartRule, GatherNdRule, RepeatedIndicesRule,
               SlidingWindowsRule, ReverseSequenceRule>(patterns.getContext());
}
