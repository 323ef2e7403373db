//===- ShapeParams.cpp - Parameters that decide shapes --------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult ane::mil::requireScalar(Operation *op, Value value,
                                      StringRef name) {
  if (!value)
    return success();
  auto type = tensorType(value);
  if (type && (!type.hasStaticShape() || countElements(type.getShape()) == 1))
    return success();
  return refuse(op, "mil-scalar-c1",
                "'" + name + "' is " + formatType(value.getType()) +
                    "; it must be a scalar");
}

LogicalResult ane::mil::requireList(Operation *op, Value value, StringRef name,
                                    MaybeInt count) {
  if (!value)
    return success();
  auto type = tensorType(value);
  if (type && type.getRank() == 1 &&
      (!count || agree(type.getDimSize(0), *count)))
    return success();
  return refuse(
      op, "mil-vector-c1",
      "'" + name + "' is " + formatType(value.getType()) +
          "; it must be a list" +
          (count ? " of " + Twine(*count).str() + " entries" : std::string()));
}

FailureOr<MaybeInt> ane::mil::scalarInt(Operation *op, Value value,
                                        StringRef name, MaybeInt defaultValue) {
  if (!value)
    return defaultValue;
  if (failed(requireScalar(op, value, name)))
    return failure();
  return getConstantInt(value);
}

FailureOr<MaybeInts> ane::mil::listInts(Operation *op, Value value,
                                        StringRef name, MaybeInt count) {
  if (failed(requireList(op, value, name, count)))
    return failure();
  return getConstantInts(value);
}

FailureOr<MaybeInt> ane::mil::scalarAxis(Operation *op, Value value,
                                         MaybeInt defaultValue, int64_t rank,
                                         StringRef name) {
  FailureOr<MaybeInt> axis = scalarInt(op, value, name, defaultValue);
  if (failed(axis) || !*axis)
    return axis;
  FailureOr<int64_t> normalized = normalizeAxis(op, **axis, rank);
  if (failed(normalized))
    return failure();
  return MaybeInt(std::in_place, *normalized);
}

int64_t ane::mil::addExtents(int64_t x, int64_t y) {
  if (ShapedType::isDynamic(x) || ShapedType::isDynamic(y))
    return ShapedType::kDynamic;
  return llvm::checkedAdd(x, y).value_or(INT64_MAX);
}

int64_t ane::mil::multiplyExtents(int64_t x, int64_t y) {
  if (ShapedType::isDynamic(x) || ShapedType::isDynamic(y))
    return ShapedType::kDynamic;
  return llvm::checkedMul(x, y).value_or(INT64_MAX);
}

int64_t ane::mil::countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count = multiplyExtents(count, extent);
  return count;
}

LogicalResult ane::mil::addResult(Operation *op, SmallVectorImpl<Type> &types,
                                  ArrayRef<int64_t> shape, Type elementType) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!ShapedType::isDynamic(extent) && (extent < 0 || extent > INT32_MAX))
      return refuse(
          op, "mil-extent-c1",
          "dimension " + Twine(dim) + " of the result would have " +
              (extent == INT64_MAX ? "more than 2^63" : Twine(extent).str()) +
              " elements; an extent lies between 0 and 2^31 - 1");
  types.push_back(RankedTensorType::get(shape, elementType));
  return success();
}
