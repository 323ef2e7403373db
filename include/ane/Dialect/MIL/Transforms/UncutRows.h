//===- UncutRows.h - Which op keeps rows from being cut ---------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H
#define ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H

#include "llvm/ADT/StringRef.h"

namespace ane::mil {

/// On a function that mil-split-long-rows left as it is, because an op has no
/// rule: its name and its location.
inline constexpr llvm::StringLiteral uncutRowsAttr = "mil.uncut_rows";

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H
