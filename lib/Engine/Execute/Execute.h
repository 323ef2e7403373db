//===- Execute.h - Executes plans -------------------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_EXECUTE_EXECUTE_H
#define ANE_LIB_ENGINE_EXECUTE_EXECUTE_H

#include "Instructions.h"
#include "Transfer.h"
#include "ane/Engine/Numerics.h"

namespace ane::engine {

/// What the tasks of a run share.
struct Execution {
  Workers workers;
  Numerics numerics = defaultNumerics;
  /// What the task before handed over.
  Tensor chain;
  Instructions instructions = bestInstructions();
  /// What the result of the last task has that cannot be stored.
  std::optional<OddElement> odd = std::nullopt;
};

/// Fills NeuralTask::halves, if a task is one that this makes faster: a large
/// one from fp16 to fp16 whose activation goes value by value otherwise.
bool tabulate(NeuralTask &task);

/// Executes a task and replaces the chain by what it hands over.
void execute(Execution &execution, const NeuralTask &task);
void execute(Execution &execution, const PlanarTask &task);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_EXECUTE_H
