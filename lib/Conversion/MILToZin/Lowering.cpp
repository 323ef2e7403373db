//===- Lowering.cpp - Shared pieces of the MIL to Zin rules ---------------===//

#include "Lowering.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Ranks up to this have no depth.
constexpr size_t planarRank = 4;

constexpr uint16_t largestFiniteHalf = 0x7bff;

} // namespace

Shape5 ane::lowering::alignShape(ArrayRef<int64_t> shape, size_t rank) {
  Shape5 result(std::max(rank, planarRank) - shape.size(), 1);
  llvm::append_range(result, shape);
  if (result.size() == planarRank)
    result.insert(result.begin() + zin::D, 1);
  return result;
}

unsigned ane::lowering::alignAxis(int64_t axis, int64_t rank) {
  unsigned fromLast = rank - 1 - axis;
  unsigned dim = zin::W - fromLast;
  // The fourth dimension from the end is the batch, unless there are five.
  if (rank <= int64_t(planarRank) && dim == zin::D)
    dim = zin::N;
  return dim;
}

RankedTensorType ane::lowering::halfType(MLIRContext *context,
                                         ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float16Type::get(context));
}

ArrayRef<int64_t> ane::lowering::milShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Shape5 ane::lowering::windowShape(ArrayRef<int64_t> shape) {
  if (shape.size() == planarRank)
    return alignShape(shape, planarRank);
  return {shape[0], 1, shape[1], 1, shape[2]};
}

ElementsAttr ane::lowering::halfConstant(Value value, ArrayRef<int64_t> shape) {
  ElementsAttr elements = mil::getConstantElements(value);
  if (!elements)
    return {};
  if (elements.getElementType().isF16())
    return zin::reshapeElements(elements, shape);
  std::vector<uint16_t> bits;
  bits.reserve(elements.getNumElements());
  auto append = [&](const auto &values) {
    for (double element : values)
      bits.push_back(halfFromDouble(element));
  };
  if (std::optional<SmallVector<int64_t>> ints = mil::getConstantInts(value))
    append(*ints);
  else if (!mil::forEachFloatRun(elements, append))
    return {};
  return zin::makeHalfElements(halfType(value.getContext(), shape),
                               std::move(bits));
}

Value ane::lowering::operandAs(OpBuilder &builder, Location location,
                               Value original, Value converted,
                               ArrayRef<int64_t> shape) {
  if (mil::getConstantElements(original))
    return materializeHalf(builder, location, original, shape);
  return reshapeTo(builder, location, converted, shape);
}

Value ane::lowering::materializeHalf(OpBuilder &builder, Location location,
                                     Value value, ArrayRef<int64_t> shape) {
  return zin::ConstantOp::create(builder, location,
                                 cast<TypedAttr>(halfConstant(value, shape)));
}

Value ane::lowering::materializeHalf(OpBuilder &builder, Location location,
                                     ArrayRef<double> values,
                                     ArrayRef<int64_t> shape) {
  std::vector<uint16_t> bits;
  for (double value : values)
    bits.push_back(halfFromDouble(value));
  return zin::ConstantOp::create(
      builder, location,
      cast<TypedAttr>(zin::makeHalfElements(
          halfType(builder.getContext(), shape), std::move(bits))));
}

std::optional<double> ane::lowering::findHalfOverflow(ArrayRef<double> values) {
  const auto *found = llvm::find_if(values, [](double value) {
    // Few have to be rounded to know.
    return std::isfinite(value) && std::fabs(value) > largestHalf &&
           halfFromDouble(std::fabs(value)) > largestFiniteHalf;
  });
  return found == values.end() ? std::nullopt : std::optional(*found);
}

std::optional<double> ane::lowering::findHalfOverflow(Value value) {
  ElementsAttr elements = mil::getConstantElements(value);
  std::optional<double> found;
  if (elements && !elements.getElementType().isF16())
    mil::forEachFloatRun(elements, [&](ArrayRef<double> values) {
      if (!found)
        found = findHalfOverflow(values);
    });
  return found;
}
