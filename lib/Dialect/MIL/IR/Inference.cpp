//===- Inference.cpp - Shared pieces of type inference --------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

FailureOr<SmallVector<int64_t>>
ane::mil::broadcast(Operation *op, ArrayRef<int64_t> x, ArrayRef<int64_t> y) {
  size_t rank = std::max(x.size(), y.size());
  SmallVector<int64_t> result(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t a = i < x.size() ? x[x.size() - 1 - i] : 1;
    int64_t b = i < y.size() ? y[y.size() - 1 - i] : 1;
    int64_t &extent = result[rank - 1 - i];
    if (a == b || b == 1)
      extent = a;
    else if (a == 1)
      extent = b;
    else if (ShapedType::isDynamic(a))
      extent = b; // b > 1, so a is 1 or b at run time
    else if (ShapedType::isDynamic(b))
      extent = a;
    else
      return refuse(op, "mil-broadcast-c1",
                    "extents " + Twine(a) + " and " + Twine(b) +
                        " of dimension " + Twine(int64_t(rank - 1 - i)) +
                        " do not broadcast; they must be equal or one of them "
                        "1");
  }
  return result;
}

FailureOr<int64_t> ane::mil::normalizeAxis(Operation *op, int64_t axis,
                                           int64_t rank) {
  if (axis < -rank || axis >= rank)
    return refuse(op, "mil-axes-c1",
                  "axis " + Twine(axis) + " is outside [" + Twine(-rank) +
                      ", " + Twine(rank) + ")");
  return fromFront(axis, rank);
}

FailureOr<SmallVector<int64_t>>
ane::mil::normalizeAxes(Operation *op, Value axes, int64_t rank) {
  // A splat may have any number of entries.
  if (auto type = tensorType(axes);
      type && type.hasStaticShape() &&
      type.getNumElements() > std::max<int64_t>(rank, 1))
    return refuse(op, "mil-axes-c2",
                  "there are " + Twine(type.getNumElements()) + " axes, but " +
                      counted(rank, "dimension") +
                      ": one of them is given twice");
  std::optional<SmallVector<int64_t>> entries = getConstantInts(axes);
  if (!entries)
    return refuse(op, "mil-sig-c1", "the axes must be known at compile time");
  SmallVector<int64_t> result;
  for (int64_t entry : *entries) {
    FailureOr<int64_t> axis = normalizeAxis(op, entry, rank);
    if (failed(axis))
      return failure();
    if (llvm::is_contained(result, *axis))
      return refuse(op, "mil-axes-c2",
                    "axis " + Twine(entry) + " is given twice");
    result.push_back(*axis);
  }
  llvm::sort(result);
  return result;
}

LogicalResult ane::mil::requireChannels(Operation *op, StringRef constraint,
                                        RankedTensorType x, Value parameter,
                                        StringRef name) {
  if (!parameter)
    return success();
  auto type = tensorType(parameter);
  int64_t channels = x.getDimSize(1);
  if (type && type.getRank() == 1 &&
      (ShapedType::isDynamic(channels) ||
       ShapedType::isDynamic(type.getDimSize(0)) ||
       type.getDimSize(0) == channels))
    return success();
  std::string wanted = ShapedType::isDynamic(channels)
                           ? "one element for each channel of 'x'"
                           : "the " + counted(channels, "channel") + " of 'x'";
  return refuse(op, constraint,
                "'" + name + "' is " + formatType(parameter.getType()) +
                    "; it must have " + wanted);
}

SmallVector<int64_t> ane::mil::reducedShape(ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> axes,
                                            bool keepDims) {
  SmallVector<int64_t> result;
  for (auto [index, extent] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(axes, index))
      result.push_back(extent);
    else if (keepDims)
      result.push_back(1);
  }
  return result;
}

bool ane::mil::hasComputedParameter(Operation *op) {
  auto milOp = dyn_cast<MILOp>(op);
  auto mayBeOne = [](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    bool isNumber = tensor && tensor.getRank() == 0;
    return (isNumber || isa<IntegerType>(getElementTypeOrSelf(value))) &&
           !value.getDefiningOp<ConstOp>();
  };
  // Most ops have none, and every op of a program is asked.
  if (!milOp || llvm::none_of(op->getOperands(), mayBeOne))
    return false;
  unsigned opset = getOpset(op);
  const OpSpec &spec = milOp.getOpSpec();
  for (auto [index, arg] : llvm::enumerate(spec.args))
    if (arg.isConstantIn(opset) &&
        (arg.type == "bool" || spec.domainOf(arg.type, opset) & dtype::Int32))
      for (Value value : milOp.getInput(index))
        if (!value.getDefiningOp<ConstOp>())
          return true;
  return false;
}
