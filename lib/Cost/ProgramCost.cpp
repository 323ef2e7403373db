//===- ProgramCost.cpp - What a program should cost -----------------------===//

#include "ane/Cost/Cost.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace ane;
using namespace ane::cost;

TaskCost &TaskCost::operator+=(const TaskCost &task) {
  for (auto field :
       {&TaskCost::macs, &TaskCost::macSlots, &TaskCost::source1Bytes,
        &TaskCost::source2Bytes, &TaskCost::kernelBytes, &TaskCost::resultBytes,
        &TaskCost::l2WrittenBytes, &TaskCost::l2ReadBytes,
        &TaskCost::computeCycles, &TaskCost::dmaCycles, &TaskCost::l2Cycles,
        &TaskCost::cycles, &TaskCost::exeCycles})
    this->*field = llvm::SaturatingAdd(this->*field, task.*field);
  l2End = std::max(l2End, task.l2End);
  return *this;
}

llvm::StringRef cost::stringifyBound(Bound bound) {
  switch (bound) {
  case Bound::Compute:
    return "compute";
  case Bound::Bandwidth:
    return "bandwidth";
  case Bound::Scratchpad:
    return "scratchpad";
  case Bound::Dispatch:
    return "dispatch";
  }
  llvm_unreachable("invalid bound");
}

ProgramCost cost::estimateProgram(llvm::ArrayRef<td::RegisterImage> images,
                                  const TargetDescription &target) {
  ProgramCost program;
  std::array<uint64_t, 4> cyclesOf = {}; // by bound
  for (const td::RegisterImage &image : images) {
    const TaskCost &task =
        program.tasks.emplace_back(estimateTask(image, target));
    program.total += task;
    uint64_t &cycles = cyclesOf[static_cast<size_t>(task.bound)];
    cycles = llvm::SaturatingAdd(cycles, task.cycles);
  }
  const TaskCost &total = program.total;
  program.writtenBytes = total.resultBytes;
  program.readBytes =
      llvm::SaturatingAdd(total.sourceBytes(), total.kernelBytes);
  program.engineMicroseconds =
      static_cast<double>(total.cycles) / target.clockMegahertz;
  program.dispatchMicroseconds = target.dispatchMicroseconds;
  program.fittedMicroseconds =
      program.dispatchMicroseconds +
      std::max(static_cast<double>(total.macs) / target.fittedMegamacsPerSecond,
               static_cast<double>(total.dmaBytes()) /
                   target.fittedMegabytesPerSecond);
  bool starting = program.dispatchMicroseconds > program.engineMicroseconds;
  program.bound = starting
                      ? Bound::Dispatch
                      : static_cast<Bound>(
                            std::max_element(cyclesOf.begin(), cyclesOf.end()) -
                            cyclesOf.begin());
  program.total.bound = program.bound;
  return program;
}
