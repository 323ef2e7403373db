//===- ShareStates.cpp - States that may be written where they lie --------===//

#include "Tasks/CopyTask.h"
#include "Tasks/TaskGraph.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include <queue>

namespace ane::zin {
#define GEN_PASS_DEF_SHARESTATES
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The surfaces that hold a state before and after the program.
struct State {
  BufferOp before, after;
  bool operator==(const State &) const = default;
};

/// A part of a dimension.
struct Interval {
  int64_t begin, end;
  bool overlaps(Interval other) const {
    return begin < other.end && other.begin < end;
  }
};

using Box = std::array<Interval, numDims>;

/// The elements of a surface that a view has, if it steps as the surface does.
std::optional<Box> boxOf(ViewAttr layout, ViewAttr view) {
  Box box;
  int64_t rest = view.getOffset();
  for (unsigned dim = 0; dim < numDims; ++dim) {
    int64_t stride = dim == W ? elementBytes : layout.getStrides()[dim];
    int64_t extent = view.getShape()[dim];
    if (dim != W && extent > 1 && view.getStrides()[dim] != stride)
      return std::nullopt;
    // Strides of extents of 1 say nothing.
    int64_t all = layout.getShape()[dim];
    if (all > 1 && stride == 0)
      return std::nullopt;
    int64_t begin = all == 1 ? 0 : rest / stride;
    if (begin + extent > all)
      return std::nullopt;
    rest -= begin * stride;
    box[dim] = {begin, begin + extent};
  }
  return rest == 0 ? std::optional(box) : std::nullopt;
}

/// Whether views of surfaces of one layout may have an element in common.
bool mayMeet(ViewAttr layout, ViewAttr a, ViewAttr b) {
  std::optional<Box> x = boxOf(layout, a), y = boxOf(layout, b);
  if (!x || !y)
    return mayOverlap(a, b);
  return llvm::all_of(llvm::zip_equal(*x, *y), [](auto pair) {
    return std::get<0>(pair).overlaps(std::get<1>(pair));
  });
}

/// An order of tasks in which all that read a state come before those that
/// write over it.
class Order {
public:
  explicit Order(const TaskGraph &graph) : graph(graph) {
    for (const TaskGraph::Task &task : graph.tasks)
      after.push_back(task.after);
  }

  /// Whether there is such an order for this state, too, which it then keeps.
  bool add(State state) {
    ViewAttr layout = state.before.getLayout();
    SmallVector<std::pair<unsigned, unsigned>> edges;
    for (auto [writer, written] : tasksOf(state.after, /*results=*/true))
      for (auto [reader, read] : tasksOf(state.before, /*results=*/false)) {
        if (!mayMeet(layout, read, written))
          continue;
        if (reader != writer)
          edges.push_back({reader, writer});
        else if (read.getOffset() != written.getOffset() ||
                 read.getStrides() != written.getStrides() ||
                 !canOverwrite(graph.tasks[reader].op, read))
          return false;
      }
    for (auto [reader, writer] : edges)
      after[reader].push_back(writer);
    if (find().size() == after.size())
      return true;
    for (auto [reader, writer] : llvm::reverse(edges))
      after[reader].pop_back();
    return false;
  }

  /// As close to the order of the program as can be. It lacks tasks that wait
  /// for each other.
  SmallVector<unsigned> find() const {
    SmallVector<unsigned> waits(after.size()), order;
    for (ArrayRef<unsigned> others : after)
      for (unsigned other : others)
        ++waits[other];
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (auto [task, count] : llvm::enumerate(waits))
      if (count == 0)
        ready.push(task);
    while (!ready.empty()) {
      unsigned task = ready.top();
      ready.pop();
      order.push_back(task);
      for (unsigned other : after[task])
        if (--waits[other] == 0)
          ready.push(other);
    }
    return order;
  }

private:
  /// The tasks that write a surface, or read it, and their views of it.
  SmallVector<std::pair<unsigned, ViewAttr>> tasksOf(BufferOp buffer,
                                                     bool results) const {
    SmallVector<std::pair<unsigned, ViewAttr>> found;
    for (auto [index, task] : llvm::enumerate(graph.tasks))
      for (const Access &access : TaskOp(task.op).getAccesses())
        if ((access.role == Access::Result) == results &&
            access.view.getBuffer().getAttr() == buffer.getSymNameAttr())
          found.push_back({index, access.view});
    return found;
  }

  const TaskGraph &graph;
  SmallVector<SmallVector<unsigned, 2>, 0> after; ///< of each task
};

class ShareStates : public ane::zin::impl::ShareStatesBase<ShareStates> {
public:
  using ShareStatesBase::ShareStatesBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    SmallVector<State> states = findStates();
    if (states.empty())
      return markAllAnalysesPreserved();

    TaskGraph graph(getOperation(), getAnalysis<SymbolTable>(), *description,
                    /*mostBytes=*/0);
    markAnalysesPreserved<SymbolTable>();
    Order order(graph);
    SmallVector<State> rest;
    for (State state : states) {
      if (!order.add(state))
        rest.push_back(state);
      state.before.setShared(true);
    }
    for (unsigned task : order.find()) {
      TaskOp op = graph.tasks[task].op;
      op->moveBefore(op->getBlock(), op->getBlock()->end());
    }
    for (State state : states)
      if (!llvm::is_contained(rest, state))
        eraseCopies(state);
    for (State state : rest)
      writeLast(state, *description);
    numShared += states.size();
    numCopied += rest.size();
  }

private:
  SmallVector<State> findStates() {
    DenseMap<StringAttr, BufferOp> outputs;
    for (BufferOp buffer : getOperation().getOps<BufferOp>())
      if (buffer.getKind() == BufferKind::output)
        outputs[buffer.getPortAttr()] = buffer;
    SmallVector<State> states;
    for (BufferOp buffer : getOperation().getOps<BufferOp>())
      if (buffer.getState())
        if (BufferOp output = outputs.lookup(buffer.getPortAttr()))
          if (isSameSurface(buffer.getLayout(), output.getLayout()))
            states.push_back({buffer, output});
    return states;
  }

  static bool isSameSurface(ViewAttr a, ViewAttr b) {
    return a.getOffset() == b.getOffset() && a.getShape() == b.getShape() &&
           a.getStrides() == b.getStrides();
  }

  /// What is copied from one surface to the same place of the other lies there.
  void eraseCopies(State state) {
    auto tasks = llvm::to_vector(getOperation().getOps<TaskOp>());
    size_t left = tasks.size();
    for (TaskOp task : tasks) {
      // A program has a task.
      if (left == 1 || !isCopy(task))
        continue;
      ViewAttr source = task.getSource1(), result = task.getResult();
      if (source.getBuffer().getAttr() != state.before.getSymNameAttr() ||
          result.getBuffer().getAttr() != state.after.getSymNameAttr() ||
          source.getOffset() != result.getOffset() ||
          source.getStrides() != result.getStrides() ||
          source.getInterleave() != result.getInterleave())
        continue;
      task.erase();
      --left;
      ++numErased;
    }
  }

  /// What is written comes to lie in a buffer of its own, and in the state when
  /// nothing reads that any more.
  void writeLast(State state, const TargetDescription &description) {
    MLIRContext *context = &getContext();
    OpBuilder builder(context);
    builder.setInsertionPointAfter(state.after);
    BufferOp buffer = state.after.clone();
    getAnalysis<SymbolTable>().insert(buffer, Block::iterator(state.after));
    buffer.setKind(BufferKind::scratch);
    buffer.removePortAttr();
    buffer.removeHostTypeAttr();
    auto inBuffer = [&](ViewAttr view) {
      return ViewAttr::get(context,
                           FlatSymbolRefAttr::get(buffer.getSymNameAttr()),
                           view.getOffset(), view.getShape(), view.getStrides(),
                           view.getInterleave());
    };
    buffer.setLayoutAttr(inBuffer(buffer.getLayout()));
    // By attributes, as a task that reads what others wrote reads there, too.
    AttrTypeReplacer replacer;
    StringAttr name = state.after.getSymNameAttr();
    replacer.addReplacement([&](ViewAttr view) -> std::optional<Attribute> {
      if (view.getBuffer().getAttr() != name)
        return std::nullopt;
      return inBuffer(view);
    });
    Operation *last = nullptr;
    for (TaskOp task : getOperation().getOps<TaskOp>()) {
      replacer.replaceElementsIn(task, /*replaceAttrs=*/true);
      last = task;
    }
    builder.setInsertionPointAfter(last);
    createCopies(builder, state.after.getLoc(), buffer.getLayout(),
                 state.after.getLayout(), description);
  }
};

} // namespace
