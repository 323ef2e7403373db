//===- LayerBlocks.cpp - Layers on blocks of one dimension ----------------===//

#include "Split/LayerBlocks.h"
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

int64_t extentsBehind(ArrayRef<int64_t> shape, unsigned dim) {
  return llvm::product_of(shape.drop_front(dim + 1));
}

/// The dimension of an operand whose units are those of the result of a
/// reshape.
std::optional<BlockDim> dimBeforeReshape(ReshapeOp op, BlockDim dim) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  if (from[W] != to[W])
    return std::nullopt;
  int64_t elements = dim.unit * extentsBehind(to, dim.dim);
  for (unsigned other = 0; other < numDims; ++other) {
    int64_t behind = extentsBehind(from, other), unit = elements / behind;
    if (unit > 0 && elements % behind == 0 &&
        from[other] / unit == to[dim.dim] / dim.unit &&
        extentsBefore(from, other) == extentsBefore(to, dim.dim))
      return BlockDim{other, unit};
  }
  return std::nullopt;
}

/// Whether the elements of all operands that are constant can be cut.
bool areAtHand(Operation *layer) {
  return llvm::all_of(layer->getOperands(), [](Value value) {
    return !value.getDefiningOp<ConstantOp>() || isAtHand(value);
  });
}

std::optional<OperandDims> dimsOfConv(ConvOp op, BlockDim block) {
  auto [dim, unit] = block;
  OperandDims dims(op->getNumOperands());
  if (dim == C) {
    bool isGrouped = op.getGroups() != 1;
    if (isGrouped && !isChannelwise(op))
      return std::nullopt;
    if (isGrouped)
      dims[0] = block;
    dims[1] = BlockDim{N, unit};
    if (op.getBias())
      dims[2] = block;
    return dims;
  }
  if (dim == N && op.getKernel().getDefiningOp<ConstantOp>()) {
    dims[0] = block;
    return dims;
  }
  if (dim != H && dim != W)
    return std::nullopt;
  unsigned axis = dim - H;
  int64_t window = shapeOf(op.getKernel())[dim],
          padding = op.getPadding()[axis];
  // Behind a longer operand, or a shorter one, that goes on as padding.
  if (op.getStrides()[axis] != 1 || padding >= window ||
      shapeOf(op.getX())[dim] != shapeOf(op.getResult())[dim] ||
      (window > 1 && (dim == W || op.getDilations()[axis] != 1)))
    return std::nullopt;
  dims[0] = block;
  return dims;
}

std::optional<OperandDims> dimsOfMatMul(MatMulOp op, BlockDim block) {
  auto [dim, unit] = block;
  OperandDims dims(op->getNumOperands());
  if (dim == C) {
    // The matrices of a kernel follow all dimensions of the batch.
    ArrayRef<int64_t> x = shapeOf(op.getX());
    if (x[C] != shapeOf(op.getResult())[C] || x[N] != 1 || x[D] != 1)
      return std::nullopt;
    dims[0] = block;
    if (shapeOf(op.getKernel())[C] > 1)
      dims[1] = block;
    return dims;
  }
  if (dim != H && dim != W)
    return std::nullopt;
  if (dim != (op.getOutputsOnRows() ? H : W)) {
    dims[0] = BlockDim{op.getContractRows() ? W : H, unit};
    return dims;
  }
  dims[1] = BlockDim{H, unit};
  if (op.getBias())
    dims[2] = BlockDim{W, unit};
  return dims;
}

/// Elements of a constant, `range` of one dimension.
ElementsAttr sliceOf(ElementsAttr elements, ArrayRef<int64_t> shape,
                     unsigned dim, IndexRange range) {
  SmallVector<int64_t> part(shape);
  part[dim] = range.count;
  auto type = RankedTensorType::get(part, elements.getElementType());
  int64_t inner = extentsBehind(shape, dim);
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (extentsBefore(shape, dim) == 1 || (dense && dense.isSplat()))
    return sliceElements(elements, type, range.begin * inner);
  std::optional<HalfElements> all = HalfElements::get(elements);
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

Value zin::viewedBy(Value value) {
  while (Operation *layer = value.getDefiningOp()) {
    if (!isView(layer))
      break;
    value = layer->getOperand(0);
  }
  return value;
}

bool zin::isOfParameter(Value value) {
  return !viewedBy(value).getDefiningOp();
}

std::optional<OperandDims> zin::operandDims(Operation *layer, BlockDim block) {
  if (!areAtHand(layer))
    return std::nullopt;
  unsigned dim = block.dim;
  OperandDims same(layer->getNumOperands(), block);
  if (layer->hasTrait<Elementwise>()) {
    ArrayRef<int64_t> result = shapeOf(layer->getResult(0));
    for (auto [operand, value] : llvm::zip(same, layer->getOperands()))
      if (shapeOf(value)[dim] != result[dim])
        operand = std::nullopt;
    return same;
  }
  return llvm::TypeSwitch<Operation *, std::optional<OperandDims>>(layer)
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
        std::optional<BlockDim> before = dimBeforeReshape(op, block);
        if (!before)
          return std::nullopt;
        return OperandDims{before};
      })
      .Case([&](TransposeOp op) -> std::optional<OperandDims> {
        return OperandDims{
            BlockDim{unsigned(op.getPermutation()[dim]), block.unit}};
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
        if (op.getAxis() == dim || (op.getAxis() == W && dim != N))
          return std::nullopt;
        return same;
      })
      .Case([&](ConvOp op) { return dimsOfConv(op, block); })
      .Case([&](MatMulOp op) { return dimsOfMatMul(op, block); })
      .Default([](Operation *) { return std::nullopt; });
}

Halo zin::windowOf(Operation *layer, unsigned dim) {
  auto conv = dyn_cast<ConvOp>(layer);
  if (!conv || dim != H)
    return {};
  int64_t before = conv.getPadding()[0];
  return {before, shapeOf(conv.getKernel())[H] - 1 - before};
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

bool zin::hasColumnsInRows(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return isa<BlockArgument>(value) && (shape[H] == 1 || shape[C] == 1) &&
         shape[W] % columnsOfRow == 0;
}

Value zin::copyOfColumns(OpBuilder &builder, Location location, Value value,
                         IndexRange columns) {
  assert(columns.begin % columnsOfRow == 0 &&
         columns.count % columnsOfRow == 0 && "whole rows");
  SmallVector<int64_t> shape(shapeOf(value)), inRows = shape;
  if (shape[H] != 1)
    std::swap(inRows[C], inRows[H]);
  inRows[H] = shape[W] / columnsOfRow;
  inRows[W] = columnsOfRow;
  Value part =
      viewAlong(builder, location, reshapeTo(builder, location, value, inRows),
                H, columns.begin / columnsOfRow, columns.count / columnsOfRow);
  shape[W] = columns.count;
  return reshapeTo(builder, location, copyOf(builder, location, part), shape);
}

Operation *zin::cloneWith(OpBuilder &builder, Operation *layer,
                          ValueRange operands, ArrayRef<int64_t> shape) {
  Operation *copy = builder.clone(*layer);
  copy->setOperands(operands);
  copy->getResult(0).setType(
      RankedTensorType::get(shape, builder.getF16Type()));
  return copy;
}

Value zin::sumOfParts(OpBuilder &builder, Operation *layer, unsigned xDim,
                      unsigned kernelDim, int64_t taps, int64_t perPart) {
  Location location = layer->getLoc();
  ArrayRef<int64_t> shape = shapeOf(layer->getResult(0));
  Value sum;
  for (int64_t begin = 0; begin < taps; begin += perPart) {
    IndexRange range = {begin, std::min(perPart, taps - begin)};
    SmallVector<Value> operands = {
        viewAlong(builder, location, layer->getOperand(0), xDim, range.begin,
                  range.count),
        blockOf(builder, location, layer->getOperand(1), kernelDim, range)};
    if (!sum)
      llvm::append_range(operands, layer->getOperands().drop_front(2));
    Value part = cloneWith(builder, layer, operands, shape)->getResult(0);
    sum = sum ? ElementWiseOp::create(builder, location, part.getType(),
                                      EWType::Add, sum, part)
              : part;
  }
  return sum;
}

Value zin::cloneForBlock(OpBuilder &builder, Operation *layer,
                         ValueRange operands, unsigned dim, IndexRange range) {
  SmallVector<int64_t> shape(shapeOf(layer->getResult(0)));
  shape[dim] = range.count;
  Operation *copy = cloneWith(builder, layer, operands, shape);
  auto conv = dyn_cast<ConvOp>(copy);
  if (conv && dim == C && conv.getGroups() > 1)
    conv.setGroups(range.count);
  // In front of the other blocks there are rows.
  if (conv && dim == H)
    conv.setPadding({std::max<int64_t>(conv.getPadding()[0] - range.begin, 0),
                     conv.getPadding()[1]});
  return copy->getResult(0);
}
