//===- TaskGraph.cpp - What tasks need of each other ----------------------===//

#include "Tasks/TaskGraph.h"
#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Tasks that have read, or written, parts of a buffer. The parts are in order,
/// so that thousands of tasks with a part each do not look at each other's.
class Parts {
public:
  void add(unsigned task, ByteRange bytes) {
    parts.insert(parts.begin() + (behind(bytes.begin) - parts.begin()),
                 {bytes, task});
    longest = std::max(longest, bytes.end - bytes.begin);
  }

  template <typename Function>
  void forEachIn(ByteRange bytes, Function function) const {
    for (const Part *part = behind(bytes.begin - longest);
         part != parts.end() && part->bytes.begin < bytes.end; ++part)
      if (bytes.begin < part->bytes.end)
        function(part->task);
  }

private:
  struct Part {
    ByteRange bytes;
    unsigned task;
  };

  /// The first part that begins behind a place.
  const Part *behind(int64_t place) const {
    return llvm::upper_bound(parts, place, [](int64_t place, const Part &part) {
      return place < part.bytes.begin;
    });
  }

  /// In the order of their begins. Nearly all buffers have one writer and one
  /// reader.
  SmallVector<Part, 1> parts;
  int64_t longest = 0;
};

/// Who has touched what of a buffer.
struct Touches {
  Parts writes, reads;
};

/// Buffers with constants that several products of rows multiply, to which
/// `zin-keep-kernels` gives L2.
DenseSet<StringAttr> keptKernels(ArrayRef<TaskOp> tasks,
                                 const SymbolTable &symbols) {
  DenseMap<StringAttr, unsigned> numProducts;
  for (TaskOp task : tasks)
    if (task.getKernelView())
      ++numProducts[task.getSource1().getBuffer().getAttr()];
  DenseSet<StringAttr> kept;
  for (auto [name, count] : numProducts)
    if (count > 1 &&
        symbols.lookup<BufferOp>(name).getKind() == BufferKind::scratch)
      kept.insert(name);
  for (TaskOp task : tasks)
    for (const Access &access : task.getAccesses())
      if (access.role != Access::Result &&
          symbols.lookup<BufferOp>(access.buffer()).getKind() !=
              BufferKind::constant)
        kept.erase(task.getResult().getBuffer().getAttr());
  return kept;
}

} // namespace

TaskGraph::TaskGraph(ProgramOp program, const SymbolTable &symbols,
                     const TargetDescription &target, int64_t mostBytes) {
  SmallVector<TaskOp> ops(program.getOps<TaskOp>());
  // Tables that grow are filled again and again. Few tasks share a result.
  DenseMap<StringAttr, unsigned> indexOf;
  indexOf.reserve(ops.size());
  std::deque<Touches> touched;
  DenseSet<StringAttr> kept = keptKernels(ops, symbols);
  auto bytesOf = [&](ViewAttr view) {
    return bytesInL2(view.getShape(), target);
  };
  auto valueOf = [&](ViewAttr view) {
    StringAttr name = view.getBuffer().getAttr();
    auto [entry, isNew] = indexOf.try_emplace(name, values.size());
    if (isNew) {
      auto buffer = symbols.lookup<BufferOp>(name);
      int64_t bytes = bytesOf(buffer.getLayout());
      bool isScratch = buffer.getKind() == BufferKind::scratch;
      Value &value = values.emplace_back();
      value.isKept = kept.contains(name);
      value.isLarge =
          isScratch && bytes > (value.isKept ? target.l2Bytes : mostBytes);
      value.bytes = isScratch && !value.isLarge ? bytes : 0;
      touched.emplace_back();
    }
    return entry->second;
  };

  DenseMap<ViewAttr, unsigned> copies;
  for (TaskOp op : ops)
    if (isCopy(op))
      ++copies[op.getSource1()];

  for (TaskOp op : ops) {
    unsigned index = tasks.size();
    Task &task = tasks.emplace_back();
    task.op = op;
    SmallVector<unsigned> before;
    auto waitFor = [&](const Parts &parts, ByteRange bytes) {
      parts.forEachIn(bytes, [&](unsigned other) { before.push_back(other); });
    };
    std::pair<unsigned, ByteRange> result = {valueOf(op.getResult()),
                                             ByteRange(op.getResult())};
    SmallVector<std::pair<unsigned, ByteRange>, 3> sources;
    for (const Access &access : op.getAccesses()) {
      if (access.role == Access::Result)
        continue;
      unsigned value = valueOf(access.view);
      sources.push_back({value, ByteRange(access.view)});
      auto known = llvm::find(task.reads, value);
      if (known == task.reads.end()) {
        task.reads.push_back(value);
        task.readBytes.push_back(bytesOf(access.view));
      } else {
        task.readBytes[known - task.reads.begin()] += bytesOf(access.view);
      }
    }
    for (auto [value, bytes] : sources)
      waitFor(touched[value].writes, bytes);
    ViewAttr source = op.getSource1();
    int64_t sourceBytes = bytesOf(source);
    if (values[valueOf(source)].bytes == 0 && sourceBytes <= target.l2Bytes) {
      task.fetches = source;
      task.fetchedBytes = sourceBytes;
    }
    task.writes = result.first;
    task.writtenBytes = bytesOf(op.getResult());
    waitFor(touched[result.first].writes, result.second);
    waitFor(touched[result.first].reads, result.second);

    for (auto [value, bytes] : sources)
      touched[value].reads.add(index, bytes);
    touched[result.first].writes.add(index, result.second);
    for (unsigned value : task.reads) {
      values[value].readers.push_back(index);
      ++values[value].numUses;
    }
    if (!llvm::is_contained(task.reads, task.writes))
      ++values[task.writes].numUses;

    // One of several copies of the same is there so that L2 has it while it is
    // read. It could come long before, but then L2 would have it for longer.
    if (index > 0 && copies.lookup(op.getSource1()) > 1 && isCopy(op) &&
        task.writtenBytes > 0 && values[task.writes].bytes == task.writtenBytes)
      before.push_back(index - 1);
    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    task.numBefore = before.size();
    for (unsigned other : before) {
      tasks[other].after.push_back(index);
      task.level = std::max(task.level, tasks[other].level + 1);
    }
  }
}

bool TaskGraph::isReturn(unsigned index) const {
  const Task &task = tasks[index];
  return task.numBefore > 0 && values[task.reads.front()].bytes > 0 &&
         values[task.writes].readers.empty() && isCopy(task.op);
}

void zin::putInOrder(ProgramOp program, ArrayRef<TaskOp> order) {
  Block *block = &program.getBody().front();
  for (TaskOp task : order)
    task->moveBefore(block, block->end());
}
