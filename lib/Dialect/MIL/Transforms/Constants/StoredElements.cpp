//===- StoredElements.cpp - Constants as they are stored ------------------===//

#include "Constants/StoredElements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/ResourceElements.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

bool isNumber(Type type) {
  return type.isIntOrFloat() && !type.isSignlessInteger(1);
}

} // namespace

std::optional<StoredElements> StoredElements::get(Value constant) {
  ElementsAttr elements = getConstantElements(constant);
  auto type =
      elements ? dyn_cast<RankedTensorType>(elements.getType()) : nullptr;
  // Another machine would have to turn them round.
  if (!type || !isNumber(type.getElementType()) ||
      llvm::endianness::native != llvm::endianness::little)
    return std::nullopt;
  StoredElements result;
  result.type = type;
  result.bits = type.getElementTypeBitWidth();
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements)) {
    // How an attribute stores single bits is its own business.
    if (result.bits == 1 || (dense.isSplat() && type.getNumElements() != 1))
      return std::nullopt;
    result.bytes = dense.getRawData();
    result.bits = llvm::alignTo(result.bits, CHAR_BIT);
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    result.bytes = blob->getData();
  } else {
    return std::nullopt;
  }
  uint64_t stored = uint64_t(type.getNumElements()) * result.bits;
  if (result.bytes.size() != llvm::divideCeil(stored, CHAR_BIT))
    return std::nullopt;
  return result;
}

std::optional<size_t> StoredElements::elementBytes() const {
  if (bits % CHAR_BIT != 0)
    return std::nullopt;
  return bits / CHAR_BIT;
}

bool mil::canMakeStored(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
         isNumber(tensor.getElementType()) &&
         tensor.getElementTypeBitWidth() % CHAR_BIT == 0;
}

ElementsAttr
mil::makeStored(RankedTensorType type,
                llvm::function_ref<void(MutableArrayRef<char>)> fill) {
  size_t size =
      type.getNumElements() * (type.getElementTypeBitWidth() / CHAR_BIT);
  if (type.getNumElements() <= maxDenseElements) {
    SmallVector<char> bytes(size);
    fill(bytes);
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(size, resourceAlignment);
  fill(blob.getMutableData());
  return makeResourceElements(type, "folded", std::move(blob));
}
