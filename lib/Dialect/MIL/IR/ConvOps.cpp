//===- ConvOps.cpp - Convolution ------------------------------------------===//

#include "Inference.h"
#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Support/Counted.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Constraint `mil-conv-c1`.
template <typename Op> LogicalResult checkRanks(Op op) {
  auto x = tensorType(op.getX()), weight = tensorType(op.getWeight());
  if (x && weight && x.getRank() >= 3 && x.getRank() <= 5 &&
      weight.getRank() == x.getRank())
    return success();
  return refuse(op, "mil-conv-c1",
                "'x' is " + formatType(op.getX().getType()) + " and 'weight' " +
                    formatType(op.getWeight().getType()) +
                    "; both must have the same rank, 3 to 5");
}

/// Constraint `mil-conv-c2`, for as many of the channels as are to be divided.
FailureOr<int64_t> checkGroups(Operation *op, std::optional<int64_t> given,
                               int64_t inputs, int64_t outputs) {
  int64_t groups = given.value_or(0);
  auto divides = [&](int64_t extent) {
    return ShapedType::isDynamic(extent) || extent % groups == 0;
  };
  if (groups >= 1 && divides(inputs) && divides(outputs))
    return groups;
  std::string message =
      ("'groups' is " + Twine(groups) + "; it must divide the " +
       counted(inputs, "input channel"))
          .str();
  if (!ShapedType::isDynamic(outputs))
    message += " and the " + counted(outputs, "output channel");
  return refuse(op, "mil-conv-c2", message);
}

/// Constraint `mil-conv-c4`.
LogicalResult checkBias(Operation *op, Value value, int64_t outputs) {
  auto bias = value ? tensorType(value) : RankedTensorType();
  if (!value ||
      (bias && bias.getRank() == 1 && agree(bias.getDimSize(0), outputs)))
    return success();
  return refuse(op, "mil-conv-c4",
                "'bias' is " + formatType(value.getType()) +
                    "; it must have the " + counted(outputs, "output channel"));
}

template <typename Op>
LogicalResult inferConv(Op op, SmallVectorImpl<Type> &types) {
  if (failed(checkRanks(op)))
    return failure();
  auto x = tensorType(op.getX()), weight = tensorType(op.getWeight());
  int64_t cin = x.getDimSize(1), cout = weight.getDimSize(0);
  FailureOr<int64_t> groups =
      checkGroups(op, op.getGroupsOrDefault(), cin, cout);
  if (failed(groups))
    return failure();
  if (!ShapedType::isDynamic(cin) &&
      !agree(weight.getDimSize(1), cin / *groups))
    return refuse(op, "mil-conv-c3",
                  "'weight' is " + formatType(weight) + "; with " +
                      counted(cin, "input channel") + " in " +
                      counted(*groups, "group") +
                      " its second extent must be " + Twine(cin / *groups));
  if (failed(checkBias(op, op.getBias(), cout)))
    return failure();
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  types.push_back(windowResultType(op.getX(), cout, *window));
  return success();
}

} // namespace

LogicalResult ConvOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferConv(*this, types);
}

LogicalResult ConvQuantizedOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(inferConv(*this, types)))
    return failure();
  StringRef kind = getConstantString(getQuantizationType()).value_or("");
  if (kind != "linear" && kind != "lut")
    return refuse(*this, "mil-conv_quantized-c1",
                  "'quantization_type' is \"" + kind +
                      "\"; it must be linear or lut");
  int64_t bits = getNbitsOrDefault().value_or(0);
  if (bits < 1 || bits > 8)
    return refuse(*this, "mil-conv_quantized-c2",
                  "'nbits' is " + Twine(bits) + "; it must be 1 to 8");
  int64_t cout = tensorType(getWeight()).getDimSize(0);
  for (Value value : {getQuantScale(), getQuantBias()}) {
    auto type = tensorType(value);
    bool fits =
        type && type.hasStaticShape() &&
        (type.getNumElements() == 1 || agree(type.getNumElements(), cout));
    if (kind == "linear" && !fits)
      return refuse(*this, "mil-conv_quantized-c3",
                    "a scale or bias is " + formatType(value.getType()) +
                        "; it must have one element or the " +
                        counted(cout, "output channel"));
  }
  return success();
}

LogicalResult ConvTransposeOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkRanks(*this)))
    return failure();
  auto x = tensorType(getX()), weight = tensorType(getWeight());
  int64_t cin = x.getDimSize(1), part = weight.getDimSize(1);
  FailureOr<int64_t> groups =
      checkGroups(*this, getGroupsOrDefault(), cin, ShapedType::kDynamic);
  if (failed(groups))
    return failure();
  if (!agree(weight.getDimSize(0), cin))
    return refuse(*this, "mil-conv_transpose-c1",
                  "'weight' is " + formatType(weight) +
                      "; its first extent must be the " +
                      counted(cin, "input channel"));
  int64_t cout = ShapedType::kDynamic;
  if (!ShapedType::isDynamic(part))
    cout = llvm::checkedMul(part, *groups).value_or(cout);
  if (failed(checkBias(*this, getBias(), cout)))
    return failure();
  FailureOr<Window> window = getWindow(*this);
  if (failed(window))
    return failure();
  SmallVector<int64_t> shape = {x.getDimSize(0), cout};
  llvm::append_range(shape, window->input);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILConvOps.cpp.inc"

void MILDialect::registerConvOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILConvOps.cpp.inc"
      >();
}
