//===- SkewedRows.h - Rows that begin one element later each ----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SKEWEDROWS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SKEWEDROWS_H

#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// Makes matrices that a program skews by padding and reshapes views of rows.
void populateSkewedRows(mlir::RewritePatternSet &patterns);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SKEWEDROWS_H
