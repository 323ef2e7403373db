//===- LowerLayout.cpp - Reshapes, views, concatenation -------------------===//
//
// DMA strides are multiples of 64 bytes and columns are always side by side. So
// all dimensions but the columns can be cut, strided and reordered freely; what
// touches the columns goes through a transposed write, which puts them at a
// stride.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Divisors.h"
#include "ane/TaskDescriptor/Fields.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

std::optional<View> Lowering::aliasReshape(const View &x,
                                           ArrayRef<int64_t> shape) {
  if (x.interleave > 1) {
    assert(splitsColumns(x.shape, shape) && "rows that kernels do not have");
    View parts = x.swapped(C, H);
    llvm::copy(shape, parts.shape.begin());
    parts.strides[H] = shape[W] * x.interleave * elementBytes;
    return parts;
  }
  // Rows at one distance may have gaps behind them.
  if (x.shape[W] == shape[W] && x.linearPitch())
    return x.withRows(shape[N], shape[D], shape[C], shape[H]);
  return x.reshaped(shape, b.target.rowAlignment);
}

LogicalResult Lowering::lower(ReshapeOp op) {
  View x = viewOf(op.getX());
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  if (std::optional<View> alias = aliasReshape(x, shape)) {
    setView(op.getResult(), *alias);
    return success();
  }
  x = b.linearize(x);
  if (x.shape[W] == shape[W]) {
    setView(op.getResult(), x.withRows(shape[N], shape[D], shape[C], shape[H]));
    return success();
  }
  return changeRows(op, x);
}

LogicalResult Lowering::changeRows(ReshapeOp op, const View &x) {
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  // Cut into as many equal parts as both shapes have whole rows for, all parts
  // do the same: a transposed write puts element i of every part side by side
  // into row i, a second one collects rows of the new length. A side that has
  // one column needs no such step.
  int64_t elements = x.rows() * x.shape[W], newRows = elements / shape[W];
  View y = resultView(op.getResult());
  bool fromCells = x.shape[W] == 1, toCells = shape[W] == 1;
  int64_t parts = fromCells || toCells ? 1 : std::gcd(x.rows(), newRows);
  int64_t columns = largestDivisor(parts, b.target.maxWidth);
  int64_t groups = parts / columns, oldRows = x.rows() / parts;
  newRows /= parts;
  // Some parts of a view, and rows of `turned`: of each group, of each row of a
  // part, of each element.
  auto partsOf = [&](const View &view, int64_t rows, int64_t begin,
                     int64_t count) {
    return view.withRows(groups, 1, columns, rows).sliced(C, begin, count);
  };
  auto rowsOf = [&](const View &turned, int64_t rows, int64_t width) {
    int64_t pitch = *turned.linearPitch();
    View view = turned;
    view.shape = {groups, 1, width, rows, turned.shape[W]};
    view.strides = {groups > 1 ? pitch * width * rows : 0, 0, pitch,
                    pitch * width};
    return view;
  };
  auto turn = [&](const View &turned, int64_t begin) {
    int64_t count = turned.shape[W];
    if (!fromCells)
      b.emitTransposedCopy(partsOf(x, oldRows, begin, count),
                           rowsOf(turned, oldRows, x.shape[W]));
    if (!toCells)
      b.emitTransposedCopy(rowsOf(turned, newRows, shape[W]),
                           partsOf(y, newRows, begin, count));
  };
  if (fromCells || toCells) {
    turn(fromCells ? x : y, 0);
    return success();
  }
  int64_t rows = elements / columns, pitch = b.target.rowPitch(columns);
  if (rows > INT32_MAX / pitch)
    return refuse(op, b.target.rule("memory-c1"),
                  "changing the last dimension from " + Twine(x.shape[W]) +
                      " to " + Twine(shape[W]) + " needs " +
                      Twine(rows * pitch) + " bytes of scratch, the limit is " +
                      Twine(INT32_MAX) +
                      "; make it a multiple of 32 elements on both sides");
  // As many parts at a time as L2 holds, if it does not hold all.
  int64_t atATime = columns;
  int64_t step = b.target.rowStep();
  int64_t room = b.target.largeL2Bytes() / elementBytes / rows;
  if (rows * b.target.l2ChannelBytes(columns) > b.target.wholeL2Bytes() &&
      room >= step)
    atATime = room / step * step;
  for (int64_t begin = 0; begin < columns; begin += atATime)
    turn(b.makeScratch({1, 1, 1, rows, std::min(atATime, columns - begin)}),
         begin);
  return success();
}

namespace {

/// So many of what is moved, at a distance in the source and one in the result.
struct Repeat {
  int64_t extent, from, to;
};

/// Dimensions that a transposed write has beside channels and columns.
constexpr size_t numPlaces = 3;
/// Banks that a value of L2 has for its rows or channels at least. Assigned.
constexpr int64_t leastLine = 16;
/// Rows that fill no more banks than what shares two of them. Assigned.
constexpr int64_t fewRows = 8;

/// Those of two dimensions are those of one if they all lie at one distance.
void append(SmallVectorImpl<Repeat> &repeats, Repeat next) {
  if (next.extent == 1)
    return;
  if (!repeats.empty()) {
    Repeat &last = repeats.back();
    if (last.from == next.extent * next.from &&
        last.to == next.extent * next.to) {
      last = {last.extent * next.extent, next.from, next.to};
      return;
    }
  }
  repeats.push_back(next);
}

} // namespace

LogicalResult Lowering::lower(TransposeOp op) {
  if (isOfProduct(op))
    return success();
  ArrayRef<int64_t> order = op.getPermutation();
  NeuronOp activation = ofReader(op.getX());
  View x = viewOf(activation ? activation.getX() : op.getX());
  // All but the columns is a matter of strides.
  if (order[W] == W) {
    setView(op.getResult(), x.permuted(order));
    return success();
  }

  // What becomes the columns is read as channels, the columns are written as
  // channels. The other three go where they fit.
  View y =
      order[H] == W ? matrixView(op.getResult()) : resultView(op.getResult());
  View source = x, target = y;
  target.interleaved = C;
  unsigned newColumns = order[W], oldColumns = 0;
  SmallVector<Repeat, 3> others;
  for (unsigned dim = 0; dim < W; ++dim)
    if (order[dim] == W)
      oldColumns = dim;
    else
      append(others, {y.shape[dim], x.strides[order[dim]], y.strides[dim]});
  llvm::sort(others, [](const Repeat &a, const Repeat &b) {
    return std::pair(a.extent, a.to) > std::pair(b.extent, b.to);
  });
  // L2 is accessed at all rows of a channel together, or at all channels of one
  // row. As many channels as a value has banks at least are as good as rows,
  // unless those that are gathered share two banks and there are more rows.
  int64_t channels = std::min(x.shape[newColumns], y.shape[oldColumns]);
  others.resize(numPlaces, {1, x.strides[N], y.strides[N]});
  int64_t rows = others.front().extent;
  bool isCrowded =
      rows > fewRows &&
      distanceInLine(b.target.l2ChannelBytes(x.shape[newColumns])) %
              worstDistance ==
          0;
  bool isLine = others.back().extent == 1 && !isCrowded &&
                (channels >= leastLine || channels > rows);
  std::array<unsigned, numPlaces> places = {H, N, D};
  if (isLine)
    places = {N, D, H};
  for (auto [place, other] : llvm::zip_equal(places, others)) {
    source.shape[place] = target.shape[place] = other.extent;
    source.strides[place] = other.from;
    target.strides[place] = other.to;
  }
  source.shape[C] = x.shape[newColumns];
  source.strides[C] = x.strides[newColumns];
  target.shape[C] = y.shape[oldColumns];
  target.strides[C] = y.strides[oldColumns];
  if (!activation) {
    b.emitTransposedCopy(source, target);
    return success();
  }
  b.addLocation(activation.getLoc());
  FlatSymbolRefAttr table;
  NEParams params = passOf(activation, td::numLanes, table);
  b.emitTransposed(params, source, target, table);
  return success();
}

/// Whether rows stay rows where columns and `dim` are exchanged, and a few of
/// them take little of L2 (an eighth: assigned): zin-tile-rows takes blocks of
/// them through this and what is around it.
bool Lowering::keepsRows(const View &view, unsigned dim) const {
  constexpr int64_t rowDenominator = 8;
  return dim == C && view.shape[N] * view.shape[D] == 1 && view.shape[H] > 1 &&
         view.shape[W] * b.target.rowPitch(view.shape[C]) <=
             b.target.l2Bytes / rowDenominator;
}

unsigned Lowering::exchangeDim(const View &view) const {
  // Blocks of rows are worth room in L2 (assigned: how much).
  constexpr int64_t mostRoom = 3;
  if (keepsRows(view, C) && view.shape[C] <= b.target.maxWidth &&
      b.target.rowPitch(view.shape[C]) <=
          mostRoom * view.shape[C] * elementBytes)
    return C;
  // The longest dimension that can lie along columns wastes least.
  unsigned best = C;
  for (unsigned dim : {C, H, D, N})
    if (view.shape[dim] <= b.target.maxWidth &&
        (view.shape[best] > b.target.maxWidth ||
         view.shape[dim] > view.shape[best]))
      best = dim;
  return best;
}

/// Parts of a view of which L2 holds one with columns and `dim` exchanged, so
/// that it need not go to memory between two copies. All of it, if it stays
/// there as a whole beside what streams through. With `isChain` there are two
/// copies, of which short rows are cut later; rows that stay rows always are.
SmallVector<Lowering::ViewBlock>
Lowering::exchangedBlocks(const View &view, unsigned dim, bool isChain) const {
  std::array<int64_t, numStrided> extents;
  llvm::copy(ArrayRef(view.shape).drop_back(), extents.begin());
  auto bytes = [&] {
    return llvm::product_of(extents) * view.shape[W] * elementBytes;
  };
  // One row at a time, which no other one meets in a bank of L2, but for rows
  // that are not worth a task.
  constexpr int64_t leastBytes = int64_t(64) << 10;
  int64_t rowBytes = view.shape[dim] * view.shape[W] * elementBytes;
  bool isShort = rowBytes < leastBytes, isLine = rowBytes == bytes();
  int64_t most = isLine ? b.target.wholeL2Bytes() : b.target.l2Bytes * 5 / 6;
  if (bytes() > most && !(isShort && isChain) && !keepsRows(view, dim)) {
    int64_t rows = isShort ? b.target.wholeL2Bytes() / 2 / rowBytes : 1;
    for (unsigned each : {H, C, D, N})
      if (each != dim) {
        extents[each] = std::min(extents[each], rows);
        rows = std::max<int64_t>(rows / extents[each], 1);
      }
    // It becomes the columns.
    int64_t step = b.target.rowStep();
    if (int64_t columns = b.target.wholeL2Bytes() * extents[dim] / bytes();
        columns < extents[dim])
      extents[dim] = std::max<int64_t>(columns / step, 1) * step;
  }

  SmallVector<ViewBlock> blocks = {ViewBlock()};
  for (unsigned each : {N, D, C, H}) {
    SmallVector<ViewBlock> cut;
    for (const ViewBlock &block : blocks)
      for (int64_t begin = 0; begin < view.shape[each];
           begin += extents[each]) {
        cut.push_back(block);
        cut.back()[each] = {begin,
                            std::min(extents[each], view.shape[each] - begin)};
      }
    blocks = std::move(cut);
  }
  return blocks;
}

/// A part with columns and `dim` exchanged.
View Lowering::exchanged(View view, const ViewBlock &block, unsigned dim) {
  for (auto [each, range] : llvm::enumerate(block))
    view = view.sliced(each, range.first, range.second);
  return view.swapped(C, dim);
}

View Lowering::makeTurned(const View &view) {
  return b.makeScratch({view.shape[N], view.shape[D], view.shape[W],
                        view.shape[H], view.shape[C]});
}

View Lowering::turnedCopy(const View &view) {
  View turned = makeTurned(view);
  b.emitTransposedCopy(view, turned);
  return turned;
}

LogicalResult Lowering::lower(InputViewOp op) {
  View view = viewOf(op.getX());
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  for (unsigned dim = 0; dim < W; ++dim)
    view =
        view.sliced(dim, op.getBegin()[dim], shape[dim], op.getStrides()[dim]);
  int64_t begin = op.getBegin()[W], stride = op.getStrides()[W];
  bool aligned = begin * elementBytes % b.target.rowAlignment == 0;
  if ((stride == 1 || shape[W] == 1) && aligned) {
    setView(op.getResult(), view.sliced(W, begin, shape[W]));
    return success();
  }
  // Of the columns those from the step on in which the first one lies. The few
  // behind the last one come along where they let it be all of them (assigned:
  // up to an eighth).
  int64_t step = b.target.rowStep();
  constexpr int64_t fewDenominator = 8;
  int64_t first = begin / step * step;
  int64_t end = begin + (shape[W] - 1) * stride + 1;
  if (first == 0 && stride == 1 &&
      (view.shape[W] - end) * fewDenominator <= view.shape[W])
    end = view.shape[W];
  view = view.sliced(W, first, end - first);
  unsigned dim = exchangeDim(view);
  View y = resultView(op.getResult());
  for (const ViewBlock &block : exchangedBlocks(view, dim, /*isChain=*/true)) {
    View turned = turnedCopy(exchanged(view, block, dim));
    b.emitTransposedCopy(turned.sliced(C, begin - first, shape[W], stride),
                         exchanged(y, block, dim));
  }
  return success();
}

bool Lowering::joinsDirectly(ConcatOp op) const {
  if (op.getAxis() != W)
    return true;
  bool direct = !op.getInterleave() || op.getValues().size() == 1;
  int64_t begin = 0;
  for (Value value : op.getValues()) {
    direct &= begin * elementBytes % b.target.rowAlignment == 0;
    begin += shapeOf(value)[W];
  }
  return direct;
}

SmallVector<View> Lowering::partsOf(ConcatOp op, const View &whole,
                                    unsigned dim) {
  SmallVector<View> parts;
  int64_t begin = 0, count = op.getValues().size();
  for (auto [index, value] : llvm::enumerate(op.getValues())) {
    int64_t extent = shapeOf(value)[op.getAxis()];
    parts.push_back(op.getInterleave() ? whole.sliced(dim, index, extent, count)
                                       : whole.sliced(dim, begin, extent));
    begin += extent;
  }
  return parts;
}

LogicalResult Lowering::lower(ConcatOp op) {
  unsigned axis = op.getAxis();
  View y = resultView(op.getResult());
  if (joinsDirectly(op)) {
    for (auto [value, part] :
         llvm::zip_equal(op.getValues(), partsOf(op, y, axis))) {
      View x = viewOf(value);
      // The layer may have written it there, or a copy behind it.
      auto isPart = [&](const View &view) { return view.isSameAs(part); };
      if (!isPart(x) && llvm::none_of(copies.lookup(value), isPart))
        b.emitCopy(x, part);
    }
    return success();
  }

  // Columns that start inside a 64-byte step: join the values along channels,
  // with the columns there, and turn the whole back.
  unsigned dim = exchangeDim(y);
  for (const ViewBlock &block : exchangedBlocks(y, dim, /*isChain=*/false)) {
    View result = exchanged(y, block, dim);
    View turned = makeTurned(result);
    for (auto [value, part] :
         llvm::zip_equal(op.getValues(), partsOf(op, turned, C)))
      b.emitTransposedCopy(exchanged(viewOf(value), block, dim), part);
    b.emitTransposedCopy(turned, result);
  }
  return success();
}
