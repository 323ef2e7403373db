//===- ViewsOfConcat.h - Parts of values that were joined -------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// What lies within one of several joined values is a part of that, and what is
/// joined anew of several of them is joined of those.
void populateViewsOfConcat(mlir::RewritePatternSet &patterns);

/// Puts a view of what a view is of in the place of a view of that one.
void mergeViews(mlir::RewriterBase &rewriter, InputViewOp outer,
                InputViewOp inner);

/// Images or slices that are joined only for blocks of them to be taken: each
/// block is a part of one of these, or joined of parts. Blocks of two are few.
void partJoinedSlices(mlir::Region &region);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_VIEWSOFCONCAT_H
