//===- ExchangeRows.h - Channels for rows in the scratchpad -----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_EXCHANGEROWS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_EXCHANGEROWS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// The same elements with rows for channels and channels for rows.
ViewAttr withChannelsAsRows(ViewAttr view);

/// Whether a task does not tell channels from rows: it computes each element
/// from those in the same place, of all channels in the same way.
bool canExchangeRows(TaskOp task, const mlir::SymbolTable &symbols);

/// Where all that a task has lies in L2, but for what a copy reads, lets it
/// have channels for rows if it takes fewer accesses so.
void exchangeRowsInL2(llvm::ArrayRef<TaskOp> tasks,
                      const mlir::SymbolTable &symbols,
                      const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_EXCHANGEROWS_H
