//===- Constants.h - Reading constant inputs --------------------*- C++ -*-===//
//
// Constant inputs of MIL ops are results of `mil.const`. These helpers read the
// small ones: shapes, strides, flags, names. They give nothing where the value
// is absent, not constant, not loaded or of another kind.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_CONSTANTS_H
#define ANE_DIALECT_MIL_IR_CONSTANTS_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ane::mil {

/// Whether an op says how a weight is stored: one of the `constexpr_` family.
/// Its result is constant, but nobody holds it before it is needed.
bool isConstexpr(mlir::Operation *op);

/// The elements of a constant, if they are at hand.
mlir::ElementsAttr getConstantElements(mlir::Value value);

/// The elements of a constant integer tensor in row-major order.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Value value);

/// A constant with one element.
std::optional<int64_t> getConstantInt(mlir::Value value);
std::optional<bool> getConstantBool(mlir::Value value);
std::optional<double> getConstantFloat(mlir::Value value);
std::optional<llvm::StringRef> getConstantString(mlir::Value value);

/// An axis or index in [-extent, extent), which verifiers promise, counted from
/// the front.
constexpr int64_t fromFront(int64_t index, int64_t extent) {
  return index < 0 ? index + extent : index;
}

/// Calls `fn` with the elements of a floating-point tensor, row-major and
/// widened, run by run: a weight can be large. Works on the bytes of mapped
/// resources as well; the element type must be fp16, fp32 or fp64. False, with
/// no call, for anything else.
bool forEachFloatRun(mlir::ElementsAttr elements,
                     llvm::function_ref<void(llvm::ArrayRef<double>)> fn);

/// All of those elements at once.
std::optional<llvm::SmallVector<double>>
getConstantFloats(mlir::ElementsAttr elements);

/// The elements of a constant of floats, integers or bool, and the one of a
/// constant that has one.
std::optional<llvm::SmallVector<double>> getConstantNumbers(mlir::Value value);
std::optional<double> getConstantNumber(mlir::Value value);

/// A floating-point constant from numbers, each rounded once to the element
/// type fp16, fp32 or fp64. Large ones are resources, which are not uniqued.
mlir::ElementsAttr makeFloatElements(mlir::RankedTensorType type,
                                     llvm::ArrayRef<double> values);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_CONSTANTS_H
