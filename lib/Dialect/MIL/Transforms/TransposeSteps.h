//===- TransposeSteps.h - A transpose in steps ------------------*- C++ -*-===//
//
// Dimensions that stay together in a transpose are one. Where there are still
// more than the engine has, two transposes do what one cannot, and of the many
// pairs some never make short rows.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_TRANSPOSESTEPS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_TRANSPOSESTEPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace ane::mil {

/// The permutation, counted from the front, of a transpose that is known;
/// nothing for another op, or none.
std::optional<llvm::SmallVector<int64_t>> permutationOf(mlir::Operation *op);

/// A transpose of a value that is given this shape first.
struct TransposeStep {
  llvm::SmallVector<int64_t> shape, permutation;
};

/// The transpose without dimensions of one element.
TransposeStep withoutOnes(llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<int64_t> permutation);

/// The same with as few dimensions as possible.
TransposeStep mergedTranspose(llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> permutation);

/// One or two transposes within the limits of the engine that do the same,
/// those that move least. What they start from has rows of `sourceColumns`
/// elements, their result is wanted in rows of `resultColumns`. Empty if there
/// are none, or too many to look at.
llvm::SmallVector<TransposeStep> stepsOf(const TransposeStep &transpose,
                                         int64_t sourceColumns,
                                         int64_t resultColumns);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_TRANSPOSESTEPS_H
