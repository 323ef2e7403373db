//===- TaskGraph.cpp - What tasks need of each other ----------------------===//

#include "TaskGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The bytes of a buffer between the first and the last of a view.
struct Interval {
  int64_t begin, end;

  explicit Interval(ViewAttr view) : begin(view.getOffset()) {
    end = begin + view.getColumns() * elementBytes;
    for (auto [extent, stride] :
         llvm::zip(view.getShape().drop_back(), view.getStrides()))
      end += (extent - 1) * stride;
  }
  bool overlaps(Interval other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Who has touched what of a buffer.
struct Touches {
  SmallVector<std::pair<unsigned, Interval>, 2> writes, reads;
};

} // namespace

TaskGraph::TaskGraph(ProgramOp program, const TargetDescription &target,
                     int64_t mostBytes) {
  SymbolTable symbols(program);
  DenseMap<StringAttr, unsigned> indexOf;
  SmallVector<Touches, 0> touched;
  auto valueOf = [&](ViewAttr view) {
    StringAttr name = view.getBuffer().getAttr();
    auto [entry, isNew] = indexOf.try_emplace(name, values.size());
    if (isNew) {
      auto buffer = symbols.lookup<BufferOp>(name);
      ViewAttr layout = buffer.getLayout();
      int64_t bytes = target.l2ChannelBytes(layout.getColumns()) *
                      llvm::product_of(layout.getShape().drop_back());
      bool isCandidate =
          buffer.getKind() == BufferKind::scratch && bytes <= mostBytes;
      values.emplace_back().bytes = isCandidate ? bytes : 0;
      touched.emplace_back();
    }
    return entry->second;
  };

  for (TaskOp op : program.getOps<TaskOp>()) {
    unsigned index = tasks.size();
    Task &task = tasks.emplace_back();
    task.op = op;
    SmallVector<unsigned> before;
    auto waitFor = [&](ArrayRef<std::pair<unsigned, Interval>> others,
                       Interval interval) {
      for (auto [other, part] : others)
        if (part.overlaps(interval))
          before.push_back(other);
    };
    std::pair<unsigned, Interval> result = {valueOf(op.getResult()),
                                            Interval(op.getResult())};
    SmallVector<std::pair<unsigned, Interval>, 3> sources;
    for (std::optional<ViewAttr> view :
         {std::optional(op.getSource1()), op.getSource2(), op.getKernelView()})
      if (view)
        sources.push_back({valueOf(*view), Interval(*view)});
    for (auto [value, interval] : sources) {
      waitFor(touched[value].writes, interval);
      if (!llvm::is_contained(task.reads, value))
        task.reads.push_back(value);
    }
    task.writes = result.first;
    waitFor(touched[result.first].writes, result.second);
    waitFor(touched[result.first].reads, result.second);

    for (auto [value, interval] : sources)
      touched[value].reads.push_back({index, interval});
    touched[result.first].writes.push_back({index, result.second});
    for (unsigned value : task.reads) {
      values[value].readers.push_back(index);
      ++values[value].numUses;
    }
    if (!llvm::is_contained(task.reads, task.writes))
      ++values[task.writes].numUses;

    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    task.numBefore = before.size();
    for (unsigned other : before) {
      tasks[other].after.push_back(index);
      task.level = std::max(task.level, tasks[other].level + 1);
    }
  }
}
