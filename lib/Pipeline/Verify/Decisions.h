//===- Decisions.h - Results that rounding decides --------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_DECISIONS_H
#define ANE_LIB_PIPELINE_VERIFY_DECISIONS_H

#include "Verify/TrialInputs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace ane {

/// Values by their names in the program.
using NamedTensors = llvm::StringMap<reference::Tensor>;

/// An op that decides as the engine does and the reference by itself does not.
struct Decision {
  std::string what; ///< kind of the op and name of the result
  size_t numChanged, numAll;
};

/// What the reference computes where some ops decide as the engine does.
struct Redecided {
  llvm::SmallVector<reference::Tensor> outputs;
  llvm::StringMap<Decision> decisions; ///< by names of results
};

/// The values that decide about an output: those of floating point on which
/// results depend that jump. Of these are indices of the best elements,
/// comparisons and what is rounded to whole numbers. Integers of a quantize
/// with scales along an axis decide themselves.
///
/// Returns whether constants of fp32, which the engine has as fp16, decide as
/// well.
bool findDeciding(mil::FuncOp func, unsigned output,
                  llvm::SetVector<mlir::Value> &deciding);

/// Evaluates a function where deciding values are those of the engine, as far
/// as they are near enough to those of the reference: half the part `tolerance`
/// of the largest magnitude. So of two elements that change places neither is
/// better by more than `tolerance`. Constants of such ops are rounded to fp16
/// as those of the engine are. Integers are those of the engine where its
/// factors, which are rounded to fp16, make them of those operands. All else is
/// computed from what the reference has, so an op that the engine computes
/// wrong stays wrong.
llvm::FailureOr<Redecided> decideAs(const NamedTensors &engine,
                                    mil::FuncOp func, const Trial &trial,
                                    double tolerance);

/// Those decisions on which an output depends.
std::vector<Decision> decisionsBehind(mil::FuncOp func, unsigned output,
                                      const Redecided &redecided);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_DECISIONS_H
