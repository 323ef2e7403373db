//===- L2Places.cpp - Where candidates lie in the scratchpad --------------===//

#include "Places/L2Places.h"
#include "Tasks/TaskTraffic.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

L2Places::L2Places(MutableArrayRef<TaskOp> tasks, ArrayRef<int64_t> passes,
                   std::deque<L2Candidate> &candidates,
                   const TargetDescription &target, int64_t tileBytes)
    : tasks(tasks), passes(passes), candidates(candidates), target(target),
      tileBytes(tileBytes), needs(tasks.size()),
      free(tasks.size(), L2Gaps(target.l2Bytes)),
      placedAt(llvm::divideCeil(tasks.size(), stretch)) {
  for (TaskOp task : tasks)
    uses.push_back(L2Use::of(task, target));
}

static Residence residenceOf(const L2Candidate &candidate,
                             const L2Candidate::Use &use) {
  bool stores = use.role == Access::Result && candidate.staysInMemory;
  return use.fetches || stores ? Residence::kept : Residence::resident;
}

/// Notes where the operands of its tasks are once the candidate is in L2.
/// The task that fetches a value may read it twice; its second source
/// streams.
void L2Places::apply(const L2Candidate &candidate) {
  for (const L2Candidate::Use &use : candidate.uses) {
    needs[use.task].reset();
    L2Use &l2 = uses[use.task];
    Residence residence = residenceOf(candidate, use);
    if (use.role == Access::Source1)
      l2.source1 = residence;
    else if (use.role == Access::Source2)
      l2.source2 = residence;
    else
      l2.result = residence;
  }
}

/// Follows from where the operands of the task are, which rarely changes.
const L2Places::Need &L2Places::needOf(size_t task) {
  std::optional<Need> &need = needs[task];
  if (!need) {
    L2Use use = uses[task];
    use.begin = 0;
    use.bytes = std::numeric_limits<int64_t>::max() / 2;
    need = {planL2(tasks[task], use, target)->bytes,
            leastTileBytes(tasks[task], use, target)};
  }
  return *need;
}

/// Whether there may be a place of so many bytes which leaves a task its tiles:
/// where not, it has a loss nowhere.
bool L2Places::mayHold(const L2Gaps &gaps, const Need &need,
                       int64_t bytes) const {
  return gaps.longestBeside(bytes) >=
         std::min(need.all, std::max(tileBytes, need.least));
}

/// What comes again for the passes of a task whose tiles do not hold all rows.
int64_t L2Places::repeatedBytes(size_t task) const {
  if (passes[task] == 1 || uses[task].source1 != Residence::streamed)
    return 0;
  return bytesOf(tasks[task].getSource1()) * (passes[task] - 1);
}

/// What a place that is taken costs a task in bytes of DMA: nothing, what
/// comes again for each pass because its tiles no longer hold all rows, or
/// more than it may, if not even tiles of some height fit.
std::optional<int64_t> L2Places::lossOf(size_t task, int64_t begin,
                                        int64_t end) {
  const Need &need = needOf(task);
  int64_t window = free[task].longestWithout(begin, end);
  if (window >= need.all)
    return 0;
  if (window < std::max(tileBytes, need.least))
    return std::nullopt;
  int64_t again = repeatedBytes(task);
  return again != 0 && free[task].longest().bytes() >= need.all ? again : 0;
}

/// The same for all tasks while the candidate lives, if it is less than a
/// bound.
std::optional<int64_t>
L2Places::lossBelow(int64_t bound, const L2Candidate &candidate, int64_t base) {
  int64_t sum = 0;
  for (size_t task = candidate.first; task <= candidate.last; ++task) {
    std::optional<int64_t> loss =
        lossOf(task, base, base + candidate.layout.bytes);
    if (!loss || sum + *loss >= bound)
      return std::nullopt;
    sum += *loss;
  }
  return sum;
}

/// It takes the place of a partner, or else the lowest place that is free while
/// the candidate lives and leaves every task room for its tiles, or costs less
/// than the candidate saves; or else what is in the way goes elsewhere. Where
/// that finds none, it and what lies beside it have tight layouts.
void L2Places::place(size_t index) {
  L2Candidate &candidate = candidates[index];
  SmallVector<std::tuple<size_t, L2Use, std::optional<Need>>, 4> before;
  for (const L2Candidate::Use &use : candidate.uses)
    before.push_back({use.task, uses[use.task], needs[use.task]});
  apply(candidate);
  if (!placeSomewhere(candidate)) {
    for (auto &[task, use, need] : before) {
      uses[task] = use;
      needs[task] = need;
    }
    return;
  }
  take(index);
}

void L2Places::keep(size_t index) {
  apply(candidates[index]);
  take(index);
}

void L2Places::take(size_t index) {
  L2Candidate &candidate = candidates[index];
  int64_t end = candidate.base + candidate.layout.bytes;
  for (size_t task = candidate.first; task <= candidate.last; ++task)
    free[task].take(candidate.base, end);
  candidate.isPlaced = true;
  for (size_t at = candidate.first / stretch; at <= candidate.last / stretch;
       ++at)
    placedAt[at].push_back(placedOnes.size());
  placedOnes.push_back(index);
}

bool L2Places::placeSomewhere(L2Candidate &candidate) {
  auto isPlaced = [&] {
    return placeOverPartner(candidate) || placeInGap(candidate) ||
           placeByMoving(candidate);
  };
  if (isPlaced())
    return true;
  bool hasTight = candidate.tight.bytes < candidate.layout.bytes;
  if (hasTight) {
    candidate.exchangeLayouts();
    if (isPlaced())
      return true;
  }
  SmallVector<Occupants> groups = tightenBeside(candidate);
  if (!groups.empty() && isPlaced())
    return true;
  for (Occupants &group : groups)
    exchangeLayouts(group);
  if (hasTight)
    candidate.exchangeLayouts();
  return false;
}

bool L2Places::placeOverPartner(L2Candidate &candidate) {
  for (size_t partner : candidate.partners) {
    int64_t base = candidates[partner].base;
    if (!candidates[partner].isPlaced ||
        candidates[partner].layout.strides != candidate.layout.strides ||
        !isFreeOrShared(candidate, base) ||
        !lossBelow(candidate.saving, candidate, base))
      continue;
    candidate.base = base;
    return true;
  }
  return false;
}

bool L2Places::placeInGap(L2Candidate &candidate) {
  int64_t size = candidate.layout.bytes;
  if (candidate.livesAt(taskWithoutGap) && !mayHold(taskWithoutGap, size))
    return false;
  L2Gaps common(target.l2Bytes);
  for (size_t task = candidate.first; task <= candidate.last; ++task) {
    if (!mayHold(task, size)) {
      taskWithoutGap = task;
      return false;
    }
    common.intersect(free[task], size);
    if (common.all().empty())
      return false;
  }
  // At the start of each gap, or at its end.
  SmallVector<int64_t> bases;
  for (const L2Gaps::Gap &gap : common.all())
    llvm::append_values(bases, gap.begin, gap.end - size);
  llvm::sort(bases);
  bases.erase(llvm::unique(bases), bases.end());
  int64_t least = candidate.saving;
  std::optional<int64_t> best;
  for (int64_t base : bases) {
    std::optional<int64_t> loss = lossBelow(least, candidate, base);
    if (!loss)
      continue;
    best = base;
    least = *loss;
    if (least == 0)
      break;
  }
  if (!best)
    return false;
  candidate.base = *best;
  return true;
}

/// Whether nothing lies in a place but partners that share all of it.
bool L2Places::isFreeOrShared(const L2Candidate &candidate,
                              int64_t base) const {
  int64_t size = candidate.layout.bytes;
  auto liesThere = [&](size_t index, size_t task) {
    const L2Candidate &other = candidates[index];
    return other.isPlaced && other.base == base && other.layout.bytes == size &&
           other.livesAt(task);
  };
  for (size_t task = candidate.first; task <= candidate.last; ++task) {
    if (free[task].isFree(base, base + size))
      continue;
    const size_t *found =
        llvm::find_if(candidate.partners,
                      [&](size_t partner) { return liesThere(partner, task); });
    if (found == candidate.partners.end())
      return false;
    // What else lies where the partner does is a partner of it.
    for (size_t other : candidates[*found].partners)
      if (liesThere(other, task) &&
          !llvm::is_contained(candidate.partners, other))
        return false;
  }
  return true;
}

int64_t L2Places::lostBytes(size_t task) {
  int64_t again = repeatedBytes(task);
  return again != 0 && free[task].longest().bytes() < needOf(task).all ? again
                                                                       : 0;
}

L2Use L2Places::withWindow(L2Use use, const L2Gaps &gaps) {
  L2Gaps::Gap window = gaps.longest();
  use.begin = window.begin;
  use.bytes = window.bytes();
  return use;
}

bool L2Places::streamsInstead(const L2Candidate &candidate) {
  if (!candidate.isFetched || candidate.uses.size() != 1)
    return false;
  size_t task = candidate.uses.front().task;
  int64_t end = candidate.base + candidate.layout.bytes;
  L2Gaps after = free[task];
  after.giveBack(candidate.base, end);
  L2Use use = withWindow(uses[task], after);
  use.source1 = Residence::streamed;
  std::optional<L2Plan> plan = planL2(tasks[task], use, target);
  if (!plan || plan->tileHeight < tasks[task].getResult().getRows())
    return false;
  uses[task].source1 = Residence::streamed;
  for (size_t at = candidate.first; at <= candidate.last; ++at)
    free[at].giveBack(candidate.base, end);
  return true;
}

void L2Places::streamWholeTiles() {
  llvm::erase_if(placedOnes, [&](size_t index) {
    return streamsInstead(candidates[index]);
  });
}
