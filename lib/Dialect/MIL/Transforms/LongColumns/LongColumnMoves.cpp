//===- LongColumnMoves.cpp - Moves of values with too many rows -----------===//

#include "LongColumns/LongColumns.h"
#include "LongRows/LongRows.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class MoveFolder {
public:
  MoveFolder(LongColumns &columns, Replacer &r) : columns(columns), r(r) {}

  LogicalResult reshape(Operation *op);
  LogicalResult transpose(TransposeOp op);
  LogicalResult concat(ConcatOp op);
  LogicalResult stack(StackOp op);
  LogicalResult slice(Operation *op, std::optional<SmallVector<SliceDim>> dims);
  LogicalResult split(SplitOp op);
  LogicalResult tile(TileOp op);
  LogicalResult pad(PadOp op);

private:
  LogicalResult joinAlong(Operation *op, ValueRange values, int64_t axis) {
    OpResult result = op->getResult(0);
    return columns.become(
        r, result, columns.join(r, values, axis, 0, shapeOf(result)[axis]));
  }

  LongColumns &columns;
  Replacer &r;
};

} // namespace

LogicalResult MoveFolder::reshape(Operation *op) {
  Value x = op->getOperand(0);
  std::optional<int64_t> axis = columns.axisOf(x);
  if (axis)
    x = columns.get(r, x, *axis);
  return columns.become(r, op->getResult(0), x);
}

LogicalResult MoveFolder::transpose(TransposeOp op) {
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  auto perm = permutationOf(op);
  if (!axis || !perm)
    return failure();
  Shape folded;
  for (int64_t dim : *perm) {
    folded.push_back(foldedDim(dim, *axis));
    if (dim == *axis)
      folded.push_back(dim + 1);
  }
  Value made = r.transpose(columns.get(r, op.getX(), *axis), folded);
  // Of several dimensions of one extent another one may be folded there.
  std::optional<int64_t> own = columns.axisOf(op.getResult());
  int64_t to = llvm::find(folded, *axis) - folded.begin();
  if (own && *own != to) {
    columns.setFolded(op.getResult(), made, to);
    made = columns.get(r, op.getResult(), *own);
  }
  return columns.become(r, op->getResult(0), made);
}

LogicalResult MoveFolder::concat(ConcatOp op) {
  std::optional<int64_t> along = getConstantInt(op.getAxis()),
                         axis = columns.axisOf(op.getResult());
  std::optional<bool> interleave = op.getInterleaveOrDefault();
  if (!along || !interleave)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getResult()).size()));
  if (!axis || *along == *axis)
    return *interleave ? failure() : joinAlong(op, op.getValues(), *along);
  SmallVector<Value> operands;
  for (Value value : op.getValues())
    operands.push_back(columns.get(r, value, *axis));
  if (!*interleave)
    return columns.become(r, op->getResult(0),
                          r.concat(operands, foldedDim(*along, *axis)));
  auto made = ConcatOp::create(
      r.rewriter, op.getLoc(),
      cast<RankedTensorType>(op.getType())
          .clone(columns.foldedShape(shapeOf(op.getResult()), *axis)),
      operands, r.integer(foldedDim(*along, *axis)), op.getInterleave());
  return columns.become(r, op->getResult(0), made);
}

/// Values with a dimension more, joined along it.
LogicalResult MoveFolder::stack(StackOp op) {
  std::optional<int64_t> along = getConstantInt(op.getAxis()),
                         axis = columns.axisOf(op.getResult());
  if (!along || !axis)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getResult()).size()));
  if (*along == *axis)
    return failure();
  int64_t before = *axis - (*along < *axis);
  SmallVector<Value> operands;
  for (Value value : op.getValues()) {
    Value planes = columns.get(r, value, before);
    Shape shape(shapeOf(planes));
    shape.insert(shape.begin() + foldedDim(*along, *axis), 1);
    operands.push_back(r.reshape(planes, shape));
  }
  return columns.become(r, op->getResult(0),
                        r.concat(operands, foldedDim(*along, *axis)));
}

LogicalResult MoveFolder::slice(Operation *op,
                                std::optional<SmallVector<SliceDim>> dims) {
  Value x = op->getOperand(0);
  std::optional<int64_t> axis = columns.axisOf(x);
  if (!axis || !dims || llvm::any_of(*dims, [](const SliceDim &dim) {
        return dim.step == 0 || dim.extent < 1;
      }))
    return failure();
  SliceDim own = (*dims)[*axis];
  bool isOne = own.extent == 1;
  if (own.step != 1 && !isOne)
    return failure();
  Value made = own.extent == shapeOf(x)[*axis]
                   ? columns.get(r, x, *axis)
                   : columns.join(r, x, *axis, own.begin, own.extent);
  bool isFolded = shapeOf(made).size() > shapeOf(x).size();
  for (auto [index, dim] : llvm::enumerate(*dims))
    if (int64_t(index) != *axis)
      made = sliceDim(
          r, made, int64_t(index) + (isFolded && int64_t(index) > *axis), dim);
  return columns.become(r, op->getResult(0), made);
}

LogicalResult MoveFolder::split(SplitOp op) {
  auto parts = getParts(op);
  std::optional<int64_t> along = getConstantInt(op.getAxis()),
                         axis = columns.axisOf(op.getX());
  if (!parts || !along || !axis)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getX()).size()));
  for (auto [result, part] : llvm::zip_equal(op->getResults(), *parts)) {
    const SliceDim &dim = part[*along];
    Value made = *along == *axis
                     ? columns.join(r, op.getX(), *axis, dim.begin, dim.extent)
                     : r.slice(columns.get(r, op.getX(), *axis),
                               foldedDim(*along, *axis), dim.begin, dim.extent);
    if (failed(columns.become(r, result, made)))
      return failure();
  }
  return success();
}

/// Along a folded dimension one element is repeated, or those of a part of a
/// plane.
LogicalResult MoveFolder::tile(TileOp op) {
  std::optional<SmallVector<int64_t>> reps = getConstantInts(op.getReps());
  std::optional<int64_t> axis = columns.axisOf(op.getResult());
  if (!reps || !axis)
    return failure();
  ExtentSplit split = *columns.splitOf(shapeOf(op.getResult())[*axis]);
  int64_t own = shapeOf(op.getX())[*axis];
  Value x;
  int64_t planes = 1, rows = 1;
  if ((*reps)[*axis] == 1) {
    x = columns.get(r, op.getX(), *axis);
  } else {
    if (columns.isFolded(op.getX()) || split.rows % own != 0)
      return failure();
    Shape shape(shapeOf(op.getX()));
    shape.insert(shape.begin() + *axis, 1);
    x = r.reshape(op.getX(), shape);
    planes = split.planes;
    rows = split.rows / own;
  }
  (*reps)[*axis] = rows;
  reps->insert(reps->begin() + *axis, planes);
  Shape shape = columns.foldedShape(shapeOf(op.getResult()), *axis);
  auto type = cast<RankedTensorType>(op.getType()).clone(shape);
  return columns.become(
      r, op->getResult(0),
      TileOp::create(r.rewriter, op.getLoc(), type, x, r.ints(*reps)));
}

LogicalResult MoveFolder::pad(PadOp op) {
  std::optional<SmallVector<int64_t>> padding = getConstantInts(op.getPad());
  StringRef mode = op.getMode() ? getConstantString(op.getMode()).value_or("")
                                : StringRef("constant");
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  std::optional<double> value = op.getConstantValOrDefault();
  int64_t rank = int64_t(shapeOf(op.getX()).size());
  if (!padding || mode != "constant" || !value)
    return failure();
  padding->insert(padding->begin(), 2 * rank - padding->size(), 0);
  auto isPadded = [&](int64_t dim) {
    return (*padding)[2 * dim] > 0 || (*padding)[2 * dim + 1] > 0;
  };
  std::optional<int64_t> along = columns.axisOf(op.getResult());
  if (axis && !isPadded(*axis)) {
    padding->insert(padding->begin() + 2 * *axis, 2, 0);
    Shape shape(shapeOf(op.getResult()));
    auto type = cast<RankedTensorType>(op.getType())
                    .clone(columns.foldedShape(shape, *axis));
    return columns.become(r, op->getResult(0),
                          PadOp::create(r.rewriter, op.getLoc(), type,
                                        columns.get(r, op.getX(), *axis),
                                        r.ints(*padding), op.getMode(),
                                        op.getConstantVal()));
  }
  // What is added, joined with the value.
  if (!axis)
    axis = along;
  if (!axis)
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != *axis && isPadded(dim))
      return failure();
  SmallVector<Value> values;
  auto addRows = [&](int64_t count) {
    Shape shape(shapeOf(op.getX()));
    shape[*axis] = count;
    if (count > 0)
      values.push_back(filled(r, *value, shape, op.getX()));
  };
  addRows((*padding)[2 * *axis]);
  values.push_back(op.getX());
  addRows((*padding)[2 * *axis + 1]);
  return joinAlong(op, values, *axis);
}

LogicalResult ane::mil::foldMove(LongColumns &columns, Replacer &r,
                                 Operation *op) {
  MoveFolder folder(columns, r);
  if (op->hasTrait<Reshapes>())
    return folder.reshape(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TransposeOp turn) { return folder.transpose(turn); })
      .Case([&](ConcatOp concat) { return folder.concat(concat); })
      .Case([&](StackOp stack) { return folder.stack(stack); })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto slice) { return folder.slice(op, getSlice(slice)); })
      .Case([&](SplitOp split) { return folder.split(split); })
      .Case([&](TileOp tile) { return folder.tile(tile); })
      .Case([&](PadOp pad) { return folder.pad(pad); })
      .Default(failure());
}
