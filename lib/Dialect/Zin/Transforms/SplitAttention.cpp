//===- SplitAttention.cpp - Attention by matrices and blocks of rows ------===//

#include "LayerBlocks.h"
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
/// How often a value between the products is at least written or read: scores,
/// exponents, powers and probabilities, once each.
constexpr int64_t leastMoves = 8;

/// A layer and the operand of which a row makes the same row of the result.
struct Step {
  Operation *layer;
  unsigned operand;

  Value input() const { return layer->getOperand(operand); }
  Value result() const { return layer->getResult(0); }
};

/// A softmax over columns with the products around it, every value in between
/// having one reader.
struct Attention {
  MatMulOp scores;         ///< its rows are queries
  SmallVector<Step> steps; ///< behind it, the softmax among them
  MatMulOp context; ///< the last step; null if probabilities go elsewhere

  Value result() const { return steps.back().result(); }
  ArrayRef<int64_t> shape() const { return shapeOf(steps.front().result()); }

  bool hasQueriesInKernel() { return scores.getOutputsOnRows(); }
  bool hasProbabilitiesInKernel() {
    return steps.back().operand == kernelOperand;
  }
  /// The dimension of the result along which queries lie.
  unsigned rowsOfResult() {
    if (!context)
      return H;
    return hasProbabilitiesInKernel() == context.getOutputsOnRows() ? H : W;
  }

  static constexpr unsigned kernelOperand = 1;
};

/// Whether both operands are computed and have their matrices along channels.
bool isMatrixProduct(MatMulOp op) {
  auto isBatch = [](Value value) {
    return shapeOf(value)[N] == 1 && shapeOf(value)[D] == 1;
  };
  return !op.getBias() && !op.getKernel().getDefiningOp<ConstantOp>() &&
         isBatch(op.getX()) && isBatch(op.getKernel());
}

/// Whether a row of the result follows from the same row of this operand, all
/// rows being in the same order.
bool keepsRows(Operation *layer, Value operand) {
  ArrayRef<int64_t> from = shapeOf(operand);
  if (isa<ElementWiseOp, GOCOp, NeuronOp>(layer))
    return from == shapeOf(layer->getResult(0));
  return isa<ReshapeOp>(layer) &&
         from.take_back(2) == shapeOf(layer->getResult(0)).take_back(2);
}

/// The step that made a value, if there is only one operand that it can be of.
std::optional<Step> stepBefore(Value value) {
  Operation *layer = value.getDefiningOp();
  if (!layer || !value.hasOneUse())
    return std::nullopt;
  std::optional<Step> step;
  for (OpOperand &operand : layer->getOpOperands()) {
    if (!keepsRows(layer, operand.get()) ||
        !isa_and_nonnull<MatMulOp, ElementWiseOp, GOCOp, NeuronOp, ReshapeOp>(
            operand.get().getDefiningOp()))
      continue;
    if (step)
      return std::nullopt;
    step = Step{layer, operand.getOperandNumber()};
  }
  return step;
}

std::optional<Attention> attentionAround(SoftmaxOp softmax) {
  if (softmax.getAxis() != W)
    return std::nullopt;
  Attention attention;
  attention.steps.push_back({softmax, 0});
  while (std::optional<Step> step = stepBefore(attention.steps.back().input()))
    attention.steps.push_back(*step);
  std::reverse(attention.steps.begin(), attention.steps.end());
  Value first = attention.steps.front().input();
  attention.scores = first.getDefiningOp<MatMulOp>();
  if (!attention.scores || !first.hasOneUse() ||
      !isMatrixProduct(attention.scores))
    return std::nullopt;

  while (attention.result().hasOneUse()) {
    OpOperand &use = *attention.result().use_begin();
    Step next = {use.getOwner(), use.getOperandNumber()};
    if (keepsRows(next.layer, use.get())) {
      attention.steps.push_back(next);
      continue;
    }
    auto product = dyn_cast<MatMulOp>(next.layer);
    bool contractsKeys = product && isMatrixProduct(product) &&
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

/// A part of the matrices of a batch and of their rows.
struct Part {
  IndexRange matrices; ///< neighbours along channels
  IndexRange rows;
};

/// The part of a value that belongs to a block of `whole`, a result that it
/// broadcasts to along the batch, with queries along `rowsDim` if there is one.
Value partOf(OpBuilder &builder, Location location, Value value,
             ArrayRef<int64_t> whole, const Part &block,
             std::optional<unsigned> rowsDim) {
  int64_t first = block.matrices.begin;
  SmallVector<std::pair<unsigned, IndexRange>> ranges = {
      {N, {first / whole[C] / whole[D], 1}},
      {D, {first / whole[C] % whole[D], 1}},
      {C, {first % whole[C], block.matrices.count}}};
  if (rowsDim)
    ranges.push_back({*rowsDim, block.rows});
  SmallVector<int64_t> shape(shapeOf(value)), begin(numDims, 0);
  for (auto [dim, range] : ranges) {
    // What has one for all has it here, too.
    if (shape[dim] == 1)
      continue;
    begin[dim] = range.begin;
    shape[dim] = range.count;
  }
  return viewOf(builder, location, value, begin, shape);
}

/// A copy of a layer with operands and result of a block.
Operation *cloneFor(OpBuilder &builder, Operation *layer,
                    ArrayRef<Value> operands, const Part &block,
                    unsigned rowsDim) {
  SmallVector<int64_t> shape(shapeOf(layer->getResult(0)));
  shape[N] = shape[D] = 1;
  shape[C] = block.matrices.count;
  shape[rowsDim] = block.rows.count;
  return cloneWith(builder, layer, operands, shape);
}

/// Emits the layers of blocks.
class BlockEmitter {
public:
  BlockEmitter(OpBuilder &builder, Attention &attention)
      : builder(builder), attention(attention) {}

  /// The blocks from now on are of these matrices; `again` says that there are
  /// several.
  void begin(IndexRange matrices, bool again) {
    this->matrices = matrices;
    MatMulOp scores = attention.scores, context = attention.context;
    keys = operandForAll(scores, attention.hasQueriesInKernel() ? 0 : 1, again);
    if (context)
      values = operandForAll(
          context, attention.hasProbabilitiesInKernel() ? 0 : 1, again);
  }

  Value emit(IndexRange rows) {
    Part block = {matrices, rows};
    Value part = emitScores(block);
    for (const Step &step : attention.steps) {
      if (step.layer == attention.context) {
        part = emitProduct(attention.context, values,
                           attention.hasProbabilitiesInKernel(), part, block,
                           attention.rowsOfResult());
        continue;
      }
      // Parts have the same form in front of a reshape and behind it.
      if (isa<ReshapeOp>(step.layer))
        continue;
      SmallVector<Value, 2> operands;
      for (OpOperand &operand : step.layer->getOpOperands())
        operands.push_back(operand.getOperandNumber() == step.operand
                               ? part
                               : partOf(builder, step.layer->getLoc(),
                                        operand.get(), shapeOf(step.result()),
                                        block, H));
      part = cloneFor(builder, step.layer, operands, block, H)->getResult(0);
    }
    return part;
  }

private:
  /// An operand that all blocks of some matrices read.
  struct Shared {
    Value value;
    bool turned = false;
  };

  /// Where the blocks would contract its columns, each would turn it; so it is
  /// turned once.
  Shared operandForAll(MatMulOp product, unsigned operand, bool again) {
    Value value =
        partOf(builder, product.getLoc(), product->getOperand(operand),
               shapeOf(product.getResult()), {matrices, {}}, std::nullopt);
    if (!again || operand == Attention::kernelOperand ||
        product.getContractRows())
      return {value};
    SmallVector<int64_t> shape(shapeOf(value));
    std::swap(shape[H], shape[W]);
    value = TransposeOp::create(
        builder, product.getLoc(),
        RankedTensorType::get(shape, builder.getF16Type()), value,
        builder.getDenseI64ArrayAttr({N, D, C, W, H}));
    return {value, /*turned=*/true};
  }

  Value emitScores(const Part &block) {
    MatMulOp scores = attention.scores;
    bool inKernel = attention.hasQueriesInKernel();
    unsigned rowsDim = !inKernel && scores.getContractRows() ? W : H;
    Value queries =
        partOf(builder, scores.getLoc(), scores->getOperand(inKernel),
               shapeOf(scores.getResult()), block, rowsDim);
    return emitProduct(scores, keys, inKernel, queries, block, H);
  }

  Value emitProduct(MatMulOp product, const Shared &shared, bool ownIsKernel,
                    Value own, const Part &block, unsigned rowsDim) {
    SmallVector<Value, 2> operands = {shared.value, own};
    if (!ownIsKernel)
      std::swap(operands[0], operands[1]);
    auto copy =
        cast<MatMulOp>(cloneFor(builder, product, operands, block, rowsDim));
    if (shared.turned)
      copy.setContractRows(true);
    return copy.getResult();
  }

  OpBuilder &builder;
  Attention &attention;
  IndexRange matrices = {};
  Shared keys, values; ///< for the current matrices
};

/// How many matrices, and of each how many rows, a block has.
struct BlockSize {
  int64_t matrices, rows;
};

class Splitter {
public:
  explicit Splitter(const TargetDescription &target) : target(target) {}

  unsigned numSplit = 0, numBlocks = 0;

  void run(Attention &attention) {
    std::optional<BlockSize> size = blockSize(attention);
    if (!size)
      return;
    Operation *last = attention.steps.back().layer;
    OpBuilder builder(last);
    Location location = last->getLoc();
    ArrayRef<int64_t> shape = attention.shape();
    int64_t batch = shape[N] * shape[D] * shape[C];
    BlockEmitter emitter(builder, attention);
    SmallVector<Value> matrices;
    for (int64_t matrix = 0; matrix < batch; matrix += size->matrices) {
      emitter.begin({matrix, size->matrices}, size->rows < shape[H]);
      SmallVector<Value> blocks;
      for (int64_t row = 0; row < shape[H]; row += size->rows)
        blocks.push_back(
            emitter.emit({row, std::min(size->rows, shape[H] - row)}));
      numBlocks += blocks.size();
      matrices.push_back(
          concatAlong(builder, location, blocks, attention.rowsOfResult()));
    }
    Value whole = concatAlong(builder, location, matrices, C);
    Value result = attention.result();
    if (whole.getType() != result.getType())
      whole = ReshapeOp::create(builder, location, result.getType(), whole);
    result.replaceAllUsesWith(whole);
    for (const Step &step : llvm::reverse(attention.steps))
      step.layer->erase();
    attention.scores.erase();
    ++numSplit;
  }

private:
  /// Nothing if the scores stay in L2 as they are, and keys where they are
  /// turned, or if what blocks read again is more than they save.
  std::optional<BlockSize> blockSize(Attention &attention) const {
    ArrayRef<int64_t> shape = attention.shape();
    int64_t rowBytes = target.l2ChannelBytes(shape[W]);
    int64_t matrixBytes = rowBytes * shape[H];
    bool isMasked = llvm::any_of(attention.steps, [](const Step &step) {
      return isa<ElementWiseOp>(step.layer);
    });
    int64_t blockBytes =
        target.l2Bytes / (isMasked ? maskedDenominator : blockDenominator);
    int64_t batch = shape[N] * shape[D] * shape[C];
    int64_t most = blockBytes / matrixBytes;
    if (matrixBytes * batch <= target.wholeL2Bytes()) {
      int64_t keyBytes = turnedBytes(attention);
      if (keyBytes * batch <= target.wholeL2Bytes() ||
          keyBytes > target.wholeL2Bytes())
        return std::nullopt;
      most = std::min(most, target.wholeL2Bytes() / keyBytes);
    }
    int64_t matrices = std::clamp<int64_t>(most, 1, shape[C]);
    while (!areNeighbours(attention, matrices))
      --matrices;
    // Rows that become columns begin at an alignment.
    int64_t step = target.rowAlignment / elementBytes;
    int64_t rows = std::max(blockBytes / rowBytes / step * step, step);
    if (rows >= shape[H])
      return BlockSize{matrices, shape[H]};
    if (bytesForEachBlock(attention) >= leastMoves * rows * rowBytes)
      return std::nullopt;
    int64_t blocks = llvm::divideCeil(shape[H], rows);
    return BlockSize{matrices, int64_t(llvm::alignTo(
                                   llvm::divideCeil(shape[H], blocks), step))};
  }

  /// Whether in each layer a block of that many matrices is channels of one
  /// image, in front of reshapes that part the batch and behind them.
  static bool areNeighbours(const Attention &attention, int64_t matrices) {
    return llvm::all_of(attention.steps, [&](const Step &step) {
      return shapeOf(step.result())[C] % matrices == 0;
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

  const TargetDescription &target;
};

class SplitAttention
    : public ane::zin::impl::SplitAttentionBase<SplitAttention> {
public:
  using SplitAttentionBase::SplitAttentionBase;

  void runOnOperation() override {
    const TargetDescription *description = findTarget(target);
    if (!description) {
      getOperation().emitError() << unknownTarget(target);
      return signalPassFailure();
    }
    if (!getAnalysis<Inventory>().hasAny<SoftmaxOp>())
      return markAllAnalysesPreserved();
    Splitter splitter(*description);
    Block &body = getOperation().getBody().front();
    for (auto softmax : llvm::to_vector(body.getOps<SoftmaxOp>()))
      if (std::optional<Attention> attention = attentionAround(softmax))
        splitter.run(*attention);
    numSplit += splitter.numSplit;
    numBlocks += splitter.numBlocks;
  }
};

} // namespace
