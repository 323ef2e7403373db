//===- LongColumnWindows.cpp - Windows over images with too many rows -----===//
//
// An image of several columns [N, C, H, W] is made some rows at a time, each
// block of what its windows see. Where one op alone reads it, it waits for that
// to say which rows it wants: a chain of windows is computed block by block,
// and what lies between needs no memory for all rows.
//
//===----------------------------------------------------------------------===//

#include "LongColumns/LongColumns.h"
#include "LongRows/LongRows.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

constexpr int64_t rowAxis = RowBlocks::axis;
/// Of the spatial dimensions of a window.
constexpr size_t rowDim = 0;

class BlockFolder {
public:
  BlockFolder(LongColumns &columns, Replacer &r, Operation *op)
      : columns(columns), r(r), op(op) {}

  LogicalResult fold();

private:
  /// The result out of blocks.
  LogicalResult become(RowBlocks blocks) {
    return columns.becomeBlocks(r, op->getResult(0), std::move(blocks));
  }
  /// Of windows on the rows that `see` says.
  template <typename Op>
  LogicalResult becomeWindows(Op windows, const Window &window, int64_t most,
                              decltype(seenBy) *see);
  template <typename Op> LogicalResult foldWindow(Op op);
  LogicalResult foldWindow(ConvTransposeOp conv);
  LogicalResult foldNearest(UpsampleNearestNeighborOp nearest);
  LogicalResult foldResize();
  LogicalResult foldRows();

  LongColumns &columns;
  Replacer &r;
  Operation *op;
};

} // namespace

/// The type of a result with other rows.
static RankedTensorType blockType(Value result, int64_t count) {
  Shape shape(shapeOf(result));
  shape[rowAxis] = count;
  return cast<RankedTensorType>(result.getType()).clone(shape);
}

template <typename Op>
LogicalResult BlockFolder::becomeWindows(Op windows, const Window &window,
                                         int64_t most, decltype(seenBy) *see) {
  return become(
      {most, [=, &columns = columns](Replacer &r, int64_t first,
                                     int64_t count) mutable {
         Seen seen = see(window, rowDim, first, count);
         return windowOn(
             r, windows, padded(window, rowDim, seen.before, seen.after),
             blockType(windows.getResult(), count),
             columns.take(r, windows.getX(), rowAxis, seen.begin, seen.count));
       }});
}

template <typename Op> LogicalResult BlockFolder::foldWindow(Op op) {
  FailureOr<Window> window = getWindow(op);
  int64_t rows = columns.rowsAtOnce(op.getX());
  if (failed(window) || window->reach(rowDim) > rows ||
      !seesInput(*window, rowDim))
    return failure();
  if constexpr (std::is_same_v<Op, AvgPoolOp>)
    if (failed(countInside(r, op, *window, rowDim)))
      return failure();
  int64_t most = (rows - window->reach(rowDim)) / window->stride[rowDim] + 1;
  return becomeWindows(op, *window, most, seenBy);
}

LogicalResult BlockFolder::foldWindow(ConvTransposeOp conv) {
  FailureOr<Window> window = getWindow(conv);
  if (failed(window) || !comesFromInput(*window, rowDim))
    return failure();
  // What a block adds beside it is made, too.
  int64_t most = columns.rowsAtOnce(conv.getX()) - 2 * window->reach(rowDim);
  return becomeWindows(conv, *window, most, addedTo);
}

/// Of whole factors.
LogicalResult BlockFolder::foldNearest(UpsampleNearestNeighborOp nearest) {
  int64_t in = shapeOf(nearest.getX())[rowAxis],
          out = shapeOf(nearest.getResult())[rowAxis], factor = out / in;
  if (out % in != 0)
    return failure();
  int64_t most = columns.rowsAtOnce(nearest.getX()) - 2 * factor;
  return become({most, [factor, nearest, &columns = columns](
                           Replacer &r, int64_t first, int64_t count) mutable {
                   return repeatedOn(r, nearest, rowAxis, factor, first, count,
                                     [&](int64_t from, int64_t taken) {
                                       return columns.take(r, nearest.getX(),
                                                           rowAxis, from,
                                                           taken);
                                     });
                 }});
}

LogicalResult BlockFolder::foldResize() {
  Value x = op->getOperand(0);
  auto pieces = ResizedPieces::get(op, rowAxis, columns.rowsAtOnce(x));
  if (!pieces)
    return failure();
  RowBlocks blocks = {
      pieces->most, [pieces = *pieces, x, &columns = columns](
                        Replacer &r, int64_t first, int64_t count) {
        return pieces.make(r, first, count, [&](int64_t from, int64_t taken) {
          return columns.take(r, x, rowAxis, from, taken);
        });
      }};
  // The pieces are too short for what may read them to ask for others.
  return columns.becomeJoined(r, op->getResult(0), blocks);
}

/// An op on each row by itself. Operands that have those of the result are
/// taken apart with it; all have their dimensions at the end, but parameters.
LogicalResult BlockFolder::foldRows() {
  int64_t most = columns.limit, rows = shapeOf(op->getResult(0))[rowAxis];
  bool hasParameters =
      op->hasTrait<ChannelParameters>() || !op->hasTrait<Elementwise>();
  SmallVector<bool> isCut;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    bool hasRows = type && type.getRank() > 1 &&
                   type.getShape().end()[-2] > 1 &&
                   (index == 0 || !hasParameters);
    if (hasRows && (type.getRank() != 4 || type.getDimSize(rowAxis) != rows))
      return failure();
    isCut.push_back(hasRows);
    if (hasRows)
      most = std::min(most, columns.rowsAtOnce(operand));
  }
  return become(
      {most, [isCut, op = op, &columns = columns](Replacer &r, int64_t first,
                                                  int64_t count) {
         SmallVector<Value> operands(op->getOperands());
         for (auto [index, operand] : llvm::enumerate(operands))
           if (isCut[index])
             operand = columns.take(r, operand, rowAxis, first, count);
         Operation *block = copyOf(r, op, operands);
         block->getResult(0).setType(blockType(op->getResult(0), count));
         return block->getResult(0);
       }});
}

LogicalResult BlockFolder::fold() {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return failure();
  Value x = op->getOperand(0);
  RankedTensorType from = staticType(x), to = staticType(op->getResult(0));
  if (!from || !to || from.getRank() != 4 || to.getRank() != 4 ||
      (columns.isLong(x) && !columns.axisOf(x) && !columns.isWaiting(x)))
    return failure();
  if (op->hasTrait<Elementwise>())
    return foldRows();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConvOp, ConvTransposeOp, MaxPoolOp, AvgPoolOp, L2PoolOp>(
          [&](auto window) { return foldWindow(window); })
      .Case([&](UpsampleNearestNeighborOp nearest) {
        return foldNearest(nearest);
      })
      .Case<UpsampleBilinearOp, ResizeBilinearOp, ResizeNearestNeighborOp,
            ResizeOp>([&](auto) { return foldResize(); })
      .Case([&](LocalResponseNormOp) { return foldRows(); })
      .Default(failure());
}

LogicalResult LongColumns::becomeBlocks(Replacer &r, OpResult result,
                                        RowBlocks blocks) {
  // Of smaller blocks much is what windows see twice (assigned).
  constexpr int64_t mostBlocks = 64;
  if (!result.hasOneUse() || isa<ReturnOp>(*result.getUsers().begin()) ||
      blocks.most * mostBlocks < limit)
    return becomeJoined(r, result, blocks);
  waiting.insert({result, std::move(blocks)});
  return success();
}

LogicalResult LongColumns::becomeJoined(Replacer &r, OpResult result,
                                        const RowBlocks &blocks) {
  int64_t extent = shapeOf(result)[rowAxis];
  std::optional<ExtentSplit> split = splitOf(extent);
  int64_t most = std::min(blocks.most, limit);
  if (most < 1 || (extent > limit && !split))
    return failure();
  // Of whole planes, which are joined without another move.
  if (split && most >= split->rows)
    most -= most % split->rows;
  SmallVector<Value> made;
  for (int64_t first = 0; first < extent; first += most)
    made.push_back(blocks.make(r, first, std::min(most, extent - first)));
  return become(r, result, join(r, made, rowAxis, 0, extent));
}

LogicalResult LongColumns::joinWaiting(Replacer &r, OpResult value) {
  auto found = waiting.find(value);
  RowBlocks blocks = std::move(found->second);
  waiting.erase(found);
  return becomeJoined(r, value, blocks);
}

LogicalResult ane::mil::foldBlocks(LongColumns &columns, Replacer &r,
                                   Operation *op) {
  return BlockFolder(columns, r, op).fold();
}
