//===- LongRowRules.cpp - Ops on rows that are cut ------------------------===//

#include "Decompose/Decompose.h"
#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether an axis is known and not the last one.
bool isOther(std::optional<int64_t> axis, Value x) {
  return axis && fromFront(*axis, lastAxis(x) + 1) != lastAxis(x);
}

/// Whether a parameter has as many entries along its last dimension.
bool isAlong(Value parameter, int64_t extent) {
  ArrayRef<int64_t> shape =
      parameter ? shapeOf(parameter) : ArrayRef<int64_t>();
  return !shape.empty() && shape.back() == extent;
}

/// Whether axes that are reduced or turned around leave out the last one.
template <typename Op> bool keepsLast(Op op) {
  auto axes = reducedAxes(op.getAxes(), lastAxis(op.getX()) + 1);
  return axes && !llvm::is_contained(*axes, lastAxis(op.getX()));
}

// Whether an op leaves each row as it is, op by op.

template <typename Op> bool leaves(Op op) {
  return isOther(op.getAxisOrDefault(), op.getX());
}
bool leaves(ConcatOp op) {
  return isOther(getConstantInt(op.getAxis()), op.getValues().front());
}
bool leaves(StackOp op) {
  return isOther(getConstantInt(op.getAxis()), op.getResult());
}
bool leaves(SplitOp op) {
  return isOther(getConstantInt(op.getAxis()), op.getX());
}
bool leaves(GatherOp op) {
  // Indices count other dimensions, and may have as many entries.
  return !isAlong(op.getIndices(), shapeOf(op.getX()).back()) &&
         isOther(op.getAxisOrDefault(), op.getX());
}
bool leaves(TileOp op) {
  auto reps = getConstantInts(op.getReps());
  return reps && reps->back() == 1;
}
bool leaves(SliceUpdateOp op) {
  std::optional<SmallVector<SliceDim>> slice = getSlice(op);
  return slice && slice->back().step == 1 &&
         slice->back().extent == shapeOf(op.getX()).back();
}
bool leaves(LayerNormOp op) {
  // The parameters have other dimensions.
  int64_t extent = shapeOf(op.getX()).back();
  return keepsLast(op) && !isAlong(op.getGamma(), extent) &&
         !isAlong(op.getBeta(), extent);
}
bool leaves(Reduction op) { return keepsLast(op); }
bool leaves(LocalResponseNormOp op) {
  // It is about the channels.
  return lastAxis(op.getX()) > 1;
}
bool leaves(ReverseOp op) { return keepsLast(op); }
bool leaves(TransposeOp op) {
  auto perm = getConstantInts(op.getPerm());
  return perm && fromFront(perm->back(), perm->size()) == lastAxis(op.getX());
}

template <typename Op> bool leavesRank(Op op) {
  return shapeOf(op.getX()).back() == shapeOf(op.getResult()).back();
}

/// A factor of each row, or one for all.
template <typename Op> bool leavesScaled(Op op) {
  int64_t extent = shapeOf(op.getInput()).back();
  return !isAlong(op.getScale(), extent) &&
         !isAlong(op.getZeroPoint(), extent) &&
         (!op.getAxis() ||
          isOther(getConstantInt(op.getAxis()), op.getInput()));
}

} // namespace

bool ane::mil::leavesRows(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<SoftmaxOp, ConcatOp, StackOp, SplitOp, CumsumOp, GatherOp,
            GatherAlongAxisOp, TileOp, SliceUpdateOp, LayerNormOp, Reduction,
            ReverseOp, ReduceArgmaxOp, ReduceArgminOp, TopkOp, ArgsortOp,
            TransposeOp, LocalResponseNormOp>(
          [](auto each) { return leaves(each); })
      .Case<QuantizeOp, DequantizeOp>(
          [](auto each) { return leavesScaled(each); })
      .Case<ExpandDimsOp, SqueezeOp>([](auto each) { return leavesRank(each); })
      .Default(false);
}

namespace {

/// What an op on long rows becomes. Nothing is made where it fails.
class RowSplitter {
public:
  explicit RowSplitter(LongRows &rows) : rows(rows) {}

  LogicalResult split(Operation *op);

private:
  /// Of each part by itself.
  LogicalResult splitAlone(Replacer &r, Operation *op);
  LogicalResult splitConcat(Replacer &r, ConcatOp op);
  LogicalResult splitTurns(Replacer &r, ConcatOp op);
  LogicalResult splitPad(Replacer &r, PadOp op);
  LogicalResult splitSplit(Replacer &r, SplitOp op);
  LogicalResult splitTile(Replacer &r, TileOp op);
  LogicalResult splitReverse(Replacer &r, ReverseOp op);
  LogicalResult splitSoftmax(Replacer &r, SoftmaxOp op);
  LogicalResult splitCumsum(Replacer &r, CumsumOp op);
  template <typename Op, typename Join>
  LogicalResult splitReduction(Replacer &r, Op op, Join join);
  template <typename JoinOp, typename Op>
  LogicalResult splitJoined(Replacer &r, Op op) {
    return splitReduction(r, op, [&](Value own, Value others, int64_t) {
      return others ? r.binary<JoinOp>(others, own) : own;
    });
  }
  LogicalResult splitMean(Replacer &r, ReduceMeanOp op);
  template <typename Op> LogicalResult splitTwice(Replacer &r, Op op);

  LogicalResult become(Replacer &r, Operation *op, Parts list) {
    return rows.become(r, op, std::move(list));
  }

  LongRows &rows;
};

} // namespace

LogicalResult RowSplitter::splitAlone(Replacer &r, Operation *op) {
  int64_t extent = shapeOf(op->getResult(0)).back();
  for (Value result : op->getResults())
    if (shapeOf(result).back() != extent)
      return failure();
  SmallVector<Parts> lists(op->getNumResults());
  (void)rows.assemble(r, extent, rows.limit, [&](int64_t begin, int64_t count) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() > 0 && type.getShape().back() == extent)
        mapping.map(operand, rows.take(r, operand, begin, count));
    }
    Operation *part = r.rewriter.clone(*op, mapping);
    dropNames(part);
    for (auto [list, result] : llvm::zip_equal(lists, part->getResults())) {
      result.setType(withRow(result, count));
      list.push_back(result);
    }
    return part->getResult(0);
  });
  for (auto [result, list] : llvm::zip_equal(op->getResults(), lists))
    rows.setParts(result, std::move(list));
  return success();
}

LogicalResult RowSplitter::splitConcat(Replacer &r, ConcatOp op) {
  std::optional<bool> interleave = op.getInterleaveOrDefault();
  if (!interleave)
    return failure();
  if (*interleave)
    return splitTurns(r, op);
  return become(r, op,
                rows.assemble(r, shapeOf(op.getResult()).back(), rows.limit,
                              [&](int64_t begin, int64_t count) {
                                return rows.take(r, op.getValues(), begin,
                                                 count);
                              }));
}

/// A piece is what values have that take turns, each the same elements, without
/// those in front of its first one and behind its last.
LogicalResult RowSplitter::splitTurns(Replacer &r, ConcatOp op) {
  auto turns = int64_t(op.getValues().size());
  int64_t most = rows.limit - 2 * turns;
  if (most < rows.limit / 4)
    return failure();
  auto make = [&](int64_t begin, int64_t count) {
    int64_t first = begin / turns,
            number = llvm::divideCeil(begin + count, turns) - first;
    Parts taken;
    for (Value value : op.getValues())
      taken.push_back(rows.take(r, value, first, number));
    Value piece = r.concat(taken, lastAxis(op.getResult()),
                           /*interleave=*/true);
    return r.slice(piece, lastAxis(piece), begin - first * turns, count);
  };
  return become(r, op,
                rows.assemble(r, shapeOf(op.getResult()).back(), most, make));
}

/// Each result is a slice, long or short. One of all elements or of none is
/// not, and of others there is a rule.
LogicalResult RowSplitter::splitSplit(Replacer &r, SplitOp op) {
  auto parts = getParts(op);
  int64_t extent = shapeOf(op.getX()).back();
  if (!parts || llvm::any_of(*parts, [&](ArrayRef<SliceDim> part) {
        return part.back().extent < 1 || part.back().extent == extent;
      }))
    return failure();
  auto slices = llvm::map_to_vector(*parts, [&](ArrayRef<SliceDim> part) {
    return r.slice(op.getX(), lastAxis(op.getX()), part.back().begin,
                   part.back().extent);
  });
  auto made = llvm::map_to_vector(
      slices, [](Value slice) { return slice.getDefiningOp(); });
  (void)r.replace(slices);
  for (Operation *slice : made)
    if (!slice->use_empty() && failed(split(slice)))
      llvm_unreachable("a slice of adjacent elements has a rule");
  return success();
}

LogicalResult RowSplitter::splitTile(Replacer &r, TileOp op) {
  std::optional<SmallVector<int64_t>> reps = getConstantInts(op.getReps());
  if (!reps)
    return failure();
  int64_t extent = shapeOf(op.getX()).back();
  auto make = [&](int64_t begin, int64_t count) -> Value {
    // Copies that fill a row are repeated in it, others joined one by one.
    int64_t first = begin % extent,
            times = llvm::divideCeil(first + count, extent);
    bool fitsRow = times * extent <= rows.limit;
    reps->back() = fitsRow ? times : 1;
    Value x = fitsRow ? op.getX()
                      : rows.take(r, SmallVector<Value>(times, op.getX()),
                                  first, count);
    int64_t length = fitsRow ? times * extent : count;
    Value tile =
        TileOp::create(r.rewriter, op.getLoc(), withRow(op.getResult(), length),
                       x, r.ints(*reps));
    return fitsRow ? r.slice(tile, lastAxis(tile), first, count) : tile;
  };
  return become(
      r, op,
      rows.assemble(r, shapeOf(op.getResult()).back(), rows.limit, make));
}

LogicalResult RowSplitter::splitReverse(Replacer &r, ReverseOp op) {
  Value x = op.getX();
  int64_t extent = shapeOf(x).back();
  return become(
      r, op,
      rows.assemble(r, extent, rows.limit, [&](int64_t begin, int64_t count) {
        Value part = rows.take(r, x, extent - begin - count, count);
        return ReverseOp::create(r.rewriter, op.getLoc(), part.getType(), part,
                                 op.getAxes())
            .getResult();
      }));
}

/// What is added along the rows, joined with them.
LogicalResult RowSplitter::splitPad(Replacer &r, PadOp op) {
  std::optional<SmallVector<int64_t>> padding = getConstantInts(op.getPad());
  std::optional<StringRef> mode =
      op.getMode() ? getConstantString(op.getMode()) : StringRef("constant");
  std::optional<double> constant = op.getConstantValOrDefault();
  if (!padding || padding->size() < 2 || !mode || !constant)
    return failure();
  int64_t behind = padding->pop_back_val(), front = padding->pop_back_val(),
          extent = shapeOf(op.getX()).back();
  if (front == 0 && behind == 0)
    return splitAlone(r, op);
  if (llvm::any_of(*padding, [](int64_t count) { return count != 0; }) ||
      std::max(front, behind) >= std::min(extent, rows.limit))
    return failure();
  auto added = [&](bool isFront, int64_t count) -> Value {
    if (mode == "replicate") {
      Value edge = rows.take(r, op.getX(), isFront ? 0 : extent - 1, 1);
      SmallVector<int64_t> reps(lastAxis(edge) + 1, 1);
      reps.back() = count;
      return TileOp::create(r.rewriter, op.getLoc(), withRow(edge, count), edge,
                            r.ints(reps));
    }
    if (mode == "reflect") {
      // What is next to the edge.
      Value part =
          rows.take(r, op.getX(), isFront ? 1 : extent - 1 - count, count);
      return ReverseOp::create(r.rewriter, op.getLoc(), part.getType(), part,
                               r.ints({-1}));
    }
    SmallVector<int64_t> shape(shapeOf(op.getX()));
    shape.back() = count;
    return filled(r, *constant, shape, op.getX());
  };
  if (mode != "reflect" && mode != "replicate" && mode != "constant")
    return failure();
  Parts joined;
  if (front > 0)
    joined.push_back(added(/*isFront=*/true, front));
  joined.push_back(op.getX());
  if (behind > 0)
    joined.push_back(added(/*isFront=*/false, behind));
  return become(r, op,
                rows.assemble(r, extent + front + behind, rows.limit,
                              [&](int64_t begin, int64_t count) {
                                return rows.take(r, joined, begin, count);
                              }));
}

/// exp(x - max) / sum, with maximum and sum of all parts.
LogicalResult RowSplitter::splitSoftmax(Replacer &r, SoftmaxOp op) {
  Value x = op.getX();
  int64_t extent = shapeOf(x).back(), axis = lastAxis(x);
  Parts list =
      rows.assemble(r, extent, rows.limit, [&](int64_t begin, int64_t count) {
        return rows.take(r, x, begin, count);
      });
  Value top, sum;
  for (Value part : list) {
    Value own = r.reduce<ReduceMaxOp>(part, {axis}, true);
    top = top ? r.binary<MaximumOp>(top, own) : own;
  }
  for (Value &part : list) {
    part = r.unary<ExpOp>(r.binary<SubOp>(part, top));
    Value own = r.reduce<ReduceSumOp>(part, {axis}, true);
    sum = sum ? r.binary<AddOp>(sum, own) : own;
  }
  for (Value &part : list)
    part = r.binary<RealDivOp>(part, sum);
  return become(r, op, std::move(list));
}

LogicalResult RowSplitter::splitCumsum(Replacer &r, CumsumOp op) {
  Value x = op.getX();
  Parts list = rows.assemble(r, shapeOf(x).back(), rows.limit,
                             [&](int64_t begin, int64_t count) {
                               return rows.take(r, x, begin, count);
                             });
  if (failed(sumOn(r, op, list)))
    return failure();
  return become(r, op, std::move(list));
}

template <typename Op, typename Join>
LogicalResult RowSplitter::splitReduction(Replacer &r, Op op, Join join) {
  Value x = op.getX();
  auto axes = reducedAxes(op.getAxes(), lastAxis(x) + 1);
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!axes || !keepDims)
    return failure();
  Value result;
  (void)rows.assemble(
      r, shapeOf(x).back(), rows.limit, [&](int64_t begin, int64_t count) {
        Value part = rows.take(r, x, begin, count);
        Value own = join(r.reduce<Op>(part, *axes, *keepDims), result, count);
        result = own;
        return part;
      });
  return r.replace(result);
}

/// Means of integers are none of their parts' means, since each is cut off.
LogicalResult RowSplitter::splitMean(Replacer &r, ReduceMeanOp op) {
  if (!isa<FloatType>(staticType(op.getX()).getElementType()))
    return failure();
  double extent = double(shapeOf(op.getX()).back());
  return splitReduction(r, op, [&](Value own, Value others, int64_t count) {
    own = r.binary<MulOp>(own, double(count) / extent);
    return others ? r.binary<AddOp>(others, own) : own;
  });
}

/// What the parts give is reduced as they were.
template <typename Op>
LogicalResult RowSplitter::splitTwice(Replacer &r, Op op) {
  Value x = op.getX();
  auto axes = reducedAxes(op.getAxes(), lastAxis(x) + 1);
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!axes || !keepDims)
    return failure();
  Parts reduced = rows.assemble(
      r, shapeOf(x).back(), rows.limit, [&](int64_t begin, int64_t count) {
        return r.reduce<Op>(rows.take(r, x, begin, count), *axes, true);
      });
  return r.replace(
      r.reduce<Op>(r.concat(reduced, lastAxis(x)), *axes, *keepDims));
}

LogicalResult RowSplitter::split(Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  if (op->hasTrait<Elementwise>() || leavesRows(op))
    return splitAlone(r, op);
  if (op->hasTrait<Reshapes>())
    return splitReshape(rows, r, op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TransposeOp turn) { return splitTranspose(rows, r, turn); })
      .Case([&](CumsumOp sum) { return splitCumsum(r, sum); })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto slice) { return splitSlice(rows, r, op, getSlice(slice)); })
      .Case(
          [&](CropOp crop) { return splitSlice(rows, r, op, getSlice(crop)); })
      .Case([&](SliceUpdateOp update) { return splitUpdate(rows, r, update); })
      .Case([&](ConcatOp concat) { return splitConcat(r, concat); })
      .Case([&](PadOp pad) { return splitPad(r, pad); })
      .Case([&](SplitOp split) { return splitSplit(r, split); })
      .Case([&](TileOp tile) { return splitTile(r, tile); })
      .Case([&](ReverseOp reverse) { return splitReverse(r, reverse); })
      .Case<ConvOp, ConvTransposeOp, MaxPoolOp, AvgPoolOp, L2PoolOp,
            UpsampleNearestNeighborOp, SlidingWindowsOp>(
          [&](auto window) { return splitWindow(rows, r, window); })
      .Case<UpsampleBilinearOp, ResizeBilinearOp, ResizeNearestNeighborOp,
            ResizeOp>([&](auto) { return splitResize(rows, r, op); })
      .Case<InstanceNormOp, LayerNormOp, L2NormOp>(
          [&](auto norm) { return splitNorm(rows, r, norm); })
      .Case<LinearOp, MatmulOp>(
          [&](auto product) { return splitProduct(rows, r, product); })
      .Case([&](SoftmaxOp softmax) { return splitSoftmax(r, softmax); })
      .Case([&](GatherOp gather) { return splitGather(rows, r, gather); })
      .Case([&](ReduceMaxOp max) { return splitJoined<MaximumOp>(r, max); })
      .Case([&](ReduceMinOp min) { return splitJoined<MinimumOp>(r, min); })
      .Case<ReduceSumOp, ReduceSumSquareOp>(
          [&](auto sum) { return splitJoined<AddOp>(r, sum); })
      .Case([&](ReduceMeanOp mean) { return splitMean(r, mean); })
      .Case<ReduceL1NormOp, ReduceL2NormOp, ReduceLogSumExpOp, ReduceProdOp>(
          [&](auto reduction) { return splitTwice(r, reduction); })
      .Default(failure());
}

LogicalResult ane::mil::splitRows(LongRows &rows, Operation *op) {
  return RowSplitter(rows).split(op);
}
