//===- ValueNames.h - The names of a function's values ----------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_EXPORT_VALUENAMES_H
#define ANE_LIB_FRONTEND_EXPORT_VALUENAMES_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/StringSaver.h"

namespace ane::frontend {

/// Gives every value of a function a name of its own. A value keeps the name
/// that the text gave it unless another one has it.
class ValueNames {
public:
  explicit ValueNames(mil::FuncOp func);

  llvm::StringRef operator[](mlir::Value value) const {
    return names.lookup(value);
  }

private:
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver{allocator};
  llvm::DenseMap<mlir::Value, llvm::StringRef> names;
  llvm::DenseSet<llvm::StringRef> taken;
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_EXPORT_VALUENAMES_H
