//===- RowBlocks.cpp - Tasks on blocks of rows ----------------------------===//

#include "RowBlocks.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The part of L2 that values may take, the rest being for tiles and for what
/// first fit cannot use. Published: below 1.
constexpr int64_t usableNumerator = 3, usableDenominator = 4;
/// Rows that a block should have: an access to L2 reads those of a plane at
/// once.
constexpr int64_t leastRows = 8;
/// How much more may be computed because of rows that blocks share. Assigned.
constexpr double mostWork = 1.25;
/// The part of L2 up to which a value probably stays there as a whole.
constexpr int64_t wholeDenominator = 2;

ViewAttr withRows(ViewAttr view, RowRange range) {
  SmallVector<int64_t> shape(view.getShape());
  shape[H] = range.size();
  return ViewAttr::get(view.getContext(), view.getBuffer(),
                       view.getOffset() + range.begin * view.getRowStride(),
                       shape, view.getStrides());
}

} // namespace

int64_t zin::bytesOf(ViewAttr view) {
  int64_t bytes = elementBytes;
  for (int64_t extent : view.getShape())
    bytes *= extent;
  return bytes;
}

int64_t zin::passesOf(TaskOp task, SymbolTable &symbols) {
  NEConfigAttr config = task.getNE();
  if (!config || !task.getKernel() || config.getUnicast() ||
      config.getOp() != MACOp::mac)
    return 1;
  auto kernel = symbols.lookup<KernelOp>(*task.getKernel());
  if (!kernel.getWeights() || kernel.getChannelwise())
    return 1;
  int64_t perEngine =
      llvm::divideCeil(int64_t(kernel.getOutputs()), int64_t(td::numLanes));
  int64_t atATime = std::min(int64_t(1) << kernel.getOcgSize(), perEngine);
  return llvm::divideCeil(perEngine, atATime);
}

void RowRange::include(RowRange other) {
  if (other.size() <= 0)
    return;
  if (size() <= 0) {
    *this = other;
    return;
  }
  begin = std::min(begin, other.begin);
  end = std::max(end, other.end);
}

RowBlocks::RowBlocks(ProgramOp program, const TargetDescription &target)
    : program(program), target(target), symbols(program),
      all(program.getOps<TaskOp>()) {
  for (auto [index, task] : llvm::enumerate(all)) {
    auto touch = [&](std::optional<ViewAttr> view) {
      if (!view)
        return;
      auto op = symbols.lookup<BufferOp>(view->getBuffer().getAttr());
      auto [entry, isNew] = buffers.try_emplace(view->getBuffer().getAttr(),
                                                Buffer{op, index, index});
      entry->second.last = index;
    };
    touch(task.getSource1());
    touch(task.getSource2());
    touch(task.getKernelView());
    touch(task.getResult());
  }
  for (auto &[name, buffer] : buffers) {
    ViewAttr layout = buffer.op.getLayout();
    buffer.bytes = l2Bytes(layout, layout.getRows()) * layout.getDepth() *
                   layout.getGroups();
    buffer.isScratch = buffer.op.getKind() == BufferKind::scratch;
    buffer.staysInL2 =
        buffer.isScratch && buffer.bytes <= target.l2Bytes / wholeDenominator;
  }
  for (TaskOp task : all) {
    cuts.push_back(cutOf(task));
    passes.push_back(passesOf(task, symbols));
    kernelBytes.push_back(kernelBytesOf(task));
  }
}

int64_t RowBlocks::l2Bytes(ViewAttr view, int64_t rows) const {
  return target.l2ChannelBytes(view.getColumns()) * view.getChannels() * rows;
}

/// Whether the rows of a view are all rows of its buffer, in order.
bool RowBlocks::isRowView(ViewAttr view) {
  ViewAttr layout = bufferOf(view).op.getLayout();
  return layout.getGroups() == 1 && layout.getDepth() == 1 &&
         layout.getOffset() == 0 && view.getGroups() == 1 &&
         view.getDepth() == 1 && view.getRows() == layout.getRows() &&
         layout.getRowStride() > 0 &&
         view.getRowStride() == layout.getRowStride() &&
         layout.getPlaneStride() == layout.getRowStride() * layout.getRows() &&
         (view.getChannels() == 1 ||
          view.getPlaneStride() % layout.getPlaneStride() == 0) &&
         view.getOffset() % layout.getPlaneStride() +
                 view.getColumns() * elementBytes <=
             layout.getRowStride();
}

std::optional<RowBlocks::Cut> RowBlocks::cutOf(TaskOp task) {
  ViewAttr result = task.getResult();
  if (task.getL2Attr() || task.getKernelView() || result.getRows() == 1 ||
      !isRowView(result) || !isRowView(task.getSource1()))
    return std::nullopt;
  if (NEConfigAttr config = task.getNE()) {
    if (config.getGroups() != 1)
      return std::nullopt;
    return Cut{config.getWindow()[0], config.getStride()[0],
               config.getPadding()[0]};
  }
  PEConfigAttr config = task.getPE();
  if (config.getReduce() != PEReduce::none || config.getVectorResult())
    return std::nullopt;
  for (std::optional<ViewAttr> source :
       {std::optional(task.getSource1()), task.getSource2()})
    if (source &&
        (source->getRows() != result.getRows() || !isRowView(*source)))
      return std::nullopt;
  return Cut();
}

/// Whether a value is of no use to tasks outside [begin, end).
bool RowBlocks::isInner(ViewAttr view, size_t begin, size_t end) {
  Buffer &buffer = bufferOf(view);
  return buffer.isScratch && buffer.first >= begin && buffer.last < end;
}

RowRange RowBlocks::sourceRows(size_t task, ViewAttr view,
                               RowRange result) const {
  const Cut &cut = *cuts[task];
  if (result.size() <= 0)
    return {};
  return {std::max<int64_t>(result.begin * cut.stride - cut.padding, 0),
          std::min((result.end - 1) * cut.stride - cut.padding + cut.window,
                   view.getRows())};
}

bool RowBlocks::isWorthCutting(size_t begin, size_t end) const {
  auto isLarge = [&](std::optional<ViewAttr> view) {
    return view && buffers.find(view->getBuffer().getAttr())->second.bytes >
                       target.l2Bytes / wholeDenominator;
  };
  for (size_t task : {begin, end - 1}) {
    TaskOp op = all[task];
    if (!isLarge(op.getSource1()) && !isLarge(op.getSource2()) &&
        !isLarge(op.getResult()))
      return false;
  }
  return true;
}

/// What a task costs whatever it does, as bytes of DMA that take as long.
int64_t RowBlocks::taskBytes() const {
  return target.taskOverheadCycles * target.memoryMegabytesPerSecond /
         target.clockMegahertz;
}

int64_t RowBlocks::kernelBytesOf(TaskOp task) {
  if (!task.getKernel())
    return 0;
  auto kernel = symbols.lookup<KernelOp>(*task.getKernel());
  return kernel.getWeights()
             ? kernel.getWeights()->getNumElements() * elementBytes
             : 0;
}

int64_t RowBlocks::trafficAlone(size_t task) {
  TaskOp op = all[task];
  int64_t bytes = taskBytes() + kernelBytes[task];
  if (!bufferOf(op.getSource1()).staysInL2) {
    bool keeps =
        !bufferOf(op.getSource1()).isScratch &&
        bufferOf(op.getSource1()).bytes <= target.l2Bytes / wholeDenominator;
    bytes += bytesOf(op.getSource1()) * (keeps ? 1 : passes[task]);
  }
  if (op.getSource2() && !bufferOf(*op.getSource2()).staysInL2)
    bytes += bytesOf(*op.getSource2());
  if (!bufferOf(op.getResult()).staysInL2)
    bytes += bytesOf(op.getResult());
  return bytes;
}

RowBlocks::Plan RowBlocks::planBlock(size_t begin, size_t end, int64_t blocks,
                                     int64_t block) {
  // What comes from outside and is read more than once goes to L2 first.
  llvm::MapVector<ViewAttr, int64_t> reads;
  SmallPtrSet<StringAttr, 8> written;
  for (size_t task = begin; task < end; ++task) {
    TaskOp op = all[task];
    written.insert(op.getResult().getBuffer().getAttr());
    reads[op.getSource1()] += passes[task];
    if (op.getSource2())
      ++reads[*op.getSource2()];
  }

  Plan plan;
  plan.results.resize(end - begin);
  // Rows of values that are computed in the chain and read from memory.
  llvm::MapVector<StringAttr, RowRange> outer;
  for (size_t task = end; task-- > begin;) {
    TaskOp op = all[task];
    StringAttr name = op.getResult().getBuffer().getAttr();
    RowRange &result = plan.results[task - begin];
    if (isInner(op.getResult(), begin, end)) {
      result = plan.inner.lookup(name);
    } else {
      int64_t height = op.getResult().getRows();
      result = {height * block / blocks, height * (block + 1) / blocks};
      result.include(outer.lookup(name));
    }
    auto read = [&](ViewAttr view) {
      RowRange rows = sourceRows(task, view, result);
      StringAttr source = view.getBuffer().getAttr();
      if (isInner(view, begin, end))
        plan.inner[source].include(rows);
      else if (written.contains(source))
        outer[source].include(rows);
      else if (reads.lookup(view) > 1 && !bufferOf(view).staysInL2 &&
               view.getChannels() <=
                   target.maxTileChannels(view.getColumns(),
                                          target.neStreamBytes))
        plan.staged[view].include(rows);
    };
    read(op.getSource1());
    if (op.getSource2())
      read(*op.getSource2());
  }
  return plan;
}

std::pair<int64_t, int64_t> RowBlocks::costOf(size_t begin, size_t end,
                                              const Plan &block) {
  int64_t traffic = (end - begin + block.staged.size()) * taskBytes();
  int64_t staged = 0, peak = 0;
  for (const auto &[view, rows] : block.staged) {
    traffic += bytesOf(view) / view.getRows() * rows.size();
    staged += l2Bytes(view, rows.size());
  }
  for (size_t task = begin; task < end; ++task) {
    TaskOp op = all[task];
    RowRange result = block.results[task - begin];
    traffic += kernelBytes[task];
    auto move = [&](ViewAttr view, RowRange rows, int64_t times) {
      if (!isInner(view, begin, end) && !bufferOf(view).staysInL2 &&
          !block.staged.contains(view))
        traffic += bytesOf(view) / view.getRows() * rows.size() * times;
    };
    move(op.getResult(), result, 1);
    move(op.getSource1(), sourceRows(task, op.getSource1(), result),
         passes[task]);
    if (op.getSource2())
      move(*op.getSource2(), sourceRows(task, *op.getSource2(), result), 1);
    // What lies in L2 while the task runs.
    int64_t alive = staged;
    for (const auto &[name, rows] : block.inner) {
      const Buffer &buffer = buffers.find(name)->second;
      if (buffer.first <= task && task <= buffer.last)
        alive += l2Bytes(BufferOp(buffer.op).getLayout(), rows.size());
    }
    peak = std::max(peak, alive);
  }
  return {traffic, peak};
}

/// Values around a chain that stay in L2 take their place there, but for those
/// that would lie there for long: zin-place-l2 takes them last.
int64_t RowBlocks::bytesAround(size_t begin, size_t end) const {
  int64_t bytes = 0;
  for (const auto &[name, buffer] : buffers)
    if (buffer.staysInL2 && buffer.first < end && buffer.last >= begin &&
        !(buffer.first >= begin && buffer.last < end) &&
        buffer.last - buffer.first <= end - begin)
      bytes += buffer.bytes;
  return bytes;
}

std::optional<int64_t> RowBlocks::trafficInBlocks(size_t begin, size_t end,
                                                  int64_t blocks,
                                                  int64_t limit) {
  for (size_t task = begin; task < end; ++task)
    if (!isInner(TaskOp(all[task]).getResult(), begin, end) &&
        TaskOp(all[task]).getResult().getRows() < leastRows * blocks)
      return std::nullopt;
  // The same for every number of blocks.
  if (around.begin != begin || around.end != end)
    around = {begin, end, bytesAround(begin, end)};
  int64_t traffic = 0, computed = 0, wanted = 0;
  for (int64_t block = 0; block < blocks; ++block) {
    Plan plan = planBlock(begin, end, blocks, block);
    auto [bytes, peak] = costOf(begin, end, plan);
    if (peak + around.bytes >
        target.l2Bytes * usableNumerator / usableDenominator)
      return std::nullopt;
    traffic += bytes;
    if (traffic >= limit)
      return std::nullopt;
    for (auto [index, rows] : llvm::enumerate(plan.results)) {
      ViewAttr result = TaskOp(all[begin + index]).getResult();
      computed += bytesOf(result) / result.getRows() * rows.size();
    }
  }
  for (size_t task = begin; task < end; ++task)
    wanted += bytesOf(TaskOp(all[task]).getResult());
  if (computed > mostWork * wanted)
    return std::nullopt;
  return traffic;
}

BufferOp RowBlocks::makeBuffer(BufferOp origin, int64_t channels,
                               int64_t columns, RowRange rows) {
  MLIRContext *context = program.getContext();
  int64_t pitch = llvm::alignTo(columns * elementBytes, target.rowAlignment);
  int64_t plane = pitch * rows.size(), bytes = plane * channels;
  auto layoutOf = [&](BufferOp buffer) {
    return ViewAttr::get(
        context, FlatSymbolRefAttr::get(buffer.getSymNameAttr()), 0,
        {1, 1, channels, rows.size(), columns}, {bytes, bytes, plane, pitch});
  };
  OpBuilder builder(context);
  builder.setInsertionPointAfter(origin);
  auto buffer = BufferOp::create(
      builder, origin.getLoc(), (origin.getSymName() + "_rows").str(),
      BufferKind::scratch, bytes, layoutOf(origin), StringAttr(), TypeAttr(),
      ElementsAttr(), IntegerAttr(), L2PlaceAttr());
  // The table may have given it another name.
  symbols.insert(buffer);
  buffer.setLayoutAttr(layoutOf(buffer));
  return buffer;
}

void RowBlocks::emitBlock(OpBuilder &builder, size_t begin, size_t end,
                          int64_t blocks, int64_t block) {
  Plan plan = planBlock(begin, end, blocks, block);
  MLIRContext *context = builder.getContext();
  DenseMap<StringAttr, ViewAttr> inner;
  DenseMap<ViewAttr, ViewAttr> staged;
  for (auto &[name, rows] : plan.inner) {
    if (rows.size() <= 0)
      continue;
    BufferOp origin = buffers.find(name)->second.op;
    ViewAttr layout = origin.getLayout();
    inner[name] =
        makeBuffer(origin, layout.getChannels(), layout.getColumns(), rows)
            .getLayout();
  }
  auto half = [&](double value) {
    return builder.getFloatAttr(builder.getF16Type(), value);
  };
  for (auto &[view, rows] : plan.staged) {
    BufferOp origin = bufferOf(view).op;
    ViewAttr whole =
        makeBuffer(origin, view.getChannels(), view.getColumns(), rows)
            .getLayout();
    staged[view] = whole;
    auto copy = NEConfigAttr::get(
        context, MACOp::pass, {1, 1}, {1, 1}, {0, 0}, /*groups=*/1,
        /*unicast=*/1, /*reuse=*/false, /*kernelless=*/true,
        /*lowest_padding=*/false, /*relu=*/false, /*transposed=*/false, half(0),
        half(1));
    TaskOp::create(builder, TaskOp(all[begin]).getLoc(), Opcode::NEFUSED_BYPASS,
                   UnitType::NEBypass, withRows(view, rows), ViewAttr(), whole,
                   copy, FlatSymbolRefAttr(), ViewAttr(), L2Attr());
  }

  // Rows of a view where they lie for this block.
  auto map = [&](ViewAttr view, RowRange rows) {
    if (ViewAttr whole = staged.lookup(view)) {
      RowRange present = plan.staged.lookup(view);
      return withRows(whole,
                      {rows.begin - present.begin, rows.end - present.begin});
    }
    StringAttr name = view.getBuffer().getAttr();
    ViewAttr part = inner.lookup(name);
    if (!part)
      return withRows(view, rows);
    RowRange present = plan.inner.lookup(name);
    ViewAttr layout = bufferOf(view).op.getLayout();
    int64_t channel = view.getOffset() / layout.getPlaneStride();
    int64_t step = view.getPlaneStride() / layout.getPlaneStride();
    SmallVector<int64_t> shape(view.getShape());
    shape[H] = rows.size();
    return ViewAttr::get(context, part.getBuffer(),
                         channel * part.getPlaneStride() +
                             view.getOffset() % layout.getPlaneStride() +
                             (rows.begin - present.begin) * part.getRowStride(),
                         shape,
                         {part.getGroupStride(), part.getDepthStride(),
                          std::max<int64_t>(step, 1) * part.getPlaneStride(),
                          part.getRowStride()});
  };
  for (size_t task = begin; task < end; ++task) {
    TaskOp op = all[task];
    RowRange result = plan.results[task - begin];
    if (result.size() <= 0)
      continue;
    Attribute config = op.getConfig();
    if (NEConfigAttr ne = op.getNE()) {
      int64_t top = std::max<int64_t>(
          cuts[task]->padding - result.begin * cuts[task]->stride, 0);
      config = NEConfigAttr::get(
          context, ne.getOp(), ne.getWindow(), ne.getStride(),
          {top, ne.getPadding()[1]}, ne.getGroups(), ne.getUnicast(),
          ne.getReuse(), ne.getKernelless(), ne.getLowestPadding(),
          ne.getRelu(), ne.getTransposed(), ne.getAccBias(), ne.getPostScale());
    }
    auto source = [&](ViewAttr view) {
      return map(view, sourceRows(task, view, result));
    };
    TaskOp::create(builder, op.getLoc(), op.getOpcode(), op.getUnit(),
                   source(op.getSource1()),
                   op.getSource2() ? source(*op.getSource2()) : ViewAttr(),
                   map(op.getResult(), result), config, op.getKernelAttr(),
                   ViewAttr(), L2Attr());
  }
}

void RowBlocks::eraseUnused() {
  DenseSet<StringAttr> used;
  for (auto task : program.getOps<TaskOp>())
    for (std::optional<ViewAttr> view :
         {std::optional(task.getSource1()), task.getSource2(),
          task.getKernelView(), std::optional(task.getResult())})
      if (view)
        used.insert(view->getBuffer().getAttr());
  for (auto buffer : llvm::make_early_inc_range(program.getOps<BufferOp>()))
    if (buffer.getKind() == BufferKind::scratch &&
        !used.contains(buffer.getSymNameAttr()))
      buffer.erase();
}
