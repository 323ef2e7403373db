//===- HalfElements.cpp - fp16 constants as bit patterns ------------------===//

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/ResourceElements.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace ane::zin;

std::optional<HalfElements> HalfElements::get(ElementsAttr elements) {
  if (!elements || !elements.getElementType().isF16())
    return std::nullopt;
  HalfElements result;
  result.count = elements.getNumElements();
  ArrayRef<char> bytes;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    bytes = dense.getRawData();
    result.splat = dense.isSplat();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    bytes = blob->getData();
  }
  if (bytes.size() != (result.splat ? 1 : result.count) * halfBytes)
    return std::nullopt;
  result.data = bytes.data();
  return result;
}

std::optional<HalfElements> ane::zin::halfElementsOf(Value value) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  return constant ? HalfElements::get(constant.getElements()) : std::nullopt;
}

bool ane::zin::isAtHand(Value value) {
  return halfElementsOf(value).has_value();
}

ElementsAttr ane::zin::makeHalfElements(RankedTensorType type,
                                        std::vector<uint16_t> bits) {
  assert(int64_t(bits.size()) == type.getNumElements());
  for (uint16_t &element : bits)
    element = llvm::support::endian::byte_swap<uint16_t>(
        element, llvm::endianness::little);
  ArrayRef<char> bytes(reinterpret_cast<const char *>(bits.data()),
                       bits.size() * halfBytes);
  if (bits.size() <= maxInlineElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  // The blob keeps the vector: a weight need not be copied.
  return makeResourceElements(
      type, "fp16",
      AsmResourceBlob(
          bytes, alignof(uint16_t),
          [owner = std::move(bits)](void *, size_t, size_t) {},
          /*dataIsMutable=*/true));
}

ElementsAttr ane::zin::sliceElements(ElementsAttr elements,
                                     RankedTensorType type, int64_t begin) {
  int64_t count = type.getNumElements();
  if (count == elements.getNumElements())
    return reshapeElements(elements, type.getShape());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      dense && dense.isSplat())
    return dense.resizeSplat(type);
  std::optional<HalfElements> all = HalfElements::get(elements);
  assert(all && "only what is at hand has parts");
  StringRef part = all->bytes().substr(begin * halfBytes, count * halfBytes);
  ArrayRef<char> bytes(part.data(), part.size());
  if (count <= maxInlineElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  // Named by what it is a part of.
  std::string key = "slice";
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    key = (resource.getRawHandle().getKey() + "_" + Twine(begin)).str();
  return makeResourceElements(type, key,
                              UnmanagedAsmResourceBlob::allocateWithAlign(
                                  bytes, alignof(uint16_t), nullptr,
                                  /*dataIsMutable=*/false));
}

ElementsAttr ane::zin::reshapeElements(ElementsAttr elements,
                                       ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elements.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.reshape(type);
  return DenseResourceElementsAttr::get(
      type, cast<DenseResourceElementsAttr>(elements).getRawHandle());
}
