//===- LongRowSlices.cpp - Elements of rows that are cut ------------------===//
//
// Pieces of a result are taken of what lies between their first and their last
// element.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

Value ane::mil::sliceDim(Replacer &r, Value x, int64_t axis,
                         const SliceDim &dim) {
  if (dim.step > 0 || dim.extent == 1)
    return r.slice(x, axis, dim.begin, dim.extent,
                   std::max<int64_t>(dim.step, 1));
  // Elements in their order, from the last on.
  Value taken = r.slice(x, axis, dim.begin + (dim.extent - 1) * dim.step,
                        dim.extent, -dim.step);
  return ReverseOp::create(r.rewriter, x.getLoc(), taken.getType(), taken,
                           r.ints({axis}));
}

LogicalResult ane::mil::splitSlice(LongRows &rows, Replacer &r, Operation *op,
                                   std::optional<SmallVector<SliceDim>> dims) {
  Value x = op->getOperand(0), y = op->getResult(0);
  if (!dims || llvm::any_of(*dims, [](const SliceDim &dim) {
        return dim.step == 0 || dim.extent < 1;
      }))
    return failure();
  SliceDim row = dims->pop_back_val();
  int64_t step = std::abs(row.step);
  bool isSqueezed = shapeOf(y).empty() || shapeOf(y).back() != row.extent;
  if (isSqueezed && row.extent != 1)
    return failure();
  int64_t most = (rows.limit - 1) / step + 1;
  auto make = [&](int64_t begin, int64_t count) {
    // Backwards the last element is the first of the row.
    int64_t end = row.step < 0 ? begin + count - 1 : begin;
    Value piece =
        rows.take(r, x, row.begin + end * row.step, (count - 1) * step + 1);
    SliceDim own = {row.step < 0 ? (count - 1) * step : 0, row.step, count};
    piece = sliceDim(r, piece, lastAxis(piece), own);
    for (auto [axis, dim] : llvm::enumerate(*dims))
      piece = sliceDim(r, piece, axis, dim);
    SmallVector<int64_t> shape(shapeOf(y));
    if (!isSqueezed)
      shape.back() = count;
    return shapeOf(piece) == ArrayRef(shape) ? piece : r.reshape(piece, shape);
  };
  if (isSqueezed)
    return r.replace(make(0, 1));
  return rows.become(r, op, rows.assemble(r, row.extent, most, make));
}

/// What of the update is in a piece, and what of x is beside it.
LogicalResult ane::mil::splitUpdate(LongRows &rows, Replacer &r,
                                    SliceUpdateOp op) {
  Value x = op.getX(), update = op.getUpdate();
  std::optional<SmallVector<SliceDim>> dims = getSlice(op);
  if (!dims || shapeOf(update).size() != dims->size())
    return failure();
  SliceDim row = dims->pop_back_val();
  for (auto [dim, extent] : llvm::zip(*dims, shapeOf(x)))
    if (dim.step != 1 || dim.extent != extent)
      return failure();
  if (row.step != 1)
    return failure();
  int64_t end = row.begin + row.extent;
  auto make = [&](int64_t begin, int64_t count) {
    SmallVector<Value> pieces;
    auto add = [&](Value value, int64_t from, int64_t to, int64_t offset) {
      from = std::max(from, begin);
      to = std::min(to, begin + count);
      if (from < to)
        pieces.push_back(rows.take(r, value, from - offset, to - from));
    };
    add(x, 0, row.begin, 0);
    add(update, row.begin, end, row.begin);
    add(x, end, shapeOf(x).back(), 0);
    return r.concat(pieces, lastAxis(x));
  };
  return rows.become(r, op,
                     rows.assemble(r, shapeOf(x).back(), rows.limit, make));
}

/// Elements at known places, run by run of those that are in reach of each
/// other.
LogicalResult ane::mil::splitGather(LongRows &rows, Replacer &r, GatherOp op) {
  // Assigned: each run is a few ops.
  constexpr size_t mostRuns = 256;
  Value x = op.getX();
  std::optional<SmallVector<int64_t>> indices =
      getConstantInts(op.getIndices());
  std::optional<int64_t> axis = op.getAxisOrDefault();
  int64_t extent = shapeOf(x).back();
  if (!indices || !axis || op.getBatchDimsOrDefault() != 0 ||
      fromFront(*axis, lastAxis(x) + 1) != lastAxis(x) ||
      shapeOf(op.getIndices()).size() != 1)
    return failure();
  for (int64_t &index : *indices) {
    index = fromFront(index, extent);
    if (index < 0 || index >= extent)
      return failure();
  }
  struct Run {
    int64_t low, high, count;
  };
  SmallVector<Run> runs;
  for (int64_t index : *indices) {
    if (!runs.empty()) {
      Run &last = runs.back();
      int64_t low = std::min(last.low, index),
              high = std::max(last.high, index);
      if (high - low < rows.limit && last.count < rows.limit) {
        last = {low, high, last.count + 1};
        continue;
      }
    }
    runs.push_back({index, index, 1});
  }
  if (runs.size() > mostRuns)
    return failure();
  Parts pieces;
  ArrayRef<int64_t> rest = *indices;
  for (const Run &run : runs) {
    Value part = rows.take(r, x, run.low, run.high - run.low + 1);
    auto places =
        llvm::map_to_vector(rest.take_front(run.count),
                            [&](int64_t index) { return index - run.low; });
    rest = rest.drop_front(run.count);
    pieces.push_back(GatherOp::create(
        r.rewriter, op.getLoc(), withRow(op.getResult(), run.count), part,
        r.ints(places), r.integer(lastAxis(x)), /*batch_dims=*/Value(),
        /*validate_indices=*/Value()));
  }
  return rows.become(r, op,
                     rows.assemble(r, shapeOf(op.getResult()).back(),
                                   rows.limit,
                                   [&](int64_t begin, int64_t count) {
                                     return rows.take(r, pieces, begin, count);
                                   }));
}
