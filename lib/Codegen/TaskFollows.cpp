//===- TaskFollows.cpp - Tasks close behind each other --------------------===//

#include "TaskFollows.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

namespace {

/// Bytes of L2.
struct Range {
  int64_t begin, end;

  bool meets(const Range &other) const {
    return begin < other.end && other.begin < end;
  }
};

} // namespace

static Range rangeOf(const L2View &place, ViewAttr view) {
  Range range = {place.base, place.base + view.getColumns() * elementBytes};
  for (auto [extent, stride] :
       llvm::zip(view.getShape().take_front(numL2Strides), place.strides))
    range.end += (extent - 1) * stride;
  return range;
}

/// Where what streams passes.
static std::optional<Range> window(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  bool streams = l2.getSource1() == Residence::streamed ||
                 l2.getResult() == Residence::streamed ||
                 (task.getSource2() && l2.getSource2() == Residence::streamed);
  if (!streams)
    return std::nullopt;
  return Range{l2.getBegin(), l2.getBegin() + l2.getBytes()};
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
  TaskOp writer = after.task, reader = before.task;
  SmallVector<Range, 2> written;
  if (after.places.result.l2)
    written.push_back(rangeOf(*after.places.result.l2, writer.getResult()));
  if (std::optional<Range> tiles = window(writer))
    written.push_back(*tiles);
  SmallVector<Range, 3> read;
  if (before.places.source1.l2)
    read.push_back(rangeOf(*before.places.source1.l2, reader.getSource1()));
  if (before.places.source2.l2)
    read.push_back(rangeOf(*before.places.source2.l2, *reader.getSource2()));
  if (std::optional<Range> tiles = window(reader))
    read.push_back(*tiles);
  return llvm::any_of(written, [&](const Range &range) {
    return llvm::any_of(read,
                        [&](const Range &other) { return range.meets(other); });
  });
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
