//===- PairEngines.cpp - Tasks that may be issued together ----------------===//

#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/Images.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_PAIRENGINES
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

bool isFetched(const Access &access) {
  return access.role != Access::Result &&
         access.residence != Residence::resident;
}

/// So far back a task looks for others, so that long programs take no long
/// time; what is farther away makes no pair.
constexpr size_t farthest = 64;

/// The tasks of a program and what they have in L2.
class Pairs {
public:
  Pairs(ArrayRef<TaskOp> tasks, const SymbolTable &symbols,
        const TargetDescription &target, bool neuralFirst)
      : tasks(tasks), symbols(symbols), target(target),
        neuralFirst(neuralFirst) {}

  /// Marks the task behind `index` if both may be issued together.
  bool mark(size_t index);

private:
  using Ranges = SmallVector<L2Range, 8>;

  bool isOrdered(size_t index) const;
  bool isOwnResult(size_t index, ViewAttr view) const;
  bool endsGroup(size_t index);
  BufferOp bufferOf(ViewAttr view) const {
    return symbols.lookup<BufferOp>(view.getBuffer().getAttr());
  }
  /// Whether no task writes a buffer.
  bool isConstant(ViewAttr view) const {
    BufferOp buffer = bufferOf(view);
    return buffer.getKind() == BufferKind::constant ||
           (buffer.getKind() == BufferKind::input && !buffer.getShared());
  }
  void addPlaced(Ranges &ranges, TaskOp task) const;
  std::optional<Ranges> takenBefore(size_t index) const;
  bool moveTiles(TaskOp task, const Ranges &taken) const;

  ArrayRef<TaskOp> tasks;
  const SymbolTable &symbols;
  const TargetDescription &target;
  bool neuralFirst;
  SmallVector<bool> groupEnds; // once a pair asks
};

} // namespace

/// Whether what a task reads in L2 is from a task of its own engine, which has
/// begun before and is done in time, and not from the one before it.
bool Pairs::isOwnResult(size_t index, ViewAttr view) const {
  for (size_t before = index; before-- > index - std::min(index, farthest);) {
    TaskOp task = tasks[before];
    for (const Access &access : task.getAccesses())
      if (access.residence != Residence::streamed &&
          (access.role == Access::Result || isFetched(access)) &&
          access.view.getBuffer() == view.getBuffer())
        return bool(task.getPE()) == bool(TaskOp(tasks[index]).getPE());
  }
  return false;
}

/// Whether a task behind another one, of the other engine, has to wait for it,
/// or for what was stored in memory before. What it reads must come from
/// where no task writes, so that it waits for nothing.
bool Pairs::isOrdered(size_t index) const {
  TaskOp task = tasks[index], next = tasks[index + 1];
  if (task.getCoIssued() || bool(task.getPE()) == bool(next.getPE()) ||
      (task.getNE() && !neuralFirst) || next.getKernelView())
    return true;
  for (const Access &access : next.getAccesses())
    if (access.role != Access::Result &&
        !(isFetched(access) ? isConstant(access.view)
                            : isOwnResult(index + 1, access.view)))
      return true;
  if (staysInL2(next))
    return false;
  // Both results to memory are one too many; and what is stored must not be
  // where the task before fetches.
  return !staysInL2(task) ||
         bufferOf(next.getResult()).getKind() != BufferKind::output ||
         llvm::any_of(task.getAccesses(), [&](const Access &access) {
           return isFetched(access) && !isConstant(access.view);
         });
}

/// Tasks of two groups are not issued together: the first of a group waits.
bool Pairs::endsGroup(size_t index) {
  if (groupEnds.empty())
    groupEnds = findGroupEnds(tasks, findImages(tasks));
  return groupEnds[index];
}

/// What a task has in L2 but for its tiles.
void Pairs::addPlaced(Ranges &ranges, TaskOp task) const {
  for (const Access &access : task.getAccesses())
    if (access.residence != Residence::streamed)
      if (std::optional<L2View> place =
              viewInL2(task, access, bufferOf(access.view)))
        ranges.push_back(rangeOf(*place, access.view));
}

/// What a task has in L2, and tasks in front of it that may still run when it
/// begins: each of the same engine, and read by the one behind it.
std::optional<Pairs::Ranges> Pairs::takenBefore(size_t index) const {
  Ranges ranges;
  for (size_t count = 0; count < farthest; ++count, --index) {
    TaskOp task = tasks[index];
    addPlaced(ranges, task);
    L2Use use = L2Use::of(task, target);
    std::optional<L2Plan> plan = planL2(task, use, target);
    if (!plan)
      return std::nullopt;
    ranges.push_back({use.begin, use.begin + plan->bytes});
    if (index == 0)
      return ranges;
    TaskOp before = tasks[index - 1];
    if (bool(before.getPE()) != bool(task.getPE()) ||
        llvm::none_of(task.getAccesses(), [&](const Access &access) {
          return access.role != Access::Result &&
                 access.view.getBuffer() == before.getResult().getBuffer();
        }))
      return ranges;
  }
  return std::nullopt;
}

/// Gives the tiles of a task a place in its window where nothing else is, if
/// there is one in which they have as many rows.
bool Pairs::moveTiles(TaskOp task, const Ranges &taken) const {
  L2Use use = L2Use::of(task, target);
  std::optional<L2Plan> plan = planL2(task, use, target);
  if (!plan || !task.getL2Attr())
    return false;
  int64_t end = use.begin + use.bytes;
  SmallVector<int64_t> begins = {use.begin};
  for (const L2Range &range : taken)
    begins.push_back(llvm::alignTo(range.end, l2Granule));
  llvm::sort(begins);
  for (int64_t begin : begins) {
    L2Range tiles = {begin, begin + plan->bytes};
    if (begin < use.begin || tiles.end > end || meet(tiles, taken))
      continue;
    L2Use moved = use;
    moved.begin = begin;
    moved.bytes = plan->bytes;
    std::optional<L2Plan> there = planL2(task, moved, target);
    if (!there || there->tileHeight != plan->tileHeight ||
        there->bytes != plan->bytes)
      continue;
    task.setL2Attr(L2Attr::get(task.getContext(), use.source1, use.source2,
                               use.result, begin, plan->bytes,
                               task.getL2Attr().getPlace()));
    return true;
  }
  return false;
}

bool Pairs::mark(size_t index) {
  TaskOp next = tasks[index + 1];
  if (isOrdered(index) || endsGroup(index))
    return false;
  std::optional<Ranges> taken = takenBefore(index);
  if (!taken)
    return false;
  Ranges placed;
  addPlaced(placed, next);
  if (meet(placed, *taken))
    return false;
  if (!moveTiles(next, *taken))
    return false;
  next.setCoIssued(true);
  return true;
}

namespace {

class PairEngines : public ane::zin::impl::PairEnginesBase<PairEngines> {
public:
  using PairEnginesBase::PairEnginesBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    SmallVector<TaskOp> tasks(getOperation().getOps<TaskOp>());
    Pairs pairs(tasks, getAnalysis<SymbolTable>(), *description, neuralFirst);
    markAnalysesPreserved<SymbolTable>();
    for (size_t i = 0; i + 1 < tasks.size(); ++i)
      numPairs += pairs.mark(i);
  }
};

} // namespace
