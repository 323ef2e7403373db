//===- UnitOps.cpp - Layers -----------------------------------------------===//

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/Constraint.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// A number for rows and one for columns, neither below `lowest`.
bool isPair(ArrayRef<int64_t> list, int64_t lowest) {
  return list.size() == 2 &&
         llvm::all_of(list, [&](int64_t value) { return value >= lowest; });
}

} // namespace

//===----------------------------------------------------------------------===//
// ProcedureOp
//===----------------------------------------------------------------------===//

ParseResult ProcedureOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFuncType =
      [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildFuncType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void ProcedureOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult ReturnOp::verify() {
  auto procedure = cast<ProcedureOp>((*this)->getParentOp());
  if (!llvm::equal(getOperandTypes(), procedure.getResultTypes()))
    return refuse(*this, "zin-procedure-c2",
                  "the values are not of the procedure's result types");
  return success();
}

/// Whether sizes of a value in bytes are numbers of 64 bits.
static bool hasSize(Value value) {
  constexpr double mostElements = 0x1p48;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  double elements = 1;
  if (type)
    for (int64_t extent : type.getShape())
      elements *= double(extent);
  return elements <= mostElements;
}

LogicalResult ProcedureOp::verify() {
  auto isPort = [&](DictionaryAttr attrs) {
    auto type = attrs ? attrs.getAs<TypeAttr>(hostTypeAttrName) : TypeAttr();
    if (!type || !attrs.getAs<StringAttr>(portNameAttrName))
      return false;
    if (!attrs.contains(hostStridesAttrName))
      return true;
    auto host = dyn_cast<RankedTensorType>(type.getValue());
    auto strides = attrs.getAs<DenseI64ArrayAttr>(hostStridesAttrName);
    return host && strides && strides.size() == host.getRank() &&
           llvm::all_of(strides.asArrayRef(),
                        [](int64_t stride) { return stride > 0; });
  };
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (!isPort(getArgAttrDict(i)))
      return refuse(*this, "zin-procedure-c1",
                    "argument " + Twine(i) + " lacks its port attributes");
  for (unsigned i = 0, e = getNumResults(); i < e; ++i)
    if (!isPort(getResultAttrDict(i)))
      return refuse(*this, "zin-procedure-c1",
                    "result " + Twine(i) + " lacks its port attributes");
  // Before the layers are verified, which multiply extents.
  for (Block &block : getBody()) {
    bool haveSizes = llvm::all_of(block.getArguments(), hasSize);
    for (Operation &op : block)
      haveSizes &= llvm::all_of(op.getResults(), hasSize);
    if (!haveSizes)
      return refuse(*this, "zin-procedure-c3",
                    "a value has more than 2^48 elements");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConvOp::verify() {
  ArrayRef<int64_t> x = shapeOf(getX()), kernel = shapeOf(getKernel()),
                    y = shapeOf(getResult());
  int64_t groups = std::max<int64_t>(getGroups(), 1);
  if (int64_t(getGroups()) < 1 || !isPair(getStrides(), 1) ||
      !isPair(getPadding(), 0) || !isPair(getDilations(), 1) || x[D] != 1 ||
      kernel[D] != 1 || y[D] != 1 || x[N] != y[N] || kernel[N] != y[C] ||
      kernel[C] * groups != x[C] || y[C] % groups != 0)
    return refuse(*this, "zin-conv-c1",
                  "operand shapes, groups and attribute lists do not agree");
  if (getBias() &&
      (shapeOf(getBias())[C] != y[C] ||
       cast<RankedTensorType>(getBias().getType()).getNumElements() != y[C]))
    return refuse(*this, "zin-conv-c1", "the bias is not one number an output");
  return success();
}

int64_t ConvOp::getPhases(unsigned axis) {
  int64_t dilation = getDilations()[axis];
  bool canTakeApart = axis == 0 && dilation <= shapeOf(getX())[H] &&
                      getStrides()[0] == 1 && shapeOf(getKernel())[H] > 1;
  return canTakeApart ? dilation : 1;
}

int64_t ConvOp::getPaddingBehind(unsigned axis) {
  unsigned dim = H + axis;
  int64_t covered = (shapeOf(getResult())[dim] - 1) * getStrides()[axis] +
                    (shapeOf(getKernel())[dim] - 1) * getDilations()[axis] + 1;
  return std::max<int64_t>(covered - shapeOf(getX())[dim] - getPadding()[axis],
                           0);
}

LogicalResult MatMulOp::verify() {
  ArrayRef<int64_t> x = shapeOf(getX()), kernel = shapeOf(getKernel()),
                    y = shapeOf(getResult());
  int64_t contracted = getContractRows() ? x[H] : x[W];
  int64_t kept = getContractRows() ? x[W] : x[H];
  int64_t outputs = getOutputsOnRows() ? y[H] : y[W];
  int64_t others = getOutputsOnRows() ? y[W] : y[H];
  int64_t batch = y[N] * y[D] * y[C], xBatch = x[N] * x[D] * x[C];
  if (kernel[W] != contracted || kernel[H] != outputs || kept != others ||
      (xBatch != batch && xBatch != 1) ||
      (kernel[C] != batch && kernel[C] != 1) || kernel[N] * kernel[D] != 1)
    return refuse(*this, "zin-matmul-c1",
                  "operand and result shapes do not agree");
  if (getBias() &&
      cast<RankedTensorType>(getBias().getType()).getNumElements() != outputs)
    return refuse(*this, "zin-matmul-c1",
                  "the bias is not one number an output");
  return success();
}

/// Whether the operands of a pair broadcast to its result.
template <typename Pair> static LogicalResult verifyPair(Pair op) {
  for (unsigned dim = 0; dim < numDims; ++dim) {
    int64_t x = shapeOf(op.getX())[dim], y = shapeOf(op.getY())[dim];
    if (shapeOf(op.getResult())[dim] != std::max(x, y) ||
        (x != y && x != 1 && y != 1))
      return refuse(op, "zin-elementwise-c1",
                    "extents " + Twine(x) + " and " + Twine(y) +
                        " of dimension " + stringifyDim(dim) +
                        " do not broadcast to the result");
  }
  return success();
}

LogicalResult ElementWiseOp::verify() { return verifyPair(*this); }

LogicalResult ScaledElementWiseOp::verify() { return verifyPair(*this); }

void GOCOp::build(OpBuilder &builder, OperationState &state, Value x,
                  double scale, double bias) {
  Type f16 = builder.getF16Type();
  build(builder, state, x.getType(), x, builder.getFloatAttr(f16, scale),
        builder.getFloatAttr(f16, bias));
}

void NeuronOp::build(OpBuilder &, OperationState &state, Value x,
                     NeuronAttr function, FloatAttr scale, FloatAttr bias) {
  state.addOperands(x);
  state.addTypes(x.getType());
  state.addAttribute(getFunctionAttrName(state.name), function);
  if (scale)
    state.addAttribute(getScaleAttrName(state.name), scale);
  if (bias)
    state.addAttribute(getBiasAttrName(state.name), bias);
}

LogicalResult PoolOp::verify() {
  ArrayRef<int64_t> x = shapeOf(getX()), y = shapeOf(getResult());
  bool isPadded = getPadding().size() == 4 &&
                  llvm::all_of(getPadding(), [](int64_t n) { return n >= 0; });
  if (!isPair(getWindow(), 1) || !isPair(getStrides(), 1) || !isPadded ||
      x[N] != y[N] || x[D] != y[D] || x[C] != y[C])
    return refuse(*this, "zin-pool-c1",
                  "shapes and attribute lists do not agree");
  return success();
}

SmallVector<int64_t> PoolOp::getCounts(unsigned i) {
  int64_t window = getWindow()[i], before = getPadding()[i],
          after = getPadding()[2 + i], extent = shapeOf(getX())[H + i];
  int64_t low = getExcludePadding() ? 0 : -before;
  int64_t high = getExcludePadding() ? extent : extent + after;
  SmallVector<int64_t> counts;
  for (int64_t output : llvm::seq(shapeOf(getResult())[H + i])) {
    int64_t first = output * getStrides()[i] - before;
    counts.push_back(std::max<int64_t>(
        std::min(first + window, high) - std::max(first, low), 0));
  }
  return counts;
}

bool PoolOp::hasOneDivisor() {
  return llvm::all_of(llvm::seq(2u), [&](unsigned i) {
    return llvm::all_of(getCounts(i),
                        [&](int64_t count) { return count == getWindow()[i]; });
  });
}

LogicalResult ReductionOp::verify() {
  for (int64_t axis : getAxes())
    if (axis < 0 || axis >= int64_t(numDims))
      return refuse(*this, "zin-reduction-c1",
                    "axis " + Twine(axis) + " is not in 0 to 4");
  for (unsigned dim = 0; dim < numDims; ++dim) {
    bool reduced = llvm::is_contained(getAxes(), int64_t(dim));
    if (shapeOf(getResult())[dim] != (reduced ? 1 : shapeOf(getX())[dim]))
      return refuse(*this, "zin-reduction-c1",
                    "dimension " + stringifyDim(dim) +
                        " of the result does not follow from the axes");
  }
  return success();
}

LogicalResult SoftmaxOp::verify() {
  if (getAxis() >= numDims)
    return refuse(*this, "zin-softmax-c1",
                  "axis " + Twine(int64_t(getAxis())) + " is not in 0 to 4");
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (cast<RankedTensorType>(getX().getType()).getNumElements() !=
      getType().getNumElements())
    return refuse(*this, "zin-reshape-c1",
                  "the number of elements would change");
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto producer = getX().getDefiningOp<ReshapeOp>()) {
    setOperand(producer.getX());
    return getResult();
  }
  return {};
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> order = getPermutation();
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  bool isValid = llvm::equal(sorted, llvm::seq<int64_t>(0, numDims));
  for (unsigned dim = 0; isValid && dim < numDims; ++dim)
    isValid = shapeOf(getResult())[dim] == shapeOf(getX())[order[dim]];
  if (!isValid)
    return refuse(*this, "zin-transpose-c1",
                  "the result does not have the extents of the operand in the "
                  "order of a permutation of 0 to 4");
  return success();
}

LogicalResult InputViewOp::verify() {
  if (getBegin().size() != numDims || getStrides().size() != numDims)
    return refuse(*this, "zin-input_view-c1",
                  "there are not 5 begins, strides");
  for (unsigned dim = 0; dim < numDims; ++dim) {
    int64_t begin = getBegin()[dim], stride = getStrides()[dim];
    int64_t extent = shapeOf(getResult())[dim], room = shapeOf(getX())[dim];
    // Divided, not multiplied: a product could overflow.
    if (begin < 0 || stride < 1 || extent < 1 || begin >= room ||
        (room - 1 - begin) / stride < extent - 1)
      return refuse(*this, "zin-input_view-c1",
                    "dimension " + stringifyDim(dim) +
                        " of the view leaves the operand");
  }
  return success();
}

LogicalResult ConcatOp::verify() {
  int64_t axis = getAxis(), total = 0;
  if (axis < 0 || axis >= int64_t(numDims) || getValues().empty())
    return refuse(*this, "zin-concat-c1", "no values or no such dimension");
  for (Value value : getValues()) {
    total += shapeOf(value)[axis];
    for (unsigned dim = 0; dim < numDims; ++dim)
      if (dim != axis && shapeOf(value)[dim] != shapeOf(getResult())[dim])
        return refuse(*this, "zin-concat-c1",
                      "dimension " + stringifyDim(dim) + " of a value differs");
    if (getInterleave() &&
        shapeOf(value)[axis] != shapeOf(getValues().front())[axis])
      return refuse(*this, "zin-concat-c1", "values cannot alternate");
  }
  if (total != shapeOf(getResult())[axis])
    return refuse(*this, "zin-concat-c1", "the extents do not add up");
  return success();
}
