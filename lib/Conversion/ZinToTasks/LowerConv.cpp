//===- LowerConv.cpp - Convolutions and pools -----------------------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "SplitWeights.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Constraint.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// Columns of a convolution for a task: all, or runs of them if L2 does not
/// hold the rows of one window and columns do not depend on each other.
int64_t columnsPerTask(const TargetDescription &target, const NEParams &params,
                       const View &x, const View &y) {
  auto fits = [&](int64_t columns) {
    std::array<int64_t, numDims> source = x.shape, result = y.shape;
    source[W] = result[W] = columns;
    return leastWeighedBytes(source, source[C], params.window[0],
                             params.stride[0], result,
                             target) <= target.l2Bytes;
  };
  int64_t columns = x.shape[W];
  if (fits(columns) ||
      !canCutColumns(params.window[1], params.stride[1], params.padding[1]))
    return columns;
  int64_t step = target.rowStep();
  int64_t runs = 1, perRun = columns;
  while (perRun > step && !fits(perRun))
    perRun = llvm::alignTo(llvm::divideCeil(columns, ++runs), step);
  return perRun;
}

/// Calls `fn` for a source and a result, or for runs of such columns. The last
/// result has those behind the source as well, which are padding to it.
template <typename Fn>
void forColumns(const TargetDescription &target, const NEParams &params,
                const View &x, const View &y, Fn fn) {
  int64_t columns = std::min(x.shape[W], y.shape[W]),
          perRun = columnsPerTask(target, params, x, y);
  if (perRun >= columns)
    return fn(x, y);
  for (int64_t begin = 0; begin < columns; begin += perRun) {
    int64_t count = std::min(perRun, columns - begin);
    bool isLast = begin + count == columns;
    fn(x.sliced(W, begin, count),
       y.sliced(W, begin, isLast ? y.shape[W] - begin : count));
  }
}

/// Of dilated rows every n-th result needs every n-th row of the source: those
/// are the rows of a convolution by themselves. Several with as many rows are a
/// batch.
struct RowPhases {
  int64_t source, result; ///< their first rows
  int64_t padding;        ///< in front of each
  int64_t step;           ///< from row to row
  int64_t count = 1;

  View of(const View &view, int64_t begin) const {
    View rows = view.sliced(
        H, begin, llvm::divideCeil(view.shape[H] - begin, step), step);
    if (count > 1) {
      rows.shape[N] = count;
      rows.strides[N] = view.strides[H];
    }
    return rows;
  }
};

SmallVector<RowPhases> rowPhases(ConvOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
  int64_t step = op.getPhases(0);
  SmallVector<RowPhases> phases;
  for (int64_t result = 0; result < std::min(step, y[H]); ++result) {
    int64_t above = op.getPadding()[0] - result;
    int64_t padding = llvm::divideCeilSigned(above, step);
    int64_t source = padding * step - above;
    auto hasAsMany = [&](int64_t extent, int64_t first, int64_t second) {
      return llvm::divideCeil(extent - first, step) ==
             llvm::divideCeil(extent - second, step);
    };
    // A batch has the dimension already, and so have groups.
    if (!phases.empty() && x[N] == 1 && op.getGroups() == 1) {
      RowPhases &last = phases.back();
      if (source == last.source + last.count && padding == last.padding &&
          hasAsMany(x[H], source, last.source) &&
          hasAsMany(y[H], result, last.result)) {
        ++last.count;
        continue;
      }
    }
    phases.push_back({source, result, padding, step});
  }
  return phases;
}

} // namespace

/// A convolution while its tasks are made.
class Lowering::Convolution {
public:
  Convolution(Lowering &lowering, ConvOp op)
      : lowering(lowering), b(lowering.b), x(lowering.viewOf(op.getX())),
        y(lowering.resultView(op.getResult())), groups(op.getGroups()),
        inputs(x.shape[C] / groups), outputs(y.shape[C] / groups),
        weights(lowering.elementsOf(op.getKernel())),
        bias(op.getBias() ? lowering.elementsOf(op.getBias()) : ElementsAttr()),
        phases(rowPhases(op)), task{x.shape, y.shape} {
    NeuronAttr activation = op.getActivationAttr();
    auto kernelType = cast<RankedTensorType>(op.getKernel().getType());
    params.op = MACOp::mac;
    params.kernelless = false;
    params.window = {kernelType.getDimSize(H), kernelType.getDimSize(W)};
    llvm::copy(op.getStrides(), params.stride.begin());
    llvm::copy(op.getPadding(), params.padding.begin());
    params.relu = isRelu(activation);
    if (FloatAttr scale = op.getScaleAttr())
      params.postScale = scale.getValueAsDouble();
    kernel.weights = weights;
    kernel.bias = bias;
    kernel.activation = params.relu ? NeuronAttr() : activation;
    kernel.taps = inputs * params.window[0] * params.window[1];
  }

  void run() {
    // One input channel for each output channel. What has no groups is dense,
    // however few channels it has.
    if (groups > 1 && inputs == 1 && outputs == 1)
      return channelByChannel();
    params.unicast = 0;
    kernel.outputs = outputs;
    task.source[C] = inputs;
    if (isFasterAsLine())
      return convolveAsLine();
    int64_t perTask =
        groups > 1 ? groupsPerTask(b.target, kernel, params, task, ocgCap())
                   : 0;
    if (perTask == 0)
      return groupByGroup();
    severalGroups(perTask);
  }

private:
  unsigned ocgCap() const {
    bool small = std::max(x.shape[H], x.shape[W]) <= b.target.smallInput;
    return small ? b.target.ocgCapSmall : b.target.ocgCap;
  }

  static Extents turned(Extents column) {
    std::swap(column[H], column[W]);
    return column;
  }

  /// Whether an image of one column, each element of which takes a step of L2,
  /// is better convolved as a line: that is read once, not in each pass of each
  /// task. Copies turn it and the result. Verified for one program; of which
  /// images, by an estimate of the cycles, is assigned.
  bool isFasterAsLine() const {
    const TargetDescription &target = b.target;
    auto isColumn = [](const View &view) {
      return view.shape[N] == 1 && view.shape[D] == 1 && view.shape[H] > 1 &&
             view.shape[W] == 1 && view.interleave == 1;
    };
    if (groups > 1 || !isColumn(x) || !isColumn(y) || params.window[1] != 1 ||
        params.window[0] > target.maxKernelWidth || params.padding[1] != 0 ||
        phases.front().step > 1)
      return false;
    int64_t ofSource = bytesInL2(turned(x.shape), target),
            ofResult = bytesInL2(turned(y.shape), target);
    if (bytesInL2(x.shape, target) <= target.l2Bytes ||
        ofSource > target.usableL2Bytes())
      return false;
    int64_t source = llvm::product_of(x.shape) * elementBytes,
            result = llvm::product_of(y.shape) * elementBytes;
    // A line beside which L2 has no room goes to memory and comes back.
    bool isHeld = ofSource + ofResult <= target.usableL2Bytes();
    int64_t moved = source + (isHeld ? result : 2 * result);
    return target.memoryCycles(moved) + 2 * target.taskOverheadCycles +
               taskCycles(0, isHeld ? 0 : elementBytes) <
           taskCycles(source, elementBytes);
  }

  /// The cycles of all tasks of one group if each pass reads `source` bytes and
  /// an element of the result makes `written` in memory.
  int64_t taskCycles(int64_t source, int64_t written) const {
    int64_t pixels = llvm::product_of(y.shape) / y.shape[C];
    int64_t perTask = outputsPerTask(b.target, kernel, params, task, pixels,
                                     td::numLanes, ocgCap());
    KernelParams part = kernel;
    int64_t cycles = 0;
    for (int64_t begin = 0; begin < outputs; begin += perTask) {
      part.outputs = std::min(perTask, outputs - begin);
      unsigned size = ocgSizeOf(b.target, part, params, task, ocgCap());
      int64_t passes = td::passesOfLane(part.outputs, size).count;
      cycles += std::max(
          b.target.productCycles(part.outputs * kernel.taps * pixels),
          b.target.memoryCycles(
              passes * source +
              part.outputs * (kernel.taps * elementBytes + pixels * written)));
      cycles += b.target.taskOverheadCycles;
    }
    return cycles;
  }

  void convolveAsLine() {
    View column = x, result = y;
    x = b.makeScratch(turned(column.shape));
    y = b.makeScratch(turned(result.shape));
    task = {x.shape, y.shape};
    std::swap(params.window[0], params.window[1]);
    std::swap(params.stride[0], params.stride[1]);
    params.padding = {0, phases.front().padding};
    phases.front().padding = 0;
    b.emitTransposedCopy(column.swapped(C, H), x.swapped(C, H));
    groupByGroup();
    b.emitTransposedCopy(y.swapped(C, H), result.swapped(C, H));
  }

  /// Every NE works on its own.
  void channelByChannel() {
    kernel.channelwise = true;
    int64_t perTask = channelsPerTask(b.target, kernel, params);
    for (int64_t begin = 0; begin < groups; begin += perTask) {
      kernel.outputs = std::min(perTask, groups - begin);
      Outputs part = {begin, kernel.outputs, kernelOf(begin, kernel.outputs)};
      convolve(x.sliced(C, begin, kernel.outputs), y, part);
    }
  }

  /// The last outputs of each come first (verified).
  void groupByGroup() {
    unsigned cap = ocgCap();
    int64_t columns = columnsPerTask(b.target, params, x, y);
    int64_t pixels =
        y.shape[N] * y.shape[D] * y.shape[H] * std::min(columns, y.shape[W]);
    int64_t perTask = outputsPerTask(b.target, kernel, params, task, pixels,
                                     td::numLanes, cap);
    TaskExtents run = task;
    run.source[W] = std::min(columns, x.shape[W]);
    run.result[W] = std::min(columns, y.shape[W]);
    for (int64_t group = 0; group < groups; ++group) {
      kernel.outputs = outputs;
      OutputParts ranges = lowering.partsOf(
          {kernel, params, run, task.source, lowering.isPart(x), /*step=*/1,
           std::nullopt, cap, perTask},
          weights, group * outputs * kernel.taps);
      SmallVector<Outputs> parts;
      for (auto [begin, count] : llvm::reverse(ranges.parts)) {
        kernel.outputs = count;
        kernel.ocgSize = ocgSizeOf(b.target, kernel, params, task, cap);
        int64_t first = group * outputs + begin;
        parts.push_back({first, count, kernelOf(first, count)});
      }
      convolve(x.sliced(C, group * inputs, inputs), y, parts);
    }
  }

  /// A grouped kernel takes the group registers, so a batch is several tasks.
  void severalGroups(int64_t perTask) {
    kernel.ocgSize = ocgSizeOf(b.target, kernel, params, task, ocgCap());
    params.grouped = true;
    for (int64_t begin = 0; begin < groups; begin += perTask) {
      kernel.groups = std::min(perTask, groups - begin);
      Outputs all = {0, outputs,
                     kernelOf(begin * outputs, kernel.groups * outputs)};
      for (int64_t image = 0; image < x.shape[N]; ++image)
        convolve(groupsOf(x, image, begin), groupsOf(y, image, begin), all);
    }
  }

  /// The groups of the kernel from this one on, of an image.
  View groupsOf(const View &view, int64_t image, int64_t begin) const {
    int64_t channels = view.shape[C] / groups;
    View result = view.sliced(N, image, 1)
                      .sliced(C, begin * channels, kernel.groups * channels);
    result.shape[N] = kernel.groups;
    result.shape[C] = channels;
    result.strides[N] = view.strides[C] * channels;
    return result;
  }

  /// The kernel of these outputs.
  FlatSymbolRefAttr kernelOf(int64_t begin, int64_t count) {
    kernel.weights =
        lowering.sliceOf(weights, begin * kernel.taps, count * kernel.taps);
    kernel.bias = bias ? lowering.sliceOf(bias, begin, count) : bias;
    return b.makeKernel(kernel);
  }

  void convolve(const View &from, const View &to, ArrayRef<Outputs> parts) {
    for (const RowPhases &each : phases) {
      NEParams own = params;
      own.padding[0] = each.padding;
      lowering.convolve(own, each.of(from, each.source),
                        each.of(to, each.result), parts);
    }
  }

  Lowering &lowering;
  TaskBuilder &b;
  View x, y;
  const int64_t groups, inputs, outputs; ///< the latter of a group
  const ElementsAttr weights, bias;
  SmallVector<RowPhases> phases;
  TaskExtents task;
  NEParams params;
  KernelParams kernel; ///< of the task that is made next
};

LogicalResult Lowering::lower(ConvOp op) {
  if (!isAtHand(op.getKernel()) || (op.getBias() && !isAtHand(op.getBias())))
    return refuse(op, b.target.rule("const-c2"),
                  "kernel and bias must be constants, with their elements");
  if (op.isDilatedInTasks())
    return op.emitError() << "conv: no task has a dilated kernel; run the pass "
                             "zin-legalize first";
  Convolution(*this, op).run();
  return success();
}

/// All parts of the outputs read what they need one after the other, so that L2
/// can keep it: of a large batch as many images as it holds, because each run
/// of images reads the coefficients again; of long rows some columns.
void Lowering::convolve(const NEParams &params, const View &x, const View &y,
                        ArrayRef<Outputs> parts) {
  int64_t batch = x.shape[N], runs = 1;
  if (parts.size() > 1) {
    int64_t held =
        b.target.usableL2Bytes() / bytesInL2(x.sliced(N, 0, 1).shape, b.target);
    runs = llvm::divideCeil(batch, std::max<int64_t>(held, 1));
  }
  int64_t images = llvm::divideCeil(batch, runs);
  for (int64_t image = 0; image < batch; image += images) {
    int64_t count = std::min(images, batch - image);
    forColumns(
        b.target, params, x.sliced(N, image, count), y.sliced(N, image, count),
        [&](const View &from, const View &to) {
          for (const Outputs &part : parts)
            b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, from,
                     to.sliced(C, part.begin, part.count), part.kernel);
        });
  }
}

LogicalResult Lowering::lower(PoolOp op) {
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  bool isMax = op.getKind() == PoolingType::Max;
  if (!isMax && !op.hasOneDivisor())
    return op.emitError()
           << "pool: a task has one divisor for all windows; run "
              "the pass zin-legalize first";
  NEParams params;
  params.op = isMax ? MACOp::max : MACOp::mac;
  params.lowestPadding = isMax;
  llvm::copy(op.getWindow(), params.window.begin());
  llvm::copy(op.getStrides(), params.stride.begin());
  llvm::copy(op.getPadding().take_front(2), params.padding.begin());
  if (!isMax)
    params.postScale = 1.0 / (params.window[0] * params.window[1]);
  b.emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, params, x, y);
  return success();
}
