//===- MoveInL2.cpp - Room in the scratchpad that is in pieces ------------===//
//
// Candidates are placed one after the other, so that enough may be free for one
// while it lives, but not in one piece. What lies in the way then gets another
// place, as long as nothing loses by it.
//
//===----------------------------------------------------------------------===//

#include "Places/L2Places.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// Places that are looked at beside a candidate, and values that lie in L2 at a
/// time there. Assigned.
static constexpr size_t mostOccupants = 256, mostAtATime = 32;

bool L2Places::placeByMoving(L2Candidate &candidate) {
  if (!hasRoomInPieces(candidate))
    return false;
  std::optional<SmallVector<Occupants>> occupants = occupantsBeside(candidate);
  if (!occupants)
    return false;
  int64_t size = candidate.layout.bytes;
  SmallVector<int64_t> bases = {0, target.l2Bytes - size};
  for (const Occupants &group : *occupants)
    llvm::append_values(bases, group.base, group.base + group.bytes,
                        group.base - size);
  llvm::sort(bases);
  bases.erase(llvm::unique(bases), bases.end());
  return llvm::any_of(bases, [&](int64_t base) {
    return base >= 0 && base + size <= target.l2Bytes &&
           moveAway(candidate, base, *occupants);
  });
}

bool L2Places::hasRoomInPieces(const L2Candidate &candidate) {
  auto hasRoom = [&](size_t task) {
    int64_t needed = candidate.layout.bytes + needOf(task).least;
    return free[task].bytes() >= needed ||
           llvm::any_of(candidate.partners, [&](size_t index) {
             const L2Candidate &partner = candidates[index];
             return partner.isPlaced && partner.livesAt(task);
           });
  };
  if (candidate.livesAt(taskWithoutRoom) && !hasRoom(taskWithoutRoom))
    return false;
  for (size_t task = candidate.first; task <= candidate.last; ++task)
    if (!hasRoom(task)) {
      taskWithoutRoom = task;
      return false;
    }
  return true;
}

/// Positions in `placedOnes`, in ascending order, of all that may lie in L2
/// while a candidate would; none if they are more than are looked at.
std::optional<SmallVector<size_t>>
L2Places::placedBeside(const L2Candidate &candidate) const {
  auto stretches = llvm::to_vector(
      llvm::seq_inclusive(candidate.first / stretch, candidate.last / stretch));
  // Most lies where there is no gap.
  if (candidate.livesAt(taskWithoutGap))
    std::swap(stretches.front(),
              stretches[taskWithoutGap / stretch - stretches.front()]);
  llvm::SmallDenseSet<int64_t, 2 * mostAtATime> bases;
  size_t count = 0;
  for (size_t at : stretches) {
    size_t task = std::max(candidate.first, at * stretch), atATime = 0;
    for (size_t position : placedAt[at]) {
      const L2Candidate &other = candidates[placedOnes[position]];
      if (other.meets(candidate))
        bases.insert(other.base);
      atATime += other.livesAt(task);
      if (bases.size() > mostOccupants || atATime > mostAtATime)
        return std::nullopt;
    }
    count += placedAt[at].size();
  }
  // What lives long has most of them beside it.
  if (count >= placedOnes.size())
    return llvm::to_vector(llvm::seq(placedOnes.size()));
  SmallVector<size_t> positions;
  for (size_t at : stretches)
    llvm::append_range(positions, placedAt[at]);
  llvm::sort(positions);
  positions.erase(llvm::unique(positions), positions.end());
  return positions;
}

/// What lies in L2 while a candidate would, if it is not too much to be looked
/// at.
std::optional<SmallVector<L2Places::Occupants>>
L2Places::occupantsBeside(const L2Candidate &candidate) const {
  std::optional<SmallVector<size_t>> positions = placedBeside(candidate);
  if (!positions)
    return std::nullopt;
  SmallVector<Occupants> groups;
  llvm::DenseSet<size_t> seen;
  for (size_t position : *positions) {
    size_t index = placedOnes[position];
    const L2Candidate &other = candidates[index];
    if (!other.meets(candidate) || !seen.insert(index).second)
      continue;
    if (groups.size() == mostOccupants)
      return std::nullopt;
    Occupants group = {
        {index}, other.first, other.last, other.base, other.layout.bytes};
    for (size_t i = 0; i < group.members.size(); ++i)
      for (size_t partner : candidates[group.members[i]].partners)
        if (const L2Candidate &next = candidates[partner];
            next.isPlaced && next.base == group.base &&
            seen.insert(partner).second) {
          group.members.push_back(partner);
          group.first = std::min(group.first, next.first);
          group.last = std::max(group.last, next.last);
        }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Gives what lies in L2 while a candidate would its tight layout, where it is,
/// and says what has one now.
SmallVector<L2Places::Occupants>
L2Places::tightenBeside(const L2Candidate &candidate) {
  std::optional<SmallVector<Occupants>> groups = occupantsBeside(candidate);
  if (!groups)
    return {};
  llvm::erase_if(*groups, [&](const Occupants &group) {
    const L2Candidate &first = candidates[group.members.front()];
    return llvm::any_of(group.members, [&](size_t index) {
      const L2Candidate &member = candidates[index];
      return member.tight.bytes >= member.layout.bytes ||
             member.tight.strides != first.tight.strides;
    });
  });
  for (Occupants &group : *groups)
    exchangeLayouts(group);
  return *groups;
}

/// Members of a group have the other of their two layouts, in the same place.
void L2Places::exchangeLayouts(Occupants &group) {
  giveBack(group, group.base);
  for (size_t index : group.members)
    candidates[index].exchangeLayouts();
  group.bytes = candidates[group.members.front()].layout.bytes;
  take(group, group.base);
}

/// Whether each group has room at a task if it is the first to get another
/// place than the candidate: later it has no more.
bool L2Places::mayMoveAt(size_t task, const L2Candidate &candidate,
                         int64_t base, ArrayRef<Occupants> groups) {
  L2Gaps gaps = free[task];
  for (const Occupants &group : groups)
    if (group.livesAt(task))
      gaps.giveBack(group.base, group.base + group.bytes);
  if (candidate.livesAt(task))
    gaps.take(base, base + candidate.layout.bytes);
  return llvm::all_of(groups, [&](const Occupants &group) {
    return !group.livesAt(task) || mayHold(gaps, needOf(task), group.bytes);
  });
}

/// Gives a candidate this place if what lies there finds another one; partners
/// may stay.
bool L2Places::moveAway(L2Candidate &candidate, int64_t base,
                        ArrayRef<Occupants> occupants) {
  int64_t end = base + candidate.layout.bytes;
  auto stays = [&](const Occupants &group) {
    return group.base == base && llvm::any_of(group.members, [&](size_t index) {
             return llvm::is_contained(candidate.partners, index);
           });
  };
  SmallVector<Occupants> groups;
  for (const Occupants &group : occupants)
    if (group.meets(base, end) && !stays(group))
      groups.push_back(group);
  // Each has to find room below the candidate or above it.
  int64_t mostBeside = std::max(base, target.l2Bytes - end);
  if (llvm::any_of(
          groups,
          [&](const Occupants &group) { return group.bytes > mostBeside; }) ||
      !mayMoveAt(taskWithoutGap, candidate, base, groups))
    return false;
  for (const Occupants &group : groups)
    giveBack(group, group.base);
  if (isFreeOrShared(candidate, base) &&
      lossBelow(candidate.saving, candidate, base)) {
    SmallVector<size_t> taken;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      if (free[task].isFree(base, end)) {
        free[task].take(base, end);
        taken.push_back(task);
      }
    auto byBytes = [](const Occupants &a, const Occupants &b) {
      return std::tuple(b.bytes, a.members.front()) <
             std::tuple(a.bytes, b.members.front());
    };
    auto byTask = [](const Occupants &a, const Occupants &b) {
      return std::tuple(a.first, a.members.front()) <
             std::tuple(b.first, b.members.front());
    };
    // The largest first, or in the order of the tasks if that is another one.
    llvm::sort(groups, byBytes);
    bool isDone = moveTo(groups);
    if (!isDone && !llvm::is_sorted(groups, byTask)) {
      llvm::sort(groups, byTask);
      isDone = moveTo(groups);
    }
    for (size_t task : taken)
      free[task].giveBack(base, end);
    if (isDone) {
      candidate.base = base;
      return true;
    }
  }
  for (const Occupants &group : groups)
    take(group, group.base);
  return false;
}

/// Gives all of these a place that costs nothing, one after the other, or none
/// of them.
bool L2Places::moveTo(ArrayRef<Occupants> groups) {
  SmallVector<int64_t> bases;
  for (const Occupants &group : groups) {
    L2Candidate together;
    together.first = group.first;
    together.last = group.last;
    together.layout.bytes = group.bytes;
    together.saving = 1; // more than it may cost
    if (!placeInGap(together)) {
      for (auto [done, base] : llvm::zip(groups, bases))
        giveBack(done, base);
      return false;
    }
    bases.push_back(together.base);
    take(group, together.base);
  }
  for (auto [group, base] : llvm::zip_equal(groups, bases))
    for (size_t member : group.members)
      candidates[member].base = base;
  return true;
}

void L2Places::take(const Occupants &group, int64_t base) {
  for (size_t task = group.first; task <= group.last; ++task)
    free[task].take(base, base + group.bytes);
}

void L2Places::giveBack(const Occupants &group, int64_t base) {
  for (size_t task = group.first; task <= group.last; ++task)
    free[task].giveBack(base, base + group.bytes);
}
