//===- EmitRowBlocks.cpp - Tasks for each block of rows -------------------===//

#include "Places/ExchangeRows.h"
#include "Rows/RowPlanner.h"
#include "Tasks/CopyTask.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

ViewAttr withRows(ViewAttr view, RowRange range) {
  SmallVector<int64_t> shape(view.getShape());
  shape[H] = range.size();
  return ViewAttr::get(view.getContext(), view.getBuffer(),
                       view.getOffset() + range.begin * view.getRowStride(),
                       shape, view.getStrides(), view.getInterleave());
}

} // namespace

class RowBlocks::BlockEmitter {
public:
  BlockEmitter(RowBlocks &rows, const Chain &chain)
      : rows(rows), chain(chain), builder(rows.tasks[chain.begin].op) {}

  void emit(Blocks blocks) {
    Planner planner(rows, chain, blocks);
    Block next;
    planner.plan(0, next);
    SmallVector<HeldRows> held, heldNext;
    for (int64_t block = 0; block < blocks.count; ++block) {
      std::swap(plan, next);
      heldNext = planner.planBehind(block, next);
      cost = rows.costOf(chain, plan, held, heldNext);
      emitBlock(heldNext);
      std::swap(held, heldNext);
    }
  }

private:
  /// Rows that wait for the next block, and where.
  struct Waiting {
    HeldRows rows;
    ViewAttr place;
  };

  /// `held` are rows for the next block.
  void emitBlock(ArrayRef<HeldRows> held) {
    parts.assign(chain.slots.size(), {});
    SmallVector<unsigned> youngOf(chain.slots.size(), Places::none);
    for (Overwrite pair : chain.overwrites)
      if (liesIn(chain, plan, held, pair))
        youngOf[pair.old] = pair.young;
    for (auto [index, slot] : llvm::enumerate(chain.slots))
      if (slot.kind != Slot::Outer && slot.kind != Slot::Tiled &&
          plan.slots[index].size() > 0 && youngOf[index] == Places::none &&
          !isInParts(index))
        parts[index] = makeBuffer(slot.view, slot.buffer, plan.slots[index]);
    // What is written over another is written over by a later one itself.
    for (Overwrite pair : llvm::reverse(chain.overwrites))
      if (youngOf[pair.old] == pair.young) {
        ViewAttr view = pair.isPart ? rows.tasks[pair.task].result.view
                                    : chain.slots[pair.young].view;
        parts[pair.old] = place(view, pair.young, plan.slots[pair.old]);
      }
    for (auto [index, slot] : llvm::enumerate(chain.slots))
      if (slot.kind == Slot::Staged && parts[index])
        copy(rows.tasks[chain.begin].op, withRows(slot.view, plan.slots[index]),
             parts[index]);
    findUses();
    before = std::move(waiting);
    waiting.clear();
    for (size_t index = chain.begin; index < chain.end; ++index) {
      RowRange result = plan.results[index - chain.begin];
      if (result.size() <= 0)
        continue;
      copyBefore(index);
      const PairParts *pair =
          llvm::find_if(cost.inParts, [&](const PairParts &each) {
            return each.task == index;
          });
      if (pair != cost.inParts.end()) {
        emitPair(index, pair->count);
        copyBehind(index++, held);
      } else {
        emitTask(index, result);
      }
      copyBehind(index, held);
    }
  }

  /// Whether a slot is what a pair of tasks has between them, in parts.
  bool isInParts(unsigned slot) const {
    return llvm::any_of(cost.inParts, [&](const PairParts &each) {
      return chain.places[each.task - chain.begin].result == slot;
    });
  }

  /// A task and the next one, a few rows at a time.
  void emitPair(size_t index, int64_t count) {
    RowRange all = plan.results[index - chain.begin];
    unsigned between = chain.places[index - chain.begin].result;
    const Slot &slot = chain.slots[between];
    for (int64_t part = 0; part < count; ++part) {
      RowRange some = {all.begin + all.size() * part / count,
                       all.begin + all.size() * (part + 1) / count};
      plan.slots[between] = some;
      parts[between] = makeBuffer(slot.view, slot.buffer, some);
      emitTask(index, some);
      if (part == 0)
        copyBefore(index + 1);
      emitTask(index + 1, some);
    }
  }

  /// What has to be in a slot before a task is the first one to use it.
  void copyBefore(size_t index) {
    TaskOp op = rows.tasks[index].op;
    for (const Fill &fill : chain.fills)
      if (uses[fill.slot].first == index)
        copy(op, withRows(fill.view, plan.slots[fill.slot]),
             place(fill.view, fill.slot, plan.slots[fill.slot]));
    for (const Waiting &each : before)
      if (uses[each.rows.slot].first == index)
        copy(op, each.place,
             place(each.rows.view, each.rows.slot, each.rows.rows));
  }

  /// What goes to memory from the slot of a task's result, and what waits from
  /// slots that it is the last one to use.
  void copyBehind(size_t index, ArrayRef<HeldRows> held) {
    const Task &task = rows.tasks[index];
    unsigned slot = chain.places[index - chain.begin].result;
    RowRange stored = plan.stored[index - chain.begin];
    if (slot != Places::none && stored.size() > 0)
      copy(task.op, place(task.result.view, slot, stored),
           withRows(task.result.view, stored));
    for (const HeldRows &each : held)
      if (uses[each.slot].second == index)
        waiting.push_back({each, hold(task.op, each)});
  }

  /// Where rows for the next block lie when this one is done with them.
  ViewAttr hold(TaskOp reason, const HeldRows &held) {
    ViewAttr rows = place(held.view, held.slot, held.rows);
    if (!held.waits)
      return rows;
    ViewAttr buffer =
        makeBuffer(held.view, chain.slots[held.slot].buffer, held.rows);
    copy(reason, rows, buffer);
    return buffer;
  }

  /// The first and the last task of the block that have a slot.
  void findUses() {
    uses.assign(chain.slots.size(), {chain.end, chain.end});
    for (size_t index = chain.begin; index < chain.end; ++index) {
      if (plan.results[index - chain.begin].size() <= 0)
        continue;
      const Places &places = chain.places[index - chain.begin];
      for (unsigned slot : {places.result, places.source1, places.source2}) {
        if (slot == Places::none)
          continue;
        if (uses[slot].first == chain.end)
          uses[slot].first = index;
        uses[slot].second = index;
      }
    }
  }

  /// A buffer for rows of a value or a part of it.
  ViewAttr makeBuffer(ViewAttr view, unsigned originIndex, RowRange range) {
    BufferOp origin = rows.buffers[originIndex].op;
    MLIRContext *context = builder.getContext();
    int64_t channels = view.getChannels();
    int64_t columns = view.getColumns();
    int64_t pitch = rows.target.rowPitch(columns);
    int64_t plane = pitch * range.size(), bytes = plane * channels;
    auto layoutOf = [&](BufferOp buffer) {
      return ViewAttr::get(context,
                           FlatSymbolRefAttr::get(buffer.getSymNameAttr()), 0,
                           {1, 1, channels, range.size(), columns},
                           {bytes, bytes, plane, pitch}, /*interleave=*/1);
    };
    OpBuilder declarations(context);
    declarations.setInsertionPointAfter(origin);
    auto buffer = BufferOp::create(
        declarations, origin.getLoc(), (origin.getSymName() + "_rows").str(),
        BufferKind::scratch, bytes, layoutOf(origin), StringAttr(), TypeAttr(),
        /*state=*/false, /*shared=*/false, ElementsAttr(), IntegerAttr(),
        L2PlaceAttr(), /*host_strides=*/DenseI64ArrayAttr());
    // The table may have given it another name.
    rows.symbols.insert(buffer);
    buffer.setLayoutAttr(layoutOf(buffer));
    return buffer.getLayout();
  }

  void copy(TaskOp reason, ViewAttr source, ViewAttr result) {
    if (rows.copiesChannelsAsRows(source, source.getRows())) {
      source = withChannelsAsRows(source);
      result = withChannelsAsRows(result);
    }
    createCopy(builder, reason.getLoc(), source, result);
  }

  /// Rows of a view where they lie for this block.
  ViewAttr place(ViewAttr view, unsigned index, RowRange range) {
    ViewAttr part = index == Places::none ? ViewAttr() : parts[index];
    if (!part)
      return withRows(view, range);
    const Slot &slot = chain.slots[index];
    int64_t first = plan.slots[index].begin;
    if (view == slot.view)
      return withRows(part, {range.begin - first, range.end - first});
    // Both are rows of the same buffer: some channels and columns, and for a
    // result that takes turns some rows.
    ViewAttr layout = rows.buffers[slot.buffer].layout;
    int64_t plane = layout.getPlaneStride(), row = layout.getRowStride();
    Channels outer(slot.view, plane), inner(view, plane);
    int64_t channel = (inner.first - outer.first) / outer.step;
    int64_t column = view.getOffset() % row - slot.view.getOffset() % row;
    int64_t turns = view.getRowStride() / row;
    int64_t turn = view.getOffset() % plane / row;
    SmallVector<int64_t> shape(view.getShape());
    shape[H] = range.size();
    return ViewAttr::get(
        builder.getContext(), part.getBuffer(),
        part.getOffset() + channel * part.getPlaneStride() + column +
            (range.begin * turns + turn - first) * part.getRowStride(),
        shape,
        {part.getGroupStride(), part.getDepthStride(),
         std::max<int64_t>(inner.step / outer.step, 1) * part.getPlaneStride(),
         turns * part.getRowStride()},
        /*interleave=*/1);
  }

  void emitTask(size_t index, RowRange result) {
    const Task &task = rows.tasks[index];
    TaskOp op = task.op;
    const Places &places = chain.places[index - chain.begin];
    Attribute config = op.getConfig();
    if (NEConfigAttr ne = op.getNE()) {
      int64_t top = std::max<int64_t>(
          task.cut->padding - result.begin * task.cut->stride, 0);
      config = NEConfigAttr::get(
          builder.getContext(), ne.getOp(), ne.getWindow(), ne.getStride(),
          {top, ne.getPadding()[1]}, ne.getGroups(), ne.getUnicast(),
          ne.getReuse(), ne.getKernelless(), ne.getLowestPadding(),
          ne.getRelu(), ne.getTransposed(), ne.getAccBias(), ne.getPostScale());
    }
    auto source = [&](const Operand &operand, unsigned slot) {
      return place(operand.view, slot, task.sourceRows(operand, result));
    };
    ViewAttr place1 = source(task.source1, places.source1);
    ViewAttr place2 =
        task.source2 ? source(*task.source2, places.source2) : ViewAttr();
    ViewAttr written = place(task.result.view, places.result, result);
    TaskOp::create(builder, op.getLoc(), op.getOpcode(), op.getUnit(), place1,
                   place2, written, config, op.getKernelAttr(), ViewAttr(),
                   L2Attr());
  }

  RowBlocks &rows;
  const Chain &chain;
  OpBuilder builder;
  Block plan;
  SmallVector<ViewAttr> parts; ///< of the slots, where they have one
  SmallVector<std::pair<size_t, size_t>> uses; ///< of the slots
  /// Rows from the block before, and for the next one.
  SmallVector<Waiting> before, waiting;
  Cost cost; ///< of the block
};

void RowBlocks::rewrite(const Chain &chain, Blocks blocks) {
  BlockEmitter(*this, chain).emit(blocks);
  for (size_t task = chain.begin; task < chain.end; ++task)
    tasks[task].op.erase();
}

void RowBlocks::eraseUnused() {
  DenseSet<StringAttr> used;
  for (auto task : program.getOps<TaskOp>())
    for (const Access &access : task.getAccesses())
      used.insert(access.buffer());
  for (auto buffer : llvm::make_early_inc_range(program.getOps<BufferOp>()))
    if (buffer.getKind() == BufferKind::scratch &&
        !used.contains(buffer.getSymNameAttr()))
      symbols.erase(buffer);
}
