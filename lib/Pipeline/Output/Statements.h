//===- Statements.h - What a program says, where ----------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_STATEMENTS_H
#define ANE_LIB_PIPELINE_OUTPUT_STATEMENTS_H

#include "ane/Report/Report.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace ane {

/// Remembers which statement stands where, by which what passes make of them is
/// named.
class Statements {
public:
  /// Of a program as it was read.
  explicit Statements(mlir::ModuleOp module);

  /// The statement that a location names: the first one among those that were
  /// fused, or where no statement is among them what enters or leaves there.
  report::Origin originOf(mlir::Location location) const;

  /// The statements that name none of the tasks, in the order of the program.
  /// Those with no work at run time by definition are left out: `const` and
  /// what decompresses constants.
  std::vector<report::OpWithoutTask>
  withoutTask(llvm::ArrayRef<mlir::Location> tasks) const;

private:
  struct Statement {
    mlir::Location location;
    report::Origin origin;
    /// What becomes of it if no task has its location.
    report::OpWithoutTask::Fate fate;
  };

  const Statement *find(mlir::Location location) const;

  std::vector<Statement> statements;
  llvm::DenseMap<mlir::Location, size_t> places; ///< in `statements`
  /// Of parameters and ends of functions.
  llvm::DenseMap<mlir::Location, report::Origin> borders;
};

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_STATEMENTS_H
