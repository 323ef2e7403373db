//===- Traits.h - What MIL ops promise of their elements --------*- C++ -*-===//
//
// MILInterfaces.td says what each of them means.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_TRAITS_H
#define ANE_DIALECT_MIL_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace ane::mil {

template <typename Op>
struct Elementwise : mlir::OpTrait::TraitBase<Op, Elementwise> {};

template <typename Op>
struct ChannelParameters : mlir::OpTrait::TraitBase<Op, ChannelParameters> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *) {
    static_assert(Op::template hasTrait<Elementwise>());
    return llvm::success();
  }
};

template <typename Op>
struct MovesElements : mlir::OpTrait::TraitBase<Op, MovesElements> {};

template <typename Op>
struct Reshapes : mlir::OpTrait::TraitBase<Op, Reshapes> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *) {
    static_assert(Op::template hasTrait<MovesElements>());
    return llvm::success();
  }
};

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_TRAITS_H
