//===- CompareOutputs.h - How far two results are apart ---------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_COMPAREOUTPUTS_H
#define ANE_LIB_PIPELINE_COMPAREOUTPUTS_H

#include "ane/Reference/Tensor.h"

namespace ane {

/// Compares what the container made of an output with what the reference did,
/// prints a line, and says in a sentence where they do not agree; nothing if
/// they do.
///
/// They agree with a relative L2 error of at most 1 %, and no element further
/// off than 5 % of the largest magnitude, each plus a floor of 0.002 for
/// results near zero; the line says so where only the floor makes them agree.
/// An integer may be one off, as where a cast cuts off or rounds. An infinity
/// must be one on both sides. Where the reference has NaN the program says
/// nothing that the engine, which has none, could agree with: such elements are
/// counted and not compared, but there must be others.
std::optional<std::string> compareOutput(llvm::StringRef name,
                                         const reference::Tensor &got,
                                         const reference::Tensor &want,
                                         llvm::raw_ostream &os);

} // namespace ane

#endif // ANE_LIB_PIPELINE_COMPAREOUTPUTS_H
