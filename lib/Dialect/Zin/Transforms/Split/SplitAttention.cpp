//===- SplitAttention.cpp - Attention by matrices and blocks of rows ------===//

#include "Split/Attention.h"
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
/// How often a value between the products is at least written or read: scores,
/// exponents, powers and probabilities, once each.
constexpr int64_t leastMoves = 8;
/// An image has tasks of its own if a matrix operand of it takes as long to
/// move as so many that do nothing. Assigned.
constexpr int64_t leastImageTasks = 16;

/// A part of the matrices of a batch and of their rows.
struct Part {
  IndexRange matrices; ///< neighbours
  IndexRange rows;
};

/// The part of a value that belongs to a block of `whole`, a result that it
/// broadcasts to along the batch, with queries along `rowsDim` if there is one.
Value partOf(OpBuilder &builder, Location location, Value value,
             ArrayRef<int64_t> whole, const Part &block,
             std::optional<unsigned> rowsDim) {
  if (whole[N] * whole[D] == 1 && shapeOf(value)[C] == whole[C] &&
      imagesOf(value) > 1) {
    value = matricesOf(builder, location, value, block.matrices);
    return rowsDim ? viewAlong(builder, location, value, *rowsDim,
                               block.rows.begin, block.rows.count)
                   : value;
  }
  SmallVector<std::pair<unsigned, IndexRange>> ranges;
  for (auto [dim, range] :
       llvm::enumerate(*placeInBatch(whole, block.matrices)))
    ranges.push_back({dim, range});
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
  return partOfJoined(builder, location, value, begin, shape);
}

/// The operand that a product with ones repeats along its batch, if a layer is
/// one.
Value repeatedBy(Operation *layer) {
  auto product = dyn_cast_or_null<ElementWiseOp>(layer);
  if (!product || product.getKind() != EWType::Mult)
    return {};
  Value x = product.getX(), y = product.getY();
  if (x.getDefiningOp<ConstantOp>())
    std::swap(x, y);
  auto ones = y.getDefiningOp<ConstantOp>();
  auto elements =
      ones ? dyn_cast<DenseElementsAttr>(ones.getElements()) : nullptr;
  bool areOnes = elements && elements.isSplat() &&
                 elements.getSplatValue<APFloat>().isExactlyValue(1);
  return areOnes && shapeOf(x).take_back(2) ==
                        shapeOf(product.getResult()).take_back(2)
             ? x
             : Value();
}

/// Whether some matrices of a value are the same, as keys of several heads.
bool isRepeated(Value value) {
  while (Operation *layer = value.getDefiningOp()) {
    if (repeatedBy(layer))
      return true;
    value = turnsMatrices(layer) ? layer->getOperand(0) : keptBy(layer);
    if (!value)
      break;
  }
  return false;
}

/// One matrix of a value, from what is repeated.
Value matrixOf(OpBuilder &builder, Location location, Value value,
               int64_t index) {
  ArrayRef<int64_t> shape = shapeOf(value);
  Operation *layer = value.getDefiningOp();
  if (turnsMatrices(layer))
    return transposeBy(builder, location,
                       matrixOf(builder, location, layer->getOperand(0), index),
                       rowsAndColumns);
  if (Value kept = keptBy(layer))
    return matrixOf(builder, location, kept, index);
  std::array<int64_t, numDims> begin = {};
  for (unsigned dim = H; dim-- > N; index /= shape[dim])
    begin[dim] = index % shape[dim];
  Value source = repeatedBy(layer);
  if (!source)
    return partOfJoined(builder, location, value, begin,
                        {1, 1, 1, shape[H], shape[W]});
  index = 0;
  for (unsigned dim = N; dim < H; ++dim) {
    int64_t extent = shapeOf(source)[dim];
    index = index * extent + (extent == 1 ? 0 : begin[dim]);
  }
  return matrixOf(builder, location, source, index);
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
    auto give = [&](ArrayRef<int64_t> shape) {
      part = reshapeTo(builder, part.getLoc(), part, shape);
    };
    auto asMatrices = [&](ArrayRef<int64_t> whole) {
      return SmallVector<int64_t>{1, 1, matrices.count, rows.count, whole[W]};
    };
    for (const Step &step : attention.steps) {
      ArrayRef<int64_t> whole = shapeOf(step.result());
      if (step.layer == attention.context) {
        give(asMatrices(shapeOf(step.input())));
        part = emitProduct(attention.context, values,
                           attention.hasProbabilitiesInKernel(), part, block,
                           attention.rowsOfResult());
        continue;
      }
      if (isa<ReshapeOp>(step.layer))
        continue;
      Location location = step.layer->getLoc();
      SmallVector<int64_t> shape = asMatrices(whole);
      bool isPlane = attention.isPlane(whole);
      if (isPlane)
        shape = {matrices.count, 1, rows.count, whole[H], whole[W]};
      else if (step.layer->getNumOperands() > 1)
        for (auto [dim, range] :
             llvm::enumerate(*placeInBatch(whole, matrices)))
          shape[dim] = range.count;
      give(shape);
      SmallVector<Value, 2> operands;
      for (OpOperand &operand : step.layer->getOpOperands())
        if (operand.getOperandNumber() == step.operand)
          operands.push_back(part);
        else if (isPlane)
          operands.push_back(planesOf(operand.get(), whole, block));
        else
          operands.push_back(
              partOf(builder, location, operand.get(), whole, block, H));
      part = cloneWith(builder, step.layer, operands, shape)->getResult(0);
    }
    if (!attention.context)
      give(asMatrices(shapeOf(attention.result())));
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
    Value whole = product->getOperand(operand);
    Value value =
        matrices.count == 1 && isRepeated(whole)
            ? matrixOf(builder, product.getLoc(), whole, matrices.begin)
            : partOf(builder, product.getLoc(), whole,
                     shapeOf(product.getResult()), {matrices, {}},
                     std::nullopt);
    if (!again || operand == Attention::kernelOperand ||
        product.getContractRows())
      return {value};
    value = transposeBy(builder, product.getLoc(), value, rowsAndColumns);
    return {value, /*turned=*/true};
  }

  /// The part of what is joined with planes of `whole`.
  Value planesOf(Value value, ArrayRef<int64_t> whole, const Part &block) {
    SmallVector<int64_t> shape =
        *shapeOfPlanes(shapeOf(value), whole, attention.shape()[H]);
    // It may be a copy, so all blocks have one.
    Value &planes = joined[value];
    if (!planes)
      planes = reshapeTo(builder, value.getLoc(), value, shape);
    SmallVector<int64_t> begin(numDims, 0);
    for (auto [dim, range] : {std::pair(N, block.matrices), {C, block.rows}})
      if (shape[dim] != 1) {
        begin[dim] = range.begin;
        shape[dim] = range.count;
      }
    return viewOf(builder, value.getLoc(), planes, begin, shape);
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
  Shared keys, values;                 ///< for the current matrices
  llvm::DenseMap<Value, Value> joined; ///< with planes, in their shape
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
    joinMatrices(builder, attention.result(), matrices, size->matrices,
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
    int64_t rows = std::max(blockBytes / rowBytes / step * step, step);
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
