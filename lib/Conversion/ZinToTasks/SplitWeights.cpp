//===- SplitWeights.cpp - Coefficients that one task holds ----------------===//

#include "SplitWeights.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::tasks;

namespace {

constexpr int64_t lanes = td::numLanes;

/// Bytes of an output in a lane.
int64_t outputBytes(const KernelParams &kernel) {
  return (kernel.taps + (kernel.bias ? 1 : 0)) * zin::elementBytes;
}

} // namespace

int64_t tasks::outputsPerTask(const TargetDescription &target,
                              const KernelParams &kernel, int64_t step,
                              unsigned ocgCap) {
  int64_t outputs = target.kernelMemoryBytes / outputBytes(kernel) * lanes;
  int64_t rows = lanes * ocgCap;
  if (outputs >= rows)
    return outputs / rows * rows;
  if (outputs >= lanes)
    return std::max(outputs / step, int64_t(1)) * step;
  int64_t streamed = target.maxTaskCoefficientBytes / outputBytes(kernel);
  return streamed < step ? std::max<int64_t>(streamed, 1)
                         : streamed / step * step;
}

int64_t tasks::channelsPerTask(const TargetDescription &target,
                               const KernelParams &kernel) {
  return std::max<int64_t>(target.kernelMemoryBytes / outputBytes(kernel), 1) *
         lanes;
}

int64_t tasks::groupsPerTask(const TargetDescription &target,
                             const KernelParams &kernel) {
  // Every group begins at a step of its own in each lane.
  int64_t perLane = llvm::divideCeil(kernel.outputs, lanes);
  int64_t bytes =
      llvm::alignTo(perLane * outputBytes(kernel), target.rowAlignment);
  return target.kernelMemoryBytes / bytes;
}
