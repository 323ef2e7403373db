//===- TurnedOps.h - Ops on values before a transpose -----------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_TURNEDOPS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_TURNEDOPS_H

#include "Replacer.h"
#include "llvm/ADT/DenseMap.h"

namespace ane::mil {

/// What ops compute of transpose(x, perm), said of x: an op on other
/// dimensions, whose result is the one that was, transposed back.
class TurnedOps {
public:
  explicit TurnedOps(llvm::ArrayRef<int64_t> perm) : perm(perm) {}

  /// Whether there is such an op.
  bool canTurn(mlir::Operation *op) const;
  /// The operands that have all dimensions. Others are constants, or few
  /// numbers that broadcast and lack some.
  llvm::SmallVector<mlir::Value> turnedOperands(mlir::Operation *op) const;
  /// Others that are computed and have dimensions, few numbers each: they are
  /// transposed by themselves.
  llvm::SmallVector<mlir::Value> fewOperands(mlir::Operation *op) const;
  /// The results, given `before` for each of these operands what it was before
  /// the transpose.
  llvm::SmallVector<mlir::Value>
  turn(Replacer &r, mlir::Operation *op,
       const llvm::DenseMap<mlir::Value, mlir::Value> &before) const;

private:
  bool isTurned(mlir::Value value) const;
  bool canTurnElements(mlir::Operation *op) const;
  /// Whether a product along the last dimension is a convolution of one pixel.
  bool isOfChannels() const;
  int64_t axisBefore(int64_t axis) const;
  mlir::Value turnFew(Replacer &r, mlir::Value value) const;
  mlir::Value multiply(Replacer &r, mlir::Location location, mlir::Value x,
                       mlir::Value weight, mlir::Value bias) const;

  llvm::SmallVector<int64_t> perm;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_TURNEDOPS_H
