//===- CpuText.cpp - A segment of the processor as MIL text ---------------===//

#include "CpuText.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/BlobStorage.h"
#include "ane/Frontend/Export.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"
#include <climits>

using namespace mlir;
using namespace ane;

/// Constants of more bytes than this are weights; in text an element takes
/// several times as much room.
static constexpr size_t mostInText = 256;

/// The bytes of a constant as a weight file has them; nothing for one that
/// stays in the text.
static std::optional<ArrayRef<char>> weightBytes(mil::ConstOp op) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || blob->getData().size() <= mostInText ||
      !frontend::blobTypeOf(mil::dtypeName(resource.getElementType())))
    return std::nullopt;
  return blob->getData();
}

LogicalResult ane::writeCpuText(ModuleOp module, e5::Stage &stage) {
  frontend::BlobWriter writer;
  // The same weight is stored once.
  llvm::DenseMap<Attribute, uint64_t> offsets;
  module.walk([&](mil::ConstOp op) {
    std::optional<ArrayRef<char>> bytes = weightBytes(op);
    if (!bytes)
      return;
    auto resource = cast<DenseResourceElementsAttr>(op.getValue());
    auto [entry, isNew] = offsets.try_emplace(resource);
    if (isNew) {
      auto type =
          *frontend::blobTypeOf(mil::dtypeName(resource.getElementType()));
      uint64_t used =
          resource.getNumElements() * frontend::blobTypeBits(type) % CHAR_BIT;
      entry->second = writer.add(
          type,
          {reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size()},
          used == 0 ? 0 : CHAR_BIT - used);
    }
    op.setValueAttr(mil::BlobFileAttr::get(op.getContext(), resource.getType(),
                                           e5::cpuWeightsPath, entry->second));
  });
  if (!offsets.empty()) {
    llvm::raw_string_ostream weights(stage.weights);
    writer.write(weights);
  }
  llvm::raw_string_ostream text(stage.text);
  return frontend::exportMIL(module, text);
}
