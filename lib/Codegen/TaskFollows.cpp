//===- TaskFollows.cpp - Tasks close behind each other --------------------===//

#include "TaskFollows.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

/// Where what streams passes. Without an L2Attr a task has all of L2 for it.
static L2Range windowOf(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  if (!l2)
    return {0, std::numeric_limits<int64_t>::max()};
  return {l2.getBegin(), l2.getBegin() + l2.getBytes()};
}

static bool streamsResult(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  return !l2 || l2.getResult() == Residence::streamed;
}

static bool streams(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  return streamsResult(task) || l2.getSource1() == Residence::streamed ||
         (task.getSource2() && l2.getSource2() == Residence::streamed);
}

static void addIfInL2(SmallVectorImpl<L2Range> &ranges, const ViewPlace &place,
                      ViewAttr view) {
  if (place.l2)
    ranges.push_back(rangeOf(*place.l2, view));
}

/// Whether both lie in L2, and there in the same place.
static bool isSameView(const std::optional<L2View> &a,
                       const std::optional<L2View> &b) {
  return a && b && a->base == b->base && a->strides == b->strides;
}

/// What a task reads in L2, and where its tiles are; without what it has at
/// `left`.
static SmallVector<L2Range, 4>
readBy(const PlacedTask &task,
       const std::optional<L2View> &left = std::nullopt) {
  SmallVector<L2Range, 4> ranges;
  TaskOp op = task.task;
  if (!isSameView(task.places.source1.l2, left))
    addIfInL2(ranges, task.places.source1, op.getSource1());
  if (op.getSource2() && !isSameView(task.places.source2.l2, left))
    addIfInL2(ranges, task.places.source2, *op.getSource2());
  if (streams(op))
    ranges.push_back(windowOf(op));
  return ranges;
}

/// What a task walks over: its source, or what has the extents of both.
static ViewAttr walkOf(TaskOp task) {
  if (task.getNE())
    return task.getSource1();
  return task.getPE().getReduce() == PEReduce::none
             ? task.getResult()
             : task.getSource2().value_or(task.getSource1());
}

/// Whether each element of a view lies where that of another one does.
static bool isSamePlace(ViewAttr a, ViewAttr b) {
  return a.getOffset() == b.getOffset() && a.getShape() == b.getShape() &&
         llvm::all_of(llvm::seq<unsigned>(W), [&](unsigned dim) {
           return a.getShape()[dim] == 1 ||
                  a.getStrides()[dim] == b.getStrides()[dim];
         });
}

/// Whether a task writes where another reads, but for what that one replaced
/// there itself.
static bool overwrites(const PlacedTask &after, const PlacedTask &before) {
  TaskOp writer = after.task;
  SmallVector<L2Range, 2> written;
  addIfInL2(written, after.places.result, writer.getResult());
  if (streams(writer))
    written.push_back(windowOf(writer));
  const std::optional<L2View> &result = after.places.result.l2;
  bool isReplacedTwice = isSameView(result, before.places.result.l2);
  return meet(written, readBy(before, isReplacedTwice ? result : std::nullopt));
}

/// Whether two tasks in a row may be issued together: they are of two engines
/// and the second reads nothing of the first. Documented: pairs of NE and PE
/// without a dependency.
static bool mayMeet(TaskOp task, TaskOp next) {
  if (bool(task.getPE()) == bool(next.getPE()))
    return false;
  // Of a buffer that several tasks write the second may read another part. That
  // they wait for each other must be sure.
  ViewAttr written = task.getResult();
  return llvm::none_of(next.getAccesses(), [&](const Access &access) {
    return access.role != Access::Result &&
           access.view.getBuffer() == written.getBuffer() &&
           doOverlap(access.view, written);
  });
}

bool codegen::replaces(const PlacedTask &after, const PlacedTask &before) {
  TaskOp task = after.task, taskBefore = before.task;
  if (task.getCoIssued() || !mayMeet(taskBefore, task))
    return false;
  SmallVector<L2Range, 5> taken(readBy(before));
  addIfInL2(taken, before.places.result, taskBefore.getResult());
  L2Range written = streamsResult(task)
                        ? windowOf(task)
                        : rangeOf(*after.places.result.l2, task.getResult());
  return meet(written, taken);
}

/// Whether a neural task needs of each place of its source that place alone.
static bool isPointwise(NEConfigAttr config) {
  auto isOne = [](int64_t extent) { return extent == 1; };
  return llvm::all_of(config.getWindow(), isOne) &&
         llvm::all_of(config.getStride(), isOne);
}

/// Whether the places of `source`, the result of the task before, come in the
/// order in which the task walks over them.
static bool comeInOrder(TaskOp task, ViewAttr source, TaskOp before) {
  ViewAttr walk = walkOf(task);
  // Of a pair of vectors the task before wrote one, and what is read with rows
  // and channels exchanged does not come in that order.
  if (!isSamePlace(source, before.getResult()) ||
      walk.getShape() != walkOf(before).getShape())
    return false;
  if (NEConfigAttr config = task.getNE(); config && !isPointwise(config))
    return false;
  // Sums of channels are complete with the last ones alone.
  if (NEConfigAttr config = before.getNE())
    return config.getUnicast() == 1 && !config.getTransposed() &&
           (task.getNE() ||
            (walk.getRows() == 1 && source.getShape() == walk.getShape()));
  bool reduces = before.getPE().getReduce() != PEReduce::none;
  return !reduces || (source == task.getSource1() && walk.getRows() == 1);
}

Following codegen::mayFollow(const PlacedTask &after,
                             ArrayRef<PlacedTask> before) {
  // So that long programs take no long time; a wait is never wrong.
  constexpr size_t longest = 16;
  if (before.empty() || before.size() > longest)
    return {};
  TaskOp task = after.task, taskBefore = before.back().task;
  auto isOf = [](const std::optional<L2Writer> &writer) {
    return writer && writer->isBefore;
  };
  bool first = isOf(after.places.writer1), second = isOf(after.places.writer2);
  if (first == second || !namesWriters(task) ||
      (first ? after.places.writer1 : after.places.writer2)->isReader ||
      !comeInOrder(task, first ? task.getSource1() : *task.getSource2(),
                   taskBefore))
    return {};
  auto isOverwritten = [&](const PlacedTask &other) {
    return overwrites(after, other);
  };
  bool meetsOlder =
      task.getPE() && llvm::any_of(before.drop_back(), isOverwritten);
  if (isOverwritten(before.back()) || (meetsOlder && taskBefore.getPE()))
    return {};
  return {first, second, meetsOlder};
}
