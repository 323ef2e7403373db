//===- PlaceL2.cpp - What stays in the scratchpad -------------------------===//

#include "L2Candidates.h"
#include "L2Gaps.h"
#include "TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace ane::zin {
#define GEN_PASS_DEF_PLACEL2
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

class Placer {
public:
  Placer(ProgramOp program, SymbolTable &symbols,
         const TargetDescription &target, int64_t tileBytes)
      : program(program), target(target), tileBytes(tileBytes),
        tasks(program.getOps<TaskOp>()), needs(tasks.size()),
        free(tasks.size(), L2Gaps(target.l2Bytes)) {
    for (TaskOp task : tasks) {
      uses.push_back(L2Use::of(task, target));
      passes.push_back(passesOf(task, symbols));
    }
    L2Candidates found = findL2Candidates(tasks, passes, symbols, target);
    candidates = std::move(found.buffers);
    reads = std::move(found.reads);
  }

  /// Decides and writes the decision into the program.
  void run() {
    placeFrom(0);
    llvm::DenseSet<Operation *> isThere;
    for (size_t index : placed)
      isThere.insert(candidates[index].buffer);
    numBuffers = candidates.size();
    for (L2Candidate &candidate : reads)
      if (!isThere.contains(candidate.buffer))
        candidates.push_back(std::move(candidate));
    placeFrom(numBuffers);
    write();
  }

  unsigned placedCount() const { return placed.size(); }
  int64_t savedBytes() const {
    int64_t sum = 0;
    for (size_t index : placed)
      sum += candidates[index].saving;
    return sum;
  }

private:
  /// Places candidates from one on. What saves most for the bytes and tasks
  /// that it takes comes first.
  void placeFrom(size_t first) {
    SmallVector<size_t> order =
        llvm::to_vector(llvm::seq<size_t>(first, candidates.size()));
    llvm::sort(order, [&](size_t a, size_t b) {
      const L2Candidate &x = candidates[a], &y = candidates[b];
      double left = double(x.saving) * y.area(),
             right = double(y.saving) * x.area();
      return std::tuple(right, x.layout.bytes, a) <
             std::tuple(left, y.layout.bytes, b);
    });
    for (size_t index : order)
      if (place(index))
        placed.push_back(index);
  }

  static Residence residenceOf(const L2Candidate &candidate,
                               const L2Candidate::Use &use) {
    bool stores = use.role == Access::result && candidate.staysInMemory;
    return use.fetches || stores ? Residence::kept : Residence::resident;
  }

  /// Notes where the operands of its tasks are once the candidate is in L2.
  /// The task that fetches a value may read it twice; its second source
  /// streams.
  void apply(const L2Candidate &candidate) {
    for (const L2Candidate::Use &use : candidate.uses) {
      needs[use.task].reset();
      L2Use &l2 = uses[use.task];
      Residence residence = residenceOf(candidate, use);
      if (use.role == Access::source1)
        l2.source1 = residence;
      else if (use.role == Access::source2)
        l2.source2 = residence;
      else
        l2.result = residence;
    }
  }

  /// What the tiles of a task take where nothing bounds them, and at least.
  struct Need {
    int64_t all, least;
  };

  /// Follows from where the operands of the task are, which rarely changes.
  const Need &needOf(size_t task) {
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

  /// What a place that is taken costs a task in bytes of DMA: nothing, what
  /// comes again for each pass because its tiles no longer hold all rows, or
  /// more than it may, if not even tiles of some height fit.
  std::optional<int64_t> lossOf(size_t task, int64_t begin, int64_t end) {
    const Need &need = needOf(task);
    int64_t window = free[task].longestWithout(begin, end);
    if (window >= need.all)
      return 0;
    if (window < std::max(tileBytes, need.least))
      return std::nullopt;
    if (passes[task] == 1 || uses[task].source1 != Residence::streamed ||
        free[task].longest().bytes() < need.all)
      return 0;
    return bytesOf(tasks[task].getSource1()) * (passes[task] - 1);
  }

  /// The same for all tasks while the candidate lives, if it is less than a
  /// bound.
  std::optional<int64_t> lossBelow(int64_t bound, const L2Candidate &candidate,
                                   int64_t base) {
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

  /// Takes the place of a partner, or else the lowest place that is free while
  /// the candidate lives and leaves every task room for its tiles, or costs
  /// less than the candidate saves.
  bool place(size_t index) {
    L2Candidate &candidate = candidates[index];
    SmallVector<std::pair<size_t, L2Use>> before;
    for (const L2Candidate::Use &use : candidate.uses)
      before.push_back({use.task, uses[use.task]});
    apply(candidate);
    if (!placeOverPartner(candidate) && !placeInGap(candidate)) {
      for (auto &[task, use] : before) {
        uses[task] = use;
        needs[task].reset();
      }
      return false;
    }
    int64_t end = candidate.base + candidate.layout.bytes;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      free[task].take(candidate.base, end);
    candidate.isPlaced = true;
    return true;
  }

  bool placeOverPartner(L2Candidate &candidate) {
    for (size_t partner : candidate.partners) {
      int64_t base = candidates[partner].base;
      if (!candidates[partner].isPlaced || !isFreeOrShared(candidate, base) ||
          !lossBelow(candidate.saving, candidate, base))
        continue;
      candidate.base = base;
      return true;
    }
    return false;
  }

  bool placeInGap(L2Candidate &candidate) {
    int64_t size = candidate.layout.bytes;
    L2Gaps common(target.l2Bytes);
    for (size_t task = candidate.first; task <= candidate.last; ++task) {
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
  bool isFreeOrShared(const L2Candidate &candidate, int64_t base) const {
    int64_t size = candidate.layout.bytes;
    auto liesThere = [&](size_t index, size_t task) {
      const L2Candidate &other = candidates[index];
      return other.isPlaced && other.base == base &&
             other.layout.bytes == size && other.first <= task &&
             task <= other.last;
    };
    for (size_t task = candidate.first; task <= candidate.last; ++task) {
      if (free[task].isFree(base, base + size))
        continue;
      const size_t *found =
          llvm::find_if(candidate.partners, [&](size_t partner) {
            return liesThere(partner, task);
          });
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

  /// Tiles have the longest free piece of L2.
  static void setWindow(L2Use &use, const L2Gaps &gaps) {
    L2Gaps::Gap window = gaps.longest();
    use.begin = window.begin;
    use.bytes = window.bytes();
  }

  /// What one task alone reads, if in several passes, need not be kept where a
  /// tile holds all rows of it.
  bool streamsInstead(size_t index) {
    const L2Candidate &candidate = candidates[index];
    if (!candidate.isFetched || candidate.uses.size() != 1)
      return false;
    size_t task = candidate.uses.front().task;
    int64_t end = candidate.base + candidate.layout.bytes;
    L2Gaps after = free[task];
    after.giveBack(candidate.base, end);
    L2Use use = uses[task];
    use.source1 = Residence::streamed;
    setWindow(use, after);
    std::optional<L2Plan> plan = planL2(tasks[task], use, target);
    if (!plan || plan->tileHeight < tasks[task].getResult().getRows())
      return false;
    uses[task].source1 = Residence::streamed;
    for (size_t at = candidate.first; at <= candidate.last; ++at)
      free[at].giveBack(candidate.base, end);
    return true;
  }

  void write() {
    llvm::erase_if(placed, [&](size_t index) { return streamsInstead(index); });
    MLIRContext *context = program.getContext();
    llvm::DenseMap<size_t, L2PlaceAttr> places;
    for (size_t index : placed) {
      L2Candidate &candidate = candidates[index];
      auto place =
          L2PlaceAttr::get(context, candidate.base, candidate.layout.strides);
      if (index < numBuffers)
        candidate.buffer.setL2Attr(place);
      else
        for (const L2Candidate::Use &use : candidate.uses)
          places[use.task] = place;
    }
    for (auto [index, task] : llvm::enumerate(tasks)) {
      L2Use &use = uses[index];
      setWindow(use, free[index]);
      bool streams = use.source1 == Residence::streamed &&
                     use.source2 == Residence::streamed &&
                     use.result == Residence::streamed;
      if (streams && use.bytes == target.l2Bytes)
        continue;
      task.setL2Attr(L2Attr::get(context, use.source1, use.source2, use.result,
                                 use.begin, use.bytes, places.lookup(index)));
    }
  }

  ProgramOp program;
  const TargetDescription &target;
  int64_t tileBytes;
  SmallVector<TaskOp> tasks;
  std::deque<L2Use> uses;
  SmallVector<int64_t> passes;
  /// Of each task; what changes where its operands are takes it away.
  std::deque<std::optional<Need>> needs;
  /// What is free of L2 while each task runs.
  std::deque<L2Gaps> free;
  std::deque<L2Candidate> candidates, reads;
  /// Of the candidates; behind them are reads.
  size_t numBuffers = 0;
  SmallVector<size_t> placed;
};

class PlaceL2 : public ane::zin::impl::PlaceL2Base<PlaceL2> {
public:
  using PlaceL2Base::PlaceL2Base;

  void runOnOperation() override {
    const TargetDescription *description = findTarget(target);
    if (!description) {
      getOperation().emitError() << unknownTarget(target);
      return signalPassFailure();
    }
    Placer placer(getOperation(), getAnalysis<SymbolTable>(), *description,
                  tileBytes);
    markAnalysesPreserved<SymbolTable>();
    placer.run();
    numPlaced += placer.placedCount();
    savedBytes += placer.savedBytes();
  }
};

} // namespace
