//===- SplitWeights.cpp - Coefficients that one task holds ----------------===//

#include "SplitWeights.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Target/H13.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

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

int64_t tasks::accessCycles(const TargetDescription &target,
                            const Extents &extents) {
  int64_t channelBytes = target.l2ChannelBytes(extents[zin::W]);
  int64_t distance = channelBytes, together = extents[zin::C];
  int64_t others = extents[zin::N] * extents[zin::D];
  if (extents[zin::H] > 1) {
    others *= std::exchange(together, extents[zin::H]);
    distance = zin::rowsOfBuffer(/*isWeighed=*/true, together)
                   .spread(channelBytes * extents[zin::C]);
  }
  return others * (channelBytes / target.l2Granule) *
         zin::bankTurns(together, distance);
}

unsigned tasks::ocgSizeOf(const TargetDescription &target,
                          const KernelParams &kernel, const NEParams &params,
                          const TaskExtents &task, unsigned ocgCap) {
  unsigned usual = td::chooseOcgSize(kernel.outputs, ocgCap);
  int64_t pixels = llvm::product_of(task.result) / task.result[zin::C];
  if (td::passesOfLane(kernel.outputs, usual).count == 1 ||
      pixels <= target.accumulatedPixels)
    return usual;
  Extents written = task.result;
  written[zin::C] = kernel.outputs;
  int64_t writes = accessCycles(target, written);
  int64_t reads = accessCycles(target, task.source);
  auto cycles = [&](unsigned size) {
    td::LanePasses passes = td::passesOfLane(kernel.outputs, size);
    KernelParams own = kernel;
    own.ocgSize = size;
    return std::max(
        {target.productCycles(lanes * passes.slots() * kernel.taps * pixels),
         int64_t(passes.count) * reads + writes,
         target.memoryCycles(lanes * laneBytes(own, params))});
  };
  int64_t usualCycles = cycles(usual), fewest = usualCycles;
  unsigned best = usual;
  for (unsigned size = llvm::Log2_32(ocgCap) + 1; size-- > 0;)
    if (int64_t needed = cycles(size); needed < fewest) {
      fewest = needed;
      best = size;
    }
  return fewest * leastGain < usualCycles * (leastGain - 1) ? best : usual;
}

int64_t tasks::outputsPerTask(const TargetDescription &target,
                              const KernelParams &kernel,
                              const NEParams &params, const TaskExtents &task,
                              int64_t pixels, int64_t step, unsigned ocgCap) {
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
    part.ocgSize = ocgSizeOf(target, part, params, task, ocgCap);
    return laneBytes(part, params) <= target.kernelMemoryBytes;
  };
  while (part.outputs > step && !fits())
    part.outputs = outputs = (part.outputs - 1) / step * step;
  if (outputs >= kernel.outputs &&
      kernel.outputs % (lanes << part.ocgSize) == 0)
    return outputs;
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
                             const TaskExtents &task, unsigned ocgCap) {
  // Every group begins at a step of its own in each lane.
  KernelParams one = kernel;
  one.groups = 1;
  one.ocgSize = ocgSizeOf(target, kernel, params, task, ocgCap);
  return target.kernelMemoryBytes /
         int64_t(llvm::alignTo(laneBytes(one, params), target.rowAlignment));
}
