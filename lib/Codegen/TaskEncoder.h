//===- TaskEncoder.h - Fills the registers of a task ------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_TASKENCODER_H
#define ANE_LIB_CODEGEN_TASKENCODER_H

#include "EncodeTask.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/TaskDescriptor/Values.h"

namespace ane::codegen {

/// Fills one image, remembering the first value that does not fit. What all
/// tasks have is in EncodeTask.cpp, what the engines have in EncodeNE.cpp and
/// EncodePE.cpp.
class TaskEncoder {
public:
  TaskEncoder(zin::TaskOp task, const TaskPlaces &places,
              const TargetDescription &target)
      : task(task), places(places), target(target),
        use(zin::L2Use::of(task, target)) {}

  llvm::FailureOr<td::TaskDescriptor> encode();

private:
  static constexpr td::DebugLogEvent eventsOfComputing =
      td::DebugLogEvent::Computes | td::DebugLogEvent::KeepsExponent;

  static uint32_t bitsOf(mlir::FloatAttr value) {
    return value.getValue().bitcastToAPInt().getZExtValue();
  }

  using Field = td::Field;

  void put(Field field, int64_t value, unsigned index = 0) {
    llvm::Error error = image.setScaled(field, value, index);
    if (!error)
      return;
    std::string message = llvm::toString(std::move(error));
    if (problem.empty())
      problem = message;
  }

  template <Field field> void put(typename td::FieldValues<field>::type value) {
    td::setValue<field>(image, value);
  }

  bool fetches1() const { return use.source1 != zin::Residence::resident; }
  bool fetches2() {
    return task.getSource2() && use.source2 != zin::Residence::resident;
  }
  bool stores() const { return use.result != zin::Residence::resident; }

  std::optional<zin::ViewAttr> findLarge();
  void encodeHeader();
  void encodeDMA();
  void encodeL2(const zin::L2Plan &plan);
  void encodeResidence();
  void encodeDimensions(int64_t columns, int64_t rows, int64_t depth,
                        int64_t channels);
  void encodeResultDimensions(int64_t columns, int64_t rows, int64_t depth,
                              int64_t channels);

  void encodeNE();
  int64_t countEngines();
  void encodeParallelism(int64_t columns);
  void encodeComputedKernel(zin::ViewAttr view);
  void encodeKernel();
  unsigned lanesUsed(const PackedKernel &kernel);

  void encodePE();
  void encodePatch(zin::ViewAttr shape);

  zin::TaskOp task;
  const TaskPlaces &places;
  const TargetDescription &target;
  const zin::L2Use use;
  td::TaskDescriptor descriptor;
  td::RegisterImage &image = descriptor.image;
  std::string problem;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_TASKENCODER_H
