//===- StepPlan.cpp - Which steps of windows become channels --------------===//

#include "Layers/StepPlan.h"
#include "Layers/StackTaps.h"
#include "Layers/TurnedColumns.h"
#include "Split/LayerBlocks.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Divisors.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

//===----------------------------------------------------------------------===//
// StepAxis
//===----------------------------------------------------------------------===//

StepAxis StepAxis::of(ConvOp op, unsigned axis) {
  StepAxis made;
  made.taps = shapeOf(op.getKernel())[H + axis];
  made.dilation = made.elementsApart = op.getDilations()[axis];
  made.stride = op.getStrides()[axis];
  made.padding = op.getPadding()[axis];
  made.input = shapeOf(op.getX())[H + axis];
  made.windows = shapeOf(op.getResult())[H + axis];
  return made;
}

StepAxis StepAxis::cutBy(int64_t step) const {
  StepAxis axis = *this;
  if (step == 1)
    return axis;
  axis.step = step;
  axis.stride /= step;
  llvm::SmallBitVector seen(step);
  for (int64_t tap = 0; tap < taps; ++tap)
    seen.set(tap * dilation % step);
  axis.phases = llvm::to_vector_of<int64_t>(seen.set_bits());
  // Whole frames apart all taps have one phase.
  bool isWhole = dilation % step == 0;
  axis.dilation = isWhole ? dilation / step : 1;
  axis.taps = isWhole ? taps : (taps - 1) * dilation / step + 1;
  return axis;
}

int64_t StepAxis::framesFor(int64_t windows) const {
  return (windows - 1) * stride + dilatedExtent(taps, dilation);
}

std::pair<int64_t, int64_t> StepAxis::placeOf(int64_t tap) const {
  if (!isCut())
    return {0, tap};
  int64_t place = tap * elementsApart;
  const int64_t *phase = llvm::lower_bound(phases, place % step);
  return {phase - phases.begin(), place / step / dilation};
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {

/// The part of L2 that a convolution may take: of a value that comes from
/// memory as a whole, of blocks of it, which zin-schedule keeps apart if they
/// leave some room, and of others, which lie there as well. Assigned.
constexpr int64_t wholeEighths = 7, blockEighths = 6, residentEighths = 4;
/// This part of the cycles has to be saved. Assigned.
constexpr int64_t leastGainDenominator = 10;
/// Columns or channels that are turned as lines at least, where there are more
/// rows, and rows that are, where lines share two banks: as copies do that turn
/// them.
constexpr int64_t leastLine = 16, fewRows = 8;

class StepPlanner {
public:
  StepPlanner(ConvOp op, const TargetDescription &target)
      : target(target), given{StepAxis::of(op, 0), StepAxis::of(op, 1)},
        images(shapeOf(op.getX())[N]), groups(op.getGroups()),
        inputs(shapeOf(op.getKernel())[C]),
        outputs(shapeOf(op.getResult())[C] / groups),
        isChannelwise(zin::isChannelwise(op)),
        isFromMemory(comesFromMemory(op, target)),
        needsCopy(needsCopyOfColumns(op.getX(), target)) {}

  std::optional<StepPlan> choose() const {
    StepPlan best = given;
    best.perBlock = best.blockAxis().windows;
    int64_t least = cyclesOf(best);
    least -= least / leastGainDenominator;
    for (int64_t ofRows : stepsOf(given.rows))
      for (int64_t ofColumns : stepsOf(given.columns))
        for (bool joins : {false, true}) {
          StepPlan plan = {given.rows.cutBy(ofRows),
                           given.columns.cutBy(ofColumns)};
          plan.joins = joins;
          if (!plan.isCut() || !setBlocks(plan) || !mayLeaveColumns(plan))
            continue;
          int64_t cycles = cyclesOf(plan);
          if (cycles >= least)
            continue;
          least = cycles;
          best = plan;
        }
    return best.isCut() ? std::optional(best) : std::nullopt;
  }

private:
  /// The extents of some windows in all forms.
  struct Extents {
    int64_t windowRows, windowColumns;
    int64_t rows, columns; ///< of the frames, or what there is
    int64_t turned;        ///< columns that are turned
    int64_t inRows, inAll; ///< channels of a group, of rows, and of all phases
  };

  /// Steps of frames: of one element, and those that leave a task the rest of a
  /// stride.
  SmallVector<int64_t> stepsOf(const StepAxis &axis) const {
    SmallVector<int64_t> steps = {1};
    if (axis.stride > target.maxStride && axis.windows > 1)
      for (int64_t rest = 1; rest <= target.maxStride; ++rest)
        if (axis.stride % rest == 0)
          steps.push_back(axis.stride / rest);
    return steps;
  }

  /// Sets the windows of a block that L2 has room for; whether it has any.
  bool setBlocks(StepPlan &plan) const {
    if (groups * inputs * plan.phases() > target.maxChannels ||
        (plan.joins && !plan.blockAxis().isCut()) || isTooSparse(plan))
      return false;
    int64_t all = plan.blockAxis().windows;
    int64_t step = plan.isLine() ? target.rowStep() : 1;
    auto fits = [&](int64_t streamed) {
      int64_t eighths = isFromMemory ? streamed : residentEighths;
      return bytesIn(plan) <= target.l2Bytes / 8 * eighths;
    };
    plan.perBlock = all;
    if (fits(wholeEighths))
      return true;
    for (int64_t blocks = 2; plan.perBlock > step && !fits(blockEighths);
         ++blocks)
      plan.perBlock = llvm::alignTo(llvm::divideCeil(all, blocks), step);
    return fits(blockEighths) && (plan.isLine() || hasInput(plan.rows));
  }

  /// Whether each block of windows sees rows of the input, or zeros that are
  /// made for frames.
  static bool hasInput(const StepAxis &axis) {
    int64_t behind = axis.framesFor(axis.windows) - axis.padding - axis.input;
    return axis.isCut() || std::max(axis.padding, behind) < axis.framesFor(1);
  }

  /// Whether zeros make so much of a kernel that the constant section may not
  /// have room for it: a fourth of that. Assigned.
  bool isTooSparse(const StepPlan &plan) const {
    int64_t all = elementsOf(plan.rows) * elementsOf(plan.columns);
    return all > given.rows.taps * given.columns.taps &&
           groups * outputs * inputs * all * int64_t(elementBytes) >
               target.maxKernelSectionBytes / 4;
  }

  /// Elements of a kernel along an axis, with zeros between them.
  static int64_t elementsOf(const StepAxis &axis) {
    return int64_t(axis.phases.size()) *
           dilatedExtent(axis.taps, axis.dilation);
  }

  Extents extentsOf(const StepPlan &plan, int64_t windows) const {
    Extents e;
    e.windowRows = plan.isLine() ? 1 : windows;
    e.windowColumns = plan.isLine() ? windows : plan.columns.windows;
    auto framesOf = [](const StepAxis &axis, int64_t windows) {
      int64_t frames = axis.framesFor(windows);
      return axis.isCut() ? frames : std::min(frames, axis.input);
    };
    e.rows = framesOf(plan.rows, e.windowRows);
    e.columns = framesOf(plan.columns, e.windowColumns);
    e.turned = plan.columns.isCut() ? e.columns * plan.columns.step : 0;
    e.inRows = inputs * plan.rows.phases.size();
    e.inAll = inputs * plan.phases();
    return e;
  }

  /// Bytes in L2 of so many channels of each group.
  int64_t bytesOf(int64_t channels, int64_t rows, int64_t columns) const {
    return images * groups * channels * rows * target.l2ChannelBytes(columns);
  }

  /// What a block takes there, with what is made for all blocks. Some columns
  /// of a row are copied before they are turned, or all are.
  int64_t bytesIn(const StepPlan &plan) const {
    Extents block = extentsOf(plan, plan.perBlock), whole = block;
    if (plan.joins)
      whole = extentsOf(plan, plan.blockAxis().windows);
    int64_t copied = 0, kept = 0;
    if (plan.rows.isCut())
      copied = bytesOf(block.inRows, block.rows, plan.columns.input);
    else if (plan.isLine() && plan.perBlock < plan.columns.windows)
      (needsCopy ? kept : copied) =
          bytesOf(inputs, 1, needsCopy ? plan.columns.input : block.turned);
    int64_t turned = bytesOf(block.turned, block.rows, block.inRows);
    int64_t made = bytesOf(whole.inAll, whole.rows, whole.columns);
    // What rows alone are cut for is computed in blocks where that pays.
    if (!plan.columns.isCut())
      return made;
    int64_t written = bytesOf(outputs, whole.windowRows, whole.windowColumns);
    return kept + (plan.joins ? made + std::max(copied + turned, written)
                              : std::max(copied + turned,
                                         made + std::max(turned, written)));
  }

  /// Accesses to L2: to all rows of a channel at a time, or to all channels of
  /// one row.
  int64_t accesses(int64_t channels, int64_t rows, int64_t columns) const {
    int64_t pieces = target.l2ChannelBytes(columns) / target.l2Granule;
    if (rows == 1)
      std::swap(channels, rows);
    return channels * pieces * int64_t(llvm::divideCeil(rows, target.l2Banks));
  }

  /// Cycles of a task that turns columns of so many groups of all images to
  /// channels, or channels to columns: the rows of a channel at a time, or
  /// lines.
  int64_t turnCycles(int64_t groups, int64_t columns, int64_t rows,
                     int64_t channels) const {
    int64_t most = std::max(rows, images * groups),
            distance = distanceInLine(target.l2ChannelBytes(channels)),
            least = std::min(columns, channels);
    bool isLine = (least >= leastLine || least > most) &&
                  (most <= fewRows || distance % worstDistance != 0);
    // Groups and images in the place of rows lie in few banks.
    int64_t together = isLine ? 1 : most == rows ? rows : 2;
    return images * groups * rows *
               (accesses(columns, together, channels) +
                accesses(channels, together, columns)) /
               together +
           target.taskOverheadCycles;
  }

  /// The part of a stride that a task has.
  int64_t nativeStride(const StepAxis &axis) const {
    return largestDivisor(axis.stride, target.maxStride);
  }

  /// Products of a channel for a window that the engine makes. Where it skips
  /// zeros, those between taps are a bit each.
  int64_t productsOf(const StepPlan &plan) const {
    int64_t all = elementsOf(plan.rows) * elementsOf(plan.columns),
            taps = given.rows.taps * given.columns.taps;
    int64_t stride = nativeStride(plan.rows);
    bool skipsZeros = stride <= 2 && stride == nativeStride(plan.columns);
    return skipsZeros ? std::min(all, taps + int64_t(llvm::divideCeil(all, 16)))
                      : all;
  }

  /// Cycles of windows, with those between them that a task makes as well,
  /// while so much is read.
  int64_t windowCycles(const StepPlan &plan, const Extents &e,
                       int64_t read) const {
    int64_t rows = denseWindows(plan.rows, e.windowRows),
            columns = denseWindows(plan.columns, e.windowColumns);
    int64_t products = inputs * productsOf(plan);
    // All engines work on the outputs of a group, or on those of all.
    int64_t made = isChannelwise && plan.phases() == 1
                       ? groups * outputs
                       : groups * llvm::alignTo(outputs, target.neuralEngines);
    int64_t pixels = llvm::alignTo(rows * columns, target.patchPixels);
    int64_t cycles =
        std::max(
            {target.productCycles(images * made * pixels * products),
             target.memoryCycles(
                 groups * outputs * products * int64_t(elementBytes) + read),
             images * groups * accesses(e.inAll, e.rows, e.columns)}) +
        target.taskOverheadCycles + partCycles(plan, e, columns);
    return isHeld(plan, e)
               ? cycles
               : cycles +
                     target.memoryCycles(2 * bytesOf(outputs, rows, columns));
  }

  /// Whether columns are cut, or need not be: L2 has room for the windows
  /// between those that are wanted, and for more channels that are turned where
  /// a kernel is in parts.
  bool mayLeaveColumns(const StepPlan &plan) const {
    if (plan.columns.isCut())
      return true;
    Extents e = extentsOf(plan, plan.blockAxis().windows);
    bool isWhole = partsOf(plan.columns, target.maxKernelWidth) == 1;
    return isHeld(plan, e) &&
           (isWhole ||
            2 * bytesOf(e.inAll, e.rows, e.columns) <= target.usableL2Bytes());
  }

  /// The parts that a kernel of the engine makes of another one.
  static int64_t partsOf(const StepAxis &axis, int64_t limit) {
    return llvm::divideCeil(dilatedExtent(axis.taps, axis.dilation), limit);
  }

  /// Whether windows of which some are wanted stay in L2. Others go to memory
  /// and come back.
  bool isHeld(const StepPlan &plan, const Extents &e) const {
    int64_t rows = denseWindows(plan.rows, e.windowRows),
            columns = denseWindows(plan.columns, e.windowColumns);
    if (rows == e.windowRows && columns == e.windowColumns)
      return true;
    int64_t dense = bytesOf(outputs, rows, columns);
    // One row is there as a whole.
    return e.rows == 1 ? dense + bytesOf(inputs, 1, given.columns.input) <=
                             target.l2Bytes
                       : dense <= target.usableL2Bytes();
  }

  /// Windows that a task makes for some.
  int64_t denseWindows(const StepAxis &axis, int64_t windows) const {
    return (windows - 1) * (axis.stride / nativeStride(axis)) + 1;
  }

  /// Cycles beside those of products: each part that a kernel is in sees turned
  /// columns, has the columns of the windows taken from those that are made,
  /// and is added up.
  int64_t partCycles(const StepPlan &plan, const Extents &e,
                     int64_t columns) const {
    int64_t ofColumns = partsOf(plan.columns, target.maxKernelWidth),
            parts = ofColumns * partsOf(plan.rows, target.maxKernelHeight);
    int64_t cycles = 2 * (ofColumns - 1) *
                     turnCycles(1, e.columns, e.rows, groups * e.inAll);
    if (columns > e.windowColumns)
      cycles +=
          parts *
          (turnCycles(1, columns, e.windowRows, groups * outputs) +
           turnCycles(1, e.windowColumns, e.windowRows, groups * outputs));
    int64_t elements =
        images * groups * outputs * e.windowRows * e.windowColumns;
    return cycles + (parts - 1) * (elements / target.planarElementsPerCycle +
                                   2 * target.taskOverheadCycles);
  }

  int64_t cyclesOf(const StepPlan &plan) const {
    int64_t all = plan.blockAxis().windows,
            blocks = llvm::divideCeil(all, plan.perBlock);
    Extents block = extentsOf(plan, plan.perBlock);
    int64_t phasesOfRows = plan.rows.phases.size(),
            phasesOfColumns = plan.columns.phases.size();
    int64_t read = 0, cut = 0;
    if (isFromMemory) {
      // Rows that no window sees are not read.
      int64_t rows = block.rows * phasesOfRows, columns = given.columns.input;
      if (plan.isLine())
        columns = block.columns * plan.columns.step;
      int64_t pixels = std::min(blocks * rows * columns,
                                given.rows.input * given.columns.input) /
                       blocks;
      read = images * groups * inputs * pixels * elementBytes;
    }
    if (plan.rows.isCut()) {
      int64_t copies = images * groups * phasesOfRows * 2 *
                       accesses(inputs, block.rows, given.columns.input);
      cut += std::max(target.memoryCycles(std::exchange(read, 0)), copies) +
             2 * phasesOfRows * target.taskOverheadCycles;
    }
    if (plan.columns.isCut()) {
      int64_t turned =
          turnCycles(groups, block.turned, block.rows, block.inRows);
      cut += std::max(target.memoryCycles(std::exchange(read, 0)), turned) +
             2 * target.taskOverheadCycles +
             phasesOfColumns *
                 turnCycles(groups, block.columns, block.rows, block.inRows);
    }
    // Blocks of a result that L2 has no room for are read again as a whole.
    int64_t written =
        bytesOf(outputs, given.rows.windows, given.columns.windows);
    if (blocks > 1 && !plan.joins && written > target.usableL2Bytes())
      read += 2 * written / blocks;
    int64_t convolved = plan.joins
                            ? windowCycles(plan, extentsOf(plan, all), read)
                            : blocks * windowCycles(plan, block, read);
    return blocks * cut + convolved;
  }

  const TargetDescription &target;
  StepPlan given;
  int64_t images, groups;
  int64_t inputs, outputs; ///< channels of a group
  bool isChannelwise, isFromMemory;
  bool needsCopy; ///< as a whole, if blocks are some of its columns
};

} // namespace

std::optional<StepPlan> zin::planSteps(ConvOp op,
                                       const TargetDescription &target) {
  if (llvm::all_of(op.getStrides(),
                   [&](int64_t stride) { return stride <= target.maxStride; }))
    return std::nullopt;
  return StepPlanner(op, target).choose();
}
