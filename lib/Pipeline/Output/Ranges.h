//===- Ranges.h - Where results may overflow --------------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_RANGES_H
#define ANE_LIB_PIPELINE_OUTPUT_RANGES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Pipeline/InputRange.h"
#include <string>
#include <vector>

namespace ane {

/// A layer whose result may not be what the program says.
struct RangeHazard {
  std::string kind;   ///< `mac-overflow`, `fp16-overflow`, `denormal-product`
  std::string detail; ///< one sentence
  mlir::Location location;
};

/// Bounds of every value by interval arithmetic, from inputs in `inputs`, or in
/// [-1, 1]. What passes a limit is named where it does so first; nothing is
/// said of what is computed from it, unless something bounds it again. The
/// bounds are those of the worst case, so that most of what is named never
/// happens. At the end come products that take small probabilities as 0.
std::vector<RangeHazard> findRangeHazards(zin::ProcedureOp procedure,
                                          llvm::ArrayRef<InputRange> inputs);

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_RANGES_H
