//===- LongColumns.cpp - Values whose rows are too many -------------------===//

#include "LongColumns/LongColumns.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What the ops of a function say of an extent.
struct Hints {
  /// A common divisor of the places where values are joined and cut.
  int64_t grid = 0;
  /// Rows that reshapes make a part of the dimension, or make of it.
  SmallVector<int64_t> rows;
  /// Whether it is a dimension of a product of computed matrices, of which each
  /// plane is one: few of many rows are best.
  bool isMultiplied = false;
};

/// Where dimensions of a shape, side by side, are together one of `extent`: the
/// last of them.
std::optional<int64_t> lastFactor(ArrayRef<int64_t> shape, int64_t extent) {
  for (size_t begin = 0; begin < shape.size(); ++begin) {
    int64_t product = shape[begin];
    for (size_t end = begin + 1; end < shape.size() && product < extent;
         ++end) {
      product *= shape[end];
      if (product == extent && shape[end] > 1)
        return shape[end];
    }
  }
  return std::nullopt;
}

/// Calls `action(extent, offset)` for each place of a dimension where an op
/// joins or cuts it.
void forCuts(Operation *op, function_ref<void(int64_t, int64_t)> action) {
  auto addSlice = [&](Value x, ArrayRef<SliceDim> dims) {
    for (auto [extent, dim] : llvm::zip(shapeOf(x), dims))
      if (dim.extent < extent && dim.step == 1) {
        action(extent, dim.begin);
        action(extent, dim.begin + dim.extent);
        action(dim.extent, dim.begin);
      }
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ConcatOp concat) {
        std::optional<int64_t> axis = getConstantInt(concat.getAxis());
        if (!axis)
          return;
        int64_t rank = int64_t(shapeOf(concat.getResult()).size()), at = 0;
        *axis = fromFront(*axis, rank);
        for (Value value : concat.getValues())
          action(shapeOf(concat.getResult())[*axis],
                 at += shapeOf(value)[*axis]);
      })
      .Case<SliceByIndexOp, SliceBySizeOp>([&](auto slice) {
        if (auto dims = getSlice(slice))
          addSlice(slice.getX(), *dims);
      })
      .Case([&](SplitOp split) {
        if (auto parts = getParts(split))
          for (const auto &part : *parts)
            addSlice(split.getX(), part);
      });
}

} // namespace

std::optional<ExtentSplit> ane::mil::splitExtent(int64_t extent, int64_t limit,
                                                 int64_t grid,
                                                 ArrayRef<int64_t> wanted) {
  auto fits = [&](int64_t rows) {
    return rows > 1 && rows <= limit && extent % rows == 0 &&
           extent / rows <= limit;
  };
  for (int64_t unit : {grid, int64_t(0)}) {
    for (int64_t rows : wanted)
      if (fits(rows) && unit % rows == 0)
        return ExtentSplit{extent / rows, rows};
    int64_t common = std::gcd(extent, unit);
    for (int64_t rows = std::min(common, limit); rows > 1; --rows)
      if (common % rows == 0 && fits(rows))
        return ExtentSplit{extent / rows, rows};
  }
  return std::nullopt;
}

bool ane::mil::canFoldColumns(int64_t rows, int64_t limit) {
  return bool(splitExtent(rows, limit));
}

bool LongColumns::isLong(Value value) const {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape() && tensor.getRank() > 1 &&
         tensor.getShape()[tensor.getRank() - 2] > limit &&
         !getConstantElements(value);
}

void LongColumns::chooseSplits(FuncOp func) {
  llvm::DenseMap<int64_t, Hints> hints;
  SmallVector<int64_t> extents;
  auto add = [&](Value value) {
    if (!isLong(value))
      return;
    int64_t extent = shapeOf(value)[shapeOf(value).size() - 2];
    if (hints.try_emplace(extent).second)
      extents.push_back(extent);
  };
  Block &body = func.getBody().front();
  llvm::for_each(body.getArguments(), add);
  for (Operation &op : body)
    llvm::for_each(op.getResults(), add);
  for (Operation &op : body.without_terminator()) {
    if (llvm::any_of(op.getResults(),
                     [](Value value) { return !staticType(value); }))
      continue;
    forCuts(&op, [&](int64_t extent, int64_t offset) {
      if (auto found = hints.find(extent); found != hints.end())
        found->second.grid = std::gcd(found->second.grid, offset);
    });
    if (isa<MatmulOp>(op) && llvm::none_of(op.getOperands(), [](Value value) {
          return shapeOf(value).size() > 1 && getConstantElements(value);
        }))
      for (Value value : op.getOperands())
        for (int64_t extent : shapeOf(value))
          if (auto found = hints.find(extent); found != hints.end())
            found->second.isMultiplied = true;
    if (!isa<ReshapeOp, Flatten2dOp>(op))
      continue;
    ArrayRef<int64_t> from = shapeOf(op.getOperand(0)),
                      to = shapeOf(op.getResult(0));
    for (int64_t extent : extents)
      for (auto [one, other] : {std::pair(from, to), std::pair(to, from)})
        if (llvm::is_contained(one, extent))
          if (auto rows = lastFactor(other, extent))
            hints[extent].rows.push_back(*rows);
  }
  for (int64_t extent : extents) {
    const Hints &own = hints[extent];
    auto split = splitExtent(extent, limit, own.grid,
                             own.isMultiplied ? ArrayRef<int64_t>()
                                              : ArrayRef(own.rows));
    if (split)
      splits[extent] = *split;
  }
}

std::optional<ExtentSplit> LongColumns::splitOf(int64_t extent) const {
  auto found = splits.find(extent);
  return found == splits.end() ? std::nullopt
                               : std::optional<ExtentSplit>(found->second);
}

std::optional<int64_t> LongColumns::axisOf(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() >= mostDims)
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = type.getRank();
  if (rank > 1 && shape[rank - 2] > limit)
    return splitOf(shape[rank - 2]) ? std::optional(rank - 2) : std::nullopt;
  for (int64_t axis = rank - 1; axis >= 0; --axis)
    if (splitOf(shape[axis]))
      return axis;
  return std::nullopt;
}

Shape LongColumns::foldedShape(ArrayRef<int64_t> shape, int64_t axis) const {
  Shape made(shape);
  ExtentSplit split = {1, 1};
  if (shape[axis] > 1)
    split = *splitOf(shape[axis]);
  made[axis] = split.rows;
  made.insert(made.begin() + axis, split.planes);
  return made;
}

Value LongColumns::get(Replacer &r, Value value, int64_t axis) const {
  auto found = folded.find(value);
  if (found != folded.end() && found->second.axis == axis)
    return found->second.value;
  Shape shape = foldedShape(shapeOf(value), axis);
  return r.reshape(found == folded.end() ? value : found->second.value, shape);
}

Value LongColumns::plain(Replacer &r, Value value) {
  auto found = folded.find(value);
  if (found == folded.end())
    return value;
  Value &made = found->second.plain;
  if (!made)
    made = r.reshape(found->second.value, shapeOf(value));
  return made;
}

/// Of planes those that are taken whole, and of the first and the last a part.
Value LongColumns::takeOf(Replacer &r, Value value, int64_t axis, int64_t begin,
                          int64_t count) const {
  if (auto found = waiting.find(value); found != waiting.end())
    return found->second.make(r, begin, count);
  std::optional<ExtentSplit> split = splitOf(shapeOf(value)[axis]);
  if (!split)
    return r.slice(value, axis, begin, count);
  Value planes = get(r, value, axis);
  SmallVector<Value> pieces;
  for (int64_t end = begin + count; begin < end;) {
    int64_t first = begin / split->rows, inside = begin % split->rows,
            left = end - begin;
    bool isWhole = inside == 0 && left >= split->rows;
    Shape shape(shapeOf(value));
    shape[axis] = isWhole ? left / split->rows * split->rows
                          : std::min(split->rows - inside, left);
    Value piece =
        r.slice(planes, axis, first, isWhole ? shape[axis] / split->rows : 1);
    if (!isWhole)
      piece = r.slice(piece, axis + 1, inside, shape[axis]);
    pieces.push_back(r.reshape(piece, shape));
    begin += shape[axis];
  }
  return r.concat(pieces, axis);
}

Value LongColumns::take(Replacer &r, ValueRange values, int64_t axis,
                        int64_t begin, int64_t count) const {
  SmallVector<Value> pieces;
  for (Value value : values) {
    int64_t extent = shapeOf(value)[axis];
    if (begin < extent && count > 0) {
      int64_t taken = std::min(count, extent - begin);
      pieces.push_back(takeOf(r, value, axis, begin, taken));
      begin += taken;
      count -= taken;
    }
    begin -= extent;
  }
  return r.concat(pieces, axis);
}

Value LongColumns::join(Replacer &r, ValueRange values, int64_t axis,
                        int64_t begin, int64_t count) const {
  std::optional<ExtentSplit> split = splitOf(count);
  if (!split)
    return take(r, values, axis, begin, count);
  // Where values meet between planes, those are joined.
  SmallVector<Value> pieces;
  auto planesOf = [&](Value value) {
    auto found = folded.find(value);
    Shape shape(shapeOf(value));
    shape.insert(shape.begin() + axis, shape[axis] / split->rows);
    shape[axis + 1] = split->rows;
    return r.reshape(found == folded.end() ? value : found->second.value,
                     shape);
  };
  bool isAligned =
      begin % split->rows == 0 && llvm::all_of(values, [&](Value value) {
        return shapeOf(value)[axis] % split->rows == 0;
      });
  if (isAligned) {
    int64_t end = begin + count, at = 0;
    for (Value value : values) {
      int64_t extent = shapeOf(value)[axis],
              first = std::max(begin - at, int64_t(0)),
              last = std::min(end - at, extent);
      if (first < last)
        pieces.push_back(r.slice(planesOf(value), axis, first / split->rows,
                                 (last - first) / split->rows));
      at += extent;
    }
    return r.concat(pieces, axis);
  }
  for (int64_t plane = 0; plane < split->planes; ++plane) {
    Value rows =
        take(r, values, axis, begin + plane * split->rows, split->rows);
    Shape shape(shapeOf(rows));
    shape.insert(shape.begin() + axis, 1);
    pieces.push_back(r.reshape(rows, shape));
  }
  return r.concat(pieces, axis);
}

LogicalResult LongColumns::become(Replacer &r, OpResult result, Value made) {
  std::optional<int64_t> axis = axisOf(result);
  if (!axis && isLong(result))
    return failure();
  Shape shape(shapeOf(result));
  if (axis)
    shape = foldedShape(shape, *axis);
  // A value that was there before keeps the name it has.
  Operation *maker = made.getDefiningOp();
  if (shapeOf(made) != ArrayRef(shape))
    made = r.reshape(made, shape);
  else if (!maker || getLabel(maker) || !getResultNames(maker).empty() ||
           maker->getNumResults() != 1)
    made = r.unary<IdentityOp>(made);
  takeNames(cast<OpResult>(made), result);
  if (axis)
    setFolded(result, made, *axis);
  else
    result.replaceAllUsesWith(made);
  return success();
}

Operation *ane::mil::copyOf(Replacer &r, Operation *op,
                            ArrayRef<Value> operands) {
  Operation *made = r.rewriter.clone(*op);
  dropNames(made);
  made->setOperands(operands);
  return made;
}
