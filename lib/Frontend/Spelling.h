//===- Spelling.h - How a text is written -----------------------*- C++ -*-===//
//
// What IR keeps of a text because its export must be the same, and for nothing
// else.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FRONTEND_SPELLING_H
#define ANE_LIB_FRONTEND_SPELLING_H

#include "llvm/ADT/StringRef.h"

namespace ane::frontend {

/// Unit attribute of a constant whose literal has one pair of brackets for all
/// of its dimensions, `tensor<fp16, [2, 2]>([1, 2, 3, 4])`.
inline constexpr llvm::StringLiteral flatAttrName = "mil.flat";

/// Unit attribute of a program with a newline behind its last brace. That of
/// coremlc has none.
inline constexpr llvm::StringLiteral finalNewlineAttrName = "mil.final_newline";

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_SPELLING_H
