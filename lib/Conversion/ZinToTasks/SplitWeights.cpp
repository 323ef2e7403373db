//===- SplitWeights.cpp - Coefficients that one task holds ----------------===//

#include "SplitWeights.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Target/H13.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::tasks;

namespace {

constexpr int64_t lanes = td::numLanes;
static_assert(h13.neuralEngines == lanes, "each NE has a lane");

/// Bytes of an output in a lane.
int64_t outputBytes(const KernelParams &kernel) {
  return (kernel.taps + (kernel.bias ? 1 : 0)) * zin::elementBytes;
}

/// Bytes of the table of a function, of which each lane has one.
int64_t tableBytes(const KernelParams &kernel) {
  return kernel.activation ? lanes * int64_t(td::lutBytes) : 0;
}

/// Bytes of a lane. Strided windows have kernels without zeros, which have
/// masks beside the coefficients.
int64_t laneBytes(const KernelParams &kernel, const NEParams &params) {
  td::KernelShape shape;
  shape.outputChannels = kernel.outputs;
  shape.taps = kernel.taps;
  shape.groups = kernel.groups;
  shape.channelwise = kernel.channelwise;
  shape.ocgSize = kernel.ocgSize;
  shape.bias = bool(kernel.bias);
  llvm::Expected<td::KernelLayout> layout = td::KernelLayout::create(shape);
  if (!layout) {
    // Longer than any lane.
    llvm::consumeError(layout.takeError());
    return int64_t(1) << 40;
  }
  td::KernelWindow window = zin::kernelWindowOf(params.window, params.stride);
  if (!window.isStrided() || !td::canSkipZeros(*layout, window))
    return layout->laneBytes();
  int64_t weights = kernel.outputs * kernel.taps * kernel.groups;
  return llvm::divideCeil(td::packedSparseBytes(*layout, window, weights),
                          lanes);
}

} // namespace

int64_t tasks::outputsPerTask(const TargetDescription &target,
                              const KernelParams &kernel,
                              const NEParams &params, int64_t pixels,
                              int64_t step, unsigned ocgCap) {
  int64_t outputs = target.kernelMemoryBytes / outputBytes(kernel) * lanes;
  if (outputs < lanes || pixels <= target.accumulatedPixels) {
    int64_t streamed = (target.maxTaskCoefficientBytes - tableBytes(kernel)) /
                       outputBytes(kernel);
    return streamed < step ? std::max<int64_t>(streamed, 1)
                           : streamed / step * step;
  }
  outputs = std::max(outputs / step, int64_t(1)) * step;
  KernelParams part = kernel;
  part.outputs = std::min(kernel.outputs, outputs);
  auto fits = [&] {
    part.ocgSize = td::chooseOcgSize(part.outputs, ocgCap);
    return laneBytes(part, params) <= target.kernelMemoryBytes;
  };
  while (part.outputs > step && !fits())
    part.outputs = outputs = (part.outputs - 1) / step * step;
  int64_t rows = lanes * ocgCap;
  return outputs >= rows ? outputs / rows * rows : outputs;
}

int64_t tasks::channelsPerTask(const TargetDescription &target,
                               const KernelParams &kernel,
                               const NEParams &params) {
  // Lanes end at a step; of that many channels have a small part each.
  constexpr int64_t many = 64;
  KernelParams some = kernel;
  some.outputs = lanes * many;
  int64_t perLane = target.kernelMemoryBytes * many / laneBytes(some, params);
  return std::max<int64_t>(perLane, 1) * lanes;
}

int64_t tasks::groupsPerTask(const TargetDescription &target,
                             const KernelParams &kernel, const NEParams &params,
                             unsigned ocgCap) {
  // Every group begins at a step of its own in each lane.
  KernelParams one = kernel;
  one.groups = 1;
  one.ocgSize = td::chooseOcgSize(kernel.outputs, ocgCap);
  return target.kernelMemoryBytes /
         int64_t(llvm::alignTo(laneBytes(one, params), target.rowAlignment));
}
