//===- ViewsOfConcat.h - Parts of values that were joined -------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H

#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// What lies within one of several joined values is a part of that, and what is
/// joined anew of several of them is joined of those.
void populateViewsOfConcat(mlir::RewritePatternSet &patterns);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H
