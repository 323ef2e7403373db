//===- TaskTraffic.h - Bytes that tasks move --------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKTRAFFIC_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKTRAFFIC_H

#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::zin {

/// Times that a task reads its source: outputs beyond those that the engines
/// accumulate at a time need all of it again.
int64_t passesOf(TaskOp task, mlir::SymbolTable &symbols);

/// Bytes of the coefficients that a task fetches, 0 without any.
int64_t kernelBytesOf(TaskOp task, mlir::SymbolTable &symbols);

/// Bytes of the elements of a view.
int64_t bytesOf(ViewAttr view);

/// The bytes of a buffer between the first and the last of a view.
struct ByteRange {
  int64_t begin, end;

  explicit ByteRange(ViewAttr view);
  bool overlaps(ByteRange other) const {
    return begin < other.end && other.begin < end;
  }
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKTRAFFIC_H
