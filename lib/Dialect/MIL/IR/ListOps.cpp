//===- ListOps.cpp - Lists and dictionaries -------------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Limits.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// The type of a list's elements. Constraint `mil-tensor_list-c1`.
FailureOr<RankedTensorType> elementOf(Operation *op, Value list) {
  auto type = cast<ListType>(list.getType());
  if (auto tensor = dyn_cast<RankedTensorType>(type.getElementType()))
    return tensor;
  return refuse(op, "mil-tensor_list-c1",
                "the list is " + formatType(type) +
                    "; its elements must be tensors");
}

/// Indices into a list: a scalar, or a vector where several are taken.
/// Constraints `mil-tensor_list-c2` and `mil-tensor_list-c3`.
LogicalResult checkIndices(Operation *op, Value list, Value indices,
                           bool several) {
  RankedTensorType type = tensorType(indices);
  if (type.getRank() != (several ? 1 : 0))
    return refuse(
        op, "mil-tensor_list-c2",
        several ? "'indices' is " + formatType(type) + "; it must be a vector"
                : "'index' is " + formatType(type) + "; it must be a scalar");
  std::optional<SmallVector<int64_t>> known = getConstantInts(indices);
  if (!known)
    return success();
  int64_t length = cast<ListType>(list.getType()).getLength();
  for (int64_t index : *known)
    if (index < 0 || (!ShapedType::isDynamic(length) && index >= length))
      return refuse(op, "mil-tensor_list-c3",
                    "index " + Twine(index) + " is outside a list of " +
                        (ShapedType::isDynamic(length)
                             ? std::string("any length")
                             : std::to_string(length) + " elements") +
                        "; the first element has index 0");
  return success();
}

/// The elements at `indices`, stacked.
RankedTensorType stackedType(RankedTensorType element, Value indices) {
  SmallVector<int64_t> shape = {tensorType(indices).getDimSize(0)};
  llvm::append_range(shape, element.getShape());
  return element.clone(shape);
}

/// Constraint `mil-tensor_list-c4`.
LogicalResult checkWritten(Operation *op, Value value,
                           RankedTensorType wanted) {
  RankedTensorType type = tensorType(value);
  if (type.getElementType() == wanted.getElementType() &&
      succeeded(verifyCompatibleShape(type, wanted)))
    return success();
  return refuse(op, "mil-tensor_list-c4",
                "'value' is " + formatType(type) + "; the list takes " +
                    formatType(wanted));
}

/// An extent of `elem_shape`; unknown where it is a name or computed.
/// Constraint `mil-make_list-c1`.
FailureOr<int64_t> getExtent(MakeListOp op, Value value) {
  RankedTensorType type = tensorType(value);
  bool isName = type && isa<StringType>(type.getElementType());
  bool isNumber = type && type.getElementType().isSignlessInteger(32);
  if (!type || type.getRank() != 0 || (!isName && !isNumber))
    return refuse(op, "mil-make_list-c1",
                  "an entry of 'elem_shape' is " + formatType(value.getType()) +
                      "; it must be an int32 scalar, or a string for an "
                      "extent that is not known");
  int64_t extent = getConstantInt(value).value_or(ShapedType::kDynamic);
  if (extent < 0 && !ShapedType::isDynamic(extent))
    return refuse(op, "mil-make_list-c1",
                  "an entry of 'elem_shape' is " + Twine(extent) +
                      "; an extent is at least 0");
  return extent;
}

} // namespace

LogicalResult MakeListOp::inferTypes(SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  for (Value entry : getElemShape()) {
    FailureOr<int64_t> extent = getExtent(*this, entry);
    if (failed(extent))
      return failure();
    shape.push_back(*extent);
  }
  if (!hasSaneSize(shape))
    return refuse(*this, "mil-make_list-c1",
                  "an element would have more than 2^31 - 1 entries along a "
                  "dimension or 2^48 in all");

  StringRef name = getDtype() ? getConstantString(getDtype()).value_or("")
                              : StringRef("fp32");
  Type element = dtypeFromName(getContext(), name);
  uint32_t domain = dtype::Float | dtype::Int32 | dtype::Bool;
  if (!element || !(dtypeMask(element) & domain))
    return refuse(*this, "mil-make_list-c2",
                  "'dtype' is \"" + name + "\"; it may be " +
                      formatDTypes(domain));

  int64_t length = getInitLengthOrDefault().value_or(ShapedType::kDynamic);
  if (getInitLength() && tensorType(getInitLength()).getRank() != 0)
    return refuse(*this, "mil-make_list-c3",
                  "'init_length' is " + formatType(getInitLength().getType()) +
                      "; it must be a scalar");
  if (length < 0 && !ShapedType::isDynamic(length))
    return refuse(*this, "mil-make_list-c3",
                  "'init_length' is " + Twine(length) +
                      "; a length is at least 0");
  if (getDynamicLengthOrDefault().value_or(true))
    length = ShapedType::kDynamic;
  types.push_back(ListType::get(getContext(),
                                RankedTensorType::get(shape, element), length));
  return success();
}

LogicalResult ListLengthOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(
      RankedTensorType::get({}, IntegerType::get(getContext(), 32)));
  return success();
}

LogicalResult ListWriteOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> element = elementOf(*this, getLs());
  if (failed(element) ||
      failed(checkIndices(*this, getLs(), getIndex(), /*several=*/false)) ||
      failed(checkWritten(*this, getValue(), *element)))
    return failure();
  types.push_back(getLs().getType());
  return success();
}

LogicalResult ListReadOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> element = elementOf(*this, getLs());
  if (failed(element) ||
      failed(checkIndices(*this, getLs(), getIndex(), /*several=*/false)))
    return failure();
  types.push_back(*element);
  return success();
}

LogicalResult ListGatherOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> element = elementOf(*this, getLs());
  if (failed(element) ||
      failed(checkIndices(*this, getLs(), getIndices(), /*several=*/true)))
    return failure();
  types.push_back(stackedType(*element, getIndices()));
  return success();
}

LogicalResult ListScatterOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> element = elementOf(*this, getLs());
  if (failed(element) ||
      failed(checkIndices(*this, getLs(), getIndices(), /*several=*/true)) ||
      failed(
          checkWritten(*this, getValue(), stackedType(*element, getIndices()))))
    return failure();
  types.push_back(getLs().getType());
  return success();
}

LogicalResult ClassifyOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto classes = cast<ListType>(getClasses().getType());
  auto label = dyn_cast<RankedTensorType>(classes.getElementType());
  if (!label || label.getRank() != 0 ||
      !(dtypeMask(label.getElementType()) & (dtype::String | dtype::Int64)))
    return refuse(*this, "mil-classify-c1",
                  "'classes' is " + formatType(classes) +
                      "; it must be a list of strings or of int64");
  RankedTensorType probabilities = tensorType(getProbabilities());
  if (probabilities.hasStaticShape() && hasSaneSize(probabilities.getShape()) &&
      !ShapedType::isDynamic(classes.getLength()) &&
      classes.getLength() != probabilities.getNumElements())
    return refuse(*this, "mil-classify-c2",
                  "there are " + Twine(classes.getLength()) + " classes for " +
                      Twine(probabilities.getNumElements()) + " probabilities");
  auto probability = RankedTensorType::get({}, probabilities.getElementType());
  types.push_back(label);
  types.push_back(DictType::get(getContext(), label, probability));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILListOps.cpp.inc"

void MILDialect::registerListOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILListOps.cpp.inc"
      >();
}
