//===- CheckText.h - Bounds of what the YAML parser sees --------*- C++ -*-===//

#ifndef ANE_LIB_OBJECTYAML_CHECKTEXT_H
#define ANE_LIB_OBJECTYAML_CHECKTEXT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace ane::objectyaml {

/// LLVM's YAML parser calls itself for each level of nesting. Refuses a text
/// that could nest deeper than the text form does: one with flow collections
/// outside of comments (`[]` and `{}` are none), with many block indicators in
/// a line, or with far indented lines. Counts characters and so does not depend
/// on where YAML sees a string.
llvm::Error checkText(llvm::MemoryBufferRef buffer);

} // namespace ane::objectyaml

#endif // ANE_LIB_OBJECTYAML_CHECKTEXT_H
