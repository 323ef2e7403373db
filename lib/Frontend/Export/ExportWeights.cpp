//===- ExportWeights.cpp - Constants in a weight file ---------------------===//

#include "ane/Frontend/ExportWeights.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

/// Constants of fewer elements stay in the text.
static constexpr int64_t fewestInFile = 10;

static std::optional<BlobType> storedType(ElementsAttr value) {
  return blobTypeOf(mil::dtypeName(value.getElementType()));
}

std::optional<ArrayRef<char>> frontend::getResourceBytes(mil::ConstOp op) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !storedType(resource))
    return std::nullopt;
  return blob->getData();
}

/// Those of a resource are as in the file; dense ones take whole bytes each, or
/// a bit if they have one, and equal ones are there once.
ArrayRef<uint8_t> WeightFile::bytesOf(ElementsAttr value, BlobType type) {
  auto asBytes = [](ArrayRef<char> data) {
    return ArrayRef(reinterpret_cast<const uint8_t *>(data.data()),
                    data.size());
  };
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return asBytes(resource.getRawHandle().getBlob()->getData());
  auto dense = cast<DenseIntOrFPElementsAttr>(value);
  unsigned bits = blobTypeBits(type);
  if (!dense.isSplat() && bits >= CHAR_BIT)
    return asBytes(dense.getRawData());
  uint64_t count = value.getNumElements();
  std::vector<uint8_t> &bytes =
      packed.emplace_back(llvm::divideCeil(count * bits, CHAR_BIT));
  ArrayRef<uint8_t> data = asBytes(dense.getRawData());
  uint64_t stride = bits == 1 ? 1 : llvm::alignTo(bits, CHAR_BIT);
  for (uint64_t to = 0; to < count * bits; ++to) {
    uint64_t from = to % bits + (dense.isSplat() ? 0 : to / bits * stride);
    bool bit = (data[from / CHAR_BIT] >> from % CHAR_BIT) & 1;
    bytes[to / CHAR_BIT] |= bit << to % CHAR_BIT;
  }
  return bytes;
}

void WeightFile::move(mil::ConstOp op) {
  auto value = cast<ElementsAttr>(op.getValue());
  auto [entry, isNew] = offsets.try_emplace(value);
  if (isNew) {
    BlobType type = *storedType(value);
    uint64_t used = value.getNumElements() * blobTypeBits(type) % CHAR_BIT;
    entry->second =
        writer.add(type, bytesOf(value, type), used == 0 ? 0 : CHAR_BIT - used);
  }
  op.setValueAttr(mil::BlobFileAttr::get(op.getContext(), value.getShapedType(),
                                         path, entry->second));
}

/// Whether the elements of a constant are at hand. Those of a resource can be
/// missing, or be another number than the type says.
static bool isWhole(ElementsAttr value, BlobType type) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return isa<DenseIntOrFPElementsAttr>(value);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  uint64_t bits = value.getNumElements() * blobTypeBits(type);
  return blob && blob->getData().size() == llvm::divideCeil(bits, CHAR_BIT);
}

/// Whether a package keeps a constant in its weight file.
static bool isWeight(mil::ConstOp op) {
  auto value = dyn_cast<ElementsAttr>(op.getValue());
  if (!value || value.getNumElements() < fewestInFile)
    return false;
  std::optional<BlobType> type = storedType(value);
  if (!type || !isWhole(value, *type))
    return false;
  Type element = value.getElementType();
  return mil::getOpset(op) >= 18 ||
         (mil::dtypeMask(element) &
          (mil::dtype::Float | mil::dtype::Int8 | mil::dtype::UInt8)) != 0;
}

LogicalResult frontend::moveWeights(ModuleOp module, WeightFile &file) {
  WalkResult result = module.walk([&](mil::ConstOp op) {
    if (auto reference = dyn_cast<mil::BlobFileAttr>(op.getValue()))
      return WalkResult(op->emitError()
                        << "the constant lies in \"" << reference.getPath()
                        << "\", which is not read here; run mil-load-weights "
                           "first");
    if (isWeight(op))
      file.move(op);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
