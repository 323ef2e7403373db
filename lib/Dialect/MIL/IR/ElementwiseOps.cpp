//===- ElementwiseOps.cpp - Arithmetic on elements ------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// `element` is the element type of the result; null for that of `x`.
LogicalResult inferBinary(Operation *op, Value x, Value y,
                          SmallVectorImpl<Type> &types, Type element = {}) {
  auto xType = tensorType(x), yType = tensorType(y);
  if (!xType || !yType)
    return keepDeclared(op, types);
  FailureOr<SmallVector<int64_t>> shape =
      broadcast(op, xType.getShape(), yType.getShape());
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(
      *shape, element ? element : xType.getElementType()));
  return success();
}

LogicalResult inferComparison(Operation *op, Value x, Value y,
                              SmallVectorImpl<Type> &types) {
  return inferBinary(op, x, y, types, IntegerType::get(op->getContext(), 1));
}

} // namespace

LogicalResult ClipOp::inferTypes(SmallVectorImpl<Type> &types) {
  for (Value bound : {getAlpha(), getBeta()}) {
    auto type = tensorType(bound);
    if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
      return refuse(*this, "mil-clip-c1",
                    "a bound is " + formatType(bound.getType()) +
                        "; 'alpha' and 'beta' must be scalars");
  }
  std::optional<double> alpha = getConstantFloat(getAlpha());
  std::optional<double> beta = getConstantFloat(getBeta());
  if (getOpset(*this) >= 17 && alpha && beta && !(*alpha < *beta))
    return refuse(*this, "mil-clip-c2",
                  llvm::formatv("'alpha' is {0} and 'beta' {1}; alpha must be "
                                "less than beta",
                                *alpha, *beta)
                      .str());
  types.push_back(getX().getType());
  return success();
}

LogicalResult CastOp::inferTypes(SmallVectorImpl<Type> &types) {
  uint32_t targets = getOpset(*this) >= 17
                         ? dtype::Float | dtype::Int | dtype::Bool
                         : dtype::Float | dtype::Int32 | dtype::Bool;
  std::optional<StringRef> name = getConstantString(getDtype());
  Type element = name ? dtypeFromName(getContext(), *name) : Type();
  if (!element || !(dtypeMask(element) & targets))
    return refuse(*this, "mil-cast-c1",
                  "'dtype' is \"" + name.value_or("") + "\"; it may be " +
                      formatDTypes(targets));
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  types.push_back(x.clone(element));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILElementwiseOps.cpp.inc"

void MILDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILElementwiseOps.cpp.inc"
      >();
}
