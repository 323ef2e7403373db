//===- LowerMatMul.cpp - Matrix products ----------------------------------===//
//
// A product is a convolution of one tap over the kept dimension of the left
// matrix, which lies along columns: the contracted dimension lies along
// channels. The right matrix is the kernel, constant
// (LowerConstantProducts.cpp) or computed.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "Products.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Constraint.h"
#include "ane/TaskDescriptor/Fields.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// Whether L2 holds what streams at a time of an operand whose columns pass
/// piece by piece: of each channel one piece.
bool streamFits(const TargetDescription &target, int64_t channels,
                int64_t columns) {
  return std::min(target.l2ChannelBytes(columns), target.neStreamBytes) *
             channels <=
         productRoom(target);
}

/// The images of a batch, which are one where they are the same.
View repeated(View images, int64_t count) {
  if (images.shape[N] == 1 && count > 1) {
    images.shape[N] = count;
    images.strides[N] = 0;
  }
  return images;
}

} // namespace

View Lowering::rowsAsChannels(const View &view) {
  View result = view;
  result.shape = {view.shape[C], 1, view.shape[H], 1, view.shape[W]};
  result.strides = {view.strides[C], view.strides[C], view.strides[H],
                    view.strides[C]};
  result.interleaved = C;
  return result;
}

std::optional<View> Lowering::batchOf(const View &view) {
  View result = view;
  int64_t count = 1, pitch = view.strides[C];
  for (unsigned dim : {C, D, N}) {
    if (view.shape[dim] == 1)
      continue;
    if (count == 1)
      pitch = view.strides[dim];
    else if (view.strides[dim] != pitch * count)
      return std::nullopt;
    count *= view.shape[dim];
  }
  result.shape = {1, 1, count, view.shape[H], view.shape[W]};
  result.strides = {pitch * count, pitch * count, pitch, view.strides[H]};
  return result;
}

View Lowering::asBatch(const View &view) {
  std::optional<View> batch = batchOf(view);
  return batch ? *batch : *batchOf(b.linearize(view));
}

LogicalResult Lowering::lower(MatMulOp op) {
  bool constant = isAtHand(op.getKernel());
  if ((op.getKernel().getDefiningOp<ConstantOp>() && !constant) ||
      (op.getBias() && (!constant || !isAtHand(op.getBias()))))
    return refuse(op, b.target.rule("const-c2"),
                  "the elements of a constant kernel must be at hand, and a "
                  "bias goes with a constant kernel");
  NeuronAttr activation = op.getActivationAttr();
  if (!constant && activation && !isRelu(activation))
    return op.emitError() << "matmul: a computed kernel brings no table";

  if (sumsOnPlanes(op)) {
    multiplyOnPlanes(op);
    return success();
  }
  if (readsRowsOnce(op)) {
    View result = rowsAsChannels(asBatch(resultView(op.getResult())));
    View columns = turnedRows(op.getKernel());
    multiplyComputed(op, {repeated(columns, result.shape[N]),
                          asBatch(viewOf(op.getX())), result,
                          /*turns=*/false,
                          /*turnsBack=*/op.getOutputsOnRows(),
                          /*inParts=*/false});
    return success();
  }
  TransposeOp turn = turnInParts(op);
  bool turns = turn || !op.getContractRows();
  bool inRuns =
      turns && constant && !turned.contains(op.getX()) && turnsInRuns(op);
  View source;
  if (turns && !inRuns && !multipliesInParts(op)) {
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
    result = rowsAsChannels(asBatch(constant ? matrixView(op.getResult())
                                             : resultView(op.getResult())));
  }
  source = repeated(source, result.shape[N]);
  if (constant)
    multiplyConstant(op, source, result, turns, turnsBack);
  else
    multiplyComputed(op, {source, asBatch(viewOf(op.getKernel())), result,
                          turns, turnsBack, multipliesInParts(op)});
  return success();
}

/// A matrix with its rows along columns, as a product reads it: what another
/// one has written or a copy for all products.
View Lowering::turnedRows(Value value) {
  View &view = turned[value];
  if (view.buffer)
    return view;
  return view = turnedCopy(rowsAsChannels(asBatch(viewOf(value))));
}

/// Whether an operand is that of a product that reads its rows along columns.
bool Lowering::readsTurned(OpOperand &use) const {
  auto product = dyn_cast<MatMulOp>(use.getOwner());
  return product && use.getOperandNumber() == 0 && !product.getContractRows() &&
         !multipliesInParts(product) && !readsRowsOnce(product) &&
         !sumsOnPlanes(product);
}

/// Whether nothing but products and softmaxes reads a value, all of them with
/// its rows along columns, so that it need not lie as it is in memory.
bool Lowering::isReadTurned(Value value) const {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto softmax = dyn_cast<SoftmaxOp>(use.getOwner());
    return softmax ? sumsTurned(softmax) : readsTurned(use);
  });
}

void Lowering::exchangeOperands(MatMulOp op) {
  if (!op.getOutputsOnRows() || !isBetterExchanged(op))
    return;
  Value kernel = op.getX();
  op.getXMutable().assign(op.getKernel());
  op.getKernelMutable().assign(kernel);
  op.setOutputsOnRows(false);
}

/// Whether a product whose outputs are rows costs less if each of them is a
/// column, which what reads it needs: it would have to be turned for that. The
/// operand that is no kernel is turned to L2 either way.
bool Lowering::isBetterExchanged(MatMulOp op) const {
  ArrayRef<int64_t> x = shapeOf(op.getX()), kernel = shapeOf(op.getKernel());
  if (isAtHand(op.getX()) || isAtHand(op.getKernel()) || op.getContractRows() ||
      x[C] != kernel[C] || turnsMatrices(op.getKernel().getDefiningOp()) ||
      sumsOnPlanes(op) || multipliesInParts(op) || readsRowsOnce(op) ||
      !isReadTurned(op.getResult()))
    return false;
  auto costOf = [&](int64_t outputs, int64_t kept) {
    int64_t perRun =
        columnsPerTask(b.target, productRoom(b.target), x[W], kept);
    return planProduct(b.target,
                       {.matrices = x[C],
                        .outputs = outputs,
                        .taps = x[W],
                        .kept = kept,
                        .runs = int64_t(llvm::divideCeil(kept, perRun)),
                        .kernels = x[C],
                        .isSourceNear = true})
        .cost;
  };
  ProductCost asItIs = costOf(kernel[H], x[H]);
  ++asItIs.tasks;
  return costOf(x[H], kernel[H]).isLessThan(asItIs);
}

/// Whether L2 does not hold the turned left matrix of a constant product: then
/// each run of its rows is turned to L2 when it is its turn, so that none goes
/// to memory.
bool Lowering::turnsInRuns(MatMulOp op) const {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  return shapeOf(op.getKernel())[C] == 1 && x[N] * x[D] * x[C] == 1 &&
         columnsPerTask(b.target, turnedRoom(b.target, x[H], x[W]), x[W],
                        x[H]) < x[H];
}

/// Whether the left matrix of a computed product is a constant that several
/// products have: it stays in L2 from the first of them to the last
/// (`zin-keep-kernels`), which has counted what room that takes.
bool Lowering::keepsLeft(MatMulOp op) const {
  return isAtHand(op.getX()) && !op.getX().hasOneUse();
}

/// Whether the rows of the left matrix are the kernel of a computed product and
/// the kernel, which takes no more than a task, is turned in its place: to turn
/// the left matrix would take it to memory and back. Rows of a task should be
/// worth one (assigned: from how many bytes on).
bool Lowering::readsRowsOnce(MatMulOp op) const {
  constexpr int64_t leastRowBytes = 1024;
  ArrayRef<int64_t> x = shapeOf(op.getX()), kernel = shapeOf(op.getKernel());
  return !isAtHand(op.getKernel()) && !keepsLeft(op) && !op.getContractRows() &&
         kernel[H] <= int64_t(td::numLanes) &&
         x[W] * elementBytes >= leastRowBytes &&
         b.target.l2ChannelBytes(x[H]) * x[W] > b.target.wholeL2Bytes();
}

/// Whether the left matrix of a computed product is brought to L2 in parts,
/// each for all outputs: every task reads it, and it is too large to stay there
/// beside other values.
bool Lowering::multipliesInParts(MatMulOp op) const {
  ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
  int64_t kept = shapeOf(op.getX())[op.getContractRows() ? W : H];
  return !isAtHand(op.getKernel()) && !keepsLeft(op) &&
         kernel[H] > int64_t(td::numLanes) &&
         b.target.l2ChannelBytes(kept) * kernel[W] > b.target.wholeL2Bytes();
}

/// The transpose that makes the left matrix of such a product alone: the parts
/// are turned on their way to L2.
TransposeOp Lowering::turnInParts(MatMulOp op) const {
  auto turn = op.getX().getDefiningOp<TransposeOp>();
  bool isTurned = turn && turn.getResult().hasOneUse() &&
                  op.getContractRows() && multipliesInParts(op) &&
                  turnsMatrices(turn);
  return isTurned ? turn : TransposeOp();
}

/// Whether a transpose is that of such a product.
bool Lowering::isOfProduct(TransposeOp op) const {
  if (!op.getResult().hasOneUse())
    return false;
  auto product = dyn_cast<MatMulOp>(*op.getResult().user_begin());
  return product && turnInParts(product) == op;
}

/// Each lane has rows of the computed matrix, so a task does a multiple of as
/// many outputs as there are lanes, of one matrix of the batch.
void Lowering::multiplyComputed(MatMulOp op, const ComputedProduct &product) {
  const View &source = product.source, &result = product.result;
  int64_t outputs = product.kernels.shape[H], taps = product.kernels.shape[W];
  int64_t kept = source.shape[product.turns ? C : W];
  int64_t room =
      product.inParts ? b.target.wholeL2Bytes() : productRoom(b.target);
  int64_t perRun = columnsPerTask(b.target, room, taps, kept);
  ProductPlan plan = planProduct(
      b.target, {.matrices = result.shape[N],
                 .outputs = outputs,
                 .taps = taps,
                 .kept = kept,
                 .runs = int64_t(llvm::divideCeil(kept, perRun)),
                 .kernels = product.kernels.shape[C],
                 .isInterleaved = product.kernels.interleave > 1,
                 .isNear = isNear(product.kernels),
                 .mayStream = !product.turns && kept <= b.target.maxWidth &&
                              streamFits(b.target, taps, kept),
                 .turnsBack = product.turnsBack});
  NEParams params = productParams(op);
  params.transposed = product.turnsBack && !plan.turnsApart;
  // What is turned back need not go to memory: a part of the outputs at a time,
  // as many as start at a step, where L2 does not hold all but has room for one
  // beside the source.
  int64_t columnBytes = b.target.l2ChannelBytes(kept);
  bool inBlocks =
      plan.turnsApart &&
      columnBytes * outputs * result.shape[N] > b.target.wholeL2Bytes() &&
      columnBytes * taps <= b.target.wholeL2Bytes() / 2;
  View target = result;
  if (plan.turnsApart && !inBlocks)
    target = b.makeScratch({result.shape[N], 1, outputs, 1, kept});
  SmallVector<ComputedKernel> kernels =
      computedKernels(product.kernels, plan.interleaves);
  for (int64_t matrix = 0; matrix < result.shape[N]; ++matrix) {
    View x = source.sliced(N, matrix, 1), y = target.sliced(N, matrix, 1);
    if (plan.streams) {
      multiplyRows(params, kernels, matrix, x, y);
      continue;
    }
    forColumns(b.target, room, taps, kept, [&](int64_t first, int64_t columns) {
      View part = x.sliced(product.turns ? C : W, first, columns);
      if (product.inParts)
        part = bringNear(part, product.turns);
      if (inBlocks)
        multiplyInBlocks(params, kernels, matrix, part,
                         y.sliced(C, first, columns));
      else
        multiplyRows(params, kernels, matrix, part,
                     y.sliced(params.transposed ? C : W, first, columns));
    });
  }
  if (plan.turnsApart && !inBlocks)
    b.emitTransposedCopy(target, result);
}

/// Tasks of these kernels for a matrix of the batch. The first row of `y` is
/// that of the first of them.
void Lowering::multiplyRows(const NEParams &params,
                            ArrayRef<ComputedKernel> kernels, int64_t matrix,
                            const View &x, const View &y) {
  int64_t firstRow = kernels.front().rows.begin;
  for (const ComputedKernel &kernel : kernels) {
    View rows =
        kernel.view.sliced(N, kernel.view.shape[N] == 1 ? 0 : matrix, 1);
    b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, x,
             y.sliced(params.transposed ? W : C, kernel.rows.begin - firstRow,
                      kernel.rows.count),
             {}, &rows);
  }
}

/// The same by way of blocks of rows that L2 holds, each of which is turned on
/// its way to `y`, where rows lie along columns.
void Lowering::multiplyInBlocks(const NEParams &params,
                                ArrayRef<ComputedKernel> kernels,
                                int64_t matrix, const View &x, const View &y) {
  int64_t columns = x.shape[W], step = b.target.rowStep();
  int64_t most = b.target.wholeL2Bytes() / 2 /
                 b.target.l2ChannelBytes(columns) / step * step;
  for (size_t begin = 0, end; begin < kernels.size(); begin = end) {
    end = blockEnd(kernels, begin, std::max(most, step), step);
    ArrayRef<ComputedKernel> block = kernels.slice(begin, end - begin);
    int64_t row = block.front().rows.begin;
    int64_t count = block.back().rows.end() - row;
    View results = makeApart(count, columns);
    multiplyRows(params, block, matrix, x, results);
    b.emitTransposedCopy(results, y.sliced(W, row, count));
  }
}

/// The end of the kernels from `begin` on that have up to `most` rows together
/// and are followed by one whose first row is at a step, but at least of one.
size_t Lowering::blockEnd(ArrayRef<ComputedKernel> kernels, size_t begin,
                          int64_t most, int64_t step) {
  int64_t first = kernels[begin].rows.begin;
  size_t end = begin + 1;
  while (end < kernels.size() && (kernels[end].rows.end() - first <= most ||
                                  kernels[end].rows.begin % step != 0))
    ++end;
  return end;
}

/// A part of the left matrix, [1, 1, contracted, 1, kept], in a buffer that L2
/// holds.
View Lowering::bringNear(const View &part, bool turns) {
  if (turns)
    return turnedCopy(part);
  View near = makeApart(part.shape[C], part.shape[W]);
  b.emitCopy(part, near);
  return near;
}

/// A buffer whose channels do not meet in few banks of L2. What is turned there
/// lies otherwise already.
View Lowering::makeApart(int64_t channels, int64_t columns) {
  int64_t more = leavesBanks(b.target.l2ChannelBytes(columns))
                     ? b.target.l2Granule / elementBytes
                     : 0;
  return b.makeScratch({1, 1, channels, 1, columns + more})
      .sliced(W, 0, columns);
}
