//===- Constants.cpp - Reading constant inputs ----------------------------===//

#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Half.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include <bit>

using namespace mlir;
using namespace ane::mil;

bool ane::mil::isConstexpr(Operation *op) {
  return isa<ConstexprAffineDequantizeOp, ConstexprBlockwiseShiftScaleOp,
             ConstexprCastOp, ConstexprLutToDenseOp, ConstexprLutToSparseOp,
             ConstexprSparseBlockwiseShiftScaleOp, ConstexprSparseToDenseOp>(
      op);
}

ElementsAttr ane::mil::getConstantElements(Value value) {
  if (!value)
    return {};
  auto constant = value.getDefiningOp<ConstOp>();
  return constant ? dyn_cast<ElementsAttr>(constant.getValue())
                  : ElementsAttr();
}

std::optional<SmallVector<int64_t>> ane::mil::getConstantInts(Value value) {
  auto elements =
      dyn_cast_or_null<DenseIntElementsAttr>(getConstantElements(value));
  if (!elements)
    return std::nullopt;
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  SmallVector<int64_t> result;
  for (const APInt &element : elements.getValues<APInt>())
    result.push_back(isUnsigned ? element.getZExtValue()
                                : element.getSExtValue());
  return result;
}

std::optional<int64_t> ane::mil::getConstantInt(Value value) {
  std::optional<SmallVector<int64_t>> elements = getConstantInts(value);
  if (!elements || elements->size() != 1)
    return std::nullopt;
  return elements->front();
}

std::optional<bool> ane::mil::getConstantBool(Value value) {
  std::optional<int64_t> element = getConstantInt(value);
  if (!element)
    return std::nullopt;
  return *element != 0;
}

std::optional<double> ane::mil::getConstantFloat(Value value) {
  ElementsAttr elements = getConstantElements(value);
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  std::optional<SmallVector<double>> values = getConstantFloats(elements);
  if (!values)
    return std::nullopt;
  return values->front();
}

std::optional<StringRef> ane::mil::getConstantString(Value value) {
  auto elements =
      dyn_cast_or_null<DenseStringElementsAttr>(getConstantElements(value));
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  return *elements.getValues<StringRef>().begin();
}

std::optional<int64_t> ane::mil::getIntOr(Value value, int64_t defaultValue) {
  return value ? getConstantInt(value) : defaultValue;
}

std::optional<bool> ane::mil::getBoolOr(Value value, bool defaultValue) {
  return value ? getConstantBool(value) : defaultValue;
}

std::optional<SmallVector<double>>
ane::mil::getConstantFloats(ElementsAttr elements) {
  Type type = elements.getElementType();
  SmallVector<double> result;
  if (auto dense = dyn_cast<DenseFPElementsAttr>(elements)) {
    if (!type.isF16() && !type.isF32() && !type.isF64())
      return std::nullopt;
    result.reserve(dense.getNumElements());
    for (const APFloat &element : dense.getValues<APFloat>()) {
      APFloat wide = element;
      bool losesInfo;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      result.push_back(wide.convertToDouble());
    }
    return result;
  }

  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return std::nullopt;
  size_t count = elements.getNumElements();
  ArrayRef<char> data = blob->getData();
  result.reserve(count);
  auto readAll = [&](size_t size, auto read) {
    if (data.size() != count * size)
      return false;
    for (size_t i = 0; i < count; ++i)
      result.push_back(read(data.data() + i * size));
    return true;
  };
  using namespace llvm::support::endian;
  bool complete = false;
  if (type.isF16())
    complete =
        readAll(2, [](const char *p) { return halfToDouble(read16le(p)); });
  else if (type.isF32())
    complete = readAll(
        4, [](const char *p) { return std::bit_cast<float>(read32le(p)); });
  else if (type.isF64())
    complete = readAll(
        8, [](const char *p) { return std::bit_cast<double>(read64le(p)); });
  if (!complete)
    return std::nullopt;
  return result;
}

ElementsAttr ane::mil::makeFloatElements(RankedTensorType type,
                                         ArrayRef<double> values) {
  assert(int64_t(values.size()) == type.getNumElements());
  Type element = type.getElementType();
  size_t size = element.getIntOrFloatBitWidth() / 8;
  std::vector<char> bytes(values.size() * size);
  using namespace llvm::support::endian;
  for (auto [index, value] : llvm::enumerate(values)) {
    char *place = bytes.data() + index * size;
    if (element.isF16())
      write16le(place, halfFromDouble(value));
    else if (element.isF32())
      write32le(place, std::bit_cast<uint32_t>(static_cast<float>(value)));
    else
      write64le(place, std::bit_cast<uint64_t>(value));
  }
  constexpr size_t maxInlineElements = 32;
  if (values.size() <= maxInlineElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, "folded",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, size));
}
