//===- LayerBands.cpp - Products that weigh a few rows each ---------------===//

#include "Split/LayerBands.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// An output weighs a few rows if it is this part of all. Assigned.
constexpr int64_t fewDenominator = 16;
/// A product in front may be computed so often. Assigned.
constexpr int64_t mostTimes = 4;

bool isZero(uint16_t half) { return (half & 0x7fff) == 0; }

} // namespace

std::optional<RowBands> RowBands::find(Operation *layer, unsigned dim) {
  auto product = dyn_cast<MatMulOp>(layer);
  if (!product || dim != H || !product.getContractRows() ||
      !product.getOutputsOnRows() || !isAtHand(product.getKernel()))
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(product.getKernel());
  if (shape[C] != 1)
    return std::nullopt;
  HalfElements elements = *halfElementsOf(product.getKernel());
  RowBands found(product);
  int64_t rows = shape[W];
  for (int64_t output = 0; output < shape[H]; ++output) {
    int64_t begin = 0, end = rows;
    while (end > 1 && isZero(elements[output * rows + end - 1]))
      --end;
    while (begin < end - 1 && isZero(elements[output * rows + begin]))
      ++begin;
    if ((end - begin) * fewDenominator > rows)
      return std::nullopt;
    found.bands.push_back({begin, end - begin});
  }
  return found;
}

IndexRange RowBands::rowsFor(IndexRange outputs) const {
  int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  for (IndexRange band : ArrayRef(bands).slice(outputs.begin, outputs.count)) {
    begin = std::min(begin, band.begin);
    end = std::max(end, band.begin + band.count);
  }
  return {begin, end - begin};
}

int64_t RowBands::mostRows(int64_t count) const {
  int64_t most = 0, extent = bands.size();
  for (int64_t begin = 0; begin < extent; begin += count)
    most =
        std::max(most, rowsFor({begin, std::min(count, extent - begin)}).count);
  return most;
}

int64_t RowBands::allRows(int64_t count) const {
  int64_t sum = 0, extent = bands.size();
  for (int64_t begin = 0; begin < extent; begin += count)
    sum += rowsFor({begin, std::min(count, extent - begin)}).count;
  return sum;
}

MatMulOp RowBands::columnsInBlocks(int64_t count) const {
  MatMulOp rows = product;
  auto columns = rows.getX().getDefiningOp<MatMulOp>();
  if (!columns || columns.getContractRows() || columns.getOutputsOnRows() ||
      !columns->hasOneUse() || !isAtHand(columns.getKernel()) ||
      allRows(count) > mostTimes * shapeOf(columns.getResult())[H])
    return nullptr;
  return columns;
}

/// Some rows of a product along columns. Few rows of each matrix are those of
/// one matrix together: a pass of the neural engine takes pixels of one alone.
static Value multiplyRows(OpBuilder &builder, MatMulOp columns, IndexRange rows,
                          const TargetDescription &target) {
  Location location = columns.getLoc();
  Value x = blockOf(builder, location, columns.getX(), H, rows);
  SmallVector<Value> operands = llvm::to_vector(columns->getOperands());
  int64_t matrices = llvm::product_of(shapeOf(x).take_front(H));
  int64_t together = matrices * rows.count;
  if (matrices == 1 || rows.count >= target.patchPixels ||
      together > target.maxHeight || shapeOf(columns.getKernel())[C] != 1) {
    operands[0] = x;
    return cloneForBlock(builder, columns, operands, H, rows);
  }
  operands[0] =
      reshapeTo(builder, location, x, {1, 1, 1, together, shapeOf(x)[W]});
  SmallVector<int64_t> shape(shapeOf(columns.getResult()));
  shape[H] = rows.count;
  Operation *all =
      cloneWith(builder, columns, operands, {1, 1, 1, together, shape[W]});
  return reshapeTo(builder, location, all->getResult(0), shape);
}

Value zin::multiplyBand(OpBuilder &builder, const RowBands &bands,
                        IndexRange outputs, int64_t count,
                        const TargetDescription &target) {
  MatMulOp product = bands.getProduct();
  Location location = product.getLoc();
  IndexRange rows = bands.rowsFor(outputs);
  Value x;
  if (MatMulOp columns = bands.columnsInBlocks(count)) {
    x = multiplyRows(builder, columns, rows, target);
  } else {
    x = blockOf(builder, location, product.getX(), H, rows);
  }
  SmallVector<Value> operands = llvm::to_vector(product->getOperands());
  operands[0] = x;
  // Of the outputs of the block the coefficients of these rows.
  Value kernel = blockOf(builder, location, product.getKernel(), H, outputs);
  operands[1] = blockOf(builder, location, kernel, W, rows);
  kernel.getDefiningOp()->erase();
  if (product.getBias())
    operands[2] = blockOf(builder, location, product.getBias(), W, outputs);
  return cloneForBlock(builder, product, operands, H, outputs);
}
