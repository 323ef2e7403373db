//===- ByteRanges.cpp - Which bytes of a memory are meant -----------------===//

#include "ByteRanges.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ane::engine;

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
