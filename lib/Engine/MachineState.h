//===- MachineState.h - What a machine consists of --------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_MACHINESTATE_H
#define ANE_LIB_ENGINE_MACHINESTATE_H

#include "Execute/Execute.h"
#include "Execute/RowGroups.h"
#include "Memory.h"
#include <atomic>

namespace ane::engine {

struct MachineState {
  explicit MachineState(Memory memory) : memory(std::move(memory)) {}

  Memory memory;
  // By task.
  std::vector<TaskPlan> plans;
  std::vector<td::RegisterImage> images;
  std::vector<uint64_t> fileOffsets;
  std::string file;
  std::vector<RowGroup> rowGroups;
  /// The task that runs, for whoever tells how far a run is.
  std::atomic<unsigned> current = 0;
  /// Threads, and what the task before handed over; kept from run to run.
  Execution execution;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MACHINESTATE_H
