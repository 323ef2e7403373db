//===- Passes.h - Passes between the levels ---------------------*- C++ -*-===//

#ifndef ANE_CONVERSION_PASSES_H
#define ANE_CONVERSION_PASSES_H

#include "ane/Support/PassStatistic.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ane {

#define GEN_PASS_DECL
#include "ane/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Conversion/Passes.h.inc"

} // namespace ane

#endif // ANE_CONVERSION_PASSES_H
