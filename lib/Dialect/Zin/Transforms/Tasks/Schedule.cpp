//===- Schedule.cpp - The order of tasks ----------------------------------===//

#include "Rows/RowTiler.h"
#include "Tasks/TaskGraph.h"
#include "llvm/Support/Parallel.h"
#include <array>
#include <set>

namespace ane::zin {
#define GEN_PASS_DEF_SCHEDULE
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Tasks that are ready for long and are looked at in each step.
constexpr unsigned mostOld = 16;

/// Bytes of DMA of the values between tasks in an order, if L2 holds what it
/// can: what is needed last goes first. A value is there for all tasks or, as
/// zin-place-l2 has it, for none.
class Traffic {
public:
  Traffic(const TaskGraph &graph, ArrayRef<unsigned> order,
          const TargetDescription &target)
      : graph(graph), budgetOfValues(target.usableL2Bytes()),
        budget(budgetOfValues), l2Bytes(target.l2Bytes),
        uses(graph.values.size()), next(graph.values.size(), 0),
        moved(graph.values.size(), 0), isFar(graph.values.size(), false),
        arrival(graph.values.size(), 0) {
    for (auto [place, task] : llvm::enumerate(order))
      forEachValue(task, [&](unsigned value, int64_t) {
        if (uses[value].empty() || uses[value].back() != place)
          uses[value].push_back(place);
      });
    Fetch fetch;
    for (unsigned task : order) {
      run(task);
      const TaskGraph::Task &node = graph.tasks[task];
      if (node.fetches != fetch.view) {
        sums.fetchedBytes += bytesOf(fetch);
        fetch = {node.fetches, node.fetchedBytes};
      }
      ++fetch.numTasks;
      fetch.beside = std::max(fetch.beside, taken);
    }
    sums.fetchedBytes += bytesOf(fetch);
  }

  struct Sums {
    int64_t bytes = 0;
    /// What comes from values that do not stay anyway.
    int64_t fetchedBytes = 0;

    int64_t total() const { return bytes + fetchedBytes; }
  };
  Sums sums;

private:
  /// Tasks one behind the other that read the same of a value which does not
  /// stay.
  struct Fetch {
    ViewAttr view;
    int64_t bytes = 0;
    int64_t numTasks = 0;
    int64_t beside = 0; ///< bytes of values in L2
  };

  /// It comes once, and what has no place beside it moves out and in again; or
  /// it comes for each task.
  int64_t bytesOf(const Fetch &fetch) const {
    if (!fetch.view)
      return 0;
    int64_t outside =
        std::max<int64_t>(fetch.bytes + fetch.beside - l2Bytes, 0);
    return fetch.bytes +
           std::min((fetch.numTasks - 1) * fetch.bytes, 2 * outside);
  }

  /// Each value that could stay in L2, with the bytes of it that a task moves.
  template <typename Function>
  void forEachValue(unsigned task, Function function) const {
    const TaskGraph::Task &node = graph.tasks[task];
    for (auto [value, read] : llvm::zip_equal(node.reads, node.readBytes))
      if (graph.values[value].bytes)
        function(value, read);
    if (graph.values[node.writes].bytes)
      function(node.writes, node.writtenBytes);
  }

  void run(unsigned task) {
    SmallVector<unsigned, 4> present;
    forEachValue(task, [&](unsigned value, int64_t count) {
      moved[value] += count;
      if (isFar[value]) {
        sums.bytes += count;
        return;
      }
      if (llvm::is_contained(present, value))
        return;
      present.push_back(value);
      if (next[value] == 0) {
        arrival[value] = numArrived++;
        add(graph.values[value], 1);
      } else {
        resident.erase(keyOf(value));
      }
    });
    for (unsigned value : present)
      if (++next[value] == uses[value].size())
        add(graph.values[value], -1);
      else
        resident.insert(keyOf(value));
    while (taken > budget && !resident.empty()) {
      unsigned last = std::get<unsigned>(*resident.begin());
      resident.erase(resident.begin());
      add(graph.values[last], -1);
      sums.bytes += moved[last];
      isFar[last] = true;
    }
  }

  /// What comes or goes. The part of L2 that is not for values is for what
  /// does not fit side by side; that of kept kernels, which stay where they are
  /// for long, is for values.
  void add(const TaskGraph::Value &value, int64_t times) {
    taken += times * value.bytes;
    if (value.isKept)
      budget += times * (l2Bytes - budgetOfValues) * value.bytes / l2Bytes;
  }

  /// What is needed last is least, of several what came first. Kept kernels are
  /// last.
  using Key = std::tuple<bool, int64_t, size_t, unsigned>;

  Key keyOf(unsigned value) const {
    return {graph.values[value].isKept, -int64_t(uses[value][next[value]]),
            arrival[value], value};
  }

  const TaskGraph &graph;
  int64_t budgetOfValues, budget, l2Bytes, taken = 0;
  SmallVector<SmallVector<unsigned, 2>, 0> uses; ///< places in the order
  SmallVector<unsigned, 0> next;                 ///< of the uses
  SmallVector<int64_t, 0> moved;                 ///< bytes so far
  SmallVector<bool, 0> isFar;                    ///< has left L2
  SmallVector<size_t, 0> arrival; ///< of values that are or were in L2
  size_t numArrived = 0;
  std::set<Key> resident; ///< what is needed again
};

/// Greedy: of the tasks that wait for nothing the best comes next.
class ListScheduler {
public:
  ListScheduler(const TaskGraph &graph, int64_t budget)
      : graph(graph), budget(budget) {
    for (const TaskGraph::Task &task : graph.tasks)
      waits.push_back(task.numBefore);
    for (const TaskGraph::Value &value : graph.values)
      usesLeft.push_back(value.numUses);
  }

  SmallVector<unsigned> order() {
    SmallVector<unsigned> order;
    SmallVector<unsigned> fresh; // made ready by the last task
    for (auto [index, count] : llvm::enumerate(waits))
      if (count == 0)
        ready.insert(index);
    while (!ready.empty()) {
      unsigned best = *ready.begin();
      auto consider = [&](unsigned task) {
        if (task != best && keyOf(task) < keyOf(best))
          best = task;
      };
      unsigned looked = 0;
      for (auto it = ready.begin(); it != ready.end() && looked < mostOld;
           ++it, ++looked)
        consider(*it);
      for (unsigned task : fresh)
        consider(task);
      ready.erase(best);
      order.push_back(best);
      take(best);
      fresh.clear();
      for (unsigned task : graph.tasks[best].after)
        if (--waits[task] == 0) {
          ready.insert(task);
          fresh.push_back(task);
        }
      last = best;
    }
    return order;
  }

private:
  /// The published tie-breaks in their order, behind copies of what is
  /// returned; what each compares is assigned. Less comes first.
  using Key = std::tuple<bool, bool, bool, bool, bool, int64_t, bool, unsigned,
                         unsigned>;

  Key keyOf(unsigned index) const {
    const TaskGraph::Task &task = graph.tasks[index];
    bool ring = false, branch = false, merge = false, finds = false;
    if (last) {
      const TaskGraph::Task &previous = graph.tasks[*last];
      // The only one to read what was just computed.
      ring = llvm::is_contained(task.reads, previous.writes) &&
             graph.values[previous.writes].readers.size() == 1;
      // Reads what was just read.
      branch = llvm::any_of(task.reads, [&](unsigned value) {
        return graph.values[value].bytes &&
               llvm::is_contained(previous.reads, value);
      });
      finds = task.fetches && task.fetches == previous.fetches;
      // Computes what is needed beside what was just computed.
      merge =
          task.writes == previous.writes ||
          llvm::any_of(graph.values[task.writes].readers, [&](unsigned reader) {
            return llvm::is_contained(graph.tasks[reader].reads,
                                      previous.writes);
          });
    }
    // What takes more comes first while it fits, what takes least otherwise.
    int64_t footprint = growthOf(task);
    bool fits = alive + footprint <= budget;
    return {!graph.isReturn(index),        !ring,  !branch,    !merge, !fits,
            fits ? -footprint : footprint, !finds, task.level, index};
  }

  /// By how much more is alive after a task.
  int64_t growthOf(const TaskGraph::Task &task) const {
    const TaskGraph::Value &result = graph.values[task.writes];
    bool begins = usesLeft[task.writes] == result.numUses;
    int64_t growth = begins ? result.bytes : 0;
    for (unsigned value : task.reads)
      if (usesLeft[value] == 1)
        growth -= graph.values[value].bytes;
    return growth;
  }

  void take(unsigned index) {
    const TaskGraph::Task &task = graph.tasks[index];
    alive += growthOf(task);
    for (unsigned value : task.reads)
      --usesLeft[value];
    if (!llvm::is_contained(task.reads, task.writes))
      --usesLeft[task.writes];
  }

  const TaskGraph &graph;
  int64_t budget, alive = 0;
  SmallVector<unsigned, 0> waits, usesLeft;
  std::set<unsigned> ready;
  std::optional<unsigned> last;
};

/// The order of the program, but for copies of what is returned and read as
/// well, which stand at its end: each comes right behind the last task that
/// computes a part of it, so that L2 need not hold that until the end.
SmallVector<unsigned> withEarlyReturns(const TaskGraph &graph) {
  SmallVector<unsigned> order, waits;
  for (const TaskGraph::Task &task : graph.tasks)
    waits.push_back(task.numBefore);
  for (unsigned task : llvm::seq<unsigned>(0, graph.tasks.size())) {
    if (!graph.isReturn(task))
      order.push_back(task);
    for (unsigned next : graph.tasks[task].after)
      if (--waits[next] == 0 && graph.isReturn(next))
        order.push_back(next);
  }
  return order;
}

class Schedule : public ane::zin::impl::ScheduleBase<Schedule> {
public:
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    int64_t budget = description->usableL2Bytes();
    TaskGraph graph(getOperation(), getAnalysis<SymbolTable>(), *description,
                    budget);
    markAnalysesPreserved<SymbolTable, ScheduledRows>();
    SmallVector<unsigned> given =
        llvm::to_vector(llvm::seq<unsigned>(0, graph.tasks.size()));
    Choice choice = {given, Traffic(graph, given, *description).sums, nullptr};
    if (choice.moved.bytes == 0)
      return;
    tryOrder(withEarlyReturns(graph), graph, *description, choice);
    tryOrder(ListScheduler(graph, budget).order(), graph, *description, choice);
    for (auto [place, task] : llvm::enumerate(choice.order))
      numMoved += place != task;
    getAnalysis<ScheduledRows>().tiler = std::move(choice.tiler);
  }

private:
  /// The order that the tasks are in.
  struct Choice {
    SmallVector<unsigned> order;
    Traffic::Sums moved;
    /// Its blocks of rows, once they have been asked for.
    std::unique_ptr<RowTiler> tiler;
  };

  /// What takes longest, and changes nothing: for both at a time.
  static void chooseBoth(RowTiler &one, RowTiler &other) {
    llvm::parallelForEach(std::array<RowTiler *, 2>{&one, &other},
                          [](RowTiler *tiler) { tiler->choose(); });
  }

  /// Puts the tasks in another order if that moves fewer bytes.
  void tryOrder(ArrayRef<unsigned> order, const TaskGraph &graph,
                const TargetDescription &target, Choice &choice) {
    if (order == ArrayRef(choice.order))
      return;
    Traffic::Sums moved = Traffic(graph, order, target).sums;
    int64_t saving = choice.moved.total() - moved.total();
    if (saving <= 0)
      return;
    auto put = [&](ArrayRef<unsigned> places) {
      putInOrder(getOperation(),
                 llvm::map_to_vector(places, [&](unsigned task) {
                   return graph.tasks[task].op;
                 }));
    };
    auto tilerNow = [&] {
      return std::make_unique<RowTiler>(getOperation(),
                                        getAnalysis<SymbolTable>(), target);
    };
    if (!choice.tiler)
      choice.tiler = tilerNow();
    put(order);
    std::unique_ptr<RowTiler> tiler;
    // Blocks of rows are only of values that are larger than L2.
    if (choice.tiler->blocks().hasLarge()) {
      tiler = tilerNow();
      chooseBoth(*choice.tiler, *tiler);
      saving = choice.moved.bytes + choice.tiler->choose() - moved.bytes -
               tiler->choose();
      if (saving <= 0)
        return put(choice.order);
    }
    choice = {llvm::to_vector(order), moved, std::move(tiler)};
    savedBytes += saving;
  }
};

} // namespace
