//===- LowerMatMul.cpp - Matrix products ----------------------------------===//
//
// A product is a convolution of one tap over the kept dimension of the left
// matrix, which lies along columns: the contracted dimension lies along
// channels. The right matrix is the kernel, constant or computed.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "SplitWeights.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/TaskDescriptor/Fields.h"
#include "ane/TaskDescriptor/KernelLayout.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// [1, 1, batch, rows, columns] as [batch, 1, rows, 1, columns].
View rowsAsChannels(const View &view) {
  View result = view;
  result.shape = {view.shape[C], 1, view.shape[H], 1, view.shape[W]};
  result.strides = {view.strides[C], view.strides[C], view.strides[H],
                    view.strides[C]};
  return result;
}

/// Calls `fn(begin, count)` for runs of columns of a [K, columns] operand: as
/// many as a task has, and of which `room` bytes of L2 hold one row and
/// `resultBytes` of result for each column.
template <typename Fn>
void forColumns(const TargetDescription &target, int64_t room, int64_t channels,
                int64_t columns, int64_t resultBytes, Fn fn) {
  int64_t perTask = columns;
  if (target.l2ChannelBytes(columns) * channels + resultBytes * columns >
      room) {
    int64_t step = target.rowAlignment / elementBytes;
    int64_t stepBytes = (channels * elementBytes + resultBytes) * step;
    perTask = std::max<int64_t>(room / stepBytes, 1) * step;
  }
  perTask = std::min(perTask, target.maxWidth);
  for (int64_t begin = 0; begin < columns; begin += perTask)
    fn(begin, std::min(perTask, columns - begin));
}

/// Bytes of L2 for the operand of a product: what is left beside the skew of a
/// row and the drain of a streamed result.
int64_t operandRoom(const TargetDescription &target) {
  constexpr int64_t skew = 0x40;
  return target.l2Bytes - skew - int64_t(td::numLanes) * target.neStreamBytes;
}

NEParams productParams(MatMulOp op) {
  NEParams params;
  params.op = MACOp::mac;
  params.kernelless = false;
  params.unicast = 0;
  params.relu = isRelu(op.getActivationAttr());
  if (FloatAttr scale = op.getScaleAttr())
    params.postScale = scale.getValueAsDouble();
  return params;
}

} // namespace

View Lowering::asBatch(const View &view) {
  View result = view;
  int64_t count = 1, pitch = view.strides[C];
  for (unsigned dim : {C, D, N}) {
    if (view.shape[dim] == 1)
      continue;
    if (count == 1)
      pitch = view.strides[dim];
    else if (view.strides[dim] != pitch * count)
      return asBatch(b.linearize(view));
    count *= view.shape[dim];
  }
  result.shape = {1, 1, count, view.shape[H], view.shape[W]};
  result.strides = {pitch * count, pitch * count, pitch, view.strides[H]};
  return result;
}

LogicalResult Lowering::lower(MatMulOp op) {
  bool constant = isAtHand(op.getKernel());
  if ((op.getKernel().getDefiningOp<ConstantOp>() && !constant) ||
      (op.getBias() && (!constant || !isAtHand(op.getBias()))))
    return refuse(op, (b.target.name + "-const-c2").str(),
                  "the elements of a constant kernel must be at hand, and a "
                  "bias goes with a constant kernel");
  NeuronAttr activation = op.getActivationAttr();
  if (!constant && activation && !isRelu(activation))
    return op.emitError() << "matmul: a computed kernel brings no table";

  TransposeOp turn = turnInParts(op);
  bool turns = turn || !op.getContractRows();
  View source;
  if (turns && !multipliesInParts(op)) {
    source = turnedRows(op.getX());
    turns = false;
  } else {
    source = rowsAsChannels(asBatch(viewOf(turn ? turn.getX() : op.getX())));
  }
  bool turnsBack = !op.getOutputsOnRows();
  View result;
  if (turnsBack && isReadTurned(op.getResult())) {
    ArrayRef<int64_t> shape = shapeOf(op.getResult());
    result = b.makeScratch(
        {shape[N] * shape[D] * shape[C], 1, shape[W], 1, shape[H]});
    turned[op.getResult()] = result;
    turnsBack = false;
  } else {
    result = rowsAsChannels(asBatch(resultView(op.getResult())));
  }
  if (source.shape[N] == 1 && result.shape[N] > 1) {
    source.shape[N] = result.shape[N];
    source.strides[N] = 0;
  }
  if (constant)
    multiplyConstant(op, source, result, turnsBack);
  else
    multiplyComputed(op, source, result, turns, turnsBack);
  return success();
}

/// A matrix with its rows along columns, as a product reads it: what another
/// one has written or a copy for all products.
View Lowering::turnedRows(Value value) {
  View &view = turned[value];
  if (view.buffer)
    return view;
  View rows = rowsAsChannels(asBatch(viewOf(value)));
  view = b.makeScratch({rows.shape[N], 1, rows.shape[W], 1, rows.shape[C]});
  b.emitTransposedCopy(rows, view);
  return view;
}

/// Whether nothing but products reads a value, all of them with its rows along
/// columns, so that it need not lie as it is in memory.
bool Lowering::isReadTurned(Value value) const {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto product = dyn_cast<MatMulOp>(use.getOwner());
    return product && use.getOperandNumber() == 0 &&
           !product.getContractRows() && !multipliesInParts(product);
  });
}

/// Whether the left matrix of a computed product is brought to L2 in parts,
/// each for all outputs: every task reads it, and it is too large to stay there
/// beside other values.
bool Lowering::multipliesInParts(MatMulOp op) const {
  ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
  int64_t kept = shapeOf(op.getX())[op.getContractRows() ? W : H];
  return !isAtHand(op.getKernel()) && kernel[H] > int64_t(td::numLanes) &&
         b.target.l2ChannelBytes(kept) * kernel[W] > b.target.wholeL2Bytes();
}

/// The transpose that makes the left matrix of such a product alone: the parts
/// are turned on their way to L2.
TransposeOp Lowering::turnInParts(MatMulOp op) const {
  constexpr std::array<int64_t, numDims> rowsAndColumns = {N, D, C, W, H};
  auto turn = op.getX().getDefiningOp<TransposeOp>();
  bool isTurned = turn && turn.getResult().hasOneUse() &&
                  op.getContractRows() && multipliesInParts(op) &&
                  turn.getPermutation() == ArrayRef<int64_t>(rowsAndColumns);
  return isTurned ? turn : TransposeOp();
}

/// With `turnsBack` the outputs lie along the columns of the result.
void Lowering::multiplyConstant(MatMulOp op, const View &source,
                                const View &result, bool turnsBack) {
  auto kernelType = cast<RankedTensorType>(op.getKernel().getType());
  int64_t kernels = kernelType.getDimSize(C);
  int64_t outputs = kernelType.getDimSize(H), taps = kernelType.getDimSize(W);
  KernelParams kernel;
  kernel.taps = taps;
  kernel.activation =
      isRelu(op.getActivationAttr()) ? NeuronAttr() : op.getActivationAttr();
  NEParams params = productParams(op);
  params.grouped = kernels > 1;
  params.transposed = turnsBack;
  unsigned outputDim = params.transposed ? W : C;
  unsigned keptDim = params.transposed ? C : W;
  ElementsAttr weights = elementsOf(op.getKernel());
  ElementsAttr bias = op.getBias() ? elementsOf(op.getBias()) : ElementsAttr();

  unsigned cap = b.target.ocgCap;
  // Results are cut at multiples of a 64-byte step.
  int64_t step = b.target.rowAlignment / elementBytes;
  kernel.bias = bias;
  kernel.outputs = outputs;
  int64_t matrices = 1;
  int64_t perTask = outputs;
  if (kernels > 1)
    matrices = std::min(b.target.maxGroups,
                        groupsPerTask(b.target, kernel, params, cap));
  if (kernels == 1 || matrices == 0) {
    matrices = 1;
    perTask = outputsPerTask(b.target, kernel, params, step, cap);
  }
  bool isOne = perTask >= outputs;
  // All parts of the outputs read the same columns, which L2 can keep.
  int64_t room = isOne ? operandRoom(b.target) : b.target.usableL2Bytes();
  for (int64_t matrix = 0; matrix < kernels; matrix += matrices) {
    kernel.groups = std::min(matrices, kernels - matrix);
    SmallVector<Outputs> parts;
    for (int64_t begin = 0; begin < outputs; begin += perTask) {
      kernel.outputs = std::min(perTask, outputs - begin);
      kernel.ocgSize = td::chooseOcgSize(kernel.outputs, cap);
      kernel.weights = sliceOf(weights, (matrix * outputs + begin) * taps,
                               kernel.groups * kernel.outputs * taps);
      // The matrices of a batch share it.
      if (bias)
        kernel.bias = sliceOf(bias, begin, kernel.outputs, kernel.groups);
      parts.push_back({begin, kernel.outputs, b.makeKernel(kernel)});
    }
    int64_t batch = kernels > 1 ? kernel.groups : source.shape[N];
    // A transposed result lies in L2 as a whole.
    int64_t resultBytes =
        params.transposed ? b.target.l2ChannelBytes(parts.front().count) : 0;
    bool isWhole = isOne || bytesInL2(source.shape, b.target) <= room;
    int64_t images = isWhole ? batch : 1;
    for (int64_t image = 0; image < batch; image += images) {
      View x = source.sliced(N, matrix + image, images),
           y = result.sliced(N, matrix + image, images);
      forColumns(b.target, room, taps, x.shape[W], resultBytes,
                 [&](int64_t first, int64_t columns) {
                   for (const Outputs &part : parts)
                     b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params,
                              x.sliced(W, first, columns),
                              y.sliced(outputDim, part.begin, part.count)
                                  .sliced(keptDim, first, columns),
                              part.kernel);
                 });
    }
  }
}

/// Each lane has a row of the computed matrix, so a task does as many outputs
/// as there are lanes, of one matrix of the batch. Verified for a task of 16;
/// the interleaved rows of more outputs are not used.
/// With `turns` rows of the source are outputs, not what is contracted; with
/// `turnsBack` the outputs lie along the columns of the result.
void Lowering::multiplyComputed(MatMulOp op, const View &source,
                                const View &result, bool turns,
                                bool turnsBack) {
  View kernels = asBatch(viewOf(op.getKernel()));
  NEParams params = productParams(op);
  int64_t outputs = kernels.shape[H], taps = kernels.shape[W];
  int64_t kept = source.shape[turns ? C : W];
  View target = result;
  if (turnsBack) // the lanes can only be written to rows of their own
    target = b.makeScratch({result.shape[N], 1, outputs, 1, kept});
  bool inParts = multipliesInParts(op);
  int64_t room = inParts ? b.target.wholeL2Bytes() : operandRoom(b.target);
  for (int64_t matrix = 0; matrix < result.shape[N]; ++matrix) {
    View kernel = kernels.sliced(C, kernels.shape[C] == 1 ? 0 : matrix, 1);
    View x = source.sliced(N, matrix, 1), y = target.sliced(N, matrix, 1);
    forColumns(
        b.target, room, taps, kept, 0, [&](int64_t first, int64_t columns) {
          View part = x.sliced(turns ? C : W, first, columns);
          if (inParts) {
            View near = b.makeScratch({1, 1, taps, 1, columns});
            turns ? b.emitTransposedCopy(part, near) : b.emitCopy(part, near);
            part = near;
          }
          for (int64_t begin = 0; begin < outputs; begin += td::numLanes) {
            int64_t count = std::min<int64_t>(td::numLanes, outputs - begin);
            View rows = kernel.sliced(H, begin, count);
            b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, part,
                     y.sliced(C, begin, count).sliced(W, first, columns), {},
                     &rows);
          }
        });
  }
  if (turnsBack)
    b.emitTransposedCopy(target, result);
}
