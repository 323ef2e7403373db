//===- Probabilities.cpp - Results of softmax and who multiplies them -----===//

#include "ane/Dialect/Zin/Transforms/Probabilities.h"
#include "PerOutput.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

constexpr double mostFactor = 1 / smallestNormalHalf;

/// Collects the reductions whose results, which nobody else reads, add up to a
/// value.
bool findSums(Value value, SmallVectorImpl<ReductionOp> &sums) {
  if (!value.hasOneUse())
    return false;
  if (auto add = value.getDefiningOp<ElementWiseOp>())
    return add.getKind() == EWType::Add && findSums(add.getX(), sums) &&
           findSums(add.getY(), sums);
  auto sum = value.getDefiningOp<ReductionOp>();
  if (!sum || sum.getPost().value_or(PEPost::none) != PEPost::none)
    return false;
  sums.push_back(sum);
  return true;
}

bool isExponential(Value value) {
  auto neuron = value.getDefiningOp<NeuronOp>();
  return neuron && llvm::is_contained({NonLinearMode::exp, NonLinearMode::exp2},
                                      neuron.getFunction().getMode());
}

/// Whether an op is one over the sum of exponentials; then what it sums.
bool findInverse(Operation *op, SmallVectorImpl<ReductionOp> &sums) {
  if (auto neuron = dyn_cast<NeuronOp>(op)) {
    if (neuron.getFunction().getMode() != NonLinearMode::inv ||
        !neuron.isPlain() || !findSums(neuron.getX(), sums))
      return false;
  } else {
    auto sum = dyn_cast<ReductionOp>(op);
    if (!sum || sum.getPost() != PEPost::reciprocal)
      return false;
    sums.push_back(sum);
  }
  return llvm::all_of(sums, [](ReductionOp sum) {
    return sum.getKind() == ReductionType::Sum && !sum.getSquare() &&
           !sum.getEpsilon() && !sum.getScale() && isExponential(sum.getX());
  });
}

/// The probabilities that an op makes, or whose sum it makes.
std::optional<Probabilities> probabilitiesOf(Operation *op) {
  Probabilities found;
  if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
    if (softmax.getScale())
      return std::nullopt;
    found.count = shapeOf(softmax.getResult())[softmax.getAxis()];
    found.layers.push_back(op);
    return found;
  }
  if (!findInverse(op, found.sums))
    return std::nullopt;
  for (ReductionOp sum : found.sums) {
    uint64_t count = 1;
    for (int64_t axis : sum.getAxes())
      count *= shapeOf(sum.getX())[axis];
    found.count += count;
  }
  found.inverse = op;
  Value inverse = op->getResult(0);
  for (Operation *user : inverse.getUsers()) {
    auto product = dyn_cast<ElementWiseOp>(user);
    if (!product || product.getKind() != EWType::Mult)
      return std::nullopt;
    Value other = product.getX() == inverse ? product.getY() : product.getX();
    if (llvm::none_of(found.sums,
                      [&](ReductionOp sum) { return sum.getX() == other; }))
      return std::nullopt;
    found.layers.push_back(user);
  }
  // What nobody multiplies with makes no probabilities.
  return found.layers.empty() ? std::nullopt : std::optional(std::move(found));
}

/// Whether a layer sums products with its operand.
bool sumsProducts(Operation *op) {
  auto pool = dyn_cast<PoolOp>(op);
  return isa<ConvOp, MatMulOp>(op) ||
         (pool && pool.getKind() == PoolingType::Avg);
}

/// Whether it can divide the sums: with a bias they are not of products alone.
bool canDivide(Operation *op, double factor) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ConvOp, MatMulOp>([&](auto layer) {
        return !layer.getBias() &&
               std::fabs(scaleOf(layer)) / factor >= smallestNormalHalf;
      })
      .Default(true);
}

using Values = llvm::SetVector<Value, SmallVector<Value>, DenseSet<Value>>;

/// The probabilities and what changes of place make of them alone.
Values findMoved(const Probabilities &of) {
  SmallPtrSet<Operation *, 4> joinsWithOthers;
  for (;;) {
    Values moved;
    for (Operation *layer : of.layers)
      moved.insert(layer->getResult(0));
    for (size_t i = 0; i < moved.size(); ++i)
      for (Operation *user : moved[i].getUsers())
        if (user->hasTrait<MovesElements>() && !joinsWithOthers.contains(user))
          moved.insert(user->getResult(0));
    size_t before = joinsWithOthers.size();
    for (Value value : moved)
      if (auto join = value.getDefiningOp<ConcatOp>();
          join && !llvm::all_of(join.getValues(), [&](Value part) {
            return moved.contains(part);
          }))
        joinsWithOthers.insert(join);
    if (joinsWithOthers.size() == before)
      return moved;
  }
}

void findReaders(Probabilities &of) {
  Values moved = findMoved(of);
  auto isMoved = [&](Value value) { return moved.contains(value); };
  for (Value value : moved)
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<MovesElements>() && isMoved(user->getResult(0)))
        continue;
      bool isProduct = sumsProducts(user);
      // One whose operands both come from here would have to divide twice.
      if (isProduct && canDivide(user, of.factor()) &&
          llvm::count_if(user->getOperands(), isMoved) == 1) {
        of.products.push_back(user);
        continue;
      }
      of.otherUses.push_back(&use);
      if (isProduct && !llvm::is_contained(of.lossyProducts, user))
        of.lossyProducts.push_back(user);
    }
  auto isBefore = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  llvm::sort(of.products, isBefore);
  llvm::sort(of.lossyProducts, isBefore);
}

} // namespace

double Probabilities::factor() const {
  return std::min(double(llvm::PowerOf2Ceil(count)) / mostUnscaled, mostFactor);
}

std::vector<Probabilities> ane::zin::findProbabilities(ProcedureOp procedure) {
  std::vector<Probabilities> all;
  for (Operation &op : procedure.getBody().front())
    if (std::optional<Probabilities> found = probabilitiesOf(&op);
        found && found->count > mostUnscaled) {
      findReaders(*found);
      all.push_back(std::move(*found));
    }
  return all;
}
