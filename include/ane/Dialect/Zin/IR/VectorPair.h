//===- VectorPair.h - Sources that are two numbers of a channel -*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_VECTORPAIR_H
#define ANE_DIALECT_ZIN_IR_VECTORPAIR_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/Broadcast.h"

namespace ane::zin {

/// Whether the second source of a task is a pair of vectors, of which it adds
/// one and multiplies by the other. Beside a result of as many rows that is
/// known by the columns: a pair is repeated along them without a flag.
inline bool hasVectorPair(TaskOp task) {
  PEConfigAttr config = task.getPE();
  if (!config || !task.getSource2() || config.getReduce() != PEReduce::none ||
      config.getOp() != PEOp::add || task.getSource2()->getRows() != pairRows)
    return false;
  ViewAttr result = task.getResult();
  return result.getRows() != pairRows ||
         (!config.getVector2() && result.getColumns() > 1 &&
          task.getSource2()->getColumns() == 1 &&
          !(config.getBroadcast2() & int64_t(td::broadcastColumns)));
}

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_VECTORPAIR_H
