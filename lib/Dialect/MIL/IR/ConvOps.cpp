//===- ConvOps.cpp - Convolution and pooling ------------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Window.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// [N, channels, *output of the window].
Type windowResult(Value x, int64_t channels, const Window &window) {
  auto type = tensorType(x);
  SmallVector<int64_t> shape = {type.getDimSize(0), channels};
  llvm::append_range(shape, window.output);
  return RankedTensorType::get(shape, type.getElementType());
}

template <typename PoolOp>
LogicalResult inferPool(PoolOp op, SmallVectorImpl<Type> &types) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  types.push_back(
      windowResult(op.getX(), tensorType(op.getX()).getDimSize(1), *window));
  return success();
}

} // namespace

LogicalResult ConvOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), weight = tensorType(getWeight());
  if (!x || !weight || x.getRank() < 3 || x.getRank() > 5 ||
      weight.getRank() != x.getRank())
    return refuse(*this, "mil-conv-c1",
                  "'x' is " + formatType(getX().getType()) + " and 'weight' " +
                      formatType(getWeight().getType()) +
                      "; both must have the same rank, 3 to 5");
  int64_t groups = 1;
  if (getGroups())
    groups = getConstantInt(getGroups()).value_or(0);
  int64_t cin = x.getDimSize(1), cout = weight.getDimSize(0);
  auto divides = [&](int64_t extent) {
    return ShapedType::isDynamic(extent) || extent % groups == 0;
  };
  if (groups < 1 || !divides(cin) || !divides(cout))
    return refuse(*this, "mil-conv-c2",
                  "'groups' is " + Twine(groups) + "; it must divide the " +
                      Twine(cin) + " input channels and the " + Twine(cout) +
                      " output channels");
  if (!ShapedType::isDynamic(cin) && weight.getDimSize(1) * groups != cin)
    return refuse(*this, "mil-conv-c3",
                  "'weight' is " + formatType(weight) + "; with " + Twine(cin) +
                      " input channels in " + Twine(groups) +
                      " groups its second extent must be " +
                      Twine(cin / groups));
  if (getBias()) {
    auto bias = tensorType(getBias());
    if (!bias || bias.getRank() != 1 || bias.getDimSize(0) != cout)
      return refuse(*this, "mil-conv-c4",
                    "'bias' is " + formatType(getBias().getType()) +
                        "; it must have the " + Twine(cout) +
                        " output channels");
  }
  FailureOr<Window> window = getWindow(*this);
  if (failed(window))
    return failure();
  types.push_back(windowResult(getX(), cout, *window));
  return success();
}

LogicalResult MaxPoolOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}
LogicalResult AvgPoolOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}
