//===- Patch.h - New weights for a compiled program -------------*- C++ -*-===//

#ifndef ANE_PIPELINE_PATCH_H
#define ANE_PIPELINE_PATCH_H

#include "llvm/Support/LogicalResult.h"
#include <string>

namespace ane {

/// Which container gets which weights, and where it goes.
struct PatchOptions {
  /// The container that has the program, written by ane-compile.
  std::string container;
  /// Where the container with the new weights goes; may be the same file.
  std::string output;
  /// MIL text of the same program with other weights.
  std::string model;
  /// What @model_path stands for; empty for the folder of the text.
  std::string modelPath;
  /// The function of the model; empty for the one that the dispatch descriptor
  /// names, or the only one.
  std::string function;
};

/// Packs the weights of a model into a container whose program is that of the
/// model. Coefficient bytes and the names of coefficient blocks are all that
/// differs between the two containers; a model that would make anything else
/// differ is refused, and the first difference named. Where a dispatch
/// descriptor lies beside the container, one with the new hash goes beside the
/// output.
///
/// The options of the compilation come from the banner of the container. The
/// model is compiled up to code generation: how weights become coefficients
/// (folded batch norms, transposes, casts, tables) is decided by the passes,
/// and each of them takes time in proportion to weights and ops. The output is
/// compared with the container byte by byte while it is written.
///
/// Everything that is wrong has been reported to standard error when this
/// fails, and no file has changed.
llvm::LogicalResult patchWeights(const PatchOptions &options);

} // namespace ane

#endif // ANE_PIPELINE_PATCH_H
