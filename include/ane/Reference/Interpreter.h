//===- Interpreter.h - What a MIL program computes --------------*- C++ -*-===//
//
// The oracle: every op is computed from its definition in wide precision and
// its result rounded once to the declared element type. Nothing here is shared
// with code generation or with the executor.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_REFERENCE_INTERPRETER_H
#define ANE_REFERENCE_INTERPRETER_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Reference/Tensor.h"

namespace ane::reference {

/// Evaluates a function on one tensor for each parameter and gives the returned
/// values in order. The function may have unknown extents; those of the inputs
/// then decide them.
///
/// Reports at the location of the function or of an op, and fails, if an input
/// does not fit its parameter, a weight is not loaded, an op has no reference
/// or the shape of a result follows from nothing. The result does not depend on
/// the number of threads.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mil::FuncOp func, llvm::SmallVector<Tensor> inputs);

/// Evaluates one op, whose types must be static. `operands` has one entry for
/// each operand; null for one that is no tensor of numbers, such as the string
/// `pad_type`. Reports at the op and fails as above.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluateOp(mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands);

/// Whether `evaluateOp` can be asked: the op has a reference, and its operand
/// and result types are such as a Tensor can hold, but for operands that are no
/// tensors of numbers.
bool canEvaluate(mlir::Operation *op);

/// The value of a constant. Reports at the op and fails if it cannot be had,
/// for instance because it lies in a weight file that is not loaded.
llvm::FailureOr<Tensor> readConstant(mil::ConstOp op);

} // namespace ane::reference

#endif // ANE_REFERENCE_INTERPRETER_H
