//===- Planner.h - From registers to plans ----------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_PLAN_PLANNER_H
#define ANE_LIB_ENGINE_PLAN_PLANNER_H

#include "Memory.h"
#include "Plan/Plan.h"

namespace ane::engine {

struct ResidentFields;
struct SourceFields;
struct SurfaceFields;

/// An error that names a field's register, bits and value.
llvm::Error refuseField(const td::RegisterImage &image, td::Field field,
                        const llvm::Twine &reason, unsigned index = 0);

/// Plans one task. Errors name register, value and limit; the caller adds the
/// place of the descriptor.
class Planner {
public:
  /// `chained`: the extents of what the task before hands over, if it does.
  Planner(const td::RegisterImage &image, Memory &memory,
          const std::optional<Extents> &chained)
      : image(image), memory(memory), chained(chained) {}

  llvm::Expected<TaskPlan> plan();

private:
  using Field = td::Field;

  /// An operand in a section: the offset of its first element, and the bytes
  /// from the lowest to the highest.
  struct Place {
    MemorySection *section;
    uint64_t offset;
    Strides strides;
    uint64_t begin, end;
  };

  // PlanFields.cpp
  llvm::Error checkKnown() const;
  llvm::Error checkDimensions() const;
  llvm::Error refuse(Field field, const llvm::Twine &reason,
                     unsigned index = 0) const;
  llvm::Error require(Field field, uint32_t value,
                      const llvm::Twine &reason) const;

  // PlanPlaces.cpp
  llvm::Error checkElements(const Extents &extents, uint64_t limit, Field place,
                            llvm::StringRef what) const;
  llvm::Expected<Element> elementOf(Field format) const;
  llvm::Error checkSurfaceFormat(const SurfaceFields &surface,
                                 Element element) const;
  llvm::Expected<Strides> surfaceStrides(const SurfaceFields &surface,
                                         Element element, bool exchanged) const;
  llvm::Expected<Place> placeOf(const SurfaceFields &surface,
                                const Extents &extents, Element element,
                                bool exchanged) const;
  llvm::Expected<Destination> resident(const ResidentFields &place,
                                       const Extents &extents, Element element,
                                       bool exchanged) const;

  // PlanOperands.cpp
  Extents operandExtents(const SourceFields &fields, Extents extents) const;
  llvm::Error handOver(const Operand &operand, bool exchanged) const;
  llvm::Error fetch(const SourceFields &fields, Operand &operand,
                    Element element, bool exchanged) const;
  llvm::Error useInL2(const SourceFields &fields, Operand &operand,
                      Element element, bool exchanged) const;
  llvm::Expected<Operand> operand(const SourceFields &fields,
                                  td::Residence residence, const Extents &full,
                                  bool exchanged);
  llvm::Expected<Operand> firstOperand(const Extents &extents,
                                       bool exchanged = false);
  llvm::Expected<Operand> secondOperand(const Extents &extents,
                                        bool exchanged = false);
  llvm::Error checkByteResult(td::Residence type) const;
  llvm::Expected<Result> result(const Extents &extents, bool exchanged);

  // PlanNeural.cpp
  llvm::Expected<TaskPlan> planNeural();
  llvm::Error planAccumulation(NeuralTask &task) const;
  /// Which channels each output reads.
  struct Channels;
  Channels channels() const;
  /// What a multiply-accumulate and a maximum are over these channels; nothing
  /// where that is not known.
  static std::optional<Accumulation> sumOver(const Channels &channels);
  static std::optional<Accumulation> maximumOver(const Channels &channels);
  llvm::Error planWindow(NeuralTask &task) const;
  llvm::Error checkPadded(const NeuralTask &task) const;

  // PlanKernel.cpp
  llvm::Error planKernel(NeuralTask &task);
  /// That the fields that say how coefficients are stored go together.
  llvm::Error checkStorage() const;
  llvm::Error planTable(NeuralTask &task);
  void planOverflow(NeuralTask &task) const;
  /// Whether a neural task computes two outputs side by side in a step.
  bool hasPairs() const;
  llvm::Error checkPairs(const NeuralTask &task) const;
  /// Whether the kernel has weights of int8.
  bool hasBytes() const;
  llvm::Expected<td::KernelShape> kernelShape(const NeuralTask &task) const;
  llvm::Expected<llvm::ArrayRef<uint8_t>> kernelBytes(Field size, Field base,
                                                      unsigned index,
                                                      uint64_t needed,
                                                      bool constant) const;
  llvm::Expected<llvm::SmallVector<llvm::ArrayRef<uint8_t>, td::numLanes>>
  lanes(unsigned count, uint64_t needed, bool constant) const;
  llvm::Expected<Kernel> densePlanes(td::KernelLayout layout) const;
  llvm::Expected<Kernel> packedPlanes(td::KernelLayout layout) const;
  llvm::Error checkColour(const td::KernelLayout &layout) const;
  llvm::Expected<llvm::ArrayRef<uint8_t>> palette() const;
  unsigned enabledLanes() const;

  // PlanPlanar.cpp
  llvm::Expected<TaskPlan> planPlanar();
  /// That fields of the second source go with the task type.
  llvm::Error checkSecond(bool two) const;
  /// What is computed of each element.
  llvm::Error planElements(PlanarTask &task, bool two) const;
  llvm::Error planSecond(PlanarTask &task);
  llvm::Error planReduction(PlanarTask &task) const;

  llvm::Error checkPlanarExtents() const;

  Extents inputExtents() const;
  Extents outputExtents() const;
  float half(Field field) const;
  bool isPlanar() const;
  /// Whether a neural task passes its operand on.
  bool isPass() const;

  const td::RegisterImage &image;
  Memory &memory;
  const std::optional<Extents> &chained;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_PLAN_PLANNER_H
