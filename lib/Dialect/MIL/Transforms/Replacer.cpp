//===- Replacer.cpp - Makes the ops that replace one ----------------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

} // namespace

bool ane::mil::fitsEngine(ArrayRef<int64_t> shape) {
  for (auto [fromLast, extent] : llvm::enumerate(llvm::reverse(shape))) {
    // Of five dimensions the second one is the depth.
    bool isOuter = fromLast == 2 || fromLast == 4 ||
                   (fromLast == 3 && shape.size() < size_t(mostDims));
    if (extent > (isOuter ? longestOuter : longestDim))
      return false;
  }
  return shape.size() <= size_t(mostDims);
}

RankedTensorType ane::mil::staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() > 0
             ? type
             : RankedTensorType();
}

SmallVector<int64_t> ane::mil::alignedShape(ArrayRef<int64_t> shape,
                                            size_t rank) {
  SmallVector<int64_t> aligned(rank - shape.size(), 1);
  llvm::append_range(aligned, shape);
  return aligned;
}

ElementsAttr ane::mil::reshaped(ElementsAttr elements,
                                ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elements.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

std::optional<SmallVector<int64_t>> ane::mil::reducedAxes(Value axes,
                                                          int64_t rank) {
  if (!axes)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::optional<SmallVector<int64_t>> given = getConstantInts(axes);
  if (!given)
    return std::nullopt;
  for (int64_t &axis : *given)
    axis = fromFront(axis, rank);
  llvm::sort(*given);
  return given;
}

Type Replacer::broadcastType(Value x, Value y) {
  SmallVector<int64_t> shape;
  bool isValid = OpTrait::util::getBroadcastedShape(
      typeOf(x).getShape(), typeOf(y).getShape(), shape);
  assert(isValid && "a rule joins shapes that do not broadcast");
  (void)isValid;
  return RankedTensorType::get(shape, typeOf(x).getElementType());
}

Type Replacer::reducedType(Value x, ArrayRef<int64_t> axes, bool keepDims) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(typeOf(x).getShape())) {
    bool isReduced = llvm::is_contained(axes, int64_t(dim));
    if (!isReduced || keepDims)
      shape.push_back(isReduced ? 1 : extent);
  }
  return RankedTensorType::get(shape, typeOf(x).getElementType());
}

Value Replacer::reduce(Reduction alike, Value x, ArrayRef<int64_t> axes,
                       bool keepDims) {
  OperationState state(op->getLoc(), alike->getName());
  Value operands[] = {x, ints(axes), boolean(keepDims)};
  state.addOperands(operands);
  state.addTypes(reducedType(x, axes, keepDims));
  cast<MILOp>(alike.getOperation())
      .initProperties(state, /*label=*/std::nullopt, /*resultNames=*/{},
                      /*operandCounts=*/{1, 1, 1});
  return rewriter.create(state)->getResult(0);
}

Value Replacer::constant(ElementsAttr value) {
  return ConstOp::create(rewriter, op->getLoc(), value.getType(), value,
                         /*label=*/std::nullopt, /*result_names=*/{},
                         /*text_attrs=*/nullptr);
}

Value Replacer::scalar(double value, Value like) {
  return tensor(value, {}, like);
}

Value Replacer::scalar(double value, Type elementType) {
  return tensor(value, {}, elementType);
}

Value Replacer::tensor(ArrayRef<double> values, ArrayRef<int64_t> shape,
                       Value like) {
  return tensor(values, shape, typeOf(like).getElementType());
}

Value Replacer::tensor(ArrayRef<double> values, ArrayRef<int64_t> shape,
                       Type elementType) {
  auto type = RankedTensorType::get(shape, elementType);
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer)
    return constant(makeFloatElements(type, values));
  SmallVector<APInt> numbers;
  for (double value : values)
    numbers.emplace_back(integer.getWidth(), static_cast<int64_t>(value),
                         /*isSigned=*/true);
  return constant(DenseElementsAttr::get(type, numbers));
}

Value Replacer::ints(ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, rewriter.getI32Type()),
      ArrayRef(narrow)));
}

Value Replacer::positions(int64_t axis, int64_t rank, int64_t count,
                          double first, double step) {
  SmallVector<int64_t> shape(rank - axis, 1);
  shape.front() = count;
  SmallVector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(first + step * double(i));
  return tensor(numbers, shape, rewriter.getI32Type());
}

Value Replacer::integer(int64_t value) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({}, rewriter.getI32Type()), int32_t(value)));
}

Value Replacer::truths(ArrayRef<bool> values, ArrayRef<int64_t> shape) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get(shape, rewriter.getI1Type()), values));
}

Value Replacer::boolean(bool value) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({}, rewriter.getI1Type()), value));
}

Value Replacer::string(StringRef value) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({}, StringType::get(rewriter.getContext())),
      value));
}

Value Replacer::convert(Value x, Value like) {
  Type element = typeOf(like).getElementType();
  if (typeOf(x).getElementType() == element)
    return x;
  return CastOp::create(rewriter, op->getLoc(), typeOf(x).clone(element), x,
                        string(dtypeName(element)));
}

Value Replacer::product(Value x, Value y, bool transposeY) {
  ArrayRef<int64_t> xShape = shapeOf(x), yShape = shapeOf(y);
  SmallVector<int64_t> shape;
  for (auto [a, b] : llvm::zip_equal(xShape.drop_back(2), yShape.drop_back(2)))
    shape.push_back(std::max(a, b));
  shape.push_back(xShape[xShape.size() - 2]);
  shape.push_back(transposeY ? yShape[yShape.size() - 2] : yShape.back());
  return MatmulOp::create(rewriter, op->getLoc(), typeOf(x).clone(shape), x, y,
                          boolean(false), boolean(transposeY));
}

Value Replacer::reshape(Value x, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(
      rewriter, op->getLoc(),
      RankedTensorType::get(shape, typeOf(x).getElementType()), x, ints(shape));
}

Value Replacer::transpose(Value x, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(typeOf(x).getDimSize(dim));
  return TransposeOp::create(
      rewriter, op->getLoc(),
      RankedTensorType::get(shape, typeOf(x).getElementType()), x,
      ints(permutation));
}

Value Replacer::transposeAs(Value x, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> permutation) {
  return transpose(shapeOf(x) == shape ? x : reshape(x, shape), permutation);
}

Value Replacer::slice(Value x, int64_t axis, int64_t begin, int64_t count,
                      int64_t stride) {
  RankedTensorType type = typeOf(x);
  if (begin == 0 && count == type.getDimSize(axis))
    return x;
  SmallVector<int64_t> begins(type.getRank(), 0), ends(type.getShape()),
      strides(type.getRank(), 1), shape(type.getShape());
  begins[axis] = begin;
  ends[axis] = begin + (count - 1) * stride + 1;
  strides[axis] = stride;
  shape[axis] = count;
  return SliceByIndexOp::create(rewriter, op->getLoc(), type.clone(shape), x,
                                ints(begins), ints(ends), ints(strides),
                                /*begin_mask=*/Value(), /*end_mask=*/Value(),
                                /*squeeze_mask=*/Value());
}

Value Replacer::pad(Value x, ArrayRef<int64_t> padding) {
  RankedTensorType type = typeOf(x);
  int64_t first = type.getRank() - int64_t(padding.size() / 2);
  SmallVector<int64_t> all(2 * first, 0), shape(type.getShape());
  llvm::append_range(all, padding);
  for (auto [i, count] : llvm::enumerate(all))
    shape[i / 2] += count;
  return PadOp::create(rewriter, op->getLoc(), type.clone(shape), x, ints(all),
                       string("constant"), scalar(0, x));
}

Value Replacer::concat(ArrayRef<Value> values, int64_t axis, bool interleave) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(typeOf(values.front()).getShape());
  shape[axis] = 0;
  for (Value value : values)
    shape[axis] += typeOf(value).getDimSize(axis);
  return ConcatOp::create(rewriter, op->getLoc(),
                          typeOf(values.front()).clone(shape), values,
                          integer(axis), boolean(interleave));
}

LogicalResult Replacer::replace(ValueRange values) {
  SmallVector<Value> named;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    Operation *made = value.getDefiningOp();
    // A value that was there before keeps the name it has.
    if (!made || getLabel(made) || !getResultNames(made).empty() ||
        made->getNumResults() != 1) {
      value = unary<IdentityOp>(value);
      made = value.getDefiningOp();
    }
    takeNames(cast<OpResult>(value), result);
    named.push_back(value);
  }
  rewriter.replaceOp(op, named);
  return success();
}

bool ane::mil::holdsBelow(IntegerType type, int64_t extent) {
  unsigned bits = type.getWidth() - (type.isUnsigned() ? 0 : 1);
  return extent <= int64_t(1) << std::min(bits, 62u);
}

void ane::mil::takeLocations(Operation *op, ArrayRef<Operation *> others) {
  // Each step of a long chain would take memory by the square of its length.
  constexpr size_t mostInSteps = 64;
  if (auto taken = dyn_cast<FusedLoc>(op->getLoc());
      taken && taken.getLocations().size() >= mostInSteps)
    return;
  SmallVector<Location> locations = {op->getLoc()};
  for (Operation *other : others)
    locations.push_back(other->getLoc());
  op->setLoc(FusedLoc::get(op->getContext(), locations));
}

void ane::mil::eraseUnread(ValueRange values, Operation *by) {
  llvm::SmallSetVector<Operation *, 8> makers;
  auto add = [&](ValueRange read) {
    for (Value value : read)
      if (Operation *maker = value.getDefiningOp())
        makers.insert(maker);
  };
  add(values);
  while (!makers.empty()) {
    Operation *op = makers.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    add(op->getOperands());
    if (by && !isa<ConstOp>(op))
      takeLocations(by, op);
    op->erase();
  }
}
