//===- ShareColumns.h - Views of the same columns ---------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SHARECOLUMNS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SHARECOLUMNS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// Lets views that need a copy because of their columns, and have the same
/// ones, be views of one copy, where that has fewer elements than theirs.
void shareColumns(ProcedureOp procedure, const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_SHARECOLUMNS_H
