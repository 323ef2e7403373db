//===- WeightFiles.h - The files that weights are in ------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H
#define ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace ane::mil {

/// The name of the file that a text calls `path`. `@model_path` is `modelPath`,
/// or the folder of the file that `location` names if that is empty; nothing
/// where it names none.
std::optional<std::string> weightFileName(mlir::Location location,
                                          llvm::StringRef path,
                                          llvm::StringRef modelPath);

/// The names of the files that constants below an op refer to, each once, in
/// the order of the program.
llvm::SmallVector<std::string> weightFileNames(mlir::Operation *root,
                                               llvm::StringRef modelPath);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H
