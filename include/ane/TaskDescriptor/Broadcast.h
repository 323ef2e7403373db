//===- Broadcast.h - What sources of the planar engine repeat ---*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_BROADCAST_H
#define ANE_TASKDESCRIPTOR_BROADCAST_H

#include "ane/TaskDescriptor/Fields.h"
#include <array>

namespace ane::td {

/// Along which dimensions a source of the planar engine has one element for
/// all: a set of these bits.
inline constexpr uint32_t broadcastColumns = 1 << 0, broadcastRows = 1 << 1,
                          broadcastDepth = 1 << 2, broadcastChannels = 1 << 3;
inline constexpr unsigned numBroadcasts = 4;
inline constexpr uint32_t allBroadcasts = (1 << numBroadcasts) - 1;

/// The flag of each bit of a source, that of the lowest bit first.
using BroadcastFlags = std::array<Field, numBroadcasts>;
inline constexpr BroadcastFlags src1Broadcasts = {
    Field::Src1BroadcastW, Field::Src1BroadcastH, Field::Src1BroadcastD,
    Field::Src1BroadcastC};
inline constexpr BroadcastFlags src2Broadcasts = {
    Field::Src2BroadcastW, Field::Src2BroadcastH, Field::Src2BroadcastD,
    Field::Src2BroadcastC};

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_BROADCAST_H
