//===- LongRowReshapes.cpp - Moves of rows that are cut -------------------===//

#include "LongRows/LongRows.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// The shape with its rows cut into parts that are rows. Dimensions in front
/// are joined where there would be one too many.
static SmallVector<int64_t> cutShape(ArrayRef<int64_t> shape, int64_t row) {
  SmallVector<int64_t> made(shape.drop_back());
  if (int64_t(shape.size()) == mostDims)
    made = {llvm::product_of(made)};
  made.push_back(shape.back() / row);
  made.push_back(row);
  return made;
}

/// In steps, of which each cuts rows, joins rows, or has no long ones.
static LogicalResult splitInSteps(LongRows &rows, Replacer &r, Operation *op) {
  Value x = op->getOperand(0), y = op->getResult(0);
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(y);
  SmallVector<SmallVector<int64_t>> shapes;
  auto cut = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> other) {
    int64_t row = rows.commonRow(shape.back(), other.back());
    if (row == 0)
      row = rows.commonRow(shape.back(), shape.back());
    if (row > 0)
      shapes.push_back(cutShape(shape, row));
    return row > 0;
  };
  if ((rows.isLong(x) && !cut(from, to)) || (rows.isLong(y) && !cut(to, from)))
    return failure();
  SmallVector<Operation *> steps;
  Value value = x;
  shapes.emplace_back(to);
  for (ArrayRef<int64_t> shape : shapes) {
    if (shapeOf(value) == shape)
      continue;
    value = r.reshape(value, shape);
    steps.push_back(value.getDefiningOp());
  }
  if (failed(r.replace(value)))
    return failure();
  for (Operation *step : steps)
    if ((rows.isLong(step->getOperand(0)) || rows.isLong(step->getResult(0))) &&
        failed(splitRows(rows, step)))
      return failure();
  return success();
}

/// Rows that stay, that are cut into short ones, or that are made of those.
LogicalResult ane::mil::splitReshape(LongRows &rows, Replacer &r,
                                     Operation *op) {
  Value x = op->getOperand(0), y = op->getResult(0);
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(y);
  if (from.empty() || to.empty())
    return failure();
  int64_t in = from.back(), out = to.back();
  SmallVector<int64_t> shape(to);
  if (in == out)
    return rows.become(
        r, op,
        rows.assemble(r, out, rows.limit, [&](int64_t begin, int64_t count) {
          shape.back() = count;
          return r.reshape(rows.take(r, x, begin, count), shape);
        }));
  bool cuts = in > out;
  int64_t shorter = cuts ? out : in;
  ArrayRef<int64_t> many = cuts ? to : from, few = cuts ? from : to;
  // [..., n * m] and [..., n, m].
  if (many.size() < 2 || shorter > rows.limit ||
      many[many.size() - 2] * shorter != few.back() ||
      llvm::product_of(many.drop_back(2)) != llvm::product_of(few.drop_back()))
    return splitInSteps(rows, r, op);
  int64_t count = few.back() / shorter;
  if (cuts) {
    // Parts of a surface that are whole rows lie as these do.
    if (Value folded = rows.foldedAlready(x);
        folded && in % shapeOf(folded).back() == 0 &&
        shapeOf(folded).back() % shorter == 0)
      return rows.become(r, op, {r.reshape(folded, to)});
    Parts pieces;
    int64_t most = rows.limit / shorter;
    for (int64_t i = 0; i < count; i += most) {
      shape[shape.size() - 2] = std::min(most, count - i);
      pieces.push_back(r.reshape(
          rows.take(r, x, i * shorter, shape[shape.size() - 2] * shorter),
          shape));
    }
    return rows.become(r, op, {r.concat(pieces, int64_t(shape.size()) - 2)});
  }
  // Of rows of which few have room in one, each by itself.
  if (4 * shorter > rows.limit) {
    Parts pieces;
    shape.back() = shorter;
    for (int64_t i = 0; i < count; ++i)
      pieces.push_back(r.reshape(r.slice(x, lastAxis(x) - 1, i, 1), shape));
    return rows.become(
        r, op,
        rows.assemble(r, out, rows.limit, [&](int64_t begin, int64_t length) {
          return rows.take(r, pieces, begin, length);
        }));
  }
  return rows.become(
      r, op,
      rows.assemble(
          r, out, rows.limit - 2 * shorter, [&](int64_t begin, int64_t length) {
            int64_t first = begin / shorter,
                    end = llvm::divideCeil(begin + length, shorter);
            Value piece = r.slice(x, lastAxis(x) - 1, first, end - first);
            shape.back() = (end - first) * shorter;
            piece = r.reshape(piece, shape);
            return r.slice(piece, lastAxis(piece), begin - first * shorter,
                           length);
          }));
}

/// Where rows become another dimension the parts are joined along it, and
/// another dimension becomes the rows.
LogicalResult ane::mil::splitTranspose(LongRows &rows, Replacer &r,
                                       TransposeOp op) {
  auto perm = permutationOf(op);
  if (!perm)
    return failure();
  Value x = op.getX();
  int64_t rank = lastAxis(x) + 1;
  int64_t rowAxis = perm->back(),
          joined = llvm::find(*perm, rank - 1) - perm->begin();
  return rows.become(
      r, op,
      rows.assemble(r, shapeOf(op.getResult()).back(), rows.limit,
                    [&](int64_t begin, int64_t count) {
                      Parts pieces;
                      (void)rows.assemble(
                          r, shapeOf(x).back(), rows.limit,
                          [&](int64_t first, int64_t number) {
                            Value piece = rows.take(r, x, first, number);
                            piece = r.slice(piece, rowAxis, begin, count);
                            pieces.push_back(r.transpose(piece, *perm));
                            return piece;
                          });
                      return r.concat(pieces, joined);
                    }));
}
