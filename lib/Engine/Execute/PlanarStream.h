//===- PlanarStream.h - Tasks of the planar engine in one go ----*- C++ -*-===//
//
// From fp16 memory to fp16 memory without anything in between, for what most
// element-wise tasks and reductions do. Gives the bits of the general way.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_EXECUTE_PLANARSTREAM_H
#define ANE_LIB_ENGINE_EXECUTE_PLANARSTREAM_H

#include "Instructions.h"
#include "Plan/Plan.h"

namespace ane::engine {

/// Whether the instructions suffice and the task is of the kind: its operands
/// and its result lie side by side in rows of fp16. A reduction is one of
/// columns whose order does not matter.
bool canStream(Instructions instructions, const PlanarTask &task);

/// All rows of a task whose result lies apart from its operands.
void stream(Instructions instructions, const PlanarTask &task);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_PLANARSTREAM_H
