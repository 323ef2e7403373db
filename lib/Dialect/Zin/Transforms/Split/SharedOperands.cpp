//===- SharedOperands.cpp - What several blocks of attention read ---------===//

#include "Split/SharedOperands.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// The part of L2, in percent, that copies, what blocks of the same matrices
/// read, and two values of the size of the scores of a block may take.
/// Assigned.
static constexpr int64_t mostPercent = 91;
/// The same for all that is alive where a mask stays from layer to layer: what
/// has no room beside it moves less often than blocks would read the mask.
/// Assigned.
static constexpr int64_t mostAlivePercent = 125;

std::array<IndexRange, 3>
zin::placeInOperand(Value value, ArrayRef<int64_t> whole, IndexRange matrices) {
  std::array<IndexRange, 3> place = *placeInBatch(whole, matrices);
  // What has one for all has it here, too.
  for (auto [dim, range] : llvm::enumerate(place))
    if (shapeOf(value)[dim] == 1)
      range = {0, 1};
  return place;
}

namespace {

/// Whether a value is a parameter, a constant, or a view of one.
bool isInMemory(Value value) {
  Operation *layer = viewedBy(value).getDefiningOp();
  return !layer || isa<ConstantOp>(layer);
}

/// What the blocks of one attention share.
class Candidates {
public:
  Candidates(Attention &attention, BlockSize size,
             const TargetDescription &target)
      : attention(attention), size(size), target(target) {}

  SharedOperands find() {
    SharedOperands shared = {candidates(), size.matrices};
    if (shared.operands.empty())
      return shared;
    ArrayRef<int64_t> shape = attention.shape();
    int64_t rowBytes = 0, readers = 0;
    for (OpOperand *operand : shared.operands) {
      rowBytes += rowBytesOf(*operand);
      readers = std::max(readers, readersOf(*operand));
    }
    int64_t scoreBytes =
        target.l2ChannelBytes(shape[W]) * size.rows * size.matrices;
    int64_t room = target.l2Bytes * mostPercent / 100 - 2 * scoreBytes;
    int64_t eachBytes = bytesForAllBlocks() * size.matrices;
    int64_t inGroup = 1;
    shared.haveAllRows = rowBytes * shape[H] + eachBytes <= room;
    if (!shared.haveAllRows) {
      // Of two the rows leave too few keys beside them.
      if (shared.operands.size() > 1)
        return {{}, size.matrices};
      room -= rowBytes * size.rows;
      int64_t most =
          eachBytes ? std::max<int64_t>(room / eachBytes, 1) : readers;
      int64_t groups = llvm::divideCeil(readers, std::min(most, readers));
      inGroup = llvm::divideCeil(readers, groups);
    }
    llvm::erase_if(shared.operands, [&](OpOperand *operand) {
      return !isWorth(*operand, shared.haveAllRows ? readers : inGroup);
    });
    if (!shared.operands.empty())
      shared.matrices *= inGroup;
    return shared;
  }

private:
  ArrayRef<int64_t> wholeOf(OpOperand &operand) const {
    return shapeOf(operand.getOwner()->getResult(0));
  }

  std::array<IndexRange, 3> placeOfBlock(OpOperand &operand,
                                         int64_t block) const {
    return placeInOperand(operand.get(), wholeOf(operand),
                          {block * size.matrices, size.matrices});
  }

  /// How many neighbours read the same rows.
  int64_t readersOf(OpOperand &operand) const {
    int64_t blocks =
        llvm::product_of(wholeOf(operand).take_front(H)) / size.matrices;
    int64_t count = 1;
    while (count < blocks &&
           placeOfBlock(operand, count) == placeOfBlock(operand, 0))
      ++count;
    return count;
  }

  /// What rows of an operand that several blocks read have for each query.
  SmallVector<OpOperand *, 1> candidates() const {
    SmallVector<OpOperand *, 1> found;
    for (const Step &step : attention.steps)
      for (OpOperand &operand : step.layer->getOpOperands())
        if (step.layer != attention.context &&
            operand.getOperandNumber() != step.operand &&
            !attention.isPlane(wholeOf(operand)) &&
            shapeOf(operand.get())[H] == attention.shape()[H] &&
            readersOf(operand) > 1)
          found.push_back(&operand);
    return found;
  }

  /// Bytes in L2 of a row of all matrices that a block reads of an operand.
  int64_t rowBytesOf(OpOperand &operand) const {
    int64_t matrices = 1;
    for (IndexRange range : placeOfBlock(operand, 0))
      matrices *= range.count;
    return target.l2ChannelBytes(shapeOf(operand.get())[W]) * matrices;
  }

  /// Whether so many readers of a copy and the copy itself take less time than
  /// the readers alone: while a step fetches, it computes.
  bool isWorth(OpOperand &operand, int64_t readers) const {
    int64_t fetch = target.memoryCycles(rowBytesOf(operand) * size.rows);
    int64_t compute = wholeOf(operand)[W] * size.rows * size.matrices /
                      target.planarElementsPerCycle;
    return readers * (fetch - compute) > fetch;
  }

  /// Bytes in L2 of what all blocks of a matrix read, but for coefficients,
  /// which come from memory each time.
  int64_t bytesForAllBlocks() const {
    auto bytesOf = [&](MatMulOp product, bool isX) -> int64_t {
      if (!isX)
        return 0;
      ArrayRef<int64_t> x = shapeOf(product.getX());
      return product.getContractRows() ? target.l2ChannelBytes(x[W]) * x[H]
                                       : target.l2ChannelBytes(x[H]) * x[W];
    };
    int64_t bytes = bytesOf(attention.scores, attention.hasQueriesInKernel());
    if (MatMulOp context = attention.context)
      bytes += bytesOf(context, attention.hasProbabilitiesInKernel());
    return bytes;
  }

  Attention &attention;
  BlockSize size;
  const TargetDescription &target;
};

} // namespace

static SmallVector<Operation *> usersInOrder(Value value) {
  SmallVector<Operation *> users = llvm::to_vector(value.getUsers());
  llvm::sort(users,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return users;
}

SharedFinder::SharedFinder(Block &body, ArrayRef<Attention> attentions,
                           const TargetDescription &target)
    : target(target) {
  llvm::DenseSet<Value> inside;
  for (const Attention &attention : attentions)
    for (const Step &step : attention.steps)
      inside.insert(step.input());
  // Bytes of L2 for what lies between layers while one runs, but for values
  // inside of attentions. A value is read through views of it.
  llvm::DenseMap<Operation *, size_t> indexOf, lastOf;
  for (Operation &layer : body)
    indexOf.try_emplace(&layer, indexOf.size());
  SmallVector<int64_t> alive(indexOf.size() + 2, 0);
  for (Operation &layer : llvm::reverse(body)) {
    size_t index = indexOf.lookup(&layer), last = index;
    for (Operation *user : layer.getUsers())
      last = std::max(last, isView(user) ? lastOf.lookup(user)
                                         : indexOf.lookup(user));
    lastOf[&layer] = last;
    if (isa<ConstantOp>(layer) || isView(&layer) ||
        layer.getNumResults() != 1 || inside.contains(layer.getResult(0)))
      continue;
    int64_t bytes = bytesInL2(shapeOf(layer.getResult(0)), target);
    alive[index] += bytes;
    alive[last + 1] -= bytes;
  }
  std::partial_sum(alive.begin(), alive.end(), alive.begin());
  auto stays = [&](Value value) {
    if (value.hasOneUse())
      return false;
    SmallVector<Operation *> users = usersInOrder(value);
    int64_t most =
        *std::max_element(alive.begin() + indexOf.lookup(users.front()),
                          alive.begin() + indexOf.lookup(users.back()) + 1);
    if (isInMemory(value))
      most += bytesInL2(shapeOf(value), target);
    return most <= target.l2Bytes * mostAlivePercent / 100;
  };
  for (const Attention &attention : attentions)
    for (const Step &step : attention.steps)
      for (Value operand : step.layer->getOperands())
        if (operand != step.input() && stays(operand))
          staying.insert(operand);
}

/// What is in memory gets to L2 in front of the first layer that reads it.
void SharedFinder::copyForLayers(Value value) {
  Operation *first = usersInOrder(value).front();
  OpBuilder builder(first);
  Value copy = copyOf(builder, first->getLoc(), value);
  value.replaceUsesWithIf(copy, [&](OpOperand &use) {
    return use.getOwner()->hasTrait<Elementwise>();
  });
  staying.insert(copy);
}

SharedOperands SharedFinder::find(Attention &attention, BlockSize size) {
  SharedOperands shared = Candidates(attention, size, target).find();
  if (shared.haveAllRows)
    llvm::erase_if(shared.operands, [&](OpOperand *operand) {
      Value value = operand->get();
      bool isLeft = staying.contains(value);
      if (isLeft && isInMemory(value))
        copyForLayers(value);
      return isLeft;
    });
  return shared;
}
