//===- Replacer.cpp - Makes the ops that replace one ----------------------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/Dialect/Traits.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

} // namespace

RankedTensorType ane::mil::staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

std::optional<SmallVector<int64_t>> ane::mil::reducedAxes(Value axes,
                                                          int64_t rank) {
  if (!axes)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::optional<SmallVector<int64_t>> given = getConstantInts(axes);
  if (!given)
    return std::nullopt;
  for (int64_t &axis : *given)
    axis += axis < 0 ? rank : 0;
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

Value Replacer::constant(ElementsAttr value) {
  return ConstOp::create(rewriter, op->getLoc(), value.getType(), value,
                         /*label=*/nullptr, /*result_names=*/nullptr,
                         /*text_attrs=*/nullptr);
}

Value Replacer::scalar(double value, Value like) {
  return tensor(value, {}, like);
}

Value Replacer::tensor(ArrayRef<double> values, ArrayRef<int64_t> shape,
                       Value like) {
  return constant(makeFloatElements(
      RankedTensorType::get(shape, typeOf(like).getElementType()), values));
}

Value Replacer::ints(ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, rewriter.getI32Type()),
      ArrayRef(narrow)));
}

Value Replacer::integer(int64_t value) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get({}, rewriter.getI32Type()), int32_t(value)));
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
                        string(element.isF16() ? "fp16" : "fp32"), nullptr,
                        nullptr);
}

Value Replacer::reshape(Value x, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(
      rewriter, op->getLoc(),
      RankedTensorType::get(shape, typeOf(x).getElementType()), x, ints(shape),
      nullptr, nullptr);
}

Value Replacer::transpose(Value x, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(typeOf(x).getDimSize(dim));
  return TransposeOp::create(
      rewriter, op->getLoc(),
      RankedTensorType::get(shape, typeOf(x).getElementType()), x,
      ints(permutation), nullptr, nullptr);
}

LogicalResult Replacer::replace(ValueRange values) {
  SmallVector<Value> named;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    Operation *made = value.getDefiningOp();
    // A value that was there before keeps the name it has.
    if (!made || made->hasAttr("label") || made->hasAttr("result_names") ||
        made->getNumResults() != 1) {
      value = unary<IdentityOp>(value);
      made = value.getDefiningOp();
    }
    if (auto label = op->getAttrOfType<StringAttr>("label"))
      made->setAttr("label", label);
    StringAttr name = getResultName(result);
    if (name && name != getResultName(cast<OpResult>(value)))
      made->setAttr("result_names", rewriter.getArrayAttr({name}));
    named.push_back(value);
  }
  rewriter.replaceOp(op, named);
  return success();
}
