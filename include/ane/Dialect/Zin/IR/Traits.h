//===- Traits.h - What layers promise of their elements ---------*- C++ -*-===//
//
// ZinInterfaces.td says what each of them means.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ZIN_IR_TRAITS_H
#define ANE_DIALECT_ZIN_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace ane::zin {

template <typename Op>
struct Elementwise : mlir::OpTrait::TraitBase<Op, Elementwise> {};

template <typename Op>
struct MovesElements : mlir::OpTrait::TraitBase<Op, MovesElements> {};

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_TRAITS_H
