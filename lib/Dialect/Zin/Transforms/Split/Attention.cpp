//===- Attention.cpp - A softmax with the products around it --------------===//

#include "Split/Attention.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

bool zin::isMatrixProduct(MatMulOp op) {
  auto isBatch = [](Value value) {
    return shapeOf(value)[N] == 1 && shapeOf(value)[D] == 1;
  };
  return !op.getBias() && !op.getKernel().getDefiningOp<ConstantOp>() &&
         isBatch(op.getX()) && isBatch(op.getKernel());
}

namespace {

/// Whether all of a row of so many columns is in a plane.
bool isPlaneOf(ArrayRef<int64_t> shape, int64_t columns) {
  return shape[W] != columns && shape[H] * shape[W] == columns;
}

/// Whether a row of the result follows from the same row of this operand, all
/// rows being in the same order. Rows of so many columns may become planes, as
/// scores that are parted by rows and columns of an image, and rows again.
bool keepsRows(Operation *layer, Value operand, int64_t columns) {
  if (!layer->hasTrait<Elementwise>() && !isa<ReshapeOp>(layer))
    return false;
  ArrayRef<int64_t> from = shapeOf(operand), to = shapeOf(layer->getResult(0));
  if (!isa<ReshapeOp>(layer))
    return from == to;
  bool isParted = (isPlaneOf(from, columns) && to[W] == columns) ||
                  (from[W] == columns && isPlaneOf(to, columns));
  return isParted || from.take_back(2) == to.take_back(2);
}

/// Matrices of a value: how often it has the last two dimensions.
int64_t countMatrices(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape.take_front(H));
}

/// Whether a value has the scores of each query in a row, in the order of the
/// queries and of their matrices, or in a plane of its own.
bool isOfScores(ArrayRef<int64_t> shape, ArrayRef<int64_t> scores) {
  if (isPlaneOf(shape, scores[W]))
    return countMatrices(shape) == countMatrices(scores) * scores[H];
  return shape.take_back(2) == scores.take_back(2) &&
         countMatrices(shape) == countMatrices(scores);
}

} // namespace

std::optional<SmallVector<int64_t>> zin::shapeOfPlanes(ArrayRef<int64_t> shape,
                                                       ArrayRef<int64_t> whole,
                                                       int64_t queries) {
  SmallVector<int64_t> planes(shape);
  int64_t count = countMatrices(shape);
  if (count == 1)
    return planes;
  if (count != countMatrices(whole) && count != queries)
    return std::nullopt;
  // Those of each query must not be of several matrices.
  if (count != countMatrices(whole) &&
      (shape[N] != 1 || whole[N] * queries != countMatrices(whole)))
    return std::nullopt;
  planes[N] = count / queries;
  planes[D] = 1;
  planes[C] = queries;
  return planes;
}

/// Steps that are followed where two operands of one may have the scores.
/// Assigned.
constexpr unsigned mostSteps = 16;

static bool isProductOfScores(Value value, ArrayRef<int64_t> scores,
                              unsigned stepsLeft);

/// The step that made a value, if there is only one operand that it can be of,
/// or one that a product of matrices leads to: a mask or a bias may be computed
/// as well. `scores` has the shape of the scores with a row for each query.
static std::optional<Step> stepBefore(Value value, ArrayRef<int64_t> scores,
                                      unsigned stepsLeft = mostSteps) {
  Operation *layer = value.getDefiningOp();
  if (!layer || !value.hasOneUse())
    return std::nullopt;
  SmallVector<OpOperand *, 2> candidates;
  for (OpOperand &operand : layer->getOpOperands()) {
    Operation *before = operand.get().getDefiningOp();
    if (before && keepsRows(layer, operand.get(), scores[W]) &&
        (before->hasTrait<Elementwise>() || isa<MatMulOp, ReshapeOp>(before)))
      candidates.push_back(&operand);
  }
  if (candidates.size() > 1)
    llvm::erase_if(candidates, [&](OpOperand *operand) {
      return !isProductOfScores(operand->get(), scores, stepsLeft);
    });
  if (candidates.size() != 1)
    return std::nullopt;
  Step step = {layer, candidates.front()->getOperandNumber()};
  ArrayRef<int64_t> whole = shapeOf(value);
  bool canPart = whole[W] == scores[W] || isa<ReshapeOp>(layer) ||
                 llvm::all_of(layer->getOperands(), [&](Value operand) {
                   return shapeOfPlanes(shapeOf(operand), whole, scores[H]);
                 });
  return canPart ? std::optional(step) : std::nullopt;
}

/// Whether steps lead from a product of matrices to a value.
static bool isProductOfScores(Value value, ArrayRef<int64_t> scores,
                              unsigned stepsLeft) {
  for (; stepsLeft > 0; --stepsLeft) {
    if (auto product = value.getDefiningOp<MatMulOp>())
      return value.hasOneUse() && isMatrixProduct(product);
    std::optional<Step> step = stepBefore(value, scores, stepsLeft - 1);
    if (!step)
      return false;
    value = step->input();
  }
  return false;
}

std::optional<Attention> zin::attentionAround(SoftmaxOp softmax) {
  if (softmax.getAxis() != W)
    return std::nullopt;
  Attention attention;
  attention.steps.push_back({softmax, 0});
  ArrayRef<int64_t> shape = shapeOf(softmax.getResult());
  while (std::optional<Step> step =
             stepBefore(attention.steps.back().input(), shape))
    attention.steps.push_back(*step);
  std::reverse(attention.steps.begin(), attention.steps.end());
  Value first = attention.steps.front().input();
  attention.scores = first.getDefiningOp<MatMulOp>();
  if (!attention.scores || !first.hasOneUse() ||
      !isMatrixProduct(attention.scores))
    return std::nullopt;
  ArrayRef<int64_t> scores = shapeOf(attention.scores.getResult());
  if (shape.take_back(2) != scores.take_back(2) ||
      !llvm::all_of(attention.steps, [&](const Step &step) {
        return isOfScores(shapeOf(step.result()), scores);
      }))
    return std::nullopt;

  while (attention.result().hasOneUse()) {
    OpOperand &use = *attention.result().use_begin();
    Step next = {use.getOwner(), use.getOperandNumber()};
    if (keepsRows(next.layer, use.get(), shape[W]) &&
        shapeOf(next.result())[W] == shape[W] &&
        isOfScores(shapeOf(next.result()), scores)) {
      attention.steps.push_back(next);
      continue;
    }
    auto product = dyn_cast<MatMulOp>(next.layer);
    bool contractsKeys =
        product && isMatrixProduct(product) &&
        countMatrices(shapeOf(product.getResult())) == countMatrices(scores) &&
        (next.operand == Attention::kernelOperand ||
         !product.getContractRows());
    if (contractsKeys) {
      attention.context = product;
      attention.steps.push_back(next);
    }
    break;
  }
  return attention;
}
