//===- LayerRegionTraffic.cpp - What a region moves, by estimate ----------===//

#include "Split/LayerRegions.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// How many times as long products take that several blocks compute as where
/// all NEs compute all the time: their tasks have few rows. Assigned.
static constexpr int64_t slowdownOfRepeated = 8;

int64_t zin::dmaBytes(Value value) {
  return elementBytes * llvm::product_of(shapeOf(value));
}

/// Whether a layer adds up channels, for which they are turned to lie along
/// columns.
static bool isTurnedToReduce(Operation *layer) {
  auto reduction = dyn_cast<ReductionOp>(layer);
  return reduction && reduction.getKind() != ReductionType::Max &&
         llvm::is_contained(reduction.getAxes(), int64_t(C));
}

/// Adds up the layers of a region in their order.
class RegionFinder::TrafficSum {
public:
  TrafficSum(const RegionFinder &finder, const LayerRegion &region,
             int64_t count)
      : finder(finder), target(finder.target), region(region), count(count),
        again(llvm::divideCeil(region.extent, count) - 1) {}

  Traffic run() {
    for (auto [layer, dim] : region.layers)
      add(layer, dim);
    for (OutputGroup group : region.groups)
      sum.inBlocks += (again + 1) * (partsOfGroup - 1) * int64_t(group.size()) *
                      target.taskBytes();
    addJoined();
    return sum;
  }

private:
  void add(Operation *layer, BlockDim dim) {
    Traffic before = sum, accessed = accessesOf(layer, dim);
    if (moves(layer))
      sum.inBlocks +=
          again * target.taskBytes() +
          bytesAgain(productBytes(layer), region.halos.lookup(layer));
    std::optional<OperandDims> dims = operandDims(layer, dim);
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
      if (!needed && isWeighed(layer, operand))
        addCoefficients(layer, operand);
      const RowBands *rows = finder.bandsOf(layer, dim);
      if (rows && operand == layer->getOperand(0))
        addWeighedRows(*rows, operand);
      else if (finder.isLarge(operand))
        addOperand(layer, dim, operand, needed);
    }
    if (finder.isLarge(layer->getResult(0)))
      addResult(layer, dim);
    // Memory moves while L2 is accessed.
    sum.whole = std::max(sum.whole, before.whole + accessed.whole);
    sum.inBlocks = std::max(sum.inBlocks, before.inBlocks + accessed.inBlocks);
  }

  /// What moves while L2 is accessed by a layer that cuts rows.
  Traffic accessesOf(Operation *layer, BlockDim dim) const {
    Traffic accessed;
    if (isView(layer) || dim.dim != H)
      return accessed;
    for (Value value : {Value(layer->getResult(0)), layer->getOperand(0)})
      if (finder.isLarge(value) && value.getDefiningOp() &&
          !finder.bandsOf(layer, dim)) {
        accessed.whole += accessBytes(value, shapeOf(value)[H]);
        accessed.inBlocks += (again + 1) * accessBytes(value, count * dim.unit);
      }
    return accessed;
  }

  /// An access of L2 has a row from each bank, so blocks of few rows take as
  /// long as those of many.
  int64_t accessBytes(Value value, int64_t rows) const {
    ArrayRef<int64_t> shape = shapeOf(value);
    return target.memoryBytes(
        llvm::product_of(shape.take_front(H)) *
        int64_t(llvm::divideCeil(shape[W] * elementBytes, target.l2Granule)) *
        int64_t(llvm::divideCeil(rows, target.l2Banks)));
  }

  /// What moves while the products of a layer are computed.
  int64_t productBytes(Operation *layer) const {
    if (!isa<ConvOp, MatMulOp>(layer))
      return 0;
    ArrayRef<int64_t> kernel = shapeOf(layer->getOperand(1));
    int64_t taps =
        isa<ConvOp>(layer) ? llvm::product_of(kernel.drop_front(C)) : kernel[W];
    return target.memoryBytes(
        slowdownOfRepeated *
        target.productCycles(llvm::product_of(shapeOf(layer->getResult(0))) *
                             taps));
  }

  /// Of what several blocks need, the bytes that all but the first one take.
  int64_t bytesAgain(int64_t bytes, Halo halo) const {
    return bytes * again * halo.size() / region.extent;
  }

  /// They come for each block, and again for each part of what L2 does not
  /// hold of the operand.
  void addCoefficients(Operation *layer, Value operand) {
    int64_t bytes = finder.bytesOf(layer->getOperand(0));
    sum.inBlocks += again * dmaBytes(operand);
    if (readsAgain(layer)) {
      sum.whole += bytes / target.wholeL2Bytes() * dmaBytes(operand);
    } else if (isConstant(operand) &&
               (isa<MatMulOp>(layer) || shapeOf(layer->getResult(0))[H] == 1)) {
      sum.whole += timesAgain(bytes) * dmaBytes(operand);
      sum.inBlocks += (again + 1) * timesAgain(bytes * count / region.extent) *
                      dmaBytes(operand);
    }
  }

  /// How many more parts than one products of so much have.
  int64_t timesAgain(int64_t bytes) const {
    return llvm::divideCeil(bytes, productRoom(target)) - 1;
  }

  /// What a product reads of which a few rows are for each output.
  void addWeighedRows(const RowBands &rows, Value operand) {
    MatMulOp columns = rows.columnsInBlocks(count);
    // What makes the rows writes none of them any more.
    if (finder.isLarge(operand))
      sum.whole += dmaBytes(operand) * (columns ? 2 : 1);
    Value source = columns ? columns.getX() : operand;
    if (finder.isLarge(source))
      sum.inBlocks +=
          dmaBytes(source) * rows.allRows(count) / shapeOf(source)[H];
    if (columns)
      sum.inBlocks +=
          again * (target.taskBytes() + dmaBytes(columns.getKernel()));
  }

  void addOperand(Operation *layer, BlockDim dim, Value operand,
                  std::optional<BlockDim> needed) {
    bool isNear =
        isChained(layer, dim) && (isChained(operand.getDefiningOp(), dim) ||
                                  !readTiled.insert(operand).second);
    if (leadsIn(operand, needed))
      sum.inBlocks += led.insert(operand).second ? dmaBytes(operand) : 0;
    else if (moves(layer) && !isNear && !isTurnedAlready(layer, operand))
      sum.whole += dmaBytes(operand) * (isa<SoftmaxOp>(layer) ? 2 : 1);
    if (needed && !region.contains(operand.getDefiningOp()) &&
        fetched.insert({operand, *needed}).second)
      sum.inBlocks +=
          dmaBytes(operand) +
          bytesAgain(dmaBytes(operand), region.haloOfOperands(layer));
  }

  void addResult(Operation *layer, BlockDim dim) {
    Value result = layer->getResult(0);
    bool isNear = isChained(layer, dim) &&
                  llvm::all_of(result.getUsers(), [&](Operation *user) {
                    return isChained(user, dim);
                  });
    if (moves(layer) && !isNear)
      sum.whole += dmaBytes(result);
    addReduced(result);
    bool isWritten = false;
    for (Operation *user : result.getUsers())
      if (joinsOutput(user, dim.dim)) {
        sum.inBlocks += dmaBytes(result);
        sum.whole += dmaBytes(result) * (result.hasOneUse() ? 0 : 2);
      } else if (!region.contains(user)) {
        isWritten = true;
      }
    // What windows need beside a block is not for others, who have a copy.
    if (isWritten)
      sum.inBlocks +=
          dmaBytes(result) * (region.halos.lookup(layer).size() > 0 ? 3 : 1);
  }

  /// Channels of which L2 does not hold two blocks are turned in many parts to
  /// be added up. They live too long then for zin-tile-rows to count on them,
  /// and lie in memory where that cuts what else reads them.
  void addReduced(Value result) {
    if (finder.bytesOf(result) * count / region.extent <=
        target.usableL2Bytes() / 2)
      return;
    int64_t reads = 0;
    bool isReduced = false, isCut = false;
    for (Operation *user : result.getUsers())
      if (region.contains(user) && moves(user)) {
        ++reads;
        isReduced |= isTurnedToReduce(user);
        isCut |= isTiled(user);
      }
    if (isReduced && isCut)
      sum.inBlocks += dmaBytes(result) * (reads + 1);
  }

  /// Results for layers behind the region, each of which L2 would hold, are all
  /// there behind the last block. As they are, each may be read before the
  /// next. What joins a value that L2 does not hold goes there either way.
  void addJoined() {
    SmallVector<Operation *> joined;
    int64_t bytes = 0, movedBytes = 0;
    for (auto [layer, dim] : region.layers)
      if (Value result = layer->getResult(0);
          moves(layer) && !finder.isLarge(result) &&
          isReadBehind(layer, region) && !joinsLarge(result)) {
        joined.push_back(layer);
        bytes += finder.bytesOf(result);
        movedBytes += 2 * dmaBytes(result);
      }
    if (bytes <= target.wholeL2Bytes())
      return;
    sum.inBlocks += movedBytes;
    if (mostAlive(joined) > target.wholeL2Bytes())
      sum.whole += movedBytes;
  }

  /// Whether all that is read of a value, through views, joins a large one.
  bool joinsLarge(Value value) const {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      while (isView(user) && user->hasOneUse())
        user = *user->user_begin();
      return isa<ConcatOp>(user) && finder.isLarge(user->getResult(0));
    });
  }

  /// The most that the results of layers, which are in order, take at a time.
  int64_t mostAlive(ArrayRef<Operation *> layers) const {
    int64_t alive = 0, most = 0;
    SmallVector<std::pair<Operation *, int64_t>> readers;
    for (Operation *layer : layers) {
      llvm::erase_if(readers, [&](const auto &reader) {
        bool isRead = reader.first->isBeforeInBlock(layer);
        alive -= isRead ? reader.second : 0;
        return isRead;
      });
      int64_t bytes = finder.bytesOf(layer->getResult(0));
      Operation *last =
          *llvm::max_element(layer->getUsers(), [](Operation *a, Operation *b) {
            return a->isBeforeInBlock(b);
          });
      readers.push_back({last, bytes});
      alive += bytes;
      most = std::max(most, alive);
    }
    return most;
  }

  static bool moves(Operation *layer) {
    return !isView(layer) && !joinsInPlace(layer);
  }

  /// Whether another product has turned a matrix that L2 holds as a whole, and
  /// reads it from there, as this one does.
  bool isTurnedAlready(Operation *layer, Value operand) {
    auto product = dyn_cast<MatMulOp>(layer);
    return product && operand == product.getX() &&
           isConstant(product.getKernel()) &&
           llvm::product_of(shapeOf(operand).take_front(H)) == 1 &&
           finder.bytesOf(operand) <= target.wholeL2Bytes() &&
           !turned.insert(operand).second;
  }

  /// Of layers that zin-tile-rows runs block by block as they are, what lies
  /// between them stays in L2, and what several read comes once.
  bool isTiled(Operation *layer) const {
    return layer && isElementByElement(layer) && !isa<SoftmaxOp>(layer) &&
           finder.hasBlocksOfRows(layer);
  }

  /// Whether a layer is so tiled where what is cut has other dimensions. So are
  /// convolutions with kernels that may be read for each block, a sixteenth of
  /// L2 (assigned), but for factors of channels, which go with the norm that is
  /// in front. Blocks of rows are for what zin-tile-rows computes again.
  bool isChained(Operation *layer, BlockDim dim) const {
    auto conv = dyn_cast_if_present<ConvOp>(layer);
    if (dim.dim == H || !conv)
      return isTiled(layer);
    bool isFactor = isChannelwise(conv) && shapeOf(conv.getKernel())[H] == 1;
    return !isFactor && finder.hasBlocksOfRows(conv) &&
           dmaBytes(conv.getKernel()) <= target.l2Bytes / 16;
  }

  /// Whether a value comes from a layer in front of a region that is not cut by
  /// rows, and zin-tile-rows could run that and its readers block by block as
  /// they are.
  bool leadsIn(Value operand, std::optional<BlockDim> needed) const {
    Operation *producer = operand.getDefiningOp();
    return needed && needed->dim != H && isa_and_present<ConvOp>(producer) &&
           !region.contains(producer) && isChained(producer, *needed) &&
           llvm::all_of(operand.getUsers(), [&](Operation *user) {
             return region.contains(user) && isChained(user, *needed);
           });
  }

  const RegionFinder &finder;
  const TargetDescription &target;
  const LayerRegion &region;
  int64_t count, again; ///< units of a block, and blocks but for the first
  Traffic sum;
  llvm::DenseSet<std::pair<Value, BlockDim>> fetched;
  llvm::DenseSet<Value> led;    ///< what leads in, so far
  llvm::DenseSet<Value> turned; ///< by products, so far
  /// What a tiled layer has read.
  llvm::DenseSet<Value> readTiled;
};

RegionFinder::Traffic RegionFinder::trafficOf(const LayerRegion &region,
                                              int64_t count) const {
  return TrafficSum(*this, region, count).run();
}
