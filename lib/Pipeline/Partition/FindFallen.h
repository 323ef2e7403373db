//===- FindFallen.h - Which ops the engine does not run ---------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_PARTITION_FINDFALLEN_H
#define ANE_LIB_PIPELINE_PARTITION_FINDFALLEN_H

#include "ane/Dialect/MIL/Transforms/Partition.h"
#include "ane/Target/Target.h"
#include "mlir/IR/Diagnostics.h"

namespace ane {

/// Finds the statements that the refusals of a compilation are about. A refusal
/// of a constant is one of what reads it.
class FallenFinder {
public:
  FallenFinder(mil::FuncOp func, const TargetDescription &target);

  /// Ops that have to do with values that the engine cannot hold at all.
  void addByType();

  /// Takes note of all errors among diagnostics of the function, or of parts of
  /// it whose locations have the names of `segments`. False if none of them
  /// says anything new.
  bool add(llvm::ArrayRef<mlir::Diagnostic> diagnostics,
           const mil::FunctionSegments *segments);

  const mil::FallenOps &ops() const { return fallen; }

private:
  bool add(mlir::Operation *op, llvm::StringRef reason);
  bool add(const mlir::Diagnostic &diagnostic,
           const mil::FunctionSegments *segments);

  mil::FuncOp func;
  const TargetDescription &target;
  llvm::DenseSet<mlir::Operation *> constants;
  llvm::DenseMap<mlir::Location, llvm::SmallVector<mlir::Operation *, 1>> opsAt;
  mil::FallenOps fallen;
};

/// The location of a function that was made of a segment, so that an error at
/// it says which.
mlir::Location segmentLocation(mil::FuncOp func, size_t index);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PARTITION_FINDFALLEN_H
