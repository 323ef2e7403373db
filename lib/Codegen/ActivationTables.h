//===- ActivationTables.h - Table records of activations --------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_ACTIVATIONTABLES_H
#define ANE_LIB_CODEGEN_ACTIVATIONTABLES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/Lut.h"
#include <optional>

namespace ane::codegen {

/// The table of an activation; nothing for one that has none. Verified: the
/// records of sigmoid, tanh, swish, exp2, inv, prelu and one-sided clamps are
/// those of Apple's compiler; a clamp on both sides follows the pattern of the
/// published relu6 record.
std::optional<td::LutRecord> makeActivationTable(zin::NeuronAttr neuron);

/// Whether the table splits its input into mantissa and exponent and negates
/// the exponent; such tasks have an event bit less.
bool negatesExponent(const td::LutRecord &record);

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_ACTIVATIONTABLES_H
