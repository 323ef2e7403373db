//===- KernelLayout.h - Coefficients in their lanes -------------*- C++ -*-===//
//
// Up to sixteen NEs work on different output channels. Each has its own
// coefficient stream, a lane. The activation table, if there is one, begins the
// lane. A row of planes follows; a plane serves L output channels at once and
// holds, for every tap of the reduction, L half-words side by side, after one
// row of L bias half-words if there is a bias. All lanes of a task have the
// same size, a multiple of 64 bytes.
//
// Dense kernels of n NEs take the output channels in chunks of n * L with
// L = min(2^OCGSize, rest / n), so a lane may hold several planes, and the last
// chunk, of L = 1, may leave lanes idle. A grouped kernel
// repeats this for every group, each plane padded to 64 bytes. A channel-wise
// (unicast) kernel gives NE j the channels j, j + n, ... back to back.
//
// Verified: sizes of all these forms, and the map for channel counts that are
// multiples of 16, for 3 and 12 channels, and for 32 channels on 4 NEs; that 96
// channels with OCGSize 3 are planes of 6; the place of the table, by the hash
// of the first 128 bytes of a real product with bias rows and a table, and by
// that of the whole constants of a comparison. Assigned: other counts, by the
// same rule.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_KERNELLAYOUT_H
#define ANE_TASKDESCRIPTOR_KERNELLAYOUT_H

#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace ane::td {

/// What decides the layout. Channels and taps are those of one group.
struct KernelShape {
  uint32_t outputChannels = 1;
  /// Taps of one output: input channels * kernel height * kernel width, in this
  /// order from outermost to innermost. Kernel height * width if channel-wise.
  uint32_t taps = 1;
  uint32_t groups = 1;
  bool channelwise = false;
  unsigned ocgSize = 0; ///< log2 of the channels a full plane interleaves
  bool bias = false;
  bool table = false;          ///< an activation table begins each lane
  uint32_t engines = numLanes; ///< NEs that work, a lane each
};

/// A run of output channels that share the rows of one plane.
struct KernelPlane {
  uint32_t lane;
  uint32_t group;
  uint32_t firstChannel; ///< in the group
  uint32_t channels;     ///< half-words of a row
  uint64_t offset;       ///< bytes from the start of the lane
};

/// Where bias and coefficients of each output lie in the lanes of a kernel.
class KernelLayout {
public:
  /// Fails when the lanes would pass 4 GiB or there is nothing to lay out.
  static llvm::Expected<KernelLayout> create(const KernelShape &shape);

  const KernelShape &shape() const { return kernelShape; }
  llvm::ArrayRef<KernelPlane> planes() const { return allPlanes; }
  unsigned lanes() const { return usedLanes; }
  uint64_t laneBytes() const { return bytesOfLane; }
  uint64_t totalBytes() const { return bytesOfLane * usedLanes; }

  /// Bytes from the start of the lane. `channel` counts in the plane.
  uint64_t biasOffset(const KernelPlane &plane, uint32_t channel) const {
    return plane.offset + halfBytes * channel;
  }
  uint64_t tapOffset(const KernelPlane &plane, uint32_t tap,
                     uint32_t channel) const {
    uint64_t row = uint64_t(tap) + (kernelShape.bias ? 1 : 0);
    return plane.offset + halfBytes * (row * plane.channels + channel);
  }
  /// Where the table of every lane is.
  static constexpr uint64_t tableOffset = 0;

private:
  KernelShape kernelShape;
  std::vector<KernelPlane> allPlanes;
  unsigned usedLanes = 0;
  uint64_t bytesOfLane = 0;
};

/// The OCGSize that Apple's compiler picks: rows of up to `cap` channels, as
/// long as all lanes can be filled with them, and of their length the next
/// power of two. Verified, of lengths that are no power of two for 6.
unsigned chooseOcgSize(uint32_t outputChannels, unsigned cap,
                       unsigned lanes = numLanes);

/// How a lane computes its part of the output channels.
struct LanePasses {
  uint64_t count;    ///< each of them reads the source
  uint64_t channels; ///< of a pass; one that is not full takes as long

  uint64_t slots() const { return count * channels; }
};
/// Of the lane that has the most to do.
LanePasses passesOfLane(uint64_t outputChannels, unsigned ocgSize,
                        unsigned lanes = numLanes);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_KERNELLAYOUT_H
