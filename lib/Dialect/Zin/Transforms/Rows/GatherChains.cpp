//===- GatherChains.cpp - Chains without others between ------------------===//

#include "Rows/GatherChains.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

class Gatherer {
public:
  Gatherer(const TaskGraph &graph, const TargetDescription &target,
           llvm::function_ref<bool(unsigned)> canCut, int64_t mostBytes)
      : graph(graph), target(target), canCut(canCut), mostBytes(mostBytes),
        waitsForChain(graph.tasks.size(), 0),
        waitsForHeld(graph.tasks.size(), 0),
        waitsForBehind(graph.tasks.size(), 0) {}

  std::optional<SmallVector<unsigned>> order() {
    for (unsigned task = 0; task < graph.tasks.size(); ++task)
      add(task);
    close();
    return hasMoved ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  void add(unsigned task) {
    bool isLink = canCut(task) && movesLarge(task);
    if (isLink && takeHeldFor(task)) {
      link(task);
    } else if (!isLink && !chain.empty() && isSmall(task)) {
      hold(task);
    } else {
      close();
      if (isLink)
        link(task);
      else
        result.push_back(task);
    }
  }

  bool movesLarge(unsigned task) const {
    const TaskGraph::Task &node = graph.tasks[task];
    return graph.values[node.writes].isLarge ||
           llvm::any_of(node.reads, [&](unsigned value) {
             return graph.values[value].isLarge;
           });
  }

  bool isSmall(unsigned task) const {
    const TaskGraph::Task &node = graph.tasks[task];
    return !movesLarge(task) &&
           node.writtenBytes + llvm::sum_of(node.readBytes) <=
               target.largeL2Bytes() &&
           movedBytes + node.writtenBytes <= mostBytes;
  }

  void link(unsigned task) {
    chain.push_back(task);
    for (unsigned other : graph.tasks[task].after)
      waitsForChain[other] = number;
  }

  /// Notes a small task that may turn out to stand between two of the chain.
  void hold(unsigned task) {
    held.push_back(task);
    movedBytes += graph.tasks[task].writtenBytes;
    if (waitsForChain[task] != number)
      return;
    for (unsigned other : graph.tasks[task].after) {
      waitsForChain[other] = number;
      waitsForHeld[other] = gap;
    }
  }

  /// Whether the chain may go on with a task, which puts what was held
  /// elsewhere. What can be cut as well does no harm where it is.
  bool takeHeldFor(unsigned next) {
    auto mayStay = [&](unsigned task) {
      return canCut(task) && waitsForBehind[task] != number;
    };
    if (waitsForBehind[next] == number)
      return false;
    if (llvm::all_of(held, mayStay)) {
      for (unsigned task : held)
        link(task);
    } else {
      if (waitsForHeld[next] == gap)
        return false;
      for (unsigned task : held)
        putElsewhere(task);
    }
    held.clear();
    ++gap;
    return true;
  }

  void putElsewhere(unsigned task) {
    hasMoved = true;
    if (waitsForChain[task] != number) {
      front.push_back(task);
      return;
    }
    behind.push_back(task);
    for (unsigned other : graph.tasks[task].after)
      waitsForBehind[other] = number;
  }

  void close() {
    for (SmallVector<unsigned> *part : {&front, &chain, &behind, &held}) {
      llvm::append_range(result, *part);
      part->clear();
    }
    movedBytes = 0;
    ++number;
    ++gap;
  }

  const TaskGraph &graph;
  const TargetDescription &target;
  llvm::function_ref<bool(unsigned)> canCut;
  int64_t mostBytes, movedBytes = 0;
  bool hasMoved = false;

  SmallVector<unsigned> front, chain, behind;
  /// Small tasks since the last one of the chain.
  SmallVector<unsigned> held;
  /// Of the chain, and of the place between two of its tasks.
  unsigned number = 1, gap = 1;
  /// Of each task the last chain that it waits for, or for what waits for it;
  /// the last place where what is held so is held; and the last chain behind
  /// which stands what it waits for.
  SmallVector<unsigned, 0> waitsForChain, waitsForHeld, waitsForBehind;
  SmallVector<unsigned> result;
};

} // namespace

std::optional<SmallVector<unsigned>>
zin::gatherChains(const TaskGraph &graph, const TargetDescription &target,
                  llvm::function_ref<bool(unsigned)> canCut,
                  int64_t mostBytes) {
  return Gatherer(graph, target, canCut, mostBytes).order();
}
