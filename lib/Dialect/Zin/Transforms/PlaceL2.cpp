//===- PlaceL2.cpp - What stays in the scratchpad -------------------------===//

#include "L2Candidates.h"
#include "TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/DenseSet.h"
#include <utility>

namespace ane::zin {
#define GEN_PASS_DEF_PLACEL2
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Bytes of L2 that a candidate has while a task runs.
struct Taken {
  int64_t begin, end;
  size_t candidate;
};

class Placer {
public:
  Placer(ProgramOp program, const TargetDescription &target, int64_t tileBytes)
      : program(program), target(target), tileBytes(tileBytes),
        tasks(program.getOps<TaskOp>()), alive(tasks.size()) {
    SymbolTable symbols(program);
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
  void apply(const L2Candidate &candidate, SmallVectorImpl<L2Use> &all) {
    for (const L2Candidate::Use &use : candidate.uses) {
      L2Use &l2 = all[use.task];
      Residence residence = residenceOf(candidate, use);
      if (use.role == Access::source1)
        l2.source1 = residence;
      else if (use.role == Access::source2)
        l2.source2 = residence;
      else
        l2.result = residence;
    }
  }

  /// The free bytes of L2 while a task runs, the longest piece of them.
  std::pair<int64_t, int64_t> windowAt(size_t task,
                                       const L2Candidate *more = nullptr) {
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (const Taken &range : alive[task])
      taken.push_back({range.begin, range.end});
    if (more)
      taken.push_back({more->base, more->base + more->layout.bytes});
    llvm::sort(taken);
    taken.push_back({target.l2Bytes, target.l2Bytes});
    std::pair<int64_t, int64_t> best = {0, 0};
    int64_t end = 0;
    for (auto [begin, next] : taken) {
      if (begin - end > best.second)
        best = {end, begin - end};
      end = std::max(end, next);
    }
    return best;
  }

  /// What a candidate leaves of L2 costs a task in bytes of DMA: nothing, what
  /// comes again for each pass because its tiles no longer hold all rows, or
  /// more than it may, if not even tiles of some height fit.
  std::optional<int64_t> lossOf(size_t task, const L2Candidate &candidate) {
    L2Use use = uses[task];
    use.begin = 0;
    use.bytes = std::numeric_limits<int64_t>::max() / 2;
    int64_t all = planL2(tasks[task], use, target)->bytes;
    int64_t window = windowAt(task, &candidate).second;
    if (window >= all)
      return 0;
    if (window < std::max(tileBytes, leastTileBytes(tasks[task], use, target)))
      return std::nullopt;
    if (passes[task] == 1 || use.source1 != Residence::streamed ||
        windowAt(task).second < all)
      return 0;
    return bytesOf(tasks[task].getSource1()) * (passes[task] - 1);
  }

  /// The same for all tasks while the candidate lives.
  std::optional<int64_t> lossOf(const L2Candidate &candidate) {
    int64_t sum = 0;
    for (size_t task = candidate.first; task <= candidate.last; ++task) {
      std::optional<int64_t> loss = lossOf(task, candidate);
      if (!loss)
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
    SmallVector<Taken> taken;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      llvm::append_range(taken, alive[task]);
    llvm::sort(taken, [](const Taken &a, const Taken &b) {
      return std::tie(a.begin, a.end, a.candidate) <
             std::tie(b.begin, b.end, b.candidate);
    });
    auto isSame = [](const Taken &a, const Taken &b) {
      return a.candidate == b.candidate;
    };
    taken.erase(llvm::unique(taken, isSame), taken.end());

    // Only what changes is kept: a copy of all for each candidate would take
    // time in proportion to the square of their number.
    SmallVector<L2Use> before(uses.begin() + candidate.first,
                              uses.begin() + candidate.last + 1);
    apply(candidate, uses);
    if (!placeOverPartner(candidate, taken) && !placeInGap(candidate, taken)) {
      llvm::copy(before, uses.begin() + candidate.first);
      return false;
    }
    int64_t end = candidate.base + candidate.layout.bytes;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      alive[task].push_back({candidate.base, end, index});
    candidate.isPlaced = true;
    return true;
  }

  bool placeOverPartner(L2Candidate &candidate, ArrayRef<Taken> taken) {
    for (size_t partner : candidate.partners) {
      int64_t base = candidates[partner].base;
      if (!candidates[partner].isPlaced || !isFree(candidate, base, taken) ||
          costAt(candidate, base) >= candidate.saving)
        continue;
      candidate.base = base;
      return true;
    }
    return false;
  }

  bool placeInGap(L2Candidate &candidate, ArrayRef<Taken> taken) {
    // At the start of each gap, or at its end.
    int64_t size = candidate.layout.bytes;
    SmallVector<int64_t> bases = {0, target.l2Bytes - size};
    for (const Taken &range : taken)
      llvm::append_values(bases, range.end, range.begin - size);
    llvm::sort(bases);
    bases.erase(llvm::unique(bases), bases.end());
    int64_t least = candidate.saving;
    std::optional<int64_t> best;
    for (int64_t base : bases) {
      if (base + size > target.l2Bytes || least == 0)
        break;
      if (base < 0 || !isFree(candidate, base, taken))
        continue;
      int64_t loss = costAt(candidate, base);
      if (loss >= least)
        continue;
      best = base;
      least = loss;
    }
    if (!best)
      return false;
    candidate.base = *best;
    return true;
  }

  /// Whether nothing lies in a place but partners that share all of it.
  bool isFree(const L2Candidate &candidate, int64_t base,
              ArrayRef<Taken> taken) const {
    int64_t end = base + candidate.layout.bytes;
    return llvm::none_of(taken, [&](const Taken &range) {
      if (end <= range.begin || range.end <= base)
        return false;
      return range.begin != base || range.end != end ||
             !llvm::is_contained(candidate.partners, range.candidate);
    });
  }

  /// The loss at a place, or more than any saving.
  int64_t costAt(L2Candidate &candidate, int64_t base) {
    int64_t before = std::exchange(candidate.base, base);
    std::optional<int64_t> loss = lossOf(candidate);
    candidate.base = before;
    return loss.value_or(std::numeric_limits<int64_t>::max());
  }

  /// What one task alone reads, if in several passes, need not be kept where a
  /// tile holds all rows of it.
  bool streamsInstead(size_t index) {
    const L2Candidate &candidate = candidates[index];
    if (!candidate.isFetched || candidate.uses.size() != 1)
      return false;
    size_t task = candidate.uses.front().task;
    auto without = [&](size_t at) {
      auto taken = alive[at];
      llvm::erase_if(
          taken, [&](const Taken &range) { return range.candidate == index; });
      return taken;
    };
    auto before = std::exchange(alive[task], without(task));
    L2Use use = uses[task];
    use.source1 = Residence::streamed;
    std::tie(use.begin, use.bytes) = windowAt(task);
    std::optional<L2Plan> plan = planL2(tasks[task], use, target);
    if (!plan || plan->tileHeight < tasks[task].getResult().getRows()) {
      alive[task] = std::move(before);
      return false;
    }
    uses[task].source1 = Residence::streamed;
    for (size_t at = candidate.first; at <= candidate.last; ++at)
      alive[at] = without(at);
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
      std::tie(use.begin, use.bytes) = windowAt(index);
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
  SmallVector<L2Use> uses;
  SmallVector<int64_t> passes;
  /// What is taken of L2 while each task runs.
  SmallVector<SmallVector<Taken>> alive;
  SmallVector<L2Candidate, 0> candidates, reads;
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
    Placer placer(getOperation(), *description, tileBytes);
    placer.run();
    numPlaced += placer.placedCount();
    savedBytes += placer.savedBytes();
  }
};

} // namespace
