//===- Activation.h - Activations of recurrent layers -----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_ACTIVATION_H
#define ANE_DIALECT_MIL_IR_ACTIVATION_H

#include "llvm/ADT/StringRef.h"

namespace ane::mil {

/// One name of an activation that has two: Core ML Tools document
/// `sigmoid_hard`, as the op is called, and write `hard_sigmoid`.
inline llvm::StringRef activationName(llvm::StringRef name) {
  return name == "sigmoid_hard" ? llvm::StringRef("hard_sigmoid") : name;
}

/// The one that means two things: documented as 1.7159 * tanh(2 / 3 * x),
/// measured as tanh(x). No layer of the engine takes either for it.
inline constexpr llvm::StringLiteral disputedActivation = "scaled_tanh";

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_ACTIVATION_H
