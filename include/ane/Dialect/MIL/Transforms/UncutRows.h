//===- UncutRows.h - What keeps rows from being cut -------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H
#define ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

namespace ane::mil {

/// On a function that mil-split-long-rows left as it is, because an op has no
/// rule: its name and its location.
inline constexpr llvm::StringLiteral uncutRowsAttr = "mil.uncut_rows";

/// On a function that mil-fold-long-columns left as it is: the name and the
/// location of an op, or of the function, and the type that it cannot have.
inline constexpr llvm::StringLiteral unfoldedColumnsAttr =
    "mil.unfolded_columns";

/// Whether rows of more than `limit` elements have no more parts than a row has
/// elements, as they are a dimension of the surface, and the surface and the
/// zeros behind its rows are not too large. `type` is static.
bool canCutRows(mlir::RankedTensorType type, int64_t limit);

/// Whether more than `limit` rows are planes of up to as many, up to `limit` of
/// them.
bool canFoldColumns(int64_t rows, int64_t limit);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_UNCUTROWS_H
