//===- ReductionOps.cpp - Reduction along axes ----------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// The type of a reduction of `x` over `axes`, which are all if absent.
LogicalResult inferReduction(Reduction op, SmallVectorImpl<Type> &types) {
  auto x = tensorType(op.getX());
  if (!x)
    return keepDeclared(op, types);
  SmallVector<int64_t> axes;
  if (Value axesInput = op.getAxes()) {
    FailureOr<SmallVector<int64_t>> given =
        normalizeAxes(op, axesInput, x.getRank());
    if (failed(given))
      return failure();
    axes = *given;
  } else {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()));
  }
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!keepDims)
    return keepDeclared(op, types);
  types.push_back(x.clone(reducedShape(x.getShape(), axes, *keepDims)));
  return success();
}

/// The type of the indices along one axis. `output_dtype` names their elements;
/// where it is absent they are int32.
template <typename Op>
LogicalResult inferArg(Op op, SmallVectorImpl<Type> &types) {
  Type element = IntegerType::get(op.getContext(), 32);
  if (Value dtypeInput = op.getOutputDtype()) {
    constexpr uint32_t allowed = dtype::Int32 | dtype::UInt16;
    std::optional<StringRef> name = getConstantString(dtypeInput);
    element = name ? dtypeFromName(op.getContext(), *name) : Type();
    if (!element || !(dtypeMask(element) & allowed))
      return refuse(op, "mil-reduce_arg-c2",
                    "'output_dtype' is \"" + name.value_or("") +
                        "\"; it may be " + formatDTypes(allowed));
  }
  std::optional<int64_t> axis = op.getAxisOrDefault();
  if (!axis)
    return refuse(op, "mil-reduce_arg-c1",
                  "'axis' is " + formatType(op.getAxis().getType()) +
                      "; it must be a scalar");
  auto x = tensorType(op.getX());
  if (!x)
    return keepDeclared(op, types);
  if (x.getRank() == 0)
    return refuse(op, "mil-reduce_arg-c1",
                  "'x' is " + formatType(x) +
                      "; it must have a dimension to run along");
  FailureOr<int64_t> normalized = normalizeAxis(op, *axis, x.getRank());
  if (failed(normalized))
    return failure();
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!keepDims)
    return keepDeclared(op, types);
  types.push_back(RankedTensorType::get(
      reducedShape(x.getShape(), *normalized, *keepDims), element));
  return success();
}

} // namespace

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILReductionOps.cpp.inc"

void MILDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILReductionOps.cpp.inc"
      >();
}
