//===- Spelling.h - How constants are written -------------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_SPELLING_H
#define ANE_LIB_FRONTEND_SPELLING_H

#include "llvm/ADT/StringRef.h"

namespace ane::frontend {

/// Unit attribute of a constant whose literal has one pair of brackets for all
/// of its dimensions, `tensor<fp16, [2, 2]>([1, 2, 3, 4])`.
inline constexpr llvm::StringLiteral flatAttrName = "mil.flat";

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_SPELLING_H
