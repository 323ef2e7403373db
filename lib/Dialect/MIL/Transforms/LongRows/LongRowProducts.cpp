//===- LongRowProducts.cpp - Products of matrices whose rows are cut ------===//
//
// A long result is computed in pieces, each with its columns of the second
// matrix. Where the sums of products run along long rows, a piece is the sum of
// the products of their parts, each rounded as one of the program would be.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// Joins what `make` makes of the terms of a product from a place on: all of
/// them unless they are too many.
static Value
sumOfParts(const LongRows &rows, Replacer &r, int64_t terms,
           llvm::function_ref<Value(int64_t begin, int64_t count)> make) {
  int64_t length = terms > rows.limit ? rows.partLength(terms) : terms;
  Value sum;
  for (int64_t begin = 0; begin < terms; begin += length) {
    Value own = make(begin, std::min(length, terms - begin));
    sum = sum ? r.binary<AddOp>(sum, own) : own;
  }
  return sum;
}

LogicalResult ane::mil::splitProduct(LongRows &rows, Replacer &r, LinearOp op) {
  Value x = op.getX(), bias = op.getBias();
  int64_t terms = shapeOf(x).back();
  bool isOneForAll = bias && llvm::product_of(shapeOf(bias)) == 1;
  auto columns = [&](int64_t begin, int64_t count) {
    return sumOfParts(
        rows, r, terms, [&](int64_t first, int64_t number) -> Value {
          Value weight = r.slice(op.getWeight(), 0, begin, count);
          if (number < terms)
            weight = r.slice(weight, 1, first, number);
          // Added once.
          Value own = first == 0 ? bias : Value();
          if (own && !isOneForAll)
            own = r.slice(own, 0, begin, count);
          return LinearOp::create(
              r.rewriter, op.getLoc(), withRow(op.getResult(), count),
              number < terms ? rows.take(r, x, first, number) : x, weight, own);
        });
  };
  return rows.become(
      r, op,
      rows.assemble(r, shapeOf(op.getResult()).back(), rows.limit, columns));
}

/// The same of a matrix that may lie either way.
LogicalResult ane::mil::splitProduct(LongRows &rows, Replacer &r, MatmulOp op) {
  Value x = op.getX(), y = op.getY();
  std::optional<bool> isTurnedX = op.getTransposeXOrDefault(),
                      isTurned = op.getTransposeYOrDefault();
  int64_t last = lastAxis(y), extent = shapeOf(op.getResult()).back();
  if (!isTurnedX || !isTurned || last < 1 || lastAxis(x) < 1 ||
      (*isTurnedX && rows.isLong(x)))
    return failure();
  int64_t terms = shapeOf(x)[lastAxis(x) - *isTurnedX];
  // A computed matrix has no dimension but the last that is too long.
  if (((*isTurned ? extent : terms) > rows.limit && !getConstantElements(y)) ||
      (*isTurnedX && terms > rows.limit))
    return failure();
  auto columns = [&](int64_t begin, int64_t count) {
    return sumOfParts(
        rows, r, terms, [&](int64_t first, int64_t number) -> Value {
          bool isPart = number < terms;
          Value part = y;
          if (*isTurned ? isPart : count < extent)
            part = *isTurned ? rows.take(r, part, first, number)
                             : rows.take(r, part, begin, count);
          if (*isTurned ? count < extent : isPart)
            part = *isTurned ? r.slice(part, last - 1, begin, count)
                             : r.slice(part, last - 1, first, number);
          return MatmulOp::create(r.rewriter, op.getLoc(),
                                  withRow(op.getResult(), count),
                                  isPart ? rows.take(r, x, first, number) : x,
                                  part, op.getTransposeX(), op.getTransposeY());
        });
  };
  return rows.become(r, op, rows.assemble(r, extent, rows.limit, columns));
}
