//===- TurnScores.cpp - Scores of a query in a row ------------------------===//

#include "Split/Attention.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"

namespace ane::zin {
#define GEN_PASS_DEF_TURNSCORES
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The permutation of a transpose that puts the rows of matrices in the place
/// of channels, and back.
constexpr std::array<int64_t, numDims> channelsAndRows = {N, D, H, C, W};

/// The one that takes channels of several images to rows of as many matrices.
constexpr std::array<int64_t, numDims> imagesToMatrices = {D, H, N, C, W};

/// Whether a reshape takes the rows of matrices to channels, those of each to
/// an image of its own, as products of several images have it.
bool movesMatricesToImages(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from[N] == 1 && from[D] == 1 && to[N] == from[C] && to[D] == 1 &&
         to[C] == from[H] && to[H] == 1 && to[W] == from[W];
}

bool movesRowsToChannels(Operation *layer) {
  if (auto reshape = dyn_cast<ReshapeOp>(layer)) {
    ArrayRef<int64_t> from = shapeOf(reshape.getX()), to = shapeOf(reshape);
    return movesMatricesToImages(from, to) || movesMatricesToImages(to, from);
  }
  auto transpose = dyn_cast<TransposeOp>(layer);
  return transpose &&
         transpose.getPermutation() == ArrayRef<int64_t>(channelsAndRows);
}

/// A layer between two products.
struct ColumnStep : Step {
  /// Whether the keys lie along channels in front of it.
  bool hasKeysOnChannels = false;
};

/// Attention whose scores have the keys of a query in a column.
struct Columns {
  MatMulOp scores = {};
  SmallVector<ColumnStep> steps; ///< in the order of the program
  MatMulOp context = {};
};

/// The operand of a layer that may have the scores: all of them, and computed
/// by a layer that may be one of these.
std::optional<unsigned> operandOfScores(Operation *layer) {
  if (movesRowsToChannels(layer))
    return 0;
  if (!layer->hasTrait<Elementwise>())
    return std::nullopt;
  std::optional<unsigned> found;
  for (OpOperand &operand : layer->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    bool isCandidate =
        operand.get().getType() == layer->getResult(0).getType() && producer &&
        (isa<MatMulOp>(producer) || producer->hasTrait<Elementwise>() ||
         movesRowsToChannels(producer));
    if (isCandidate && found)
      return std::nullopt;
    if (isCandidate)
      found = operand.getOperandNumber();
  }
  return found;
}

/// Whether a product can change places with its kernel, and
/// zin-split-attention takes blocks of it.
bool canTurn(MatMulOp product) {
  return isMatrixProduct(product) && !product.getActivation() &&
         !product.getX().getDefiningOp<ConstantOp>();
}

/// Nothing unless the softmax is along keys in columns, and the products around
/// it hand over and read them so, each value having one reader.
std::optional<Columns> columnsAround(SoftmaxOp softmax) {
  Columns found;
  Value value = softmax.getResult();
  while (!found.scores) {
    Operation *layer = value.getDefiningOp();
    if (!layer || !value.hasOneUse())
      return std::nullopt;
    found.scores = dyn_cast<MatMulOp>(layer);
    if (found.scores)
      break;
    std::optional<unsigned> operand =
        layer == softmax ? 0 : operandOfScores(layer);
    if (!operand)
      return std::nullopt;
    found.steps.push_back({{layer, *operand}});
    value = found.steps.back().input();
  }
  std::reverse(found.steps.begin(), found.steps.end());
  OpOperand *use = &*softmax.getResult().use_begin();
  while (!found.context) {
    Operation *layer = use->getOwner();
    found.context = dyn_cast<MatMulOp>(layer);
    if (found.context)
      break;
    bool goesOn = movesRowsToChannels(layer) ||
                  (layer->hasTrait<Elementwise>() &&
                   layer->getResult(0).getType() == use->get().getType());
    if (!goesOn || !layer->getResult(0).hasOneUse())
      return std::nullopt;
    found.steps.push_back({{layer, use->getOperandNumber()}});
    use = &*layer->getResult(0).use_begin();
  }
  bool onChannels = false;
  for (ColumnStep &step : found.steps) {
    step.hasKeysOnChannels = onChannels;
    if (step.layer == softmax &&
        softmax.getAxis() != (onChannels ? unsigned(C) : unsigned(H)))
      return std::nullopt;
    onChannels ^= movesRowsToChannels(step.layer);
  }
  bool isRead = use->getOperandNumber() == 0 && !onChannels &&
                found.context.getContractRows() && canTurn(found.scores) &&
                canTurn(found.context);
  return isRead ? std::optional(std::move(found)) : std::nullopt;
}

class TurnScores : public ane::zin::impl::TurnScoresBase<TurnScores> {
public:
  using TurnScoresBase::TurnScoresBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!getAnalysis<Inventory>().hasAny<SoftmaxOp>())
      return markAllAnalysesPreserved();
    unsigned count = 0;
    Block &body = getOperation().getBody().front();
    for (auto softmax : llvm::to_vector(body.getOps<SoftmaxOp>()))
      if (std::optional<Columns> columns = columnsAround(softmax);
          columns && isLarge(*columns, *description)) {
        turn(*columns);
        ++count;
      }
    numTurned += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  /// Of a matrix that L2 holds, maxima and sums along rows are as good, or
  /// better.
  static bool isLarge(Columns &columns, const TargetDescription &target) {
    ArrayRef<int64_t> shape = shapeOf(columns.scores.getResult());
    return bytesInL2({1, 1, 1, shape[H], shape[W]}, target) >
               target.wholeL2Bytes() &&
           shape[H] <= target.maxWidth && shape[W] <= target.maxHeight;
  }

  /// The product with its result turned. Queries are its coefficients: of a
  /// block of them there are few.
  static Value turnedScores(OpBuilder &builder, MatMulOp scores) {
    Location location = scores.getLoc();
    SmallVector<int64_t> shape(shapeOf(scores.getResult()));
    std::swap(shape[H], shape[W]);
    auto copy = cast<MatMulOp>(builder.clone(*scores));
    copy.getResult().setType(
        RankedTensorType::get(shape, builder.getF16Type()));
    copy.setOutputsOnRows(!scores.getOutputsOnRows());
    Value queries = scores.getX(), keys = scores.getKernel();
    if (!scores.getOutputsOnRows() || shapeOf(keys)[C] != shape[C])
      return copy.getResult();
    builder.setInsertionPoint(copy);
    if (scores.getContractRows())
      queries = transposeBy(builder, location, queries, rowsAndColumns);
    builder.setInsertionPointAfter(copy);
    copy.getXMutable().assign(keys);
    copy.getKernelMutable().assign(queries);
    copy.setContractRows(false);
    copy.setOutputsOnRows(true);
    return copy.getResult();
  }

  static void turn(Columns &columns) {
    OpBuilder builder(columns.context);
    Value value = turnedScores(builder, columns.scores);
    for (const ColumnStep &step : columns.steps) {
      if (movesRowsToChannels(step.layer))
        continue;
      Location location = step.layer->getLoc();
      SmallVector<Value, 2> operands =
          llvm::to_vector(step.layer->getOperands());
      for (auto [index, operand] : llvm::enumerate(operands)) {
        if (index == step.operand) {
          operand = value;
          continue;
        }
        if (step.hasKeysOnChannels)
          operand =
              transposeBy(builder, location, operand,
                          shapeOf(step.result())[N] == 1 ? channelsAndRows
                                                         : imagesToMatrices);
        operand = transposeBy(builder, location, operand, rowsAndColumns);
      }
      Operation *copy = builder.clone(*step.layer);
      copy->setOperands(operands);
      if (auto softmax = dyn_cast<SoftmaxOp>(copy))
        softmax.setAxis(W);
      copy->getResult(0).setType(value.getType());
      value = copy->getResult(0);
    }
    columns.context.getXMutable().assign(value);
    columns.context.setContractRows(false);
    for (const ColumnStep &step : llvm::reverse(columns.steps))
      step.layer->erase();
    columns.scores.erase();
  }
};

} // namespace
