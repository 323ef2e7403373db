//===- TensorOps.cpp - Shape and storage ----------------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

LogicalResult IdentityOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getX().getType());
  return success();
}

/// Adds an operand of one rank to what concat makes: `shape` of the others, and
/// `total` along the axis. `alternating` is the extent that operands have there
/// which take turns.
static LogicalResult joinExtents(ConcatOp op, RankedTensorType type,
                                 int64_t axis, SmallVectorImpl<int64_t> &shape,
                                 int64_t &total, int64_t &alternating) {
  std::optional<bool> interleave = op.getInterleaveOrDefault();
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    if (int64_t(i) == axis) {
      if (ShapedType::isDynamic(alternating))
        alternating = extent;
      if (interleave == true && !agree(extent, alternating))
        return refuse(op, "mil-concat-c3",
                      "values of extents " + Twine(alternating) + " and " +
                          Twine(extent) + " cannot alternate along axis " +
                          Twine(i));
      total = ShapedType::isDynamic(extent) || ShapedType::isDynamic(total)
                  ? ShapedType::kDynamic
                  : total + extent;
    } else if (ShapedType::isDynamic(shape[i])) {
      shape[i] = extent;
    } else if (!ShapedType::isDynamic(extent) && extent != shape[i]) {
      return refuse(op, "mil-concat-c2",
                    "extents " + Twine(shape[i]) + " and " + Twine(extent) +
                        " of dimension " + Twine(i) + " differ; only axis " +
                        Twine(axis) + " may");
    }
  }
  return success();
}

LogicalResult ConcatOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (getValues().empty())
    return refuse(*this, "mil-concat-c1", "there is no value to join");
  auto first = tensorType(getValues().front());
  if (!first)
    return keepDeclared(*this, types);
  auto checkRank = [&](Value value) -> LogicalResult {
    auto type = tensorType(value);
    if (type && type.getRank() == first.getRank())
      return success();
    return refuse(*this, "mil-concat-c1",
                  "a value is " + formatType(value.getType()) +
                      ", the first is " + formatType(first) +
                      "; all must have one rank");
  };
  // What exporters join scalars to a shape with, whatever the axis.
  if (first.getRank() == 0) {
    for (Value value : getValues())
      if (failed(checkRank(value)))
        return failure();
    types.push_back(RankedTensorType::get(int64_t(getValues().size()),
                                          first.getElementType()));
    return success();
  }
  FailureOr<MaybeInt> given =
      scalarAxis(*this, getAxis(), std::nullopt, first.getRank());
  if (failed(given))
    return failure();
  if (!*given)
    return keepDeclared(*this, types);
  int64_t axis = **given;
  SmallVector<int64_t> shape(first.getShape());
  int64_t total = 0, alternating = ShapedType::kDynamic;
  for (Value value : getValues())
    if (failed(checkRank(value)) ||
        failed(joinExtents(*this, tensorType(value), axis, shape, total,
                           alternating)))
      return failure();
  shape[axis] = total;
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult ReshapeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  std::optional<SmallVector<int64_t>> entries = getConstantInts(getShape());
  if (!x || !entries)
    return keepDeclared(*this, types);

  SmallVector<int64_t> shape;
  std::optional<size_t> inferred;
  for (auto [index, entry] : llvm::enumerate(*entries)) {
    if (entry < -1 || (entry == -1 && inferred))
      return refuse(*this, "mil-reshape-c1",
                    "'shape' is " + formatShape(*entries) +
                        "; at most one entry may be -1, none less");
    if (entry == -1)
      inferred = index;
    int64_t source = x.getRank() - int64_t(entries->size()) + int64_t(index);
    if (entry == 0 && getOpset(*this) < 17 &&
        size_t(x.getRank()) != entries->size())
      return refuse(
          *this, "mil-reshape-c3",
          "entry " + Twine(index) +
              " of 'shape' is 0, which up to "
              "ios16 needs as many entries as 'x' has dimensions; there "
              "are " +
              Twine(entries->size()) + " and " + Twine(x.getRank()));
    shape.push_back(entry == 0    ? (source < 0 ? 1 : x.getDimSize(source))
                    : entry == -1 ? ShapedType::kDynamic
                                  : entry);
  }

  auto product = [](ArrayRef<int64_t> extents) {
    std::optional<int64_t> count = 1;
    for (int64_t extent : extents)
      if (count && !ShapedType::isDynamic(extent))
        count = llvm::checkedMul(*count, extent);
    return count;
  };
  std::optional<int64_t> have = product(x.getShape()), want = product(shape);
  bool known =
      x.hasStaticShape() &&
      llvm::count_if(shape, ShapedType::isDynamic) == (inferred ? 1 : 0);
  if (known) {
    bool fits = have && want &&
                (inferred ? *want != 0 && *have % *want == 0 : *have == *want);
    if (!fits)
      return refuse(*this, "mil-reshape-c2",
                    formatType(x) + " cannot take the shape " +
                        formatShape(*entries) +
                        ": the number of elements would change");
    if (inferred)
      shape[*inferred] = *have / *want;
  }
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult ExpandDimsOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  std::optional<SmallVector<int64_t>> given = getConstantInts(getAxes());
  if (!x || !given)
    return keepDeclared(*this, types);
  FailureOr<SmallVector<int64_t>> axes =
      normalizeAxes(*this, getAxes(), x.getRank() + given->size());
  if (failed(axes))
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  for (int64_t axis : *axes)
    shape.insert(shape.begin() + axis, 1);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult SqueezeOp::inferTypes(SmallVectorImpl<Type> &types) {
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
    for (auto [index, extent] : llvm::enumerate(x.getShape()))
      if (extent == 1)
        axes.push_back(index);
  }
  // A dimension of another extent stays where it is. One of unknown extent does
  // too, unless the declared result is without: some versions of Core ML Tools
  // took it away, others left it.
  SmallVector<int64_t> shape, least;
  for (auto [index, extent] : llvm::enumerate(x.getShape())) {
    bool isNamed = llvm::is_contained(axes, index);
    if (!isNamed || extent != 1)
      shape.push_back(extent);
    if (!isNamed || (extent != 1 && !ShapedType::isDynamic(extent)))
      least.push_back(extent);
  }
  auto declared = dyn_cast<RankedTensorType>(getResult().getType());
  if (declared && declared.getRank() == int64_t(least.size()))
    shape = least;
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult Flatten2dOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  int64_t rank = x.getRank(), axis = 1;
  if (getAxis())
    axis = getConstantInt(getAxis()).value_or(INT64_MAX);
  if (axis < -rank || axis > rank)
    return refuse(*this, "mil-flatten2d-c1",
                  "'axis' is " + Twine(axis) + ", outside [" + Twine(-rank) +
                      ", " + Twine(rank) + "]");
  if (axis < 0)
    axis += rank;
  types.push_back(
      RankedTensorType::get({countElements(x.getShape().take_front(axis)),
                             countElements(x.getShape().drop_front(axis))},
                            x.getElementType()));
  return success();
}

LogicalResult ShapeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  types.push_back(
      RankedTensorType::get(x.getRank(), IntegerType::get(getContext(), 32)));
  return success();
}

LogicalResult SplitOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis =
      scalarAxis(*this, getAxis(), std::nullopt, x.getRank());
  FailureOr<MaybeInt> numSplits =
      scalarInt(*this, getNumSplits(), "num_splits");
  if (failed(axis) || failed(numSplits))
    return failure();
  MaybeInts sizes;
  if (getSplitSizes()) {
    FailureOr<MaybeInts> given =
        listInts(*this, getSplitSizes(), "split_sizes");
    if (failed(given))
      return failure();
    sizes = *given;
  }
  if (!getNumSplits() && !getSplitSizes())
    return refuse(*this, "mil-split-c1",
                  "neither 'num_splits' nor 'split_sizes' says where to cut");
  if (*numSplits && sizes && **numSplits != int64_t(sizes->size()))
    return refuse(*this, "mil-split-c1",
                  "'num_splits' is " + Twine(**numSplits) +
                      ", but 'split_sizes' is " + formatShape(*sizes) +
                      "; leave one of them out");
  if (!*axis || (!sizes && !*numSplits) || (getSplitSizes() && !sizes))
    return keepDeclared(*this, types);

  int64_t extent = x.getDimSize(**axis);
  if (sizes) {
    int64_t total = 0;
    for (int64_t size : *sizes)
      total = size < 0 ? INT64_MAX : addExtents(total, size);
    if (total == INT64_MAX || !agree(total, extent))
      return refuse(*this, "mil-split-c3",
                    "'split_sizes' is " + formatShape(*sizes) +
                        "; its entries must not be negative and add up to the "
                        "extent of dimension " +
                        Twine(**axis) + " of " + formatType(x));
  } else {
    int64_t count = **numSplits;
    bool known = !ShapedType::isDynamic(extent);
    if (count < 1 || (known && extent % count != 0))
      return refuse(*this, "mil-split-c2",
                    "'num_splits' is " + Twine(count) +
                        "; it must be positive and divide the extent of "
                        "dimension " +
                        Twine(**axis) + " of " + formatType(x));
    // One more type than results is enough for the verifier to refuse.
    int64_t listed =
        std::min(count, std::max<int64_t>(getNumResults(), 999) + 1);
    sizes.emplace(size_t(listed),
                  known ? extent / count : ShapedType::kDynamic);
  }
  SmallVector<int64_t> shape(x.getShape());
  for (int64_t size : *sizes) {
    shape[**axis] = size;
    types.push_back(RankedTensorType::get(shape, x.getElementType()));
  }
  return success();
}

LogicalResult StackOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (getValues().empty())
    return refuse(*this, "mil-stack-c1", "there is no value to join");
  auto first = tensorType(getValues().front());
  SmallVector<int64_t> shape;
  if (first)
    shape.assign(first.getShape().begin(), first.getShape().end());
  for (Value value : getValues()) {
    auto type = tensorType(value);
    if (!first || !type || type.getElementType() != first.getElementType() ||
        !agree(type.getShape(), first.getShape()))
      return refuse(*this, "mil-stack-c1",
                    "a value is " + formatType(value.getType()) +
                        ", the first is " +
                        formatType(getValues().front().getType()) +
                        "; all must be tensors of one type and shape");
    for (auto [known, extent] : llvm::zip_equal(shape, type.getShape()))
      if (ShapedType::isDynamic(known))
        known = extent;
  }
  FailureOr<MaybeInt> axis =
      scalarAxis(*this, getAxis(), std::nullopt, first.getRank() + 1);
  if (failed(axis))
    return failure();
  if (!*axis)
    return keepDeclared(*this, types);
  shape.insert(shape.begin() + **axis, getValues().size());
  return addResult(*this, types, shape, first.getElementType());
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILTensorOps.cpp.inc"

void MILDialect::registerTensorOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILTensorOps.cpp.inc"
      >();
}
