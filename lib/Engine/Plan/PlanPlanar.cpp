//===- PlanPlanar.cpp - Tasks of the planar engine ------------------------===//
//
// Evidence: the operations, flags and scales are verified in real programs, and
// that a bias comes before a scale: (((preScale * (+-a)) op (+-b)) + bias) *
// scale. Assigned is what happens when further ones meet, and that relu is
// last.
//
//===----------------------------------------------------------------------===//

#include "Plan/Planner.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;

using td::TaskType;

/// fp32 of a factor that changes nothing.
static constexpr uint32_t floatOne = 0x3f800000;

Error Planner::planSecond(PlanarTask &task) {
  bool exchanged = image.isSet(Field::Src2Vector);
  if (td::valueOf<Field::TaskType>(image) != TaskType::VectorPair) {
    Expected<Operand> second = secondOperand(task.extents, exchanged);
    if (!second)
      return second.takeError();
    task.second = *second;
    return Error::success();
  }
  // (a op row 0) * row 1, one pair for each channel. Verified for add and with
  // source 2 negated.
  if (task.op != PlanarOp::Add)
    return refuse(Field::PEOpMode, "a vector pair is known with 0 (add) only");
  Extents pair = task.extents;
  pair.width = 1;
  pair.height = 2;
  Expected<Operand> second = secondOperand(pair, exchanged);
  if (!second)
    return second.takeError();
  if (second->extents.height != 2)
    return refuse(Field::Src2BroadcastH, "a vector pair has two rows");
  second->extents.height = 1;
  task.second = *second;
  task.pairFactor = *second;
  Source &factor = *task.pairFactor->source;
  factor.origin += factor.strides.row;
  if (std::optional<Destination> &kept = task.pairFactor->copy)
    kept->origin += kept->strides.row;
  return Error::success();
}

Error Planner::planReduction(PlanarTask &task) const {
  Reduction reduction;
  // Verified: rows as groups reduce W; one row, too; otherwise W and H, and D
  // where there is one. Combinations beyond are not seen.
  const Extents &extents = task.extents;
  if (extents.groups > 1 && extents.height > 1) {
    // One row that serves for all is as many as the output has.
    Field rows = image.get(Field::Hin) > 1 ? Field::Hin : Field::Hout;
    return refuse(Field::NumGroups,
                  llvm::formatv("{0} is {1}: whether a reduction of several "
                                "groups with several rows each takes their "
                                "columns alone or their rows, too, is not "
                                "known; the known ones have one group or one "
                                "row",
                                td::fieldInfo(rows).fullName(), image.get(rows))
                      .str());
  }
  bool widthOnly = extents.groups > 1 || extents.height == 1;
  reduction.height = !widthOnly;
  reduction.depth = !widthOnly && extents.depth > 1;
  if (widthOnly && extents.depth > 1)
    return refuse(Field::Din, "a reduction of W with a depth is not known");

  auto pool = td::valueOf<Field::PEPoolMode>(image);
  if (pool != td::PEPoolMode::Sum && pool != td::PEPoolMode::Max)
    return refuse(Field::PEPoolMode, "only 0 (sum) and 2 (maximum) are known");
  reduction.maximum = pool == td::PEPoolMode::Max;
  reduction.post = td::valueOf<Field::PEPostFunction>(image);
  if (reduction.post > td::PEPostFunction::ReciprocalSquareRoot)
    return refuse(Field::PEPostFunction, "only 0 (none), 1 (reciprocal) and 2 "
                                         "(reciprocal square root) are known");
  reduction.scale = std::bit_cast<float>(image.get(Field::PEFinalScale));
  reduction.epsilon = half(Field::PEEpsilon);
  for (auto [field, value] :
       {std::pair(Field::PEScale, uint32_t(halfOne)),
        std::pair(Field::PEBias, 0u), std::pair(Field::PERelu, 0u)})
    if (Error error =
            require(field, value, "where it acts in a reduction is not known"))
      return error;
  // Verified for that, where it acts on the elements.
  if (task.absolute &&
      !(reduction.maximum && !task.second && task.op == PlanarOp::Add))
    return refuse(Field::PEAbs, "of reductions it is known in a maximum of one "
                                "source");
  task.reduction = reduction;
  return Error::success();
}

/// Verified: also in reductions the output dimensions are those of the input.
/// A source of one row, column, slice or channel that serves for all may be
/// given by its own dimensions (inferred).
Error Planner::checkPlanarExtents() const {
  constexpr Field ins[] = {Field::Win, Field::Hin, Field::Din, Field::Cin};
  constexpr Field outs[] = {Field::Wout, Field::Hout, Field::Dout, Field::Cout};
  for (auto [in, out, repeated] :
       llvm::zip_equal(ins, outs, td::src1Broadcasts))
    if (image.get(in) != image.get(out) &&
        !(image.get(in) == 1 && image.isSet(repeated)))
      return refuse(out, "input and output dimensions of a PE task differ");
  return Error::success();
}

Error Planner::checkSecond(bool two) const {
  if (Error error =
          require(Field::PETwoSource, two, "the task type says otherwise"))
    return error;
  constexpr Field ofSource2[] = {Field::Src2FromDMA, Field::Src2Kept,
                                 Field::Input2ReLU, Field::PESrc2Negate,
                                 Field::Src2Vector};
  if (!two)
    for (Field field : llvm::concat<const Field>(ofSource2, td::src2Broadcasts))
      if (Error error = require(field, 0, "the task has no source 2"))
        return error;
  return Error::success();
}

Error Planner::planElements(PlanarTask &task, bool two) const {
  task.op = td::valueOf<Field::PEOpMode>(image);
  if (task.op > PlanarOp::SquareOfSum)
    return refuse(Field::PEOpMode, "only 0 to 4 are known");
  if (!two && task.op != PlanarOp::Add && task.op != PlanarOp::SquareOfSum)
    return refuse(Field::PEOpMode, "a task of one source has 0 or 4 (square)");

  task.firstFactor = half(Field::PEPreScale) *
                     (image.isSet(Field::PESrc1Negate) ? -1.0f : 1.0f);
  task.secondFactor = image.isSet(Field::PESrc2Negate) ? -1.0f : 1.0f;
  task.scale = half(Field::PEScale);
  task.bias = half(Field::PEBias);
  task.absolute = image.isSet(Field::PEAbs);
  task.relu = image.isSet(Field::PERelu);
  if (task.absolute && (image.get(Field::PEScale) != halfOne || task.bias != 0))
    return refuse(Field::PEAbs, "it is known without scale and bias only");
  return Error::success();
}

Expected<TaskPlan> Planner::planPlanar() {
  PlanarTask task;
  auto type = td::valueOf<Field::TaskType>(image);
  if (type < TaskType::OneSource || type > TaskType::ReductionOfTwo)
    return refuse(Field::TaskType, "only 0 (NE) and 2 to 6 (PE) are known");
  bool two = type != TaskType::OneSource && type != TaskType::Reduction;
  bool reduces =
      type == TaskType::Reduction || type == TaskType::ReductionOfTwo;
  if (Error error = checkSecond(two))
    return error;
  if (Error error = checkPlanarExtents())
    return error;
  task.extents = outputExtents();
  if (Error error = planElements(task, two))
    return error;

  Expected<Operand> first =
      firstOperand(task.extents, image.isSet(Field::Src1Vector));
  if (!first)
    return first.takeError();
  task.first = *first;
  if (two)
    if (Error error = planSecond(task))
      return error;

  Extents extents = task.extents;
  if (reduces) {
    if (Error error = planReduction(task))
      return error;
    extents.width = 1;
    if (task.reduction->height)
      extents.height = 1;
    if (task.reduction->depth)
      extents.depth = 1;
  } else {
    for (auto [field, value] :
         {std::pair(Field::PEPoolMode, 0u),
          std::pair(Field::PEPostFunction, 0u), std::pair(Field::PEEpsilon, 0u),
          std::pair(Field::PEFinalScale, floatOne)})
      if (Error error = require(field, value, "only reductions use it"))
        return error;
  }
  // Verified in maximum reductions, where nothing is padded.
  if (td::valueOf<Field::PaddingMode>(image) >
      (reduces ? td::PaddingMode::Lowest : td::PaddingMode::Zero))
    return refuse(Field::PaddingMode, "PE tasks pad nothing");
  Expected<Result> destination =
      result(extents, image.isSet(Field::ResultVector));
  if (!destination)
    return destination.takeError();
  task.result = std::move(*destination);
  return task;
}
