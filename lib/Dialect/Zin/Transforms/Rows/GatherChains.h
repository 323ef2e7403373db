//===- GatherChains.h - Chains without others between ----------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_GATHERCHAINS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_GATHERCHAINS_H

#include "Tasks/TaskGraph.h"

namespace ane::zin {

/// Another order of the tasks of a graph, in which those that move large values
/// and can be cut, as `canCut` says, stand one behind the other: small tasks
/// between them come in front of all of them if they wait for none, such as
/// masks, and else behind those that do not wait for them. What is computed
/// earlier or later so takes up to `mostBytes` of L2. Nothing if no such task
/// stands between two of them.
std::optional<llvm::SmallVector<unsigned>>
gatherChains(const TaskGraph &graph, const TargetDescription &target,
             llvm::function_ref<bool(unsigned)> canCut, int64_t mostBytes);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_GATHERCHAINS_H
