//===- AttentionBlocks.cpp - Layers of blocks of attention ----------------===//

#include "Split/AttentionBlocks.h"
#include "Split/BatchParts.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

Value zin::repeatedBy(Operation *layer) {
  auto product = dyn_cast_or_null<ElementWiseOp>(layer);
  if (!product || product.getKind() != EWType::Mult)
    return {};
  Value x = product.getX(), y = product.getY();
  if (x.getDefiningOp<ConstantOp>())
    std::swap(x, y);
  auto ones = y.getDefiningOp<ConstantOp>();
  auto elements =
      ones ? dyn_cast<DenseElementsAttr>(ones.getElements()) : nullptr;
  bool areOnes = elements && elements.isSplat() &&
                 elements.getSplatValue<APFloat>().isExactlyValue(1);
  return areOnes && shapeOf(x).take_back(2) ==
                        shapeOf(product.getResult()).take_back(2)
             ? x
             : Value();
}

namespace {

/// The part of a value that belongs to a block of `whole`, a result that it
/// broadcasts to along the batch, with queries along `rowsDim` if there is one.
Value partOf(OpBuilder &builder, Location location, Value value,
             ArrayRef<int64_t> whole, const Part &block,
             std::optional<unsigned> rowsDim) {
  // One row for all queries, such as a mask of keys, is for each block.
  if (rowsDim && shapeOf(value)[*rowsDim] == 1)
    rowsDim = std::nullopt;
  if (whole[N] * whole[D] == 1 && shapeOf(value)[C] == whole[C] &&
      imagesOf(value) > 1) {
    value = matricesOf(builder, location, value, block.matrices);
    return rowsDim ? viewAlong(builder, location, value, *rowsDim,
                               block.rows.begin, block.rows.count)
                   : value;
  }
  SmallVector<int64_t> shape(shapeOf(value)), begin(numDims, 0);
  auto take = [&](unsigned dim, IndexRange range) {
    begin[dim] = range.begin;
    shape[dim] = range.count;
  };
  for (auto [dim, range] :
       llvm::enumerate(placeInOperand(value, whole, block.matrices)))
    take(dim, range);
  if (rowsDim)
    take(*rowsDim, block.rows);
  return partOfJoined(builder, location, value, begin, shape);
}

/// Whether some matrices of a value are the same, as keys of several heads.
bool isRepeated(Value value) {
  while (Operation *layer = value.getDefiningOp()) {
    if (repeatedBy(layer))
      return true;
    value = turnsMatrices(layer) ? layer->getOperand(0) : keptBy(layer);
    if (!value)
      break;
  }
  return false;
}

/// One matrix of a value, from what is repeated.
Value matrixOf(OpBuilder &builder, Location location, Value value,
               int64_t index) {
  ArrayRef<int64_t> shape = shapeOf(value);
  Operation *layer = value.getDefiningOp();
  if (turnsMatrices(layer))
    return transposeBy(builder, location,
                       matrixOf(builder, location, layer->getOperand(0), index),
                       rowsAndColumns);
  if (Value kept = keptBy(layer))
    return matrixOf(builder, location, kept, index);
  std::array<int64_t, numDims> begin = {};
  for (unsigned dim = H; dim-- > N; index /= shape[dim])
    begin[dim] = index % shape[dim];
  Value source = repeatedBy(layer);
  if (!source)
    return partOfJoined(builder, location, value, begin,
                        {1, 1, 1, shape[H], shape[W]});
  index = 0;
  for (unsigned dim = N; dim < H; ++dim) {
    int64_t extent = shapeOf(source)[dim];
    index = index * extent + (extent == 1 ? 0 : begin[dim]);
  }
  return matrixOf(builder, location, source, index);
}

/// A copy of a layer with operands and result of a block.
Operation *cloneFor(OpBuilder &builder, Operation *layer,
                    ArrayRef<Value> operands, const Part &block,
                    unsigned rowsDim) {
  SmallVector<int64_t> shape(shapeOf(layer->getResult(0)));
  shape[N] = shape[D] = 1;
  shape[C] = block.matrices.count;
  shape[rowsDim] = block.rows.count;
  return cloneWith(builder, layer, operands, shape);
}

} // namespace

SmallVector<Value> BlockEmitter::emit(IndexRange matrices, BlockSize size) {
  int64_t rows = attention.shape()[H];
  SmallVector<Matrices> all;
  for (int64_t first = matrices.begin; first < matrices.end();
       first += size.matrices)
    all.push_back(begin({first, size.matrices}, size.rows < rows));
  SmallVector<SmallVector<Value>> blocks(all.size());
  for (int64_t row = 0; row < rows; row += size.rows)
    for (auto [each, parts] : llvm::zip(all, blocks))
      parts.push_back(emit(each, {row, std::min(size.rows, rows - row)}));
  SmallVector<Value> joined;
  for (ArrayRef<Value> parts : blocks)
    joined.push_back(concatAlong(builder, attention.result().getLoc(), parts,
                                 attention.rowsOfResult()));
  return joined;
}

BlockEmitter::Matrices BlockEmitter::begin(IndexRange matrices, bool again) {
  MatMulOp scores = attention.scores, context = attention.context;
  Matrices made = {matrices, {}, {}};
  made.keys = operandForAll(scores, attention.hasQueriesInKernel() ? 0 : 1,
                            matrices, again);
  if (context)
    made.values = operandForAll(
        context, attention.hasProbabilitiesInKernel() ? 0 : 1, matrices, again);
  return made;
}

Value BlockEmitter::emit(const Matrices &matrices, IndexRange rows) {
  Part block = {matrices.range, rows};
  int64_t count = matrices.range.count;
  Value part = emitScores(matrices.keys, block);
  auto give = [&](ArrayRef<int64_t> shape) {
    part = reshapeTo(builder, part.getLoc(), part, shape);
  };
  auto asMatrices = [&](ArrayRef<int64_t> whole) {
    return SmallVector<int64_t>{1, 1, count, rows.count, whole[W]};
  };
  for (const Step &step : attention.steps) {
    ArrayRef<int64_t> whole = shapeOf(step.result());
    if (step.layer == attention.context) {
      give(asMatrices(shapeOf(step.input())));
      part = emitProduct(attention.context, matrices.values,
                         attention.hasProbabilitiesInKernel(), part, block,
                         attention.rowsOfResult());
      continue;
    }
    if (isa<ReshapeOp>(step.layer))
      continue;
    SmallVector<int64_t> shape = asMatrices(whole);
    bool isPlane = attention.isPlane(whole);
    if (isPlane)
      shape = {count, 1, rows.count, whole[H], whole[W]};
    else if (step.layer->getNumOperands() > 1)
      for (auto [dim, range] :
           llvm::enumerate(*placeInBatch(whole, matrices.range)))
        shape[dim] = range.count;
    give(shape);
    SmallVector<Value, 2> operands;
    for (OpOperand &operand : step.layer->getOpOperands())
      if (operand.getOperandNumber() == step.operand)
        operands.push_back(part);
      else if (isPlane)
        operands.push_back(planesOf(operand.get(), whole, block));
      else
        operands.push_back(operandOf(operand, whole, block));
    part = cloneWith(builder, step.layer, operands, shape)->getResult(0);
  }
  if (!attention.context)
    give(asMatrices(shapeOf(attention.result())));
  return part;
}

/// Where the blocks would contract its columns, each would turn it; so it is
/// turned once.
BlockEmitter::ForAll BlockEmitter::operandForAll(MatMulOp product,
                                                 unsigned operand,
                                                 IndexRange matrices,
                                                 bool again) {
  Value whole = product->getOperand(operand);
  Value value =
      matrices.count == 1 && isRepeated(whole)
          ? matrixOf(builder, product.getLoc(), whole, matrices.begin)
          : partOf(builder, product.getLoc(), whole,
                   shapeOf(product.getResult()), {matrices, {}}, std::nullopt);
  if (!again || operand == Attention::kernelOperand ||
      product.getContractRows())
    return {value};
  value = transposeBy(builder, product.getLoc(), value, rowsAndColumns);
  return {value, /*turned=*/true};
}

/// The part of an operand of a step for a block: where others read it as well,
/// of a copy for all of them.
Value BlockEmitter::operandOf(OpOperand &operand, ArrayRef<int64_t> whole,
                              const Part &block) {
  Location location = operand.getOwner()->getLoc();
  Value value = operand.get();
  if (!llvm::is_contained(shared.operands, &operand))
    return partOf(builder, location, value, whole, block, H);
  IndexRange rows =
      shared.haveAllRows ? IndexRange{0, shapeOf(value)[H]} : block.rows;
  std::array<IndexRange, 3> place =
      placeInOperand(value, whole, block.matrices);
  Copy &copy = copies[&operand];
  if (!copy.value || copy.place != place || copy.rows != rows)
    copy = {place, rows,
            copyOf(builder, location,
                   partOf(builder, location, value, whole,
                          {block.matrices, rows}, H))};
  return viewAlong(builder, location, copy.value, H,
                   block.rows.begin - rows.begin, block.rows.count);
}

/// The part of what is joined with planes of `whole`.
Value BlockEmitter::planesOf(Value value, ArrayRef<int64_t> whole,
                             const Part &block) {
  SmallVector<int64_t> shape =
      *shapeOfPlanes(shapeOf(value), whole, attention.shape()[H]);
  // It may be a copy, so all blocks have one.
  Value &planes = joined[value];
  if (!planes)
    planes = reshapeTo(builder, value.getLoc(), value, shape);
  SmallVector<int64_t> begin(numDims, 0);
  for (auto [dim, range] : {std::pair(N, block.matrices), {C, block.rows}})
    if (shape[dim] != 1) {
      begin[dim] = range.begin;
      shape[dim] = range.count;
    }
  return viewOf(builder, value.getLoc(), planes, begin, shape);
}

Value BlockEmitter::emitScores(const ForAll &keys, const Part &block) {
  MatMulOp scores = attention.scores;
  bool inKernel = attention.hasQueriesInKernel();
  unsigned rowsDim = !inKernel && scores.getContractRows() ? W : H;
  Value queries = partOf(builder, scores.getLoc(), scores->getOperand(inKernel),
                         shapeOf(scores.getResult()), block, rowsDim);
  return emitProduct(scores, keys, inKernel, queries, block, H);
}

Value BlockEmitter::emitProduct(MatMulOp product, const ForAll &forAll,
                                bool ownIsKernel, Value own, const Part &block,
                                unsigned rowsDim) {
  SmallVector<Value, 2> operands = {forAll.value, own};
  if (!ownIsKernel)
    std::swap(operands[0], operands[1]);
  auto copy =
      cast<MatMulOp>(cloneFor(builder, product, operands, block, rowsDim));
  if (forAll.turned)
    copy.setContractRows(true);
  return copy.getResult();
}
