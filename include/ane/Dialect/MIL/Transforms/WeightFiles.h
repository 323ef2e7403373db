//===- WeightFiles.h - The files that weights are in ------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H
#define ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H

#include "ane/Support/FilePlan.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace mlir {
class Pass;
} // namespace mlir

namespace ane::mil {

/// The name of the file that a text calls `path`. `@model_path` is `modelPath`,
/// or the folder of the file that `location` names if that is empty; nothing
/// where it names none.
std::optional<std::string> weightFileName(mlir::Location location,
                                          llvm::StringRef path,
                                          llvm::StringRef modelPath);

/// Adds the files that constants below an op refer to. Fails if an output would
/// replace one.
llvm::Error addWeightFiles(mlir::Operation *root, llvm::StringRef modelPath,
                           FilePlan &files);

/// What @model_path stands for in a pass that is mil-load-weights, empty where
/// that is left to locations; nothing of other passes.
std::optional<std::string> modelPathOf(const mlir::Pass &pass);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_WEIGHTFILES_H
