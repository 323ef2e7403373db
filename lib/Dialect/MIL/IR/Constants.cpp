//===- Constants.cpp - Reading constant inputs ----------------------------===//

#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Half.h"
#include "ane/Support/ResourceElements.h"
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

namespace {

/// Whether a few bytes say more elements than anybody has room for. No constant
/// that is read is as large.
bool isHugeSplat(DenseElementsAttr dense) {
  constexpr int64_t most = int64_t(1) << 28;
  return dense.isSplat() && dense.getNumElements() > most;
}

/// The bytes of a resource; nothing if it is not loaded.
std::optional<ArrayRef<char>> getResourceData(ElementsAttr elements) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return std::nullopt;
  return blob->getData();
}

/// Appends `count` integers that are stored in little-endian order.
template <typename Int>
bool readInts(ArrayRef<char> data, size_t count,
              SmallVectorImpl<int64_t> &result) {
  if (data.size() % sizeof(Int) != 0 || data.size() / sizeof(Int) != count)
    return false;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i)
    result.push_back(llvm::support::endian::read<Int, llvm::endianness::little>(
        data.data() + i * sizeof(Int)));
  return true;
}

/// The same by type; false where an element does not take whole bytes.
bool readInts(IntegerType type, ArrayRef<char> data, size_t count,
              SmallVectorImpl<int64_t> &result) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 8:
    return isUnsigned ? readInts<uint8_t>(data, count, result)
                      : readInts<int8_t>(data, count, result);
  case 16:
    return isUnsigned ? readInts<uint16_t>(data, count, result)
                      : readInts<int16_t>(data, count, result);
  case 32:
    return isUnsigned ? readInts<uint32_t>(data, count, result)
                      : readInts<int32_t>(data, count, result);
  case 64:
    return readInts<int64_t>(data, count, result);
  default:
    return false;
  }
}

} // namespace

std::optional<SmallVector<int64_t>> ane::mil::getConstantInts(Value value) {
  ElementsAttr elements = getConstantElements(value);
  auto type = elements ? dyn_cast<IntegerType>(elements.getElementType())
                       : IntegerType();
  if (!type)
    return std::nullopt;
  SmallVector<int64_t> result;
  size_t count = elements.getNumElements();
  auto dense = dyn_cast<DenseIntElementsAttr>(elements);
  if (!dense) {
    std::optional<ArrayRef<char>> data = getResourceData(elements);
    // A bool takes a byte.
    if (!data ||
        !(type.isSignlessInteger(1) ? readInts<uint8_t>(*data, count, result)
                                    : readInts(type, *data, count, result)))
      return std::nullopt;
    return result;
  }
  if (isHugeSplat(dense))
    return std::nullopt;
  // Shapes and the like are read all the time; most need no APInt.
  if (llvm::endianness::native == llvm::endianness::little &&
      !dense.isSplat() && readInts(type, dense.getRawData(), count, result))
    return result;
  result.reserve(count);
  for (const APInt &element : dense.getValues<APInt>())
    result.push_back(type.isUnsigned() || type.isSignlessInteger(1)
                         ? element.getZExtValue()
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

std::optional<double> ane::mil::getFloatOr(Value value, double defaultValue) {
  return value ? getConstantFloat(value) : defaultValue;
}

bool ane::mil::forEachFloatRun(ElementsAttr elements,
                               llvm::function_ref<void(ArrayRef<double>)> fn) {
  Type type = elements.getElementType();
  if (auto dense = dyn_cast<DenseFPElementsAttr>(elements)) {
    if ((!type.isF16() && !type.isF32() && !type.isF64()) || isHugeSplat(dense))
      return false;
    SmallVector<double> values;
    values.reserve(dense.getNumElements());
    for (const APFloat &element : dense.getValues<APFloat>()) {
      APFloat wide = element;
      bool losesInfo;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      values.push_back(wide.convertToDouble());
    }
    fn(values);
    return true;
  }

  std::optional<ArrayRef<char>> data = getResourceData(elements);
  if (!data)
    return false;
  size_t count = elements.getNumElements();
  auto readAll = [&](size_t size, auto read) {
    if (data->size() != count * size)
      return false;
    constexpr size_t run = 1024;
    std::array<double, run> values;
    for (size_t first = 0; first < count; first += run) {
      size_t length = std::min(run, count - first);
      for (size_t i = 0; i < length; ++i)
        values[i] = read(data->data() + (first + i) * size);
      fn(ArrayRef(values).take_front(length));
    }
    return true;
  };
  using namespace llvm::support::endian;
  if (type.isF16())
    return readAll(2, [](const char *p) { return halfToDouble(read16le(p)); });
  if (type.isF32())
    return readAll(
        4, [](const char *p) { return std::bit_cast<float>(read32le(p)); });
  if (type.isF64())
    return readAll(
        8, [](const char *p) { return std::bit_cast<double>(read64le(p)); });
  return false;
}

std::optional<SmallVector<double>>
ane::mil::getConstantFloats(ElementsAttr elements) {
  SmallVector<double> result;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      !dense || !isHugeSplat(dense))
    result.reserve(elements.getNumElements());
  if (!forEachFloatRun(elements, [&](ArrayRef<double> values) {
        llvm::append_range(result, values);
      }))
    return std::nullopt;
  return result;
}

std::optional<SmallVector<double>> ane::mil::getConstantNumbers(Value value) {
  if (std::optional<SmallVector<int64_t>> ints = getConstantInts(value))
    return SmallVector<double>(ints->begin(), ints->end());
  ElementsAttr elements = getConstantElements(value);
  return elements ? getConstantFloats(elements) : std::nullopt;
}

std::optional<double> ane::mil::getConstantNumber(Value value) {
  ElementsAttr elements = getConstantElements(value);
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  std::optional<SmallVector<double>> numbers = getConstantNumbers(value);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
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
  if (values.size() <= maxInlineElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return makeResourceElements(
      type, "folded",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, size));
}
