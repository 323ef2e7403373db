//===- L2Gaps.cpp - What is free of the scratchpad ------------------------===//

#include "Places/L2Gaps.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ane::zin;

size_t L2Gaps::firstBehind(int64_t place) const {
  const Gap *found = llvm::partition_point(
      gaps, [&](const Gap &gap) { return gap.end <= place; });
  return found - gaps.begin();
}

int64_t L2Gaps::bytes() const {
  int64_t sum = 0;
  for (const Gap &gap : gaps)
    sum += gap.bytes();
  return sum;
}

L2Gaps::Gap L2Gaps::longest() const {
  Gap best = {0, 0};
  for (const Gap &gap : gaps)
    if (gap.bytes() > best.bytes())
      best = gap;
  return best;
}

int64_t L2Gaps::longestBeside(int64_t bytes) const {
  int64_t longest = 0, next = 0;
  for (const Gap &gap : gaps)
    if (gap.bytes() > longest)
      next = std::exchange(longest, gap.bytes());
    else
      next = std::max(next, gap.bytes());
  if (bytes <= next)
    return longest;
  return bytes <= longest ? std::max(longest - bytes, next) : -1;
}

int64_t L2Gaps::longestWithout(int64_t begin, int64_t end) const {
  int64_t best = 0;
  for (const Gap &gap : gaps)
    if (gap.begin <= begin && end <= gap.end)
      best = std::max({best, begin - gap.begin, gap.end - end});
    else
      best = std::max(best, gap.bytes());
  return best;
}

bool L2Gaps::isFree(int64_t begin, int64_t end) const {
  size_t index = firstBehind(begin);
  return index < gaps.size() && gaps[index].begin <= begin &&
         end <= gaps[index].end;
}

void L2Gaps::take(int64_t begin, int64_t end) {
  size_t index = firstBehind(begin);
  if (index == gaps.size() || gaps[index].begin > begin ||
      gaps[index].end < end)
    return;
  Gap &gap = gaps[index];
  Gap rest = {end, gap.end};
  gap.end = begin;
  bool isEmpty = gap.bytes() == 0;
  if (rest.bytes() == 0) {
    if (isEmpty)
      gaps.erase(&gap);
  } else if (isEmpty) {
    gap = rest;
  } else {
    gaps.insert(&gap + 1, rest);
  }
}

void L2Gaps::giveBack(int64_t begin, int64_t end) {
  size_t index = firstBehind(begin);
  bool joins = index < gaps.size() && gaps[index].begin == end;
  if (index > 0 && gaps[index - 1].end == begin) {
    gaps[index - 1].end = joins ? gaps[index].end : end;
    if (joins)
      gaps.erase(&gaps[index]);
  } else if (joins) {
    gaps[index].begin = begin;
  } else {
    gaps.insert(gaps.begin() + index, {begin, end});
  }
}

void L2Gaps::intersect(const L2Gaps &other, int64_t leastBytes) {
  // Tasks that follow each other mostly have the same values.
  const Gap *around = other.gaps.begin();
  if (llvm::all_of(gaps, [&](const Gap &gap) {
        while (around != other.gaps.end() && around->end < gap.end)
          ++around;
        return around != other.gaps.end() && around->begin <= gap.begin &&
               gap.bytes() >= leastBytes;
      }))
    return;
  llvm::SmallVector<Gap, 2> both;
  const Gap *left = gaps.begin(), *right = other.gaps.begin();
  while (left != gaps.end() && right != other.gaps.end()) {
    Gap gap = {std::max(left->begin, right->begin),
               std::min(left->end, right->end)};
    if (gap.bytes() >= leastBytes)
      both.push_back(gap);
    ++(left->end < right->end ? left : right);
  }
  gaps = std::move(both);
}
