//===- Defaults.h - Constant inputs that may be absent ----------*- C++ -*-===//
//
// What `get<Input>OrDefault()` of the ops is made of. The defaults themselves
// stand in ODS.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_DEFAULTS_H
#define ANE_DIALECT_MIL_IR_DEFAULTS_H

#include "mlir/IR/Value.h"
#include <cstdint>
#include <optional>

namespace ane::mil {

/// An input of one element: the default where it is absent, nothing where it is
/// given but not known.
std::optional<int64_t> getIntOr(mlir::Value value, int64_t defaultValue);
std::optional<bool> getBoolOr(mlir::Value value, bool defaultValue);
std::optional<double> getFloatOr(mlir::Value value, double defaultValue);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_DEFAULTS_H
