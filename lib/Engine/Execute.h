//===- Execute.h - Executes plans -------------------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_EXECUTE_H
#define ANE_LIB_ENGINE_EXECUTE_H

#include "Transfer.h"

namespace ane::engine {

/// Executes a task. `chain` holds what the task before handed over; it is
/// replaced by what this one does.
void execute(Workers &workers, const NeuralTask &task, Tensor &chain);
void execute(Workers &workers, const PlanarTask &task, Tensor &chain);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_H
