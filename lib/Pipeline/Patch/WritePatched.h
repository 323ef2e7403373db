//===- WritePatched.h - Containers with other weights ----------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_PATCH_WRITEPATCHED_H
#define ANE_LIB_PIPELINE_PATCH_WRITEPATCHED_H

#include "ane/Object/Object.h"

namespace ane {

/// Writes a container, and fails where it differs from `old` in another byte
/// than one of a coefficient or of a block's hash. `tables` is where activation
/// tables start in its coefficients; they must not differ.
llvm::Error writePatched(const object::Object &old, llvm::StringRef file,
                         const object::Object &made,
                         llvm::ArrayRef<uint64_t> tables,
                         llvm::raw_ostream &os);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PATCH_WRITEPATCHED_H
