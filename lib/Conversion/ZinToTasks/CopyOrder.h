//===- CopyOrder.h - In which order a copy goes over rows -------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_COPYORDER_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_COPYORDER_H

#include "View.h"
#include "ane/Target/Target.h"

namespace ane::tasks {

/// An order of dimensions for `View::permuted`, of both sides of a copy.
///
/// A copy does not care which of its dimensions are channels, rows, depth or
/// groups, but L2 is accessed at the rows of a channel together, or at the
/// channels where there is one row: as fast as they lie in different banks. A
/// reshape may have left two rows that share one, beside sixteen channels that
/// do not.
///
/// As it is, where both sides are in order already, as in programs of Apple's
/// compiler, where no order halves the accesses (assigned), where the rows are
/// more than a few, of which blocks may go through other tasks, too, or where
/// one task does not copy all.
llvm::SmallVector<int64_t> copyOrder(const TargetDescription &target,
                                     const View &source, const View &result);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_COPYORDER_H
