//===- ScaledConstants.cpp - Constants times numbers ----------------------===//

#include "Precision/ScaledConstants.h"
#include "HalfConstant.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// The stored elements, one if it stands for all of them, times a number;
/// nothing if fp16 does not hold one of them.
static std::optional<std::vector<uint16_t>>
multiplied(const HalfElements &elements, double factor) {
  std::vector<uint16_t> result;
  size_t count = elements.bytes().size() / halfBytes;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    double number = halfToDouble(elements[i]) * factor;
    result.push_back(halfFromDouble(number));
    if (halfToDouble(result.back()) != number)
      return std::nullopt;
  }
  return result;
}

Value ScaledConstants::times(OpBuilder &builder, Location location, Value value,
                             double factor) {
  auto [entry, isNew] =
      known.try_emplace({value, llvm::bit_cast<uint64_t>(factor)});
  if (!isNew)
    return entry->second;
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? HalfElements::get(constant.getElements()) : std::nullopt;
  if (!elements)
    return {};
  auto bits = multiplied(*elements, factor);
  if (!bits)
    return {};
  // Layers in front of the one that it is made for may use it as well.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(constant);
  if (bits->size() == 1)
    return entry->second = ConstantOp::create(
               builder, location,
               cast<TypedAttr>(DenseElementsAttr::get(
                   cast<RankedTensorType>(value.getType()),
                   builder.getF16FloatAttr(halfToDouble(bits->front())))));
  return entry->second =
             makeConstant(builder, location, shapeOf(value), std::move(*bits));
}
