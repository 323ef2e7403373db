//===- LayerBlocks.cpp - Layers on blocks of one dimension ----------------===//

#include "LayerBlocks.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

int64_t extentsBefore(ArrayRef<int64_t> shape, unsigned dim) {
  return llvm::product_of(shape.take_front(dim));
}

/// The dimension of an operand that a reshape leaves as it is. Elements that
/// change their columns move.
std::optional<unsigned> dimBeforeReshape(ReshapeOp op, unsigned dim) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  if (from[W] != to[W])
    return std::nullopt;
  for (unsigned other = 0; other < numDims; ++other)
    if (from[other] == to[dim] &&
        extentsBefore(from, other) == extentsBefore(to, dim))
      return other;
  return std::nullopt;
}

/// Whether the elements of all operands that are constant can be cut.
bool areAtHand(Operation *layer) {
  return llvm::all_of(layer->getOperands(), [](Value value) {
    return !value.getDefiningOp<ConstantOp>() || isAtHand(value);
  });
}

std::optional<OperandDims> dimsOfConv(ConvOp op, unsigned dim) {
  OperandDims dims(op->getNumOperands());
  if (dim == C) {
    bool isGrouped = op.getGroups() != 1;
    if (isGrouped && !isChannelwise(op))
      return std::nullopt;
    if (isGrouped)
      dims[0] = C;
    dims[1] = N;
    if (op.getBias())
      dims[2] = C;
    return dims;
  }
  if (dim != H && dim != W)
    return std::nullopt;
  unsigned axis = dim - H;
  // Behind a longer operand, or a shorter one, that goes on as padding.
  if (shapeOf(op.getKernel())[dim] != 1 || op.getStrides()[axis] != 1 ||
      op.getPadding()[axis] != 0 ||
      shapeOf(op.getX())[dim] != shapeOf(op.getResult())[dim])
    return std::nullopt;
  dims[0] = dim;
  return dims;
}

std::optional<OperandDims> dimsOfMatMul(MatMulOp op, unsigned dim) {
  OperandDims dims(op->getNumOperands());
  if (dim == C) {
    // The matrices of a kernel follow all dimensions of the batch.
    ArrayRef<int64_t> x = shapeOf(op.getX());
    if (x[C] != shapeOf(op.getResult())[C] || x[N] != 1 || x[D] != 1)
      return std::nullopt;
    dims[0] = C;
    if (shapeOf(op.getKernel())[C] > 1)
      dims[1] = C;
    return dims;
  }
  if (dim != H && dim != W)
    return std::nullopt;
  if (dim != (op.getOutputsOnRows() ? H : W)) {
    dims[0] = op.getContractRows() ? W : H;
    return dims;
  }
  dims[1] = H;
  if (op.getBias())
    dims[2] = W;
  return dims;
}

/// Elements of a constant, `range` of one dimension.
ElementsAttr sliceOf(ElementsAttr elements, ArrayRef<int64_t> shape,
                     unsigned dim, IndexRange range) {
  SmallVector<int64_t> part(shape);
  part[dim] = range.count;
  auto type = RankedTensorType::get(part, elements.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      dense && dense.isSplat())
    return dense.resizeSplat(type);
  std::optional<HalfElements> all = HalfElements::get(elements);
  int64_t inner = llvm::product_of(shape.drop_front(dim + 1));
  std::vector<uint16_t> bits;
  bits.reserve(llvm::product_of(part));
  for (int64_t outer = 0; outer < extentsBefore(shape, dim); ++outer)
    for (int64_t i = 0; i < range.count * inner; ++i)
      bits.push_back((*all)[(outer * shape[dim] + range.begin) * inner + i]);
  return makeHalfElements(type, std::move(bits));
}

} // namespace

bool zin::isChannelwise(ConvOp op) {
  int64_t groups = op.getGroups();
  return groups == shapeOf(op.getX())[C] &&
         groups == shapeOf(op.getResult())[C];
}

bool zin::isView(Operation *layer) {
  if (auto transpose = dyn_cast<TransposeOp>(layer))
    return transpose.getPermutation()[W] == W;
  return isa<ReshapeOp, InputViewOp>(layer);
}

std::optional<OperandDims> zin::operandDims(Operation *layer, unsigned dim) {
  if (!areAtHand(layer))
    return std::nullopt;
  OperandDims same(layer->getNumOperands(), dim);
  return llvm::TypeSwitch<Operation *, std::optional<OperandDims>>(layer)
      .Case<ElementWiseOp, ScaledElementWiseOp, GOCOp, NeuronOp>(
          [&](Operation *op) {
            ArrayRef<int64_t> result = shapeOf(op->getResult(0));
            for (auto [operand, value] : llvm::zip(same, op->getOperands()))
              if (shapeOf(value)[dim] != result[dim])
                operand = std::nullopt;
            return same;
          })
      .Case([&](SoftmaxOp op) -> std::optional<OperandDims> {
        if (op.getAxis() == dim)
          return std::nullopt;
        return same;
      })
      .Case([&](ReductionOp op) -> std::optional<OperandDims> {
        if (llvm::is_contained(op.getAxes(), dim))
          return std::nullopt;
        return same;
      })
      .Case([&](ReshapeOp op) -> std::optional<OperandDims> {
        std::optional<unsigned> before = dimBeforeReshape(op, dim);
        if (!before)
          return std::nullopt;
        return OperandDims{before};
      })
      .Case([&](TransposeOp op) -> std::optional<OperandDims> {
        return OperandDims{unsigned(op.getPermutation()[dim])};
      })
      .Case([&](InputViewOp op) -> std::optional<OperandDims> {
        ArrayRef<int64_t> from = shapeOf(op.getX()),
                          to = shapeOf(op.getResult());
        if (from[dim] != to[dim] || from[W] != to[W])
          return std::nullopt;
        return same;
      })
      .Case([&](PoolOp) -> std::optional<OperandDims> {
        if (dim == H || dim == W)
          return std::nullopt;
        return same;
      })
      .Case([&](ConcatOp op) -> std::optional<OperandDims> {
        if (op.getAxis() == dim || op.getAxis() == W)
          return std::nullopt;
        return same;
      })
      .Case([&](ConvOp op) { return dimsOfConv(op, dim); })
      .Case([&](MatMulOp op) { return dimsOfMatMul(op, dim); })
      .Default([](Operation *) { return std::nullopt; });
}

Value zin::blockOf(OpBuilder &builder, Location location, Value value,
                   unsigned dim, IndexRange range) {
  ArrayRef<int64_t> shape = shapeOf(value);
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return ConstantOp::create(
        builder, location,
        cast<TypedAttr>(sliceOf(constant.getElements(), shape, dim, range)));
  return viewAlong(builder, location, value, dim, range.begin, range.count);
}

Operation *zin::cloneWith(OpBuilder &builder, Operation *layer,
                          ValueRange operands, ArrayRef<int64_t> shape) {
  Operation *copy = builder.clone(*layer);
  copy->setOperands(operands);
  copy->getResult(0).setType(
      RankedTensorType::get(shape, builder.getF16Type()));
  return copy;
}

Value zin::cloneForBlock(OpBuilder &builder, Operation *layer,
                         ValueRange operands, unsigned dim, IndexRange range) {
  SmallVector<int64_t> shape(shapeOf(layer->getResult(0)));
  shape[dim] = range.count;
  Operation *copy = cloneWith(builder, layer, operands, shape);
  if (auto conv = dyn_cast<ConvOp>(copy);
      conv && dim == C && conv.getGroups() > 1)
    conv.setGroups(range.count);
  return copy->getResult(0);
}
