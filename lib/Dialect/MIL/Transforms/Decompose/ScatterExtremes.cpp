//===- ScatterExtremes.cpp - The largest or least update ------------------===//

#include "Decompose/ScatterExtremes.h"
#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

ScatterExtremes::ScatterExtremes(Location location, Value data, Value indices,
                                 StringRef mode, ArrayRef<int64_t> chosen,
                                 int64_t axis)
    : location(location), data(data), indices(indices), isMax(mode == "max"),
      extents(chosen) {
  ArrayRef<int64_t> shape = shapeOf(data);
  outer = llvm::product_of(shape.take_front(axis));
  inner = llvm::product_of(shape.drop_front(axis + chosen.size()));
  extent = llvm::product_of(chosen);
  places = flatPlaces(indices, extents);
}

bool ScatterExtremes::isLegal() const {
  bool areCounted = llvm::all_of(
      extents, [](int64_t extent) { return extent <= largestExactInteger; });
  int64_t each = outer * inner * count;
  return (places || areCounted) && count > 0 && each <= mostPairs &&
         extent <= mostAllPairs / each &&
         fitsEngine({outer, inner, most(), count}) &&
         fitsEngine({outer, inner, extent});
}

std::optional<ScatterExtremes>
ScatterExtremes::ofTuples(Location location, Value data, Value tuples,
                          StringRef mode, int64_t axis, int64_t length) {
  if (mode != "max" && mode != "min")
    return std::nullopt;
  ScatterExtremes extremes(location, data, tuples, mode,
                           shapeOf(data).slice(axis, length), axis);
  extremes.count = staticType(tuples).getNumElements() / length;
  return extremes.isLegal() ? std::optional(extremes) : std::nullopt;
}

std::optional<ScatterExtremes>
ScatterExtremes::alongAxis(Location location, Value data, Value indices,
                           StringRef mode, int64_t axis) {
  if (mode != "max" && mode != "min")
    return std::nullopt;
  ScatterExtremes extremes(location, data, indices, mode,
                           shapeOf(data).slice(axis, 1), axis);
  extremes.perElement = true;
  extremes.count = shapeOf(indices)[axis];
  return extremes.isLegal() ? std::optional(extremes) : std::nullopt;
}

int64_t ScatterExtremes::most() const {
  int64_t atATime = mostPairs / (outer * inner * count);
  return std::min({extent, atATime, longestDim});
}

Value ScatterExtremes::turn(Replacer &r, Value x, int64_t n) const {
  return r.transpose(r.reshape(x, {outer, n, inner}), {0, 2, 1});
}

Value ScatterExtremes::isKnown(Replacer &r, int64_t first, int64_t n) const {
  SmallVector<bool> isOf;
  int64_t own = perElement ? outer : 1, each = perElement ? inner : 1;
  for (int64_t o = 0; o < own; ++o)
    for (int64_t i = 0; i < each; ++i)
      for (int64_t place = first; place < first + n; ++place)
        for (int64_t update = 0; update < count; ++update)
          isOf.push_back((*places)[(o * count + update) * each + i] == place);
  return r.truths(isOf, {own, each, n, count});
}

/// Indices may count from the end.
Value ScatterExtremes::isEqual(Replacer &r, int64_t dim, int64_t first,
                               int64_t n) const {
  int64_t length = extents.size(),
          step = llvm::product_of(ArrayRef(extents).drop_front(dim + 1));
  Value own =
      perElement
          ? r.reshape(turn(r, indices, count), {outer, inner, 1, count})
          : r.reshape(r.slice(r.reshape(indices, {count, length}), 1, dim, 1),
                      {1, 1, 1, count});
  Type i32 = r.rewriter.getI32Type();
  auto equal = [&](int64_t shift) {
    SmallVector<double> numbers;
    for (int64_t place = first; place < first + n; ++place)
      numbers.push_back(double(place / step % extents[dim] - shift));
    Value all = r.tensor(numbers, {1, 1, n, 1}, i32);
    SmallVector<int64_t> shape(shapeOf(own));
    shape[2] = n;
    return EqualOp::create(r.rewriter, location,
                           RankedTensorType::get(shape, r.rewriter.getI1Type()),
                           own, all)
        .getResult();
  };
  return r.binary<LogicalOrOp>(equal(0), equal(extents[dim]));
}

Value ScatterExtremes::isUpdated(Replacer &r, int64_t first, int64_t n) const {
  if (places)
    return isKnown(r, first, n);
  Value isOf = isEqual(r, 0, first, n);
  for (int64_t dim = 1; dim < int64_t(extents.size()); ++dim)
    isOf = r.binary<LogicalAndOp>(isOf, isEqual(r, dim, first, n));
  return isOf;
}

Value ScatterExtremes::join(Replacer &r, Value updates) const {
  // fp16 holds the integers of 8 bits, and a choice is made of what it has.
  Type element = staticType(data).getElementType();
  bool isFloat = isa<FloatType>(element);
  Value like = isFloat || element.isInteger(32)
                   ? data
                   : r.scalar(0, r.rewriter.getF16Type());
  isFloat |= like != data;
  Value old = turn(r, r.convert(data, like), extent),
        own = r.reshape(turn(r, r.convert(updates, like), count),
                        {outer, inner, 1, count});
  double best =
      isFloat ? std::numeric_limits<double>::infinity() : double(largestHalf);
  Value worst = r.scalar(isMax ? -best : best, like);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < extent; first += most()) {
    int64_t n = std::min(most(), extent - first);
    RankedTensorType type = staticType(own).clone({outer, inner, n, count});
    Value chosen = SelectOp::create(r.rewriter, location, type,
                                    isUpdated(r, first, n), own, worst);
    parts.push_back(isMax ? r.reduce<ReduceMaxOp>(chosen, 3, false)
                          : r.reduce<ReduceMinOp>(chosen, 3, false));
  }
  Value all = r.concat(parts, 2);
  all = isMax ? r.binary<MaximumOp>(old, all) : r.binary<MinimumOp>(old, all);
  return r.convert(r.reshape(r.transpose(all, {0, 2, 1}), shapeOf(data)), data);
}
