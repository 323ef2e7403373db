//===- Probabilities.h - Results of softmax and who multiplies them -------===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_PROBABILITIES_H
#define ANE_DIALECT_ZIN_TRANSFORMS_PROBABILITIES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include <vector>

namespace ane::zin {

/// Up to so many probabilities that are added up, those that are denormal are
/// together less than rounding takes from the others. Assigned.
inline constexpr uint64_t mostUnscaled = 1024;

/// Numbers that add up to 1: of a softmax, or exponentials over their sum, in
/// one value or in several.
struct Probabilities {
  /// How many add up to 1.
  uint64_t count = 0;
  /// The softmax, or the products of exponentials with `inverse`.
  llvm::SmallVector<mlir::Operation *> layers;
  /// One over the sum of `sums`; null of a softmax.
  mlir::Operation *inverse = nullptr;
  llvm::SmallVector<ReductionOp> sums;

  /// The layers that sum products with them, after changes of place, and can
  /// divide their sums by `factor`; in the order of the procedure.
  llvm::SmallVector<mlir::Operation *> products;
  /// Those that cannot.
  llvm::SmallVector<mlir::Operation *> lossyProducts;
  /// Where else they are read, by those as well.
  llvm::SmallVector<mlir::OpOperand *> otherUses;

  /// What they are to be multiplied by, a power of 2, so that few are denormal.
  double factor() const;
};

/// Those of a procedure that are more than `mostUnscaled`, in its order.
std::vector<Probabilities> findProbabilities(ProcedureOp procedure);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_PROBABILITIES_H
