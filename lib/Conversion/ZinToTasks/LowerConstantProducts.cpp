//===- LowerConstantProducts.cpp - Products with constant matrices --------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "Products.h"
#include "SplitWeights.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

/// What it takes to turn outputs back that lie along channels, if L2 has them.
static std::optional<int64_t> copyCycles(const TargetDescription &target,
                                         int64_t outputs, int64_t columns) {
  if (outputs * target.l2ChannelBytes(columns) > target.wholeL2Bytes())
    return std::nullopt;
  int64_t tasks =
      llvm::divideCeil(outputs, target.maxExchangedChannels(columns));
  return tasks * target.taskOverheadCycles +
         accessCycles(target, {1, 1, outputs, 1, columns}) +
         accessCycles(target, {1, 1, columns, 1, outputs});
}

/// A product of which constant matrices are the kernels. With `turns` rows of
/// the source are outputs, not what is contracted; with `turnsBack` the outputs
/// lie along the columns of the result.
class Lowering::ConstantProduct {
public:
  ConstantProduct(Lowering &lowering, MatMulOp op, const View &source,
                  const View &result, bool turns, bool turnsBack)
      : lowering(lowering), b(lowering.b), source(source), result(result),
        turns(turns), turnsBack(turnsBack) {
    auto kernelType = cast<RankedTensorType>(op.getKernel().getType());
    kernels = kernelType.getDimSize(C);
    outputs = kernelType.getDimSize(H);
    taps = kernelType.getDimSize(W);
    kept = source.shape[turns ? C : W];
    images = kernels > 1 ? 1 : source.shape[N];
    weights = lowering.elementsOf(op.getKernel());
    if (op.getBias())
      bias = lowering.elementsOf(op.getBias());
    kernel.taps = taps;
    kernel.activation =
        isRelu(op.getActivationAttr()) ? NeuronAttr() : op.getActivationAttr();
    kernel.bias = bias;
    kernel.outputs = outputs;
    params = productParams(op);
    params.grouped = kernels > 1;
    params.transposed = turnsBack;
  }

  void emit() {
    chooseTasks();
    for (int64_t matrix = 0; matrix < kernels; matrix += matrices) {
      kernel.groups = std::min(matrices, kernels - matrix);
      kernel.outputs = outputs;
      OutputParts ranges = partsOf(matrix);
      multiply(kernelsOf(ranges, matrix), ranges.isApart, matrix);
    }
  }

private:
  /// How many matrices, or outputs of one, a task has.
  void chooseTasks() {
    task = {{images, 1, taps, 1, kept}, {images, 1, outputs, 1, kept}};
    // All parts of the outputs read the same columns, which L2 can keep.
    room = turns ? turnedRoom(b.target, kept, taps) : productRoom(b.target);
    run = task;
    run.source[W] = run.result[W] =
        std::min(columnsPerTask(b.target, room, taps, kept), kept);
    perTask = outputs;
    if (kernels > 1)
      matrices = std::min(b.target.maxGroups,
                          groupsPerTask(b.target, kernel, params, task, cap));
    if (kernels == 1 || matrices == 0) {
      matrices = 1;
      perTask = outputsPerTask(b.target, kernel, params, task,
                               images * run.source[W], step, cap);
    }
  }

  /// The outputs of tasks for the matrices from this one on.
  OutputParts partsOf(int64_t matrix) const {
    if (matrices > 1)
      return equalParts(outputs, perTask);
    return lowering.partsOf(
        {kernel, params, run, turns ? run.source : task.source,
         !turns && lowering.isPart(source), turnsBack ? step : 1,
         turnsBack && kernels == 1 ? copyCycles(b.target, outputs, kept)
                                   : std::nullopt,
         cap, perTask},
        weights, matrix * outputs * taps);
  }

  SmallVector<Outputs> kernelsOf(const OutputParts &ranges, int64_t matrix) {
    SmallVector<Outputs> parts;
    for (auto [begin, count] : ranges.parts) {
      kernel.outputs = count;
      kernel.ocgSize = ocgSizeOf(b.target, kernel, params, task, cap);
      kernel.weights =
          lowering.sliceOf(weights, (matrix * outputs + begin) * taps,
                           kernel.groups * kernel.outputs * taps);
      // The matrices of a batch share it.
      if (bias)
        kernel.bias =
            lowering.sliceOf(bias, begin, kernel.outputs, kernel.groups);
      parts.push_back({begin, kernel.outputs, b.makeKernel(kernel)});
    }
    return parts;
  }

  /// With `isApart` the outputs are turned back behind the products.
  void multiply(ArrayRef<Outputs> parts, bool isApart, int64_t matrix) {
    int64_t batch = kernels > 1 ? kernel.groups : images;
    bool isWhole =
        parts.size() == 1 || bytesInL2(source.shape, b.target) <= room;
    int64_t atATime = isWhole ? batch : 1;
    View written = result;
    NEParams own = params;
    unsigned outputDim = turnsBack ? W : C, keptDim = turnsBack ? C : W;
    if (isApart) {
      written = b.makeScratch({images, 1, outputs, 1, kept});
      own.transposed = false;
      std::swap(outputDim, keptDim);
    }
    for (int64_t image = 0; image < batch; image += atATime) {
      View x = source.sliced(N, matrix + image, atATime),
           y = written.sliced(N, matrix + image, atATime);
      forColumns(b.target, room, taps, kept,
                 [&](int64_t first, int64_t columns) {
                   View from = x.sliced(turns ? C : W, first, columns);
                   if (turns)
                     from = lowering.turnedCopy(from);
                   for (const Outputs &part : parts)
                     b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, own, from,
                              y.sliced(outputDim, part.begin, part.count)
                                  .sliced(keptDim, first, columns),
                              part.kernel);
                 });
    }
    if (isApart)
      b.emitTransposedCopy(written, result);
  }

  Lowering &lowering;
  TaskBuilder &b;
  const View &source, &result;
  const bool turns, turnsBack;
  int64_t kernels, outputs, taps; ///< extents of the constant matrices
  int64_t kept;                   ///< columns of each output
  int64_t images;                 ///< of a batch that shares one matrix
  ElementsAttr weights, bias;
  KernelParams kernel;
  NEParams params;
  const unsigned cap = b.target.ocgCap;
  /// Results are cut at multiples of a 64-byte step.
  const int64_t step = b.target.rowStep();
  TaskExtents task, run;
  int64_t room = 0;
  int64_t matrices = 1, perTask = 0;
};

void Lowering::multiplyConstant(MatMulOp op, const View &source,
                                const View &result, bool turns,
                                bool turnsBack) {
  ConstantProduct(*this, op, source, result, turns, turnsBack).emit();
}
