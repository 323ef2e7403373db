//===- LowerReduce.cpp - Reductions ---------------------------------------===//
//
// The planar engine reduces the columns of a tile, and its rows and depth if
// there is one group. Other dimensions are brought there: by strides where
// elements are rows already, by a transposed write where they are not. So all
// dimensions of a reduction are summed before anything is rounded. What L2 does
// not hold turned goes through it in parts, each reduced at once.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Constraint.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// The product of the extents of dimensions [first, last].
int64_t extentOf(const View &view, unsigned first, unsigned last) {
  int64_t product = 1;
  for (unsigned dim = first; dim <= last; ++dim)
    product *= view.shape[dim];
  return product;
}

/// A view of one group.
View planes(const View &base, int64_t offset, int64_t channels,
            int64_t planeStride, int64_t depth, int64_t rows, int64_t rowStride,
            int64_t columns) {
  View view = base;
  view.offset += offset;
  view.shape = {1, depth, channels, rows, columns};
  int64_t whole = std::max(planeStride * channels, rowStride * rows);
  view.strides = {whole, depth > 1 ? rowStride * rows : whole, planeStride,
                  rowStride};
  return view;
}

/// Dimensions in a row that strides tell as one.
struct Merged {
  int64_t extent = 1, stride = 0;
};

/// Dimensions [first, last) of a view as one; `inner` is the one behind, which
/// tells the stride of a single element.
std::optional<Merged> merge(const View &view, unsigned first, unsigned last,
                            Merged inner) {
  Merged merged = {1, inner.extent * inner.stride};
  for (unsigned dim = last; dim-- > first;) {
    if (view.shape[dim] == 1)
      continue;
    if (merged.extent == 1)
      merged.stride = view.strides[dim];
    else if (view.strides[dim] != merged.extent * merged.stride)
      return std::nullopt;
    merged.extent *= view.shape[dim];
  }
  return merged;
}

/// [outer, 1, reduced, inner, columns]: the dimensions in front of those from
/// `firstDim` to `lastDim`, these, and those behind; nothing if strides do not
/// tell them.
std::optional<View> stacked(const View &view, unsigned firstDim,
                            unsigned lastDim) {
  std::optional<Merged> inner =
      merge(view, lastDim + 1, W, {1, view.strides[H]});
  std::optional<Merged> reduced =
      inner ? merge(view, firstDim, lastDim + 1, *inner) : std::nullopt;
  std::optional<Merged> outer =
      reduced ? merge(view, 0, firstDim, *reduced) : std::nullopt;
  if (!outer)
    return std::nullopt;
  View result = view;
  result.shape = {outer->extent, 1, reduced->extent, inner->extent,
                  view.shape[W]};
  result.strides = {outer->stride, outer->stride, reduced->stride,
                    inner->stride};
  return result;
}

/// The smallest factor of `extent` that leaves at most `limit`, and is at most
/// that itself.
std::optional<int64_t> factorWithin(int64_t extent, int64_t limit) {
  for (int64_t factor = llvm::divideCeil(extent, limit);
       factor <= std::min(extent, limit); ++factor)
    if (extent % factor == 0)
      return factor;
  return std::nullopt;
}

void emitReduction(TaskBuilder &b, const PEParams &params, const View &x,
                   const View &y) {
  b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, params, x, nullptr, y);
}

} // namespace

ReductionParams ReductionParams::of(ReductionOp op) {
  ReductionParams reduction;
  reduction.kind = op.getKind();
  reduction.square = op.getSquare();
  reduction.post = op.getPost().value_or(PEPost::none);
  if (FloatAttr scale = op.getScaleAttr())
    reduction.scale = scale.getValueAsDouble();
  if (std::optional<APFloat> epsilon = op.getEpsilon())
    reduction.epsilon = epsilon->convertToDouble();
  return reduction;
}

PEParams ReductionParams::ofTask(int64_t count) const {
  PEParams params;
  params.reduce = kind == ReductionType::Max ? PEReduce::max : PEReduce::sum;
  params.finalScale = scale;
  if (kind == ReductionType::Avg)
    params.finalScale /= count;
  if (square)
    params.op = PEOp::square;
  params.post = post;
  params.epsilon = epsilon;
  return params;
}

LogicalResult Lowering::refuseReduction(Operation *op, int64_t reduced) {
  return refuse(op, b.target.rule("reduce-c1"),
                "a reduction over " + Twine(reduced) +
                    " elements has no factor that makes rows of at most " +
                    Twine(b.target.maxHeight) +
                    "; reshape it, pad it, or reduce in two steps");
}

/// A whole of channels, rows and columns of which one number remains, nothing
/// if it has too many of them. Channels become rows and rows depth, as Apple's
/// compiler does it. But an access reads a few columns of all rows, unless they
/// meet in banks as channels do, whose distance is that of their bytes. So of
/// long planes of few channels the rows stay, where that saves more than a task
/// takes at least.
std::optional<View> Lowering::wholeOf(const View &x) const {
  int64_t channels = x.shape[C], rows = x.shape[H];
  int64_t atATime =
      b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes);
  int64_t accesses = b.target.l2ChannelBytes(x.shape[W]) / b.target.l2Granule;
  auto cycles = [&](int64_t depth, int64_t rows, int64_t distance) {
    int64_t together = b.target.l2Banks / std::gcd(distance, b.target.l2Banks);
    return std::max(depth * rows * x.shape[W] / b.target.planarElementsPerCycle,
                    depth * int64_t(llvm::divideCeil(rows, together)) *
                        accesses);
  };
  if (channels <= atATime && rows <= b.target.maxHeight &&
      cycles(channels, rows, /*distance=*/1) + b.target.taskOverheadCycles <
          cycles(rows, channels, /*distance=*/accesses))
    return x.swapped(C, D);
  if (channels > b.target.maxHeight || rows > atATime)
    return std::nullopt;
  return x.swapped(C, H).swapped(C, D);
}

/// Reduces the columns and the dimensions from `firstDim` to the rows, all
/// others becoming channels. With `vector` the channels lie along the columns
/// of the result.
LogicalResult Lowering::reduceColumns(Operation *op,
                                      const ReductionParams &reduction,
                                      const View &x, unsigned firstDim,
                                      const View &y, bool vector) {
  int64_t pitch = *x.linearPitch(), resultPitch = *y.linearPitch();
  int64_t rows = firstDim < W ? extentOf(x, firstDim, H) : 1;
  int64_t kept = x.rows() / rows;
  int64_t channelsInL2 =
      b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes);
  std::optional<int64_t> depth = factorWithin(rows, b.target.maxHeight);
  PEParams params = reduction.ofTask(rows * x.shape[W]);
  params.vectorResult = vector;
  // Rows that stay are groups, of many channels each.
  if (firstDim == W && !vector && x.shape[N] == 1 && x.shape[D] == 1 &&
      x.shape[C] > 1 && x.shape[H] > 1) {
    emitReduction(b, params, x.swapped(N, H), y.swapped(N, H));
    return success();
  }
  if (kept == 1 && firstDim == C && x.shape[C] > 1 && x.shape[H] > 1)
    if (std::optional<View> whole = wholeOf(x)) {
      emitReduction(b, params, *whole,
                    planes(y, 0, 1, resultPitch, 1, 1, resultPitch, 1));
      return success();
    }
  if (!depth)
    return refuseReduction(op, rows);
  int64_t perTask = b.target.maxChannels;
  if (*depth > 1)
    perTask = std::max<int64_t>(channelsInL2 / *depth, 1);
  for (int64_t begin = 0; begin < kept; begin += perTask) {
    int64_t count = std::min(perTask, kept - begin);
    View source = planes(x, begin * rows * pitch, count, rows * pitch, *depth,
                         rows / *depth, pitch, x.shape[W]);
    emitReduction(b, params, source,
                  vector ? y
                         : planes(y, begin * resultPitch, count, resultPitch, 1,
                                  1, resultPitch, 1));
  }
  return success();
}

/// Whether groups of so many channels each take longer than all channels
/// together and a task that turns their results: few of them are in few banks
/// of L2.
bool Lowering::areSlowGroups(const View &x, int64_t groups,
                             int64_t channels) const {
  const TargetDescription &target = b.target;
  int64_t elements = llvm::product_of(x.shape);
  int64_t accesses =
      groups *
      (target.l2ChannelBytes(x.shape[W]) + target.l2ChannelBytes(channels)) /
      target.l2Granule;
  int64_t together = b.scratchBytes(x)
                         ? elements / target.planarElementsPerCycle
                         : target.memoryCycles(elements * elementBytes);
  return accesses > together + target.taskOverheadCycles;
}

/// Reduces the last dimensions where nothing but a reshape follows that makes
/// those in front columns: channels whose results lie along columns then, and
/// groups in front of these. Verified for planes of one group.
bool Lowering::reduceToVector(ReductionOp op, const ReductionParams &reduction,
                              ArrayRef<unsigned> axes) {
  if (!op.getResult().hasOneUse())
    return false;
  auto reshape = dyn_cast<ReshapeOp>(*op.getResult().user_begin());
  if (!reshape)
    return false;
  View x = viewOf(op.getX());
  unsigned first = numDims;
  while (first > 0 &&
         (x.shape[first - 1] == 1 || llvm::is_contained(axes, first - 1)))
    --first;
  if (first > W || llvm::any_of(llvm::seq(first), [&](unsigned dim) {
        return x.shape[dim] > 1 && llvm::is_contained(axes, dim);
      }))
    return false;
  int64_t kept = first > 0 ? extentOf(x, 0, first - 1) : 1,
          rows = x.rows() / kept, columns = shapeOf(reshape.getResult())[W];
  if (columns == 1 || rows * x.shape[W] == 1 || !x.linearPitch())
    return false;
  // Of several groups a task reduces the columns.
  int64_t groups = kept / columns;
  if ((groups > 1 && (rows > 1 || areSlowGroups(x, groups, columns))) ||
      rows > b.target.maxHeight || groups > b.target.maxGroups ||
      columns > b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes))
    return false;
  View y = resultView(reshape.getResult());
  if (!y.linearPitch())
    return false;
  int64_t pitch = *x.linearPitch(), resultPitch = *y.linearPitch();
  View source = planes(x, 0, columns, rows * pitch, 1, rows, pitch, x.shape[W]);
  View result = planes(y, 0, 1, resultPitch, 1, 1, resultPitch, columns);
  source.shape[N] = result.shape[N] = groups;
  PEParams params = reduction.ofTask(rows * x.shape[W]);
  params.vectorResult = true;
  emitReduction(b, params, source, result);
  done.insert(reshape);
  return true;
}

/// The maximum along one dimension that is not the columns: the neural engine
/// has it where the dimension lies along channels, and one row of them in L2.
bool Lowering::takeMaximum(const View &x, unsigned dim, const View &y) {
  if (x.shape[dim] > std::min(b.target.maxUnicastChannels,
                              b.target.maxTileChannels(
                                  x.shape[W], b.target.neStreamBytes)) ||
      x.swapped(C, dim).shape[H] > b.target.maxHeight)
    return false;
  b.emitChannelMax(x.swapped(C, dim), y.swapped(C, dim));
  return true;
}

/// Reduces dimensions [firstDim, lastDim] of a view with one column: every
/// element has its own row, so strides bring the dimensions to the rows, and to
/// the channels those in front or behind, whichever takes fewer tasks.
void Lowering::reduceCells(const ReductionParams &reduction, const View &x,
                           unsigned firstDim, unsigned lastDim, const View &y) {
  int64_t reduced = extentOf(x, firstDim, lastDim);
  int64_t outer = firstDim > 0 ? extentOf(x, 0, firstDim - 1) : 1;
  int64_t inner = lastDim < H ? extentOf(x, lastDim + 1, H) : 1;
  int64_t pitch = *x.linearPitch(), resultPitch = *y.linearPitch();
  int64_t most = b.target.maxChannels;
  PEParams params = reduction.ofTask(reduced);
  /// Cells at one distance, in rows of the source and of the result.
  struct Cells {
    int64_t count, stride, resultStride;
  };
  Cells each = {outer, reduced * inner, inner}, channels = {inner, 1, 1};
  if (inner * llvm::divideCeil(outer, most) <
      outer * llvm::divideCeil(inner, most))
    std::swap(each, channels);
  for (int64_t i = 0; i < each.count; ++i)
    for (int64_t begin = 0; begin < channels.count; begin += most) {
      int64_t count = std::min(most, channels.count - begin);
      int64_t from = i * each.stride + begin * channels.stride;
      int64_t to = i * each.resultStride + begin * channels.resultStride;
      emitReduction(b, params,
                    planes(x, from * pitch, count, channels.stride * pitch, 1,
                           reduced, inner * pitch, 1),
                    planes(y, to * resultPitch, count,
                           channels.resultStride * resultPitch, 1, 1,
                           resultPitch, 1));
    }
}

/// How a view is turned: so many rows, or columns of one row, at a time that L2
/// holds them and the view beside them, if that is an intermediate one. All of
/// it, if L2 holds that.
Lowering::TurnedPart Lowering::turnedPart(const View &x) const {
  // Assigned: a sixteenth for tiles, and the least that parts are worth.
  constexpr int64_t smallDenominator = 16;
  int64_t few = b.target.l2Bytes / smallDenominator;
  int64_t cellBytes = b.target.l2ChannelBytes(x.shape[C]);
  bool isScratch = b.scratchBytes(x).has_value();
  int64_t most = b.target.l2Bytes - few;
  int64_t room = isScratch ? most - bytesInL2(x.shape, b.target) : most;
  int64_t rows = x.shape[N] * x.shape[H], columns = x.shape[W];
  if (rows * columns * cellBytes <= room)
    return {rows, columns};
  if (room < few)
    room = most;
  // While one part is reduced, the next one is turned.
  int64_t cells = std::min(room, b.target.wholeL2Bytes()) / 2 / cellBytes;
  int64_t step = b.target.rowStep();
  // Columns from within a row of a port come in a format of few numbers.
  if (columns > cells && isScratch)
    columns = std::max(cells / step * step, step);
  // Where one row is too long, there has to be room for the results alone.
  if (columns * cellBytes > b.target.wholeL2Bytes())
    cells = b.target.largeL2Bytes() / elementBytes;
  int64_t atATime = std::max<int64_t>(cells / columns, 1);
  return {int64_t(llvm::divideCeil(rows, llvm::divideCeil(rows, atATime))),
          columns};
}

/// Reduces the channels of [outer, 1, reduced, inner, columns], which are at
/// most the columns of a row: a transposed write lays them along columns, and
/// the reduction stores its channels, the former columns, back along columns.
void Lowering::reduceTurned(const PEParams &params, const View &x,
                            const View &y) {
  int64_t outer = x.shape[N], inner = x.shape[H], columns = x.shape[W];
  TurnedPart part = turnedPart(x);
  int64_t perImage = std::min(part.rows, inner),
          images = std::min(part.rows / perImage, outer);
  for (int64_t n = 0; n < outer; n += images)
    for (int64_t h = 0; h < inner; h += perImage)
      for (int64_t w = 0; w < columns; w += part.columns) {
        View source = x.sliced(N, n, std::min(images, outer - n))
                          .sliced(H, h, std::min(perImage, inner - h))
                          .sliced(W, w, std::min(part.columns, columns - w));
        int64_t groups = source.shape[N] * source.shape[H];
        // Stored as [columns][outer][inner].
        View turned =
            b.makeScratch({1, 1, source.shape[W], groups, source.shape[C]})
                .swapped(N, H);
        View target = turned;
        target.shape = {source.shape[N], 1, source.shape[W], source.shape[H],
                        source.shape[C]};
        int64_t image = source.shape[H] * turned.strides[N];
        target.strides = {image, image, turned.strides[C], turned.strides[N]};
        b.emitTransposedCopy(source, target);
        emitReduction(
            b, params, turned,
            y.sliced(N, n * inner + h, groups).sliced(W, w, source.shape[W]));
      }
}

/// Reduces dimensions [firstDim, lastDim] of a view whose columns stay: they
/// are turned to lie along columns, or along rows and columns where one row is
/// too short.
LogicalResult Lowering::reduceRows(Operation *op,
                                   const ReductionParams &reduction,
                                   const View &x, unsigned firstDim,
                                   unsigned lastDim, const View &y) {
  std::optional<View> direct = stacked(x, firstDim, lastDim);
  View source = direct ? *direct : *stacked(b.linearize(x), firstDim, lastDim);
  int64_t outer = source.shape[N], reduced = source.shape[C],
          inner = source.shape[H], columns = source.shape[W];
  std::optional<int64_t> rows = factorWithin(reduced, b.target.maxWidth);
  if (!rows)
    return refuseReduction(op, reduced);
  int64_t perRow = reduced / *rows;

  int64_t resultPitch = *y.linearPitch();
  View result = y;
  result.shape = {outer * inner, 1, 1, 1, columns};
  int64_t whole = resultPitch * outer * inner;
  result.strides = {resultPitch, whole, whole, whole};
  PEParams params = reduction.ofTask(reduced);
  params.vectorResult = true;

  if (*rows == 1) {
    reduceTurned(params, source, result);
    return success();
  }

  // Stored as [outer][inner][columns][rows].
  View turned = b.makeScratch({outer * inner, 1, columns, *rows, perRow});
  for (int64_t row = 0; row < *rows; ++row) {
    View target = turned;
    target.offset += row * turned.strides[H];
    target.shape = {outer, 1, columns, inner, perRow};
    target.strides = {inner * turned.strides[N], inner * turned.strides[N],
                      turned.strides[C], turned.strides[N]};
    b.emitTransposedCopy(source.sliced(C, row * perRow, perRow), target);
  }
  // Several groups reduce their columns only.
  for (int64_t i = 0; i < outer * inner; ++i)
    emitReduction(b, params, turned.sliced(N, i, 1), result.sliced(N, i, 1));
  return success();
}

LogicalResult Lowering::reduce(Operation *op, const ReductionParams &reduction,
                               View x, SmallVector<unsigned> axes, View y) {
  // Where no more than one element is reduced, this dimension has it.
  unsigned single = axes.empty() ? W : axes.front();
  llvm::erase_if(axes, [&](unsigned axis) { return x.shape[axis] == 1; });
  auto isReduced = [&](unsigned dim) { return llvm::is_contained(axes, dim); };
  if (axes.empty() && !reduction.changesElements()) {
    b.emitCopy(x, y);
    return success();
  }

  if (reduction.kind == ReductionType::Max && !reduction.changesElements() &&
      axes.size() == 1 && axes.front() != W && takeMaximum(x, axes.front(), y))
    return success();

  // Dimensions in between that stay go in front.
  SmallVector<unsigned, numStrided> order;
  for (bool reduced : {false, true})
    for (unsigned dim = 0; dim < W; ++dim)
      if (x.shape[dim] > 1 && isReduced(dim) == reduced)
        order.push_back(dim);
  unsigned first = axes.empty() ? single : W, last = first;
  for (unsigned dim = 0; dim < W; ++dim)
    if (isReduced(dim)) {
      first = std::min(first, dim);
      last = dim;
    }
  bool overColumns = isReduced(W) || first == W;
  bool apart = false;
  for (unsigned dim = first; dim < (overColumns ? unsigned(W) : last); ++dim)
    apart |= x.shape[dim] > 1 && !isReduced(dim);
  if (apart) {
    View moved = x, target = y;
    moved.shape.fill(1);
    target.shape.fill(1);
    moved.shape[W] = x.shape[W];
    target.shape[W] = y.shape[W];
    unsigned place = W - order.size();
    for (unsigned dim : order) {
      moved.shape[place] = x.shape[dim];
      moved.strides[place] = x.strides[dim];
      target.shape[place] = y.shape[dim];
      target.strides[place] = y.strides[dim];
      ++place;
    }
    first = W - llvm::count_if(order, isReduced);
    last = H;
    x = moved;
    y = target;
  }
  if (overColumns)
    return reduceColumns(op, reduction, b.linearize(x), first, y,
                         /*vector=*/false);
  if (x.shape[W] == 1 && extentOf(x, first, last) <= b.target.maxHeight) {
    reduceCells(reduction, b.linearize(x), first, last, y);
    return success();
  }
  return reduceRows(op, reduction, x, first, last, y);
}

LogicalResult Lowering::lower(ReductionOp op) {
  auto reduction = ReductionParams::of(op);
  SmallVector<unsigned> axes(op.getAxes());
  if (standardize(op))
    return success();
  if (reduceToVector(op, reduction, axes))
    return success();
  return reduce(op, reduction, viewOf(op.getX()), axes,
                resultView(op.getResult()));
}
