//===- FoldLimits.cpp - What is not computed at compile time --------------===//

#include "ane/Dialect/MIL/Transforms/FoldLimits.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The elements of a tensor of known shape, otherwise none.
double numElements(Value value) {
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type || !type.hasStaticShape())
    return 0;
  double elements = 1;
  for (int64_t extent : type.getShape())
    elements *= extent;
  return elements;
}

/// An extent of a tensor, counted from its end if that is negative.
double extentOf(Value value, int64_t axis) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  axis = fromFront(axis, shape.size());
  return axis < 0 || axis >= int64_t(shape.size()) ? 1 : shape[axis];
}

/// 1 where the numbers are not known.
double product(const std::optional<SmallVector<int64_t>> &numbers) {
  double result = 1;
  if (numbers)
    for (int64_t number : *numbers)
      result *= number;
  return result;
}

/// One product for all indices of the equation.
double productsOf(EinsumOp op) {
  std::optional<StringRef> equation = getConstantString(op.getEquation());
  SmallVector<StringRef> terms;
  equation.value_or("").split("->").first.split(terms, ',');
  std::map<char, double> extents;
  for (auto [term, value] : llvm::zip(terms, op.getValues()))
    for (auto [axis, letter] : llvm::enumerate(term.trim()))
      extents[letter] = std::max(extents[letter], extentOf(value, axis));
  double result = 1;
  for (auto [letter, extent] : extents)
    result *= extent;
  return result;
}

/// One product of all weights for each step and sequence.
template <typename Recurrent> double productsOf(Recurrent op) {
  return numElements(op.getX()) / std::max(extentOf(op.getX(), -1), 1.0) *
         (numElements(op.getWeightIh()) + numElements(op.getWeightHh()));
}

/// The products that an op adds up, or the elements that windows compare.
double countTaps(Operation *op) {
  double made = numElements(op->getResult(0));
  auto perOutput = [](Value weight) {
    return numElements(weight) / std::max(extentOf(weight, 0), 1.0);
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<ConvOp, ConvQuantizedOp>(
          [&](auto conv) { return made * perOutput(conv.getWeight()); })
      .Case([&](ConvTransposeOp conv) {
        return numElements(conv.getX()) * perOutput(conv.getWeight());
      })
      .Case([&](LinearOp linear) {
        return made * extentOf(linear.getWeight(), -1);
      })
      .Case([&](MatmulOp matmul) {
        bool isTurned = getConstantBool(matmul.getTransposeX()).value_or(false);
        return made * extentOf(matmul.getX(), isTurned ? -2 : -1);
      })
      .Case<AvgPoolOp, L2PoolOp, MaxPoolOp>([&](auto pool) {
        return made * product(getConstantInts(pool.getKernelSizes()));
      })
      .Case<EinsumOp, GruOp, LstmOp, RnnOp>(
          [](auto typed) { return productsOf(typed); })
      .Default(0.0);
}

/// Whether an op takes elements as they are, or makes them of one number. Other
/// movers are evaluated, which takes wide elements and time.
bool isCheap(Operation *op) {
  return isConstexpr(op) || op->hasTrait<Reshapes>() ||
         isa<CastOp, ConcatOp, FillLikeOp, FillOp, IdentityOp, Range1dOp,
             ShapeOp, SliceByIndexOp, SliceBySizeOp, SplitOp, TileOp,
             TransposeOp>(op);
}

bool isOfConstants(Operation *op) {
  return isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), getConstantElements);
}

} // namespace

bool ane::mil::isTooLargeToFold(Operation *op) {
  return llvm::any_of(op->getResults(), [](Value result) {
    return numElements(result) > mostFoldedElements;
  });
}

bool ane::mil::isTooLargeConstant(Operation *op) {
  return isTooLargeToFold(op) && isOfConstants(op);
}

double ane::mil::foldingWork(Operation *op) {
  // A function of an element takes as long as so many products of a sum.
  constexpr double workPerElement = 256;
  if (op->getNumResults() == 0 || isCheap(op))
    return 0;
  double elements = 0;
  for (Value value : op->getOperands())
    elements = std::max(elements, numElements(value));
  for (Value value : op->getResults())
    elements = std::max(elements, numElements(value));
  return workPerElement * elements + countTaps(op);
}

bool ane::mil::isTooMuchToFold(Operation *op) {
  return foldingWork(op) > mostFoldingWork;
}

bool ane::mil::isTooMuchWork(Operation *op) {
  return isTooMuchToFold(op) && isOfConstants(op);
}
