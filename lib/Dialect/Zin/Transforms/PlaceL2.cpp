//===- PlaceL2.cpp - What stays in the scratchpad -------------------------===//

#include "TaskTraffic.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

namespace ane::zin {
#define GEN_PASS_DEF_PLACEL2
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// One use of a buffer by a task.
struct Use {
  size_t task;
  Access::Role role;
  ViewAttr view;
};

/// A buffer that could stay in L2 for some of its accesses.
struct Candidate {
  BufferOp buffer;
  SmallVector<Use> uses; ///< those that find it in L2
  L2Layout layout;
  /// The tasks while it lies there, with a neighbour that may run beside the
  /// first or the last.
  size_t first = 0, last = 0;
  int64_t saving = 0; ///< bytes of DMA
  int64_t base = 0;
  bool isScratch = false;

  /// Bytes of L2 times tasks.
  double area() const { return double(layout.bytes) * (last - first + 1); }
  bool staysInMemory = false; ///< some access reads it from there
};

/// Whether a view has every row of the buffer, once.
bool hasAllRows(ViewAttr buffer, ViewAttr view) {
  if (view.getColumns() != buffer.getColumns() ||
      view.getOffset() != buffer.getOffset())
    return false;
  SmallVector<std::pair<int64_t, int64_t>, numL2Strides> dims;
  int64_t rows = llvm::product_of(buffer.getShape().drop_back());
  for (auto [stride, extent] :
       llvm::zip(view.getStrides(), view.getShape().drop_back()))
    if (extent > 1)
      dims.push_back({stride, extent});
  llvm::sort(dims);
  int64_t next = buffer.getRowStride();
  for (auto [stride, extent] : dims) {
    if (stride != next)
      return false;
    next *= extent;
  }
  return next == rows * buffer.getRowStride();
}

class Placer {
public:
  Placer(ProgramOp program, const TargetDescription &target, int64_t tileBytes)
      : program(program), target(target), tileBytes(tileBytes),
        symbols(program), tasks(program.getOps<TaskOp>()), alive(tasks.size()) {
    for (TaskOp task : tasks) {
      uses.push_back(L2Use::of(task, target));
      passes.push_back(passesOf(task, symbols));
    }
  }

  /// Decides and writes the decision into the program.
  void run() {
    SmallVector<Candidate> candidates = findCandidates();
    SmallVector<size_t> order =
        llvm::to_vector(llvm::seq<size_t>(0, candidates.size()));
    // What saves most for the bytes and tasks that it takes comes first.
    llvm::sort(order, [&](size_t a, size_t b) {
      const Candidate &x = candidates[a], &y = candidates[b];
      double left = double(x.saving) * y.area(),
             right = double(y.saving) * x.area();
      return std::tuple(right, x.layout.bytes, a) <
             std::tuple(left, y.layout.bytes, b);
    });
    for (size_t index : order)
      if (place(candidates[index]))
        placed.push_back(std::move(candidates[index]));
    write();
  }

  unsigned placedCount() const { return placed.size(); }
  int64_t savedBytes() const {
    int64_t sum = 0;
    for (const Candidate &candidate : placed)
      sum += candidate.saving;
    return sum;
  }

private:
  int64_t readBytes(const Use &use) {
    int64_t times = use.role == Access::source1 ? passes[use.task] : 1;
    return bytesOf(use.view) * times;
  }

  SmallVector<Candidate> findCandidates() {
    llvm::MapVector<StringAttr, SmallVector<Use>> uses;
    for (auto [index, task] : llvm::enumerate(tasks))
      for (const Access &access : task.getAccesses())
        uses[access.buffer()].push_back({index, access.role, access.view});
    SmallVector<Candidate> candidates;
    for (auto &[name, list] : uses) {
      Candidate candidate;
      candidate.buffer = symbols.lookup<BufferOp>(name);
      candidate.isScratch = candidate.buffer.getKind() == BufferKind::scratch;
      if (candidate.isScratch ? !chooseScratch(candidate, list)
                              : !chooseKept(candidate, list))
        continue;
      setRange(candidate);
      L2Accesses all;
      for (const Use &use : candidate.uses) {
        all.views.push_back(use.view);
        NEConfigAttr config = tasks[use.task].getNE();
        bool isResult = use.role == Access::result;
        all.isWeighed |= config && !isResult && !config.getKernelless();
        PEConfigAttr planar = tasks[use.task].getPE();
        all.isPlanar |= bool(planar);
        all.isVector |= planar && isResult && planar.getVectorResult();
        all.isExchanged |= config && isResult && config.getTransposed();
      }
      candidate.layout = chooseL2Layout(candidate.buffer.getLayout(), all);
      if (candidate.saving > 0 && candidate.layout.bytes <= target.l2Bytes)
        candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  /// An intermediate value is written to L2 and read there. Coefficients come
  /// from memory, so what is read as such is written there, too.
  bool chooseScratch(Candidate &candidate, ArrayRef<Use> list) {
    if (list.front().role != Access::result)
      return false;
    for (const Use &use : list) {
      if (use.role == Access::kernel) {
        candidate.staysInMemory = true;
        continue;
      }
      candidate.uses.push_back(use);
    }
    for (const Use &use : candidate.uses)
      if (use.role != Access::result)
        candidate.saving += readBytes(use);
      else if (!candidate.staysInMemory)
        candidate.saving += bytesOf(use.view);
    return true;
  }

  /// What comes from outside is fetched once and kept for the tasks after. Only
  /// a first source can be kept; readers before stream it.
  bool chooseKept(Candidate &candidate, ArrayRef<Use> list) {
    candidate.staysInMemory = true;
    if (candidate.buffer.getKind() == BufferKind::output)
      return false;
    const Use *keeper = llvm::find_if(list, [&](const Use &use) {
      return use.role == Access::source1 &&
             hasAllRows(candidate.buffer.getLayout(), use.view);
    });
    if (keeper == list.end())
      return false;
    candidate.uses.push_back(*keeper);
    candidate.saving = readBytes(*keeper) - bytesOf(keeper->view);
    for (const Use &use : list)
      if (use.task > keeper->task && use.role != Access::kernel) {
        candidate.uses.push_back(use);
        candidate.saving += readBytes(use);
      }
    return true;
  }

  bool mayMeet(size_t task) {
    return task + 1 < tasks.size() &&
           zin::mayMeet(tasks[task], tasks[task + 1]);
  }

  void setRange(Candidate &candidate) {
    candidate.first = candidate.uses.front().task;
    candidate.last = candidate.uses.back().task;
    if (candidate.first > 0 && mayMeet(candidate.first - 1))
      --candidate.first;
    if (mayMeet(candidate.last))
      ++candidate.last;
  }

  static Residence residenceOf(const Candidate &candidate, const Use &use) {
    bool fetches = use.role == Access::source1 && !candidate.isScratch &&
                   use.task == candidate.uses.front().task;
    bool stores = use.role == Access::result && candidate.staysInMemory;
    return fetches || stores ? Residence::kept : Residence::resident;
  }

  /// Notes where the operands of its tasks are once the candidate is in L2.
  /// The task that fetches a value may read it twice; its second source
  /// streams.
  void apply(const Candidate &candidate, SmallVectorImpl<L2Use> &all) {
    for (const Use &use : candidate.uses) {
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
                                       const Candidate *more = nullptr) {
    SmallVector<std::pair<int64_t, int64_t>> taken(alive[task]);
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
  std::optional<int64_t> lossOf(size_t task, const Candidate &candidate) {
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
  std::optional<int64_t> lossOf(const Candidate &candidate) {
    int64_t sum = 0;
    for (size_t task = candidate.first; task <= candidate.last; ++task) {
      std::optional<int64_t> loss = lossOf(task, candidate);
      if (!loss)
        return std::nullopt;
      sum += *loss;
    }
    return sum;
  }

  /// Takes the lowest place that is free while the candidate lives and leaves
  /// every task room for its tiles, or costs less than the candidate saves.
  bool place(Candidate &candidate) {
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      llvm::append_range(taken, alive[task]);
    llvm::sort(taken);
    taken.erase(llvm::unique(taken), taken.end());
    // At the start of each gap, or at its end.
    int64_t size = candidate.layout.bytes;
    SmallVector<int64_t> bases = {0, target.l2Bytes - size};
    for (auto [begin, end] : taken)
      llvm::append_values(bases, end, begin - size);
    llvm::sort(bases);
    bases.erase(llvm::unique(bases), bases.end());
    // Only what changes is kept: a copy of all for each candidate would take
    // time in proportion to the square of their number.
    SmallVector<L2Use> before(uses.begin() + candidate.first,
                              uses.begin() + candidate.last + 1);
    apply(candidate, uses);
    int64_t least = candidate.saving;
    std::optional<int64_t> best;
    for (int64_t base : bases) {
      if (base + size > target.l2Bytes || least == 0)
        break;
      if (base < 0 || llvm::any_of(
                          taken,
                          [&](auto range) {
                            return range.first < base + size &&
                                   base < range.second;
                          }))
        continue;
      candidate.base = base;
      std::optional<int64_t> loss = lossOf(candidate);
      if (!loss || *loss >= least)
        continue;
      best = base;
      least = *loss;
    }
    if (!best) {
      llvm::copy(before, uses.begin() + candidate.first);
      return false;
    }
    candidate.base = *best;
    for (size_t task = candidate.first; task <= candidate.last; ++task)
      alive[task].push_back({*best, *best + size});
    return true;
  }

  /// What one task alone reads, if in several passes, need not be kept where a
  /// tile holds all rows of it.
  bool streamsInstead(const Candidate &candidate) {
    if (candidate.isScratch || candidate.uses.size() != 1)
      return false;
    size_t task = candidate.uses.front().task;
    std::pair<int64_t, int64_t> range = {
        candidate.base, candidate.base + candidate.layout.bytes};
    auto without = [&](size_t at) {
      auto taken = alive[at];
      llvm::erase(taken, range);
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
    llvm::erase_if(placed, [&](const Candidate &candidate) {
      return streamsInstead(candidate);
    });
    MLIRContext *context = program.getContext();
    for (const Candidate &candidate : placed)
      BufferOp(candidate.buffer)
          .setL2Attr(L2PlaceAttr::get(context, candidate.base,
                                      candidate.layout.strides));
    for (auto [index, task] : llvm::enumerate(tasks)) {
      L2Use &use = uses[index];
      std::tie(use.begin, use.bytes) = windowAt(index);
      bool streams = use.source1 == Residence::streamed &&
                     use.source2 == Residence::streamed &&
                     use.result == Residence::streamed;
      if (streams && use.bytes == target.l2Bytes)
        continue;
      task.setL2Attr(L2Attr::get(context, use.source1, use.source2, use.result,
                                 use.begin, use.bytes));
    }
  }

  ProgramOp program;
  const TargetDescription &target;
  int64_t tileBytes;
  SymbolTable symbols;
  SmallVector<TaskOp> tasks;
  SmallVector<L2Use> uses;
  SmallVector<int64_t> passes;
  /// What is taken of L2 while each task runs.
  SmallVector<SmallVector<std::pair<int64_t, int64_t>>> alive;
  SmallVector<Candidate> placed;
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
