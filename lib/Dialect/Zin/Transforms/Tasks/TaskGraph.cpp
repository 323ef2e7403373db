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

/// Tasks that have read, or written, parts of a buffer, without what was
/// written over since: who touches that waits for the task that wrote it, which
/// waits for them. Thousands of tasks with a part each, be it a column of one
/// matrix, do not look at each other's, and have few to wait for.
class Parts {
public:
  void addRead(unsigned task, ByteRange bytes) {
    insert({bytes, task});
    longest = std::max(longest, bytes.end - bytes.begin);
  }

  void addWrite(unsigned task, ByteRange bytes) {
    cut(bytes);
    insert({bytes, task});
  }

  /// Leaves of each part what lies outside of these bytes.
  void cut(ByteRange bytes) {
    Part *first = parts.begin() + (firstIn(bytes) - parts.begin()), *part;
    SmallVector<Part, 4> left, behindThem;
    for (part = first; part != parts.end() && part->bytes.begin < bytes.end;
         ++part) {
      ByteRange before = part->bytes, after = part->bytes;
      before.end = std::min(before.end, bytes.begin);
      after.begin = std::max(after.begin, bytes.end);
      if (before.begin < before.end)
        left.push_back({before, part->task});
      if (after.begin < after.end)
        behindThem.push_back({after, part->task});
    }
    llvm::append_range(left, behindThem);
    first = parts.erase(first, part);
    parts.insert(first, left.begin(), left.end());
  }

  template <typename Function>
  void forEachIn(ByteRange bytes, Function function) const {
    for (const Part *part = firstIn(bytes);
         part != parts.end() && part->bytes.begin < bytes.end; ++part)
      if (bytes.begin < part->bytes.end)
        function(part->task);
  }

private:
  struct Part {
    ByteRange bytes;
    unsigned task;
  };

  void insert(Part part) {
    parts.insert(parts.begin() + (behind(part.bytes.begin) - parts.begin()),
                 part);
  }

  /// The first part that may have some of these bytes.
  const Part *firstIn(ByteRange bytes) const {
    const Part *part = behind(bytes.begin - longest);
    return part == parts.begin() ? part : part - 1;
  }

  /// The first part that begins behind a place.
  const Part *behind(int64_t place) const {
    return llvm::upper_bound(parts, place, [](int64_t place, const Part &part) {
      return place < part.bytes.begin;
    });
  }

  /// In the order of their begins. Nearly all buffers have one writer and one
  /// reader.
  SmallVector<Part, 1> parts;
  /// Of those read, which may overlap; what is left of those written does not.
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

/// Adds the tasks of a program in their order.
class TaskGraph::Reader {
public:
  Reader(TaskGraph &graph, ArrayRef<TaskOp> ops, const SymbolTable &symbols,
         const TargetDescription &target, int64_t mostBytes)
      : graph(graph), symbols(symbols), target(target), mostBytes(mostBytes),
        kept(keptKernels(ops, symbols)) {
    // Tables that grow are filled again and again. Few tasks share a result.
    indexOf.reserve(ops.size());
    for (TaskOp op : ops)
      if (isCopy(op))
        ++copies[op.getSource1()];
  }

  void add(TaskOp op) {
    unsigned index = graph.tasks.size();
    Task &task = graph.tasks.emplace_back();
    task.op = op;
    Range result = rangeOf(op.getResult());
    task.writes = result.value;
    task.writtenBytes = bytesOf(op.getResult());
    SmallVector<Range, 3> sources = addSources(task);
    SmallVector<unsigned> before = tasksBefore(sources, result);
    touch(index, sources, result);
    if (index > 0 && isOneOfCopies(task))
      before.push_back(index - 1);
    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    task.numBefore = before.size();
    for (unsigned other : before) {
      graph.tasks[other].after.push_back(index);
      task.level = std::max(task.level, graph.tasks[other].level + 1);
    }
  }

private:
  /// Bytes of a value that a task reads or writes.
  struct Range {
    unsigned value;
    ByteRange bytes;
  };

  int64_t bytesOf(ViewAttr view) const {
    return bytesInL2(view.getShape(), target);
  }

  Range rangeOf(ViewAttr view) { return {valueOf(view), ByteRange(view)}; }

  unsigned valueOf(ViewAttr view) {
    StringAttr name = view.getBuffer().getAttr();
    auto [entry, isNew] = indexOf.try_emplace(name, graph.values.size());
    if (isNew) {
      auto buffer = symbols.lookup<BufferOp>(name);
      int64_t bytes = bytesOf(buffer.getLayout());
      bool isScratch = buffer.getKind() == BufferKind::scratch;
      Value &value = graph.values.emplace_back();
      value.isKept = kept.contains(name);
      value.isLarge =
          isScratch && bytes > (value.isKept ? target.l2Bytes : mostBytes);
      value.bytes = isScratch && !value.isLarge ? bytes : 0;
      touched.emplace_back();
    }
    return entry->second;
  }

  SmallVector<Range, 3> addSources(Task &task) {
    SmallVector<Range, 3> sources;
    for (const Access &access : task.op.getAccesses()) {
      if (access.role == Access::Result)
        continue;
      sources.push_back(rangeOf(access.view));
      unsigned value = sources.back().value;
      auto known = llvm::find(task.reads, value);
      if (known == task.reads.end()) {
        task.reads.push_back(value);
        task.readBytes.push_back(bytesOf(access.view));
      } else {
        task.readBytes[known - task.reads.begin()] += bytesOf(access.view);
      }
    }
    ViewAttr source = task.op.getSource1();
    int64_t bytes = bytesOf(source);
    if (graph.values[valueOf(source)].bytes == 0 && bytes <= target.l2Bytes) {
      task.fetches = source;
      task.fetchedBytes = bytes;
    }
    return sources;
  }

  /// The tasks that have last written what is read, or touched what is written.
  SmallVector<unsigned> tasksBefore(ArrayRef<Range> sources,
                                    const Range &result) const {
    SmallVector<unsigned> tasks;
    auto append = [&](const Parts &parts, ByteRange bytes) {
      parts.forEachIn(bytes, [&](unsigned task) { tasks.push_back(task); });
    };
    for (const Range &source : sources)
      append(touched[source.value].writes, source.bytes);
    append(touched[result.value].writes, result.bytes);
    append(touched[result.value].reads, result.bytes);
    return tasks;
  }

  void touch(unsigned index, ArrayRef<Range> sources, const Range &result) {
    for (const Range &source : sources)
      touched[source.value].reads.addRead(index, source.bytes);
    touched[result.value].reads.cut(result.bytes);
    touched[result.value].writes.addWrite(index, result.bytes);
    const Task &task = graph.tasks[index];
    for (unsigned value : task.reads) {
      graph.values[value].readers.push_back(index);
      ++graph.values[value].numUses;
    }
    if (!llvm::is_contained(task.reads, task.writes))
      ++graph.values[task.writes].numUses;
  }

  /// Whether a task is one of several copies of the same, which is there so
  /// that L2 has it while it is read. It could come long before the task in
  /// front of it, but then L2 would have it for longer.
  bool isOneOfCopies(Task &task) const {
    return copies.lookup(task.op.getSource1()) > 1 && isCopy(task.op) &&
           task.writtenBytes > 0 &&
           graph.values[task.writes].bytes == task.writtenBytes;
  }

  TaskGraph &graph;
  const SymbolTable &symbols;
  const TargetDescription &target;
  int64_t mostBytes;
  DenseSet<StringAttr> kept;
  DenseMap<StringAttr, unsigned> indexOf; ///< values, by their buffers
  std::deque<Touches> touched;            ///< of each value
  DenseMap<ViewAttr, unsigned> copies;    ///< how many there are of a view
};

TaskGraph::TaskGraph(ProgramOp program, const SymbolTable &symbols,
                     const TargetDescription &target, int64_t mostBytes) {
  SmallVector<TaskOp> ops(program.getOps<TaskOp>());
  Reader reader(*this, ops, symbols, target, mostBytes);
  for (TaskOp op : ops)
    reader.add(op);
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
