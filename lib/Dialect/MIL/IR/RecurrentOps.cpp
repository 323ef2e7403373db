//===- RecurrentOps.cpp - Recurrent layers --------------------------------===//

#include "Inference.h"
#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Activation.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// What the checks of one op share.
struct Layer {
  Operation *op;
  RankedTensorType x;
  int64_t gates;
  int64_t hidden = 0;
  int64_t directions = 1;
};

/// That a tensor has the extents; unknown ones agree with any.
bool hasShape(Value value, ArrayRef<int64_t> shape) {
  auto type = tensorType(value);
  return type && succeeded(verifyCompatibleShape(type.getShape(), shape));
}

LogicalResult refuseShape(Layer layer, StringRef constraint, StringRef name,
                          Value value, ArrayRef<int64_t> shape) {
  return refuse(layer.op, constraint,
                "'" + name + "' is " + formatType(value.getType()) +
                    "; it must have shape " + formatExtents(shape));
}

/// The weights of one direction; the first one says the hidden size.
LogicalResult checkWeights(Layer &layer, StringRef suffix, Value inputWeight,
                           Value hiddenWeight) {
  auto ih = tensorType(inputWeight), hh = tensorType(hiddenWeight);
  if (!ih || !hh || ih.getRank() != 2 || hh.getRank() != 2)
    return refuse(layer.op, "mil-recurrent-c1",
                  "'weight_ih" + suffix + "' is " +
                      formatType(inputWeight.getType()) + " and 'weight_hh" +
                      suffix + "' " + formatType(hiddenWeight.getType()) +
                      "; both must have rank 2");
  if (layer.hidden == 0)
    layer.hidden = hh.getDimSize(1);
  std::optional<int64_t> rows =
      llvm::checkedMul(layer.gates, std::max<int64_t>(layer.hidden, 0));
  if (!rows || layer.hidden < 1 ||
      !hasShape(hiddenWeight, {*rows, layer.hidden}) ||
      !agree(ih.getDimSize(0), *rows) ||
      !agree(ih.getDimSize(1), layer.x.getDimSize(2)))
    return refuse(layer.op, "mil-recurrent-c2",
                  "'weight_ih" + suffix + "' is " + formatType(ih) +
                      " and 'weight_hh" + suffix + "' " + formatType(hh) +
                      "; with " + Twine(layer.gates) + " gates and an input " +
                      formatType(layer.x) + " they must be [" +
                      Twine(layer.gates) + " * H, " + "I] and [" +
                      Twine(layer.gates) + " * H, H]");
  return success();
}

/// A bias or peephole of `parts` parts, if it is given.
LogicalResult checkVector(Layer layer, StringRef name, Value value,
                          int64_t parts) {
  if (!value || hasShape(value, {parts * layer.hidden}))
    return success();
  return refuseShape(layer, "mil-recurrent-c3", name, value,
                     {parts * layer.hidden});
}

LogicalResult checkState(Layer layer, StringRef name, Value value) {
  int64_t shape[] = {layer.x.getDimSize(1), layer.directions * layer.hidden};
  if (hasShape(value, shape))
    return success();
  return refuseShape(layer, "mil-recurrent-c4", name, value, shape);
}

LogicalResult checkActivation(Layer layer, StringRef name, Value value) {
  StringRef activation = value ? getConstantString(value).value_or("") : "tanh";
  if (llvm::is_contained(
          {"relu", "tanh", "sigmoid", "linear", "hard_sigmoid", "scaled_tanh"},
          activationName(activation)))
    return success();
  return refuse(layer.op, "mil-recurrent-c6",
                "'" + name + "' is \"" + activation +
                    "\"; it must be relu, tanh, sigmoid, linear, hard_sigmoid "
                    "or scaled_tanh");
}

/// The rank of `x` and the direction, which is what everything else depends on.
template <typename Op>
FailureOr<Layer> startLayer(Op op, int64_t gates, bool mayBeBidirectional) {
  Layer layer{op, tensorType(op.getX()), gates};
  if (!layer.x || layer.x.getRank() != 3)
    return refuse(op, "mil-recurrent-c1",
                  "'x' is " + formatType(op.getX().getType()) +
                      "; it must have rank 3: steps, batch and inputs");
  StringRef direction = op.getDirection()
                            ? getConstantString(op.getDirection()).value_or("")
                            : "forward";
  if (mayBeBidirectional && direction == "bidirectional")
    layer.directions = 2;
  else if (direction != "forward" && direction != "reverse")
    return refuse(op, "mil-recurrent-c5",
                  "'direction' is \"" + direction + "\"; it must be forward" +
                      (mayBeBidirectional ? ", reverse or bidirectional"
                                          : " or reverse"));
  if (failed(checkWeights(layer, "", op.getWeightIh(), op.getWeightHh())) ||
      failed(checkVector(layer, "bias", op.getBias(), gates)) ||
      failed(checkState(layer, "initial_h", op.getInitialH())) ||
      failed(checkActivation(layer, "activation", op.getActivation())))
    return failure();
  return layer;
}

/// The states of all steps or of the last, then `numStates` last ones.
template <typename Op>
LogicalResult addResults(Op op, Layer layer, unsigned numStates,
                         SmallVectorImpl<Type> &types) {
  std::optional<bool> all = op.getOutputSequenceOrDefault();
  int64_t steps =
      !all ? ShapedType::kDynamic : (*all ? layer.x.getDimSize(0) : 1);
  int64_t batch = layer.x.getDimSize(1);
  int64_t width = layer.directions * layer.hidden;
  Type element = layer.x.getElementType();
  types.push_back(RankedTensorType::get({steps, batch, width}, element));
  types.append(numStates, RankedTensorType::get({batch, width}, element));
  return success();
}

} // namespace

LogicalResult GruOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<Layer> layer = startLayer(*this, 3, false);
  if (failed(layer) ||
      failed(checkVector(*layer, "input_bias", getInputBias(), 3)) ||
      failed(checkActivation(*layer, "recurrent_activation",
                             getRecurrentActivation())))
    return failure();
  return addResults(*this, *layer, 1, types);
}

LogicalResult LstmOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<Layer> layer = startLayer(*this, 4, true);
  if (failed(layer) ||
      failed(checkVector(*layer, "peephole", getPeephole(), 3)) ||
      failed(checkState(*layer, "initial_c", getInitialC())) ||
      failed(checkActivation(*layer, "recurrent_activation",
                             getRecurrentActivation())) ||
      failed(checkActivation(*layer, "cell_activation", getCellActivation())))
    return failure();
  if (layer->directions == 2) {
    if (!getWeightIhBack() || !getWeightHhBack())
      return refuse(*this, "mil-lstm-c1",
                    "direction bidirectional needs 'weight_ih_back' and "
                    "'weight_hh_back'");
    if (failed(checkWeights(*layer, "_back", getWeightIhBack(),
                            getWeightHhBack())) ||
        failed(checkVector(*layer, "bias_back", getBiasBack(), 4)) ||
        failed(checkVector(*layer, "peephole_back", getPeepholeBack(), 3)))
      return failure();
  }
  if (getClip() && !hasShape(getClip(), {}))
    return refuse(*this, "mil-lstm-c2",
                  "'clip' is " + formatType(getClip().getType()) +
                      "; it must be a scalar");
  return addResults(*this, *layer, 2, types);
}

LogicalResult RnnOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<Layer> layer = startLayer(*this, 1, false);
  if (failed(layer))
    return failure();
  return addResults(*this, *layer, 1, types);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILRecurrentOps.cpp.inc"

void MILDialect::registerRecurrentOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILRecurrentOps.cpp.inc"
      >();
}
