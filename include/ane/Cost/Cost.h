//===- Cost.h - What a task should cost -------------------------*- C++ -*-===//
//
// An estimate from the registers of a task and the numbers of a target, without
// running anything. docs/engine.md has the formulas and says how far to trust
// them: they order programs, they do not predict milliseconds.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_COST_COST_H
#define ANE_COST_COST_H

#include "ane/Target/Target.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace ane::cost {

/// What limits a task or a program.
enum class Bound {
  Compute,
  Bandwidth,  ///< transfers between memory and scratchpad
  Scratchpad, ///< accesses to L2
  Dispatch,   ///< the fixed cost of a task, or of starting the program
};
/// `compute`, `bandwidth`, `scratchpad`, `dispatch`.
llvm::StringRef stringifyBound(Bound bound);

/// The part of L2 that an operand or the result of a task takes, streams left
/// out.
struct L2Range {
  td::Stream::Role role;
  uint64_t begin, end; ///< bytes; end lies behind the last
};

/// All sums and products saturate: registers may hold anything.
struct TaskCost {
  td::Engine engine = td::Engine::NE;
  std::string text; ///< td::TaskSummary::text

  /// Products that are accumulated, those with the padding of a window
  /// included; 0 for a task that multiplies by no window: a pass, a maximum, a
  /// task of the planar engine.
  uint64_t macs = 0;
  /// Products that the engines at work have time for while those are
  /// accumulated: channels of a pass and pixels of a patch that are padding
  /// make it more.
  uint64_t macSlots = 0;

  /// Bytes that the DMA moves. A source that is streamed comes once for each
  /// pass over the output channels if they need all of it, a kept one once.
  uint64_t source1Bytes = 0, source2Bytes = 0;
  uint64_t kernelBytes = 0;
  uint64_t resultBytes = 0;
  /// Bytes that L2 takes and gives, on the sides of DMA and engine together.
  /// What a task hands over to the next one does not count.
  uint64_t l2WrittenBytes = 0, l2ReadBytes = 0;
  /// Behind the highest byte of L2 that an operand or result reaches.
  uint64_t l2End = 0;
  llvm::SmallVector<L2Range, 3> l2Ranges; ///< none in a sum of tasks

  uint64_t computeCycles = 0, dmaCycles = 0, l2Cycles = 0;
  /// The largest of the three and the overhead of a task.
  uint64_t cycles = 0;
  /// Apple's estimate in the header of the task, 0 where it has none.
  uint64_t exeCycles = 0;
  Bound bound = Bound::Dispatch;

  /// Sums of the bytes above: of both sources; with coefficients and result, by
  /// DMA; taken and given by L2. They saturate.
  uint64_t sourceBytes() const;
  uint64_t dmaBytes() const;
  uint64_t l2Bytes() const;

  /// Adds the numbers of another task; `l2End` becomes the larger one.
  TaskCost &operator+=(const TaskCost &task);
};

/// Rounds up; 0 registers count as the 1 that they cannot mean.
TaskCost estimateTask(const td::RegisterImage &image,
                      const TargetDescription &target);

/// What Apple's compiler writes as ExeCycles of a task, in 1024 cycles, rounded
/// down: memory moves 100 bytes in three cycles, each row in whole lines of 64
/// bytes; of one pixel each channel takes as many cycles as the square of the
/// number of operands that come from memory or go there. Verified: 134 of 137
/// decoded tasks, the others being reductions in L2, of which nothing is
/// counted here.
uint64_t estimateForHeader(const td::TaskSummary &summary);

/// What a run of a program should cost.
struct ProgramCost {
  std::vector<TaskCost> tasks;
  /// Sums over the tasks; `l2End` is the largest.
  TaskCost total;
  uint64_t readBytes = 0, writtenBytes = 0; ///< of memory

  /// From cycles and clock, without the dispatch.
  double engineMicroseconds = 0;
  double dispatchMicroseconds = 0;
  /// The model fitted to whole measured programs, dispatch included.
  double fittedMicroseconds = 0;
  /// Dispatch if starting takes longer than all tasks, otherwise what the most
  /// cycles are spent in tasks that are bound by it.
  Bound bound = Bound::Dispatch;

  /// Of a run from its start to its end, by cycles and clock.
  double microseconds() const {
    return engineMicroseconds + dispatchMicroseconds;
  }
};

/// `images` as td::effectiveImages yields them.
ProgramCost estimateProgram(llvm::ArrayRef<td::RegisterImage> images,
                            const TargetDescription &target);

/// A table of the tasks and the totals.
void printCost(llvm::raw_ostream &os, const ProgramCost &cost);
/// The same as `{"tasks": [...], "total": {...}}`.
llvm::json::Object costToJson(const ProgramCost &cost);

} // namespace ane::cost

#endif // ANE_COST_COST_H
