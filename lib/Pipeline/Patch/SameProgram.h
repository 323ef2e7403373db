//===- SameProgram.h - Containers that differ in weights only ---*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_PATCH_SAMEPROGRAM_H
#define ANE_LIB_PIPELINE_PATCH_SAMEPROGRAM_H

#include "ane/E5/E5.h"
#include "ane/Object/Object.h"

namespace ane {

/// The way out of every refusal.
inline constexpr char onlyWeights[] =
    "; only weights can be patched, compile the model instead";

/// Refuses a container laid out from a model whose program is not that of the
/// container `old` in `file`, naming the first difference: compiler, ports,
/// tasks and their registers, places of coefficients.
llvm::Error checkSameProgram(const object::Object &old, llvm::StringRef file,
                             const object::Object &made);

/// The same of what the dispatch descriptors say of the host's tensors.
llvm::Error checkSameTensors(const e5::Descriptor &old, llvm::StringRef file,
                             const e5::Descriptor &made);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PATCH_SAMEPROGRAM_H
