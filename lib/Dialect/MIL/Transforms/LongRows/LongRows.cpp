//===- LongRows.cpp - Values whose rows are cut ---------------------------===//

#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "ane/Support/Divisors.h"
#include "ane/Target/H13.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Elements of a surface, 2 GiB of them: what signed strides of 26 bits reach
/// in steps of 64 bytes (verified).
constexpr int64_t mostElements = int64_t(1) << 30;

/// Zeros that are constants of a program, 32 MiB of them. Assigned.
constexpr int64_t mostZeros = int64_t(1) << 24;

int64_t rowOf(Value value) { return shapeOf(value).back(); }

} // namespace

bool LongRows::isLong(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
         tensor.getShape().back() > limit;
}

bool ane::mil::canCutRows(RankedTensorType type, int64_t limit) {
  LongRows cutter(limit);
  int64_t extent = type.getShape().back(), length = cutter.partLength(extent);
  int64_t parts = llvm::divideCeil(extent, length);
  // Up to 2^48 rows of less than a part: a product that 64 bits hold.
  int64_t rows = llvm::product_of(type.getShape().drop_back());
  return parts <= limit && rows * parts * length < mostElements &&
         rows * std::max(parts * length - extent, denseElements) <= mostZeros;
}

int64_t LongRows::partLength(int64_t extent) const {
  int64_t most = limit - limit / 4;
  // Of a multiple of it there is nothing behind the end.
  if (extent > limit && extent % denseElements == 0) {
    int64_t length = denseElements * largestDivisor(extent / denseElements,
                                                    most / denseElements);
    if (2 * length >= most)
      return length;
  }
  int64_t count = llvm::divideCeil(extent, most);
  return llvm::alignTo(llvm::divideCeil(extent, count), denseElements);
}

int64_t LongRows::commonRow(int64_t extent, int64_t other) const {
  int64_t row = largestDivisor(std::gcd(extent, other), limit);
  return extent / row <= limit ? row : 0;
}

RankedTensorType LongRows::foldedType(RankedTensorType type) const {
  SmallVector<int64_t> shape(type.getShape());
  int64_t extent = shape.pop_back_val(), length = partLength(extent);
  shape.push_back(llvm::divideCeil(extent, length));
  shape.push_back(length);
  return type.clone(shape);
}

void LongRows::cut(Replacer &r, Value value, Value folded) {
  int64_t row = int64_t(shapeOf(value).size()) - 1, extent = rowOf(value),
          length = rowOf(folded);
  Parts list;
  for (int64_t begin = 0; begin < extent; begin += length) {
    SmallVector<int64_t> shape(shapeOf(value));
    shape.back() = std::min(length, extent - begin);
    Value part = r.slice(folded, row, begin / length, 1);
    part = r.slice(part, row + 1, 0, shape.back());
    list.push_back(r.reshape(part, shape));
  }
  setParts(value, std::move(list));
}

Value LongRows::fold(Replacer &r, Value value) const {
  if (Value whole = wholes.lookup(value))
    return whole;
  return fold(r, parts.find(value)->second);
}

Value LongRows::fold(Replacer &r, ArrayRef<Value> list) {
  int64_t length = rowOf(list.front());
  Parts rows;
  for (Value part : list) {
    int64_t missing = length - rowOf(part);
    if (missing > 0) {
      SmallVector<int64_t> shape(shapeOf(part));
      shape.back() = missing;
      part = r.concat({part, filled(r, 0, shape, part)},
                      int64_t(shape.size()) - 1);
    }
    SmallVector<int64_t> shape(shapeOf(part));
    shape.insert(shape.end() - 1, 1);
    rows.push_back(r.reshape(part, shape));
  }
  return r.concat(rows, int64_t(shapeOf(rows.front()).size()) - 2);
}

Value LongRows::take(Replacer &r, ValueRange values, int64_t begin,
                     int64_t count) const {
  Parts pieces;
  auto takeOf = [&](Value x) {
    int64_t extent = rowOf(x);
    if (begin < extent && count > 0) {
      int64_t taken = std::min(count, extent - begin);
      pieces.push_back(
          r.slice(x, int64_t(shapeOf(x).size()) - 1, begin, taken));
      begin += taken;
      count -= taken;
    }
    begin -= extent;
  };
  for (Value value : values) {
    auto found = parts.find(value);
    if (found == parts.end())
      takeOf(value);
    else
      llvm::for_each(found->second, takeOf);
  }
  return r.concat(pieces, int64_t(shapeOf(pieces.front()).size()) - 1);
}

Parts LongRows::assemble(
    Replacer &r, int64_t extent, int64_t most,
    llvm::function_ref<Value(int64_t, int64_t)> make) const {
  int64_t length = extent > limit ? partLength(extent) : extent;
  Parts list;
  for (int64_t begin = 0; begin < extent; begin += length) {
    int64_t end = std::min(begin + length, extent);
    Parts pieces;
    for (int64_t at = begin; at < end; at += most)
      pieces.push_back(make(at, std::min(most, end - at)));
    list.push_back(
        r.concat(pieces, int64_t(shapeOf(pieces.front()).size()) - 1));
  }
  return list;
}

LogicalResult LongRows::become(Replacer &r, Operation *op, Parts list) {
  Value result = op->getResult(0);
  if (!isLong(result))
    return r.replace(list.front());
  setParts(result, std::move(list));
  return success();
}

Value ane::mil::filled(Replacer &r, double value, ArrayRef<int64_t> shape,
                       Value like) {
  auto type = cast<RankedTensorType>(like.getType()).clone(shape);
  Type element = type.getElementType();
  Attribute number =
      isa<FloatType>(element)
          ? Attribute(FloatAttr::get(element, value))
          : IntegerAttr::get(element, static_cast<int64_t>(value));
  return r.constant(DenseElementsAttr::get(type, number));
}

RankedTensorType ane::mil::withRow(Value value, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = count;
  return type.clone(shape);
}
