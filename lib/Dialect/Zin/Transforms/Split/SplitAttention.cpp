//===- SplitAttention.cpp - Attention by matrices and blocks of rows ------===//

#include "Split/AttentionBlocks.h"
#include "Split/BatchParts.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_SPLITATTENTION
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The part of L2 that the scores of a block may take: they, what is computed
/// from them, and tiles lie there at a time. Assigned, as is the one where a
/// mask passes through a tile as well.
constexpr int64_t blockDenominator = 4, maskedDenominator = 5;
/// The same for blocks of rows of one matrix without a mask: each reads keys
/// and values again, so that they may be larger. Assigned.
constexpr int64_t rowsDenominator = 3;
/// How often a value between the products is at least written or read: scores,
/// exponents, powers and probabilities, once each.
constexpr int64_t leastMoves = 8;
/// An image has tasks of its own if a matrix operand of it takes as long to
/// move as so many that do nothing. Assigned.
constexpr int64_t leastImageTasks = 16;

class Splitter {
public:
  Splitter(SharedFinder &finder, const TargetDescription &target)
      : finder(finder), target(target) {}

  unsigned numSplit = 0, numBlocks = 0;

  void run(Attention &attention) {
    std::optional<BlockSize> size = blockSize(attention);
    if (!size)
      return;
    Operation *last = attention.steps.back().layer;
    OpBuilder builder(last);
    ArrayRef<int64_t> shape = attention.shape();
    int64_t batch = shape[N] * shape[D] * shape[C];
    SharedOperands shared = finder.find(attention, *size);
    BlockEmitter emitter(builder, attention, shared);
    SmallVector<Value> results;
    for (int64_t matrix = 0; matrix < batch; matrix += shared.matrices)
      llvm::append_range(
          results,
          emitter.emit({matrix, std::min(shared.matrices, batch - matrix)},
                       *size));
    numBlocks +=
        batch / size->matrices * llvm::divideCeil(shape[H], size->rows);
    joinMatrices(builder, attention.result(), results, size->matrices,
                 /*byImages=*/imagesOf(attention.scores.getX()) > 1);
    llvm::SetVector<Operation *> repeats;
    for (Value operand : attention.scores->getOperands())
      addRepeats(operand, repeats);
    if (attention.context)
      addRepeats(attention.context->getOperand(
                     attention.hasProbabilitiesInKernel() ? 0 : 1),
                 repeats);
    for (const Step &step : llvm::reverse(attention.steps))
      step.layer->erase();
    attention.scores.erase();
    eraseUnread(repeats.takeVector());
    ++numSplit;
  }

private:
  /// The layers that repeat the matrices of a value, move or join them.
  static void addRepeats(Value value, llvm::SetVector<Operation *> &layers) {
    while (Operation *layer = value ? value.getDefiningOp() : nullptr) {
      Value repeated = repeatedBy(layer);
      if (isa<ConcatOp>(layer))
        layers.insert(layer);
      if (!repeated && !turnsMatrices(layer) && !keptBy(layer))
        return;
      layers.insert(layer);
      value = repeated ? repeated : layer->getOperand(0);
    }
  }

  /// Leaves out those that nothing reads any more, and their constants.
  static void eraseUnread(SmallVector<Operation *, 0> layers) {
    llvm::sort(layers, [](Operation *a, Operation *b) {
      return b->isBeforeInBlock(a);
    });
    for (Operation *layer : layers) {
      if (!layer->use_empty())
        continue;
      SmallVector<Value, 2> operands = llvm::to_vector(layer->getOperands());
      layer->erase();
      for (Value operand : operands)
        if (auto ones = operand.getDefiningOp<ConstantOp>();
            ones && ones.use_empty())
          ones.erase();
    }
  }

  /// Nothing if the scores stay in L2 as they are, and keys where they are
  /// turned, or if what blocks read again is more than they save.
  std::optional<BlockSize> blockSize(Attention &attention) const {
    ArrayRef<int64_t> shape = attention.shape();
    int64_t rowBytes = target.l2ChannelBytes(shape[W]);
    int64_t matrixBytes = rowBytes * shape[H];
    bool isMasked = llvm::any_of(attention.steps, [&](const Step &step) {
      return isa<ElementWiseOp, ScaledElementWiseOp>(step.layer) &&
             !attention.isPlane(shapeOf(step.result()));
    });
    int64_t blockBytes =
        target.l2Bytes / (isMasked ? maskedDenominator : blockDenominator);
    int64_t batch = shape[N] * shape[D] * shape[C];
    int64_t most = blockBytes / matrixBytes;
    std::optional<BlockSize> image = sizeOfImage(attention, batch);
    if (image)
      most = std::min(most, image->matrices);
    if (matrixBytes * batch <= target.wholeL2Bytes()) {
      int64_t keyBytes = turnedBytes(attention);
      if (keyBytes * batch <= target.wholeL2Bytes() ||
          keyBytes > target.wholeL2Bytes())
        return image;
      most = std::min(most, target.wholeL2Bytes() / keyBytes);
    }
    int64_t matrices = std::clamp<int64_t>(most, 1, batch);
    while (!areNeighbours(attention, matrices))
      --matrices;
    // Rows that become columns begin at an alignment.
    int64_t step = target.rowStep();
    int64_t rowsBytes =
        isMasked ? blockBytes : target.l2Bytes / rowsDenominator;
    int64_t rows = std::max(rowsBytes / rowBytes / step * step, step);
    if (rows >= shape[H])
      return BlockSize{matrices, shape[H]};
    if (bytesForEachBlock(attention) >= leastMoves * rows * rowBytes)
      return std::nullopt;
    int64_t blocks = llvm::divideCeil(shape[H], rows);
    return BlockSize{matrices, int64_t(llvm::alignTo(
                                   llvm::divideCeil(shape[H], blocks), step))};
  }

  /// The matrices of an image, if there are several images, each with several
  /// matrices that are worth tasks of their own.
  std::optional<BlockSize> sizeOfImage(Attention &attention,
                                       int64_t batch) const {
    MatMulOp scores = attention.scores;
    int64_t images =
        std::min(imagesOf(scores.getX()), imagesOf(scores.getKernel()));
    int64_t bytes = llvm::product_of(shapeOf(scores.getX())) * elementBytes;
    if (images == 1 || batch % images != 0 || batch == images ||
        bytes / images < leastImageTasks * target.taskBytes() ||
        !areNeighbours(attention, batch / images))
      return std::nullopt;
    return BlockSize{batch / images, attention.shape()[H]};
  }

  /// Whether in each layer blocks of that many matrices are neighbours, in
  /// front of reshapes that part the batch and behind them.
  static bool areNeighbours(Attention &attention, int64_t matrices) {
    return llvm::all_of(attention.steps, [&](const Step &step) {
      ArrayRef<int64_t> shape = shapeOf(step.result());
      bool isPlane =
          step.layer != attention.context && attention.isPlane(shape);
      return isPlane || placeInBatch(shape, {0, matrices});
    });
  }

  /// What the keys of a matrix take in L2 where their rows become columns, as
  /// they do beside queries in the kernel; else 0.
  int64_t turnedBytes(Attention &attention) const {
    MatMulOp scores = attention.scores;
    if (!attention.hasQueriesInKernel() || scores.getContractRows())
      return 0;
    ArrayRef<int64_t> keys = shapeOf(scores.getX());
    return target.l2ChannelBytes(keys[H]) * keys[W];
  }

  /// What every block of a matrix reads: the operands without queries.
  static int64_t bytesForEachBlock(Attention &attention) {
    auto matrixBytes = [](Value value) {
      return shapeOf(value)[H] * shapeOf(value)[W] * elementBytes;
    };
    MatMulOp scores = attention.scores, context = attention.context;
    int64_t bytes = matrixBytes(
        attention.hasQueriesInKernel() ? scores.getX() : scores.getKernel());
    if (context)
      bytes += matrixBytes(attention.hasProbabilitiesInKernel()
                               ? context.getX()
                               : context.getKernel());
    return bytes;
  }

  SharedFinder &finder;
  const TargetDescription &target;
};

class SplitAttention
    : public ane::zin::impl::SplitAttentionBase<SplitAttention> {
public:
  using SplitAttentionBase::SplitAttentionBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!getAnalysis<Inventory>().hasAny<SoftmaxOp>())
      return markAllAnalysesPreserved();
    Block &body = getOperation().getBody().front();
    auto softmaxes = llvm::to_vector(body.getOps<SoftmaxOp>());
    SmallVector<Attention> attentions;
    for (SoftmaxOp softmax : softmaxes)
      if (std::optional<Attention> attention = attentionAround(softmax))
        attentions.push_back(std::move(*attention));
    SharedFinder finder(body, attentions, *description);
    Splitter splitter(finder, *description);
    for (SoftmaxOp softmax : softmaxes)
      if (std::optional<Attention> attention = attentionAround(softmax))
        splitter.run(*attention);
    numSplit += splitter.numSplit;
    numBlocks += splitter.numBlocks;
  }
};

} // namespace
