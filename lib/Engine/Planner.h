//===- Planner.h - From registers to plans ----------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_PLANNER_H
#define ANE_LIB_ENGINE_PLANNER_H

#include "Memory.h"
#include "Plan.h"
#include "ane/TaskDescriptor/RegisterImage.h"

namespace ane::engine {

/// Plans one task. Errors name register, value and limit; the caller adds the
/// place of the descriptor.
class Planner {
public:
  /// `chained` are the extents of what the task before hands over, if it does.
  Planner(const td::RegisterImage &image, Memory &memory,
          const std::optional<Extents> &chained)
      : image(image), memory(memory), chained(chained) {}

  llvm::Expected<TaskPlan> plan();

private:
  using Field = td::Field;

  /// Registers of one tile DMA direction.
  struct Surface;
  /// Registers of one operand in the scratchpad.
  struct Resident;

  // PlanFields.cpp
  llvm::Error checkKnown() const;
  llvm::Error refuse(Field field, const llvm::Twine &reason,
                     unsigned index = 0) const;
  llvm::Error require(Field field, uint32_t value,
                      const llvm::Twine &reason) const;

  // PlanOperands.cpp
  llvm::Error checkSurfaceFormat(const Surface &surface) const;
  llvm::Expected<Strides> surfaceStrides(const Surface &surface,
                                         bool exchanged) const;
  llvm::Expected<MemorySection *> sectionOf(const Surface &surface,
                                            const Strides &strides,
                                            const Extents &extents,
                                            uint64_t &offset) const;
  llvm::Expected<Source> fetched(const Surface &surface, const Extents &extents,
                                 bool exchanged);
  llvm::Expected<Destination>
  resident(const Resident &place, const Extents &extents, bool exchanged) const;
  llvm::Expected<Operand> firstOperand(const Extents &extents,
                                       bool exchanged = false);
  llvm::Expected<Operand> secondOperand(const Extents &extents,
                                        bool exchanged = false);
  llvm::Expected<Result> result(const Extents &extents, bool exchanged);

  // PlanNeural.cpp
  llvm::Expected<TaskPlan> planNeural();
  llvm::Error planAccumulation(NeuralTask &task) const;
  llvm::Error planWindow(NeuralTask &task) const;
  llvm::Error planKernel(NeuralTask &task);
  llvm::Error planTable(NeuralTask &task);
  llvm::Expected<std::array<const uint8_t *, 16>>
  lanes(unsigned count, uint64_t bytes, bool constant);
  llvm::Expected<ActivationTable>
  readTable(llvm::ArrayRef<const uint8_t *> records) const;
  unsigned enabledLanes() const;

  // PlanPlanar.cpp
  llvm::Expected<TaskPlan> planPlanar();
  llvm::Error planSecond(PlanarTask &task);
  llvm::Error planReduction(PlanarTask &task) const;

  Extents inputExtents() const;
  Extents outputExtents() const;
  float half(Field field) const;
  bool isPlanar() const;

  const td::RegisterImage &image;
  Memory &memory;
  const std::optional<Extents> &chained;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_PLANNER_H
