//===- Passes.h - Passes on layers and tasks --------------------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_PASSES_H
#define ANE_DIALECT_ZIN_TRANSFORMS_PASSES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/PassStatistic.h"
#include "mlir/Pass/Pass.h"

namespace ane::zin {

/// What a chain in blocks of rows may be: tasks, and eighths of L2 that it
/// takes (less than all of it is published, how much assigned).
inline constexpr unsigned maxTasksOfChain = 36, l2EighthsOfChain = 7;
/// What it takes beside those while no task has tiles there. Assigned: a part
/// of what is left makes up for values that do not lie close together.
inline constexpr int64_t tileBytesOfChain = 196608;

#define GEN_PASS_DECL
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_PASSES_H
