//===- StepPlan.h - Which steps of windows become channels ------*- C++ -*-===//
//
// A task takes windows up to 3 rows and columns apart. Computed that near to
// each other, most of those that are further apart would be thrown away. Where
// the elements of a step are channels of one element, a frame, the windows are
// next to each other. What is cheaper says an estimate.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STEPPLAN_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STEPPLAN_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include <optional>

namespace ane::zin {

/// How windows follow each other along rows or columns.
struct StepAxis {
  int64_t taps, dilation, stride, padding;
  int64_t input, windows; ///< extents
  /// Elements of a frame, and of these the ones that windows see.
  int64_t step = 1;
  llvm::SmallVector<int64_t> phases = {0};
  int64_t elementsApart = 1; ///< two taps

  /// Rows are axis 0, columns axis 1.
  static StepAxis of(ConvOp op, unsigned axis);
  /// The same windows with `step` elements of a stride, a divisor of it, in a
  /// frame.
  StepAxis cutBy(int64_t step) const;

  bool isCut() const { return step > 1; }
  int64_t framesFor(int64_t windows) const;
  /// The phase of a tap, by its number among those that windows see, and its
  /// tap of frames.
  std::pair<int64_t, int64_t> placeOf(int64_t tap) const;
};

/// What a convolution is to be.
struct StepPlan {
  StepAxis rows, columns;
  int64_t perBlock = 0; ///< windows along `blockAxis()` that L2 has room for
  bool joins = false;   ///< whether blocks are joined to be convolved

  bool isLine() const { return rows.windows == 1 && rows.input == 1; }
  const StepAxis &blockAxis() const { return isLine() ? columns : rows; }
  bool isCut() const { return rows.isCut() || columns.isCut(); }
  int64_t phases() const { return rows.phases.size() * columns.phases.size(); }
};

/// The plan that takes the fewest cycles; nothing where that is to leave the
/// windows as they are, or the steps are those of a task.
std::optional<StepPlan> planSteps(ConvOp op, const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STEPPLAN_H
