//===- ResourceElements.h - Constants that are resources --------*- C++ -*-===//

#ifndef ANE_SUPPORT_RESOURCEELEMENTS_H
#define ANE_SUPPORT_RESOURCEELEMENTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace ane {

/// Elements up to which a constant is a plain attribute: of one that a pass
/// makes for what it knows, and of one that was folded. A dense attribute is
/// hashed and lives as long as its context. Assigned.
constexpr int64_t maxInlineElements = 32, maxDenseElements = 1024;

/// The alignment of the bytes of resources, in bytes.
constexpr size_t resourceAlignment = 64;

/// A constant that is a resource with a name of its own, `stem` if there is
/// none yet. Of resources with one stem the manager would try all names to find
/// a new one, each time from the first on; the number of all resources is
/// nearly always new.
inline mlir::DenseResourceElementsAttr
makeResourceElements(mlir::ShapedType type, llvm::StringRef stem,
                     mlir::AsmResourceBlob blob) {
  mlir::DialectResourceBlobManager &manager =
      mlir::DenseResourceElementsHandle::getManagerInterface(type.getContext())
          .getBlobManager();
  std::string name = stem.str();
  manager.getBlobMap([&](const auto &blobs) {
    if (blobs.contains(stem))
      name += "_" + std::to_string(blobs.size());
  });
  return mlir::DenseResourceElementsAttr::get(type, name, std::move(blob));
}

} // namespace ane

#endif // ANE_SUPPORT_RESOURCEELEMENTS_H
