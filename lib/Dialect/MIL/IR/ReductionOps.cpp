//===- ReductionOps.cpp - Reduction along axes ----------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult ReduceMeanOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  SmallVector<int64_t> axes;
  if (getAxes()) {
    FailureOr<SmallVector<int64_t>> given =
        normalizeAxes(*this, getAxes(), x.getRank());
    if (failed(given))
      return failure();
    axes = *given;
  } else {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()));
  }
  std::optional<bool> keepDims = getBoolOr(getKeepDims(), false);
  if (!keepDims)
    return keepDeclared(*this, types);
  SmallVector<int64_t> shape;
  for (auto [index, extent] : llvm::enumerate(x.getShape())) {
    if (!llvm::is_contained(axes, index))
      shape.push_back(extent);
    else if (*keepDims)
      shape.push_back(1);
  }
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}
