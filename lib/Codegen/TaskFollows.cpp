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

/// What a task reads in L2, and where its tiles are.
static SmallVector<L2Range, 4> readBy(const PlacedTask &task) {
  SmallVector<L2Range, 4> ranges;
  TaskOp op = task.task;
  addIfInL2(ranges, task.places.source1, op.getSource1());
  if (op.getSource2())
    addIfInL2(ranges, task.places.source2, *op.getSource2());
  if (streams(op))
    ranges.push_back(windowOf(op));
  return ranges;
}

/// What a planar task walks over.
static ViewAttr wholeOf(TaskOp task) {
  return task.getPE().getReduce() == PEReduce::none
             ? task.getResult()
             : task.getSource2().value_or(task.getSource1());
}

static bool hasVectors(TaskOp task) {
  PEConfigAttr config = task.getPE();
  return config.getVector1() || config.getVector2() || config.getVectorResult();
}

/// Whether each element of a view lies where that of another one does.
static bool isSamePlace(ViewAttr a, ViewAttr b) {
  return a.getOffset() == b.getOffset() && a.getShape() == b.getShape() &&
         llvm::all_of(llvm::seq<unsigned>(W), [&](unsigned dim) {
           return a.getShape()[dim] == 1 ||
                  a.getStrides()[dim] == b.getStrides()[dim];
         });
}

/// Whether a task writes where another reads.
static bool overwrites(const PlacedTask &after, const PlacedTask &before) {
  TaskOp writer = after.task;
  SmallVector<L2Range, 2> written;
  addIfInL2(written, after.places.result, writer.getResult());
  if (streams(writer))
    written.push_back(windowOf(writer));
  return meet(written, readBy(before));
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

std::pair<bool, bool> codegen::mayFollow(const PlacedTask &after,
                                         ArrayRef<PlacedTask> before) {
  constexpr std::pair<bool, bool> no = {false, false};
  // So that long programs take no long time; a wait is never wrong.
  constexpr size_t longest = 16;
  if (before.empty() || before.size() > longest)
    return no;
  TaskOp task = after.task, taskBefore = before.back().task;
  auto isOf = [](const std::optional<L2Writer> &writer) {
    return writer && writer->isBefore;
  };
  bool first = isOf(after.places.writer1), second = isOf(after.places.writer2);
  if (first == second || !task.getPE() || !taskBefore.getPE() ||
      task.getL2Attr().getSource1() != Residence::resident ||
      (first ? after.places.writer1 : after.places.writer2)->isReader)
    return no;
  // Of a pair of vectors the task before wrote one, and what is read with rows
  // and channels exchanged does not come in that order.
  ViewAttr source = first ? task.getSource1() : *task.getSource2();
  if (!isSamePlace(source, taskBefore.getResult()))
    return no;
  ViewAttr whole = wholeOf(task), wholeBefore = wholeOf(taskBefore);
  bool isTooSoon = taskBefore.getPE().getReduce() != PEReduce::none &&
                   (second || wholeBefore.getRows() > 1);
  if (whole.getShape() != wholeBefore.getShape() || isTooSoon ||
      hasVectors(task) || hasVectors(taskBefore) ||
      llvm::any_of(before, [&](const PlacedTask &other) {
        return overwrites(after, other);
      }))
    return no;
  return {first, second};
}
