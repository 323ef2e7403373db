//===- ConstantFolder.h - Constants in the place of ops ---------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_CONSTANTFOLDER_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_CONSTANTFOLDER_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Reference/Interpreter.h"

namespace ane::mil {

/// Evaluates ops on constants, by the reference interpreter or, where there is
/// a rule for it, on the bytes of what may be large.
class ConstantFolder {
public:
  /// Whether an op computes tensors from values that are at hand. `shape` and
  /// `fill_like` need no more than a static operand.
  bool canFold(mlir::Operation *op) const;

  /// Takes note of a constexpr op that can be folded, so that others of its
  /// kind can be that read it. False for any other op.
  bool defer(mlir::Operation *op) { return constants.defer(op); }

  /// The bytes that the results of an op take as constants.
  static uint64_t resultBytes(mlir::Operation *op);
  /// The bytes of constants that it reads.
  static uint64_t constantBytes(mlir::Operation *op);

  /// Puts constants of the same names in the place of the results of an op,
  /// which stays behind without users. Reports at the op and fails where it
  /// cannot be computed.
  llvm::LogicalResult fold(mlir::Operation *op);

  /// The same of an op that shapes and conditions may be computed from: its
  /// results take up to 1 KiB, and it is no stored weight. Says whether it is.
  llvm::FailureOr<bool> foldIfSmall(mlir::Operation *op);

private:
  llvm::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  elementsOf(mlir::Operation *op);
  llvm::FailureOr<llvm::SmallVector<reference::Tensor>>
  evaluate(mlir::Operation *op);

  reference::ConstantValues constants;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_CONSTANTFOLDER_H
