//===- CompareOutputs.h - How far two results are apart ---------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_COMPAREOUTPUTS_H
#define ANE_LIB_PIPELINE_VERIFY_COMPAREOUTPUTS_H

#include "Verify/Decisions.h"

namespace ane {

/// The limit of the relative L2 error.
inline constexpr double l2Limit = 0.01;

/// Why an output does not agree.
struct Disagreement {
  std::string text; ///< a sentence
  bool isUndefined; ///< whether there is nothing that could agree
};

/// Compares what the container made of an output with what the reference did,
/// prints a line, and says where they do not agree; nothing if they do.
///
/// They agree with a relative L2 error of at most 1 %, and no element further
/// off than 5 % of the largest magnitude, each plus a floor for results that
/// are small beside the others: 2 % of the largest magnitude, but at most 0.002
/// and at least four steps of the denormal numbers of fp16. Where the reference
/// has zeros alone it is 0.002. The line says so where only the floor makes
/// them agree. An integer may be one off, as where a cast cuts off or rounds;
/// `numTies` indices have been found to be as good as those of the reference,
/// and the reference has made `decisions` as the engine does; the line says so.
/// An infinity must be one on both sides. Where the reference has NaN the
/// program says nothing that the engine, which has none, could agree with: such
/// elements are counted and not compared, but there must be others.
std::optional<Disagreement>
compareOutput(llvm::StringRef name, const reference::Tensor &got,
              const reference::Tensor &want, size_t numTies,
              llvm::ArrayRef<Decision> decisions, llvm::raw_ostream &os);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_COMPAREOUTPUTS_H
