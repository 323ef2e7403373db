//===- Random.h - Which ops make random numbers -----------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_RANDOM_H
#define ANE_DIALECT_MIL_IR_RANDOM_H

namespace mlir {
class Operation;
} // namespace mlir

namespace ane::mil {

/// Whether the values of an op differ from run to run by intent: neither the
/// engine nor the interpreter computes it.
bool isRandom(mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_RANDOM_H
