//===- KernelLayout.cpp - Where each coefficient lies in the lanes --------===//

#include "ane/TaskDescriptor/KernelLayout.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace ane::td;

namespace {

/// Lanes and their planes start at multiples of this. Verified.
constexpr uint64_t laneAlignment = 64;

/// Bytes a lane may take.
uint64_t maxLaneBytes() {
  const FieldInfo &size = fieldInfo(Field::CoeffSize);
  return uint64_t(size.mask()) * size.unit;
}

uint64_t planeBytes(const KernelShape &shape, uint32_t channels) {
  return (uint64_t(shape.taps) + (shape.bias ? 1 : 0)) * channels * 2;
}

} // namespace

unsigned ane::td::chooseOcgSize(uint32_t outputChannels, unsigned cap,
                                unsigned lanes) {
  uint32_t perLane = std::max<uint32_t>(outputChannels / lanes, 1);
  return std::min(llvm::Log2_32_Ceil(perLane), llvm::Log2_32(cap));
}

LanePasses ane::td::passesOfLane(uint64_t outputChannels, unsigned ocgSize,
                                 unsigned lanes) {
  uint64_t perLane = llvm::divideCeil(outputChannels, lanes);
  uint64_t atATime = uint64_t(1) << ocgSize;
  return {llvm::divideCeil(perLane, atATime), std::min(perLane, atATime)};
}

llvm::Expected<KernelLayout> KernelLayout::create(const KernelShape &shape) {
  if (shape.outputChannels == 0 || shape.taps == 0 || shape.groups == 0)
    return llvm::createStringError("a kernel without channels, taps or groups "
                                   "has no layout");
  if (shape.engines == 0 || shape.engines > numLanes)
    return llvm::createStringError(
        llvm::formatv("a kernel has lanes for 1 to {0} engines, not for {1}",
                      numLanes, shape.engines));
  KernelLayout layout;
  layout.kernelShape = shape;
  std::array<uint64_t, numLanes> filled;
  filled.fill(shape.table ? lutBytes : 0);
  bool alignPlanes = shape.groups > 1;

  for (uint32_t group = 0; group < shape.groups; ++group) {
    uint32_t start = 0;
    while (start < shape.outputChannels) {
      uint32_t rest = shape.outputChannels - start;
      uint32_t row = shape.channelwise ? 1
                                       : std::clamp(rest / shape.engines, 1u,
                                                    1u << shape.ocgSize);
      uint32_t chunk = std::min(rest, row * shape.engines);
      for (uint32_t lane = 0; lane * row < chunk; ++lane) {
        uint64_t &end = filled[lane];
        layout.allPlanes.push_back({lane, group, start + lane * row, row, end});
        end += planeBytes(shape, row);
        if (alignPlanes)
          end = llvm::alignTo(end, laneAlignment);
        if (end > maxLaneBytes())
          return llvm::createStringError(
              "a coefficient lane would pass the 4 GiB its size register "
              "reaches");
        layout.usedLanes = std::max(layout.usedLanes, lane + 1);
      }
      start += chunk;
    }
  }

  layout.bytesOfLane = llvm::alignTo(
      *std::max_element(filled.begin(), filled.end()), laneAlignment);
  return layout;
}
