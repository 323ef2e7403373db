//===- ByteRanges.cpp - Which bytes of a memory are meant -----------------===//

#include "Watch/ByteRanges.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>

using namespace ane::engine;

/// The lower one of two places, where there are any.
static std::optional<uint64_t> lower(std::optional<uint64_t> a,
                                     std::optional<uint64_t> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

/// An axis of interleaved positions: of `extent` ones the whole groups, which
/// have `stride` bytes between them, and what is left.
static std::array<std::pair<uint64_t, uint64_t>, 2>
groupsOf(uint64_t extent, uint64_t interleave) {
  return {{{extent / interleave, interleave},
           {extent % interleave ? 1 : 0, extent % interleave}}};
}

Pieces::Pieces(const View &view) {
  const Extents &extents = view.extents;
  const Strides &strides = view.strides;
  int64_t bytes = strides.elementBytes();
  uint64_t channel = 0;
  for (auto [planes, channels] :
       groupsOf(extents.channels, strides.interleave)) {
    uint64_t column = 0;
    for (auto [groups, columns] :
         groupsOf(extents.width, strides.columnInterleave)) {
      add(view.address + strides.channelOffset(channel) +
              strides.columnOffset(column),
          bytes,
          {{strides.group, extents.groups},
           {strides.depth, extents.depth},
           {strides.channel, planes},
           {bytes, channels},
           {strides.row, extents.height},
           {strides.column, groups},
           {bytes, columns}});
      column += groups * columns;
    }
    channel += planes * channels;
  }
}

void Pieces::add(uint64_t begin, int64_t elementBytes,
                 llvm::ArrayRef<std::pair<int64_t, uint64_t>> axes) {
  llvm::SmallVector<Axis, 7> sorted;
  for (auto [stride, extent] : axes) {
    if (extent == 0)
      return;
    if (stride < 0)
      begin += stride * static_cast<int64_t>(extent - 1);
    if (extent > 1)
      sorted.push_back({static_cast<uint64_t>(std::abs(stride)), extent});
  }
  llvm::sort(sorted, [](Axis a, Axis b) { return a.stride < b.stride; });
  Box box{begin, static_cast<uint64_t>(elementBytes), {}};
  auto isTwice = [&](Axis axis) { twice = lower(twice, begin + axis.stride); };
  for (Axis axis : sorted) {
    uint64_t reach = axis.stride * (axis.extent - 1);
    if (axis.stride <= box.length) {
      if (axis.stride < box.length)
        isTwice(axis);
      box.length += reach;
      continue;
    }
    // Steps of a multiple of the last stride lead on along that axis.
    if (!box.axes.empty()) {
      Axis &last = box.axes.back();
      uint64_t steps = axis.stride / last.stride;
      if (axis.stride % last.stride == 0 && steps <= last.extent) {
        if (steps < last.extent)
          isTwice(axis);
        last.extent += reach / last.stride;
        continue;
      }
    }
    box.axes.push_back(axis);
  }
  boxes.push_back(std::move(box));
}

Ranges::Ranges(const View &view) {
  Pieces pieces(view);
  add(pieces);
  common = lower(pieces.repeated(), merge());
}

std::optional<uint64_t> Ranges::merge() {
  llvm::sort(all, [](Range a, Range b) { return a.begin < b.begin; });
  std::optional<uint64_t> twice;
  std::vector<Range> merged;
  for (Range range : all) {
    if (merged.empty() || merged.back().end < range.begin) {
      merged.push_back(range);
      continue;
    }
    if (!twice && range.begin < merged.back().end)
      twice = range.begin;
    merged.back().end = std::max(merged.back().end, range.end);
  }
  all = std::move(merged);
  return twice;
}

std::optional<uint64_t> Ranges::find(Range range) const {
  auto next = llvm::partition_point(
      all, [&](Range other) { return other.end <= range.begin; });
  if (next == all.end() || range.end <= next->begin)
    return std::nullopt;
  return std::max(next->begin, range.begin);
}

std::optional<uint64_t> Ranges::find(const Ranges &others) const {
  for (Range range : others.all)
    if (std::optional<uint64_t> byte = find(range))
      return byte;
  return std::nullopt;
}
