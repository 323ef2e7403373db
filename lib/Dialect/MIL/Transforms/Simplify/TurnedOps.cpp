//===- TurnedOps.cpp - Ops on values before a transpose -------------------===//

#include "Simplify/TurnedOps.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What is computed and lacks dimensions may be transposed by itself if it is
/// this part of the result. Assigned.
constexpr int64_t fewDenominator = 16;

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// The constant matrix [K, O] that a product has on its right.
bool hasConstantRight(MatmulOp op) {
  std::optional<bool> turns = op.getTransposeXOrDefault();
  RankedTensorType right = staticType(op.getY());
  return turns && !*turns && right && right.getRank() == 2 &&
         isConst(op.getY()) && op.getTransposeYOrDefault().has_value();
}

} // namespace

int64_t TurnedOps::axisBefore(int64_t axis) const {
  return perm[fromFront(axis, perm.size())];
}

/// Images and signals, whose channels are dimension 1.
bool TurnedOps::isOfChannels() const {
  return (perm.size() == 3 || perm.size() == 4) && perm.front() == 0 &&
         perm.back() == 1;
}

bool TurnedOps::isTurned(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() == int64_t(perm.size()) && !isConst(value);
}

SmallVector<Value> TurnedOps::turnedOperands(Operation *op) const {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (isTurned(operand))
      operands.push_back(operand);
  return operands;
}

SmallVector<Value> TurnedOps::fewOperands(Operation *op) const {
  SmallVector<Value> operands;
  if (op->hasTrait<Elementwise>())
    for (Value operand : op->getOperands())
      if (RankedTensorType type = staticType(operand);
          type && type.getRank() > 0 && !isConst(operand) && !isTurned(operand))
        operands.push_back(operand);
  return operands;
}

bool TurnedOps::canTurnElements(Operation *op) const {
  int64_t size = staticType(op->getResult(0)).getNumElements();
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (isConst(operand) || isTurned(operand))
      return true;
    RankedTensorType type = staticType(operand);
    return type && type.getNumElements() * fewDenominator <= size;
  });
}

bool TurnedOps::canTurn(Operation *op) const {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResults(),
                    [&](Value value) { return isTurned(value); }))
    return false;
  if (op->hasTrait<Elementwise>())
    return !op->hasTrait<ChannelParameters>() && canTurnElements(op);
  if (!isTurned(op->getOperand(0)))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LayerNormOp norm) {
        // More parameters would be in another order.
        auto axes = reducedAxes(norm.getAxes(), perm.size());
        return axes &&
               (axes->size() == 1 || (!norm.getGamma() && !norm.getBeta()));
      })
      .Case([&](Reduction reduction) {
        return reduction.getKeepDimsOrDefault() == true &&
               reducedAxes(reduction.getAxes(), perm.size()).has_value();
      })
      .Case([&](SoftmaxOp softmax) {
        return softmax.getAxisOrDefault().has_value();
      })
      .Case([&](ConcatOp concat) {
        return getConstantInt(concat.getAxis()) &&
               concat.getInterleaveOrDefault() == false &&
               llvm::all_of(concat.getValues(),
                            [&](Value value) { return isTurned(value); });
      })
      .Case([&](SplitOp split) {
        return getConstantInt(split.getAxis()).has_value();
      })
      .Case<SliceByIndexOp, SliceBySizeOp>([&](auto slice) {
        auto cuts = getSlice(slice);
        return cuts && llvm::all_of(*cuts, [](const SliceDim &cut) {
                 return cut.step > 0;
               });
      })
      .Case([&](LinearOp linear) {
        // A convolution has a bias for each output, and computes no integers.
        return isOfChannels() && isConst(linear.getWeight()) &&
               isFloat(linear.getX()) &&
               (!linear.getBias() || shapeOf(linear.getBias()).front() ==
                                         shapeOf(linear.getWeight()).front());
      })
      .Case([&](MatmulOp product) {
        return isOfChannels() && hasConstantRight(product) &&
               isFloat(product.getX());
      })
      .Default(false);
}

/// A constant, or few numbers, of which the first dimensions may be missing.
Value TurnedOps::turnFew(Replacer &r, Value value) const {
  RankedTensorType type = staticType(value);
  if (!type || type.getRank() == 0)
    return value;
  return r.transposeAs(value, alignedShape(type.getShape(), perm.size()),
                       invertPermutationVector(perm));
}

/// A convolution of one pixel; `weight` is [outputs, inputs].
Value TurnedOps::multiply(Replacer &r, Location location, Value x, Value weight,
                          Value bias) const {
  SmallVector<int64_t> shape(shapeOf(weight)), made(shapeOf(x));
  made[1] = shape.front();
  shape.resize(perm.size(), 1);
  return ConvOp::create(
      r.rewriter, location, cast<RankedTensorType>(x.getType()).clone(made), x,
      r.reshape(weight, shape), bias, /*strides=*/Value(),
      /*pad_type=*/Value(), /*pad=*/Value(), /*dilations=*/Value(),
      /*groups=*/Value());
}

SmallVector<Value>
TurnedOps::turn(Replacer &r, Operation *op,
                const llvm::DenseMap<Value, Value> &before) const {
  Value x = before.lookup(op->getOperand(0));
  // The same op with other operands.
  auto clone = [&](const SmallVector<std::pair<Value, Value>> &changes) {
    IRMapping mapping;
    for (auto [operand, other] : changes)
      if (operand)
        mapping.map(operand, other);
    for (Value operand : turnedOperands(op))
      mapping.map(operand, before.lookup(operand));
    Operation *made = r.rewriter.clone(*op, mapping);
    dropNames(made);
    for (auto [value, old] :
         llvm::zip_equal(made->getResults(), op->getResults())) {
      SmallVector<int64_t> shape =
          applyPermutation(shapeOf(old), invertPermutationVector(perm));
      value.setType(cast<RankedTensorType>(old.getType()).clone(shape));
    }
    return llvm::to_vector_of<Value>(made->getResults());
  };
  auto axesBefore = [&](Value axes) {
    SmallVector<int64_t> list = *reducedAxes(axes, perm.size());
    for (int64_t &axis : list)
      axis = axisBefore(axis);
    llvm::sort(list);
    return r.ints(list);
  };
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<Reduction, LayerNormOp>([&](auto op) {
        return clone({{op.getAxes(), axesBefore(op.getAxes())}});
      })
      .Case([&](SoftmaxOp softmax) {
        int64_t axis = axisBefore(*softmax.getAxisOrDefault());
        Value made = SoftmaxOp::create(r.rewriter, op->getLoc(), x.getType(), x,
                                       r.integer(axis));
        return SmallVector<Value>{made};
      })
      .Case<ConcatOp, SplitOp>([&](auto op) {
        int64_t axis = axisBefore(*getConstantInt(op.getAxis()));
        return clone({{op.getAxis(), r.integer(axis)}});
      })
      .Case<SliceByIndexOp, SliceBySizeOp>([&](auto slice) {
        SmallVector<SliceDim> cuts = *getSlice(slice);
        Value made = x;
        for (auto [axis, cut] : llvm::enumerate(cuts))
          if (cut.extent != shapeOf(slice.getX())[axis] || cut.step != 1)
            made = r.slice(made, perm[axis], cut.begin, cut.extent, cut.step);
        return SmallVector<Value>{made};
      })
      .Case([&](LinearOp linear) {
        return SmallVector<Value>{
            multiply(r, op->getLoc(), x, linear.getWeight(), linear.getBias())};
      })
      .Case([&](MatmulOp product) {
        Value weight = product.getY();
        if (!*product.getTransposeYOrDefault())
          weight = r.transpose(weight, {1, 0});
        return SmallVector<Value>{
            multiply(r, op->getLoc(), x, weight, /*bias=*/Value())};
      })
      .Default([&](Operation *op) {
        SmallVector<std::pair<Value, Value>> changes;
        SmallVector<Value> turned = turnedOperands(op);
        for (Value operand : op->getOperands())
          if (!llvm::is_contained(turned, operand))
            changes.push_back({operand, turnFew(r, operand)});
        return clone(changes);
      });
}
