//===- Conversions.cpp - Tensors from and to attributes and arrays --------===//

#include "ane/Reference/Conversions.h"
#include "Storage.h"
#include "ane/Dialect/MIL/IR/OpSpec.h"
#include "ane/Support/ResourceElements.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/SwapByteOrder.h"
#include <cstring>

using namespace mlir;
using namespace ane;
using namespace ane::reference;

namespace {

/// The bytes of an element, turned round on a big-endian machine.
template <typename T> std::array<char, sizeof(T)> storedBytes(const T &value) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  if constexpr (llvm::sys::IsBigEndianHost)
    std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <typename T> PayloadOf<T> readElement(const char *stored) {
  if constexpr (std::is_same_v<T, bool>) {
    return *stored != 0;
  } else {
    T value;
    std::memcpy(&value, stored, sizeof(T));
    std::array<char, sizeof(T)> bytes = storedBytes(value);
    std::memcpy(&value, bytes.data(), sizeof(T));
    return static_cast<PayloadOf<T>>(value);
  }
}

/// Reads little-endian elements. `data` holds all of them, or one for all.
llvm::Expected<Tensor> decode(RankedTensorType type, ArrayRef<char> data,
                              bool isSplat) {
  if (llvm::Error error = Tensor::check(type))
    return error;
  Tensor tensor(type);
  size_t count = tensor.getNumElements();
  size_t stored = isSplat ? 1 : count;
  std::optional<size_t> mismatch;
  withStorage(type.getElementType(), [&](auto storage) {
    using T = decltype(storage);
    if (data.size() != stored * sizeof(T)) {
      mismatch = stored * sizeof(T);
      return;
    }
    auto values = tensor.values<PayloadOf<T>>();
    for (size_t i = 0; i < count; ++i)
      values[i] = readElement<T>(data.data() + (isSplat ? 0 : i * sizeof(T)));
  });
  if (mismatch)
    return llvm::createStringError(mil::formatType(type) + " takes " +
                                   Twine(*mismatch) + " bytes, but there are " +
                                   Twine(data.size()));
  return tensor;
}

std::vector<char> encode(const Tensor &tensor) {
  std::vector<char> bytes;
  withStorage(tensor.getElementType(), [&](auto storage) {
    using T = decltype(storage);
    auto values = tensor.values<PayloadOf<T>>();
    bytes.reserve(values.size() * sizeof(T));
    for (auto value : values)
      llvm::append_range(bytes, storedBytes(static_cast<T>(value)));
  });
  return bytes;
}

/// Whether elements are narrower than a byte, so that a resource packs them.
bool isPacked(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() < 8 &&
         !type.isSignlessInteger(1);
}

/// Elements packed from the least significant bit of each byte on, spread to
/// one a byte. Nothing if the bytes do not fit the type.
std::optional<std::vector<char>> unpack(RankedTensorType type,
                                        ArrayRef<char> data) {
  uint64_t width = type.getElementTypeBitWidth();
  uint64_t count = type.getNumElements();
  if (data.size() != llvm::divideCeil(count * width, 8))
    return std::nullopt;
  std::vector<char> elements(count);
  for (uint64_t i = 0; i < count; ++i)
    for (uint64_t bit = 0; bit < width; ++bit) {
      uint64_t at = i * width + bit;
      elements[i] |= (data[at / 8] >> (at % 8) & 1) << bit;
    }
  return elements;
}

/// The reverse.
std::vector<char> pack(ArrayRef<char> elements, uint64_t width) {
  std::vector<char> data(llvm::divideCeil(elements.size() * width, 8));
  for (uint64_t i = 0; i < elements.size(); ++i)
    for (uint64_t bit = 0; bit < width; ++bit) {
      uint64_t at = i * width + bit;
      data[at / 8] |= (elements[i] >> bit & 1) << (at % 8);
    }
  return data;
}

/// The types of NumPy arrays, as MIL calls them.
Type elementTypeOf(MLIRContext *context, ElementType type) {
  return mil::dtypeFromName(context, milName(type));
}

} // namespace

llvm::Expected<Tensor> ane::reference::fromElementsAttr(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type)
    return llvm::createStringError("the value is no tensor");
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attr)) {
    if (!type.getElementType().isInteger(1))
      return decode(type, dense.getRawData(), dense.isSplat());
    // How a dense attribute stores i1 is its own business.
    std::vector<char> bytes;
    if (dense.isSplat())
      bytes.push_back(dense.getSplatValue<bool>());
    else
      llvm::append_range(bytes, dense.getValues<bool>());
    return decode(type, bytes, dense.isSplat());
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return llvm::createStringError(
          "resource '" + resource.getRawHandle().getKey() + "' has no bytes");
    if (!isPacked(type.getElementType()))
      return decode(type, blob->getData(), /*isSplat=*/false);
    if (llvm::Error error = Tensor::check(type))
      return error;
    std::optional<std::vector<char>> elements = unpack(type, blob->getData());
    if (!elements)
      return llvm::createStringError(mil::formatType(type) +
                                     " is packed, but there are " +
                                     Twine(blob->getData().size()) + " bytes");
    return decode(type, *elements, /*isSplat=*/false);
  }
  return llvm::createStringError("the value is no dense attribute of numbers");
}

ElementsAttr ane::reference::toElementsAttr(const Tensor &tensor,
                                            StringRef name) {
  RankedTensorType type = tensor.getType();
  if (tensor.getNumElements() > maxDenseElements) {
    std::vector<char> bytes = encode(tensor);
    if (isPacked(type.getElementType()))
      bytes = pack(bytes, type.getElementTypeBitWidth());
    return DenseResourceElementsAttr::get(
        type, name,
        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes,
                                                      resourceAlignment));
  }
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    llvm::append_range(bits, tensor.ints());
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(type, encode(tensor));
}

llvm::Expected<Tensor> ane::reference::fromNpy(MLIRContext *context,
                                               const NpyArray &array) {
  auto type =
      RankedTensorType::get(array.shape, elementTypeOf(context, array.type));
  return decode(type,
                ArrayRef(reinterpret_cast<const char *>(array.bytes.data()),
                         array.bytes.size()),
                /*isSplat=*/false);
}

NpyArray ane::reference::toNpy(const Tensor &tensor) {
  MLIRContext *context = tensor.getType().getContext();
  if (tensor.getElementType().isBF16())
    return toNpy(convert(tensor, Float32Type::get(context)));
  if (isPacked(tensor.getElementType())) {
    auto narrow = cast<IntegerType>(tensor.getElementType());
    return toNpy(
        convert(tensor, IntegerType::get(context, 8, narrow.getSignedness())));
  }
  NpyArray array;
  for (int i = 0; i <= static_cast<int>(ElementType::Float64); ++i)
    if (elementTypeOf(context, static_cast<ElementType>(i)) ==
        tensor.getElementType())
      array.type = static_cast<ElementType>(i);
  llvm::append_range(array.shape, tensor.getShape());
  std::vector<char> bytes = encode(tensor);
  array.bytes.assign(bytes.begin(), bytes.end());
  return array;
}
