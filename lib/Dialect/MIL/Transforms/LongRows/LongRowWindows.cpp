//===- LongRowWindows.cpp - Windows over rows that are cut ----------------===//
//
// A piece of the result is made of all elements that its windows see, some of
// which are in the parts beside. Only those at the ends of the row are padded.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// [before, after] of each dimension.
static SmallVector<int64_t> paddingOf(const Window &window) {
  SmallVector<int64_t> padding;
  for (auto [before, after] :
       llvm::zip_equal(window.padBefore, window.padAfter)) {
    padding.push_back(before);
    padding.push_back(after);
  }
  return padding;
}

Window ane::mil::padded(Window window, size_t dim, int64_t before,
                        int64_t after) {
  window.padBefore[dim] = before;
  window.padAfter[dim] = after;
  return window;
}

Value ane::mil::windowOn(Replacer &r, ConvOp op, const Window &window,
                         Type type, Value x) {
  return ConvOp::create(r.rewriter, op.getLoc(), type, x, op.getWeight(),
                        op.getBias(), r.ints(window.stride), r.string("custom"),
                        r.ints(paddingOf(window)), r.ints(window.dilation),
                        op.getGroups());
}

/// `more`: what the op has behind the inputs of every pool. Other dimensions
/// have as many windows as they had.
template <typename Op, typename... Inputs>
static Value poolOn(Replacer &r, Op op, const Window &window, Type type,
                    Value x, Inputs... more) {
  return Op::create(r.rewriter, op.getLoc(), type, x, op.getKernelSizes(),
                    r.ints(window.stride), r.string("custom"),
                    r.ints(paddingOf(window)), op.getCeilMode(), more...);
}

Value ane::mil::windowOn(Replacer &r, MaxPoolOp op, const Window &window,
                         Type type, Value x) {
  return poolOn(r, op, window, type, x);
}

Value ane::mil::windowOn(Replacer &r, L2PoolOp op, const Window &window,
                         Type type, Value x) {
  return poolOn(r, op, window, type, x);
}

Value ane::mil::windowOn(Replacer &r, AvgPoolOp op, const Window &window,
                         Type type, Value x) {
  return poolOn(r, op, window, type, x, op.getExcludePaddingFromAverage());
}

Value ane::mil::windowOn(Replacer &r, ConvTransposeOp op, const Window &window,
                         Type type, Value x) {
  return ConvTransposeOp::create(
      r.rewriter, op.getLoc(), type, x, op.getWeight(), op.getBias(),
      r.ints(paddingOf(window)),
      // It may say of other dimensions what the padding does not.
      op.getOutputShape()
          ? r.ints(llvm::cast<RankedTensorType>(type).getShape())
          : Value(),
      r.string("custom"), r.ints(window.stride), r.ints(window.dilation),
      op.getGroups());
}

Seen ane::mil::seenBy(const Window &window, size_t dim, int64_t first,
                      int64_t count) {
  int64_t stride = window.stride[dim],
          begin = first * stride - window.padBefore[dim],
          end = begin + (count - 1) * stride + window.reach(dim);
  int64_t from = std::max<int64_t>(begin, 0),
          to = std::min(end, window.input[dim]);
  return {from, to - from, from - begin, end - to};
}

/// Element i adds to i * stride to i * stride + reach - 1.
Seen ane::mil::addedTo(const Window &window, size_t dim, int64_t first,
                       int64_t count) {
  int64_t stride = window.stride[dim], reach = window.reach(dim),
          low = first + window.padBefore[dim], high = low + count;
  int64_t from = std::max<int64_t>(
              llvm::divideCeilSigned(low - reach + 1, stride), 0),
          to = std::min((high - 1) / stride + 1, window.output[dim]);
  return {from, to - from, low - from * stride,
          (to - 1) * stride + reach - high};
}

bool ane::mil::seesInput(const Window &window, size_t dim) {
  return std::max(window.padBefore[dim], window.padAfter[dim]) <
         window.reach(dim);
}

bool ane::mil::comesFromInput(const Window &window, size_t dim) {
  return window.reach(dim) >= window.stride[dim] &&
         window.reachOfAll(dim) >= window.input[dim] + window.padBefore[dim];
}

LogicalResult ane::mil::countInside(Replacer &r, AvgPoolOp op,
                                    const Window &window, size_t dim) {
  std::optional<bool> excludes = op.getExcludePaddingFromAverageOrDefault();
  if (!excludes)
    return failure();
  if (*excludes || !passesPadding(window, dim))
    return success();
  // Without padding that is a mean of what is inside.
  auto isZero = [](int64_t count) { return count == 0; };
  if (!llvm::all_of(window.padBefore, isZero) ||
      !llvm::all_of(window.padAfter, isZero))
    return failure();
  op.getExcludePaddingFromAverageMutable().assign(r.boolean(true));
  return success();
}

/// The windows of a piece: no more than a row holds what they reach, and where
/// the scratchpad would not hold what they give, as many as it has room for,
/// with what they read, several times over (assigned). Pieces of whole lines
/// are joined without turning them.
static int64_t windowsOfPiece(const LongRows &rows, Operation *op,
                              const Window &window) {
  constexpr int64_t piecesAtOnce = 6, denseWindows = h13.rowStep();
  int64_t stride = window.stride.back(),
          most = (rows.limit - reachOf(window)) / stride + 1;
  auto columnBytes = [](Value value) {
    return llvm::product_of(shapeOf(value).drop_back()) * elementBytes;
  };
  int64_t bytes =
      columnBytes(op->getResult(0)) + stride * columnBytes(op->getOperand(0));
  most = std::min(most,
                  std::max(h13.l2Bytes / piecesAtOnce / bytes, denseWindows));
  return most > denseWindows ? most / denseWindows * denseWindows : most;
}

/// Each piece sees what its windows reach.
template <typename Op>
static LogicalResult splitWindows(LongRows &rows, Replacer &r, Op op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  size_t last = window->kernel.size() - 1;
  if (window->reach(last) >= rows.limit || !seesInput(*window, last))
    return failure();
  if constexpr (std::is_same_v<Op, AvgPoolOp>)
    if (failed(countInside(r, op, *window, last)))
      return failure();
  return rows.become(
      r, op,
      rows.assemble(r, window->output.back(), windowsOfPiece(rows, op, *window),
                    [&](int64_t first, int64_t count) {
                      Seen seen = seenBy(*window, last, first, count);
                      return windowOn(
                          r, op, padded(*window, last, seen.before, seen.after),
                          withRow(op.getResult(), count),
                          rows.take(r, op.getX(), seen.begin, seen.count));
                    }));
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, ConvOp op) {
  return splitWindows(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, MaxPoolOp op) {
  return splitWindows(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, L2PoolOp op) {
  return splitWindows(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, AvgPoolOp op) {
  return splitWindows(rows, r, op);
}

Value ane::mil::repeatedOn(Replacer &r, UpsampleNearestNeighborOp op,
                           int64_t axis, int64_t factor, int64_t first,
                           int64_t count,
                           llvm::function_ref<Value(int64_t, int64_t)> take) {
  int64_t from = first / factor,
          taken = llvm::divideCeil(first + count, factor) - from;
  SmallVector<int64_t> shape(shapeOf(op.getResult()));
  shape[axis] = taken * factor;
  Value whole = UpsampleNearestNeighborOp::create(
      r.rewriter, op.getLoc(),
      llvm::cast<RankedTensorType>(op.getResult().getType()).clone(shape),
      take(from, taken), op.getScaleFactorHeight(), op.getScaleFactorWidth());
  return r.slice(whole, axis, first - from * factor, count);
}

/// Of whole factors.
LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r,
                                    UpsampleNearestNeighborOp op) {
  int64_t in = shapeOf(op.getX()).back(), out = shapeOf(op.getResult()).back();
  if (out % in != 0 || out / in * 4 > rows.limit)
    return failure();
  int64_t factor = out / in;
  return rows.become(
      r, op,
      rows.assemble(
          r, out, rows.limit - 2 * factor, [&](int64_t begin, int64_t count) {
            return repeatedOn(r, op, lastAxis(op.getX()), factor, begin, count,
                              [&](int64_t from, int64_t taken) {
                                return rows.take(r, op.getX(), from, taken);
                              });
          }));
}

/// Each piece is made of all elements that add to it; what they add beside it
/// is cut off.
LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r,
                                    ConvTransposeOp op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  size_t last = window->kernel.size() - 1;
  int64_t stride = window->stride.back(), reach = reachOf(*window);
  // A piece comes from few elements.
  if (!comesFromInput(*window, last) || rows.limit <= 4 * reach)
    return failure();
  int64_t most =
      std::min(rows.limit - 2 * reach, (rows.limit - 2 * reach) * stride);
  return rows.become(
      r, op,
      rows.assemble(
          r, window->input.back(), most, [&](int64_t begin, int64_t count) {
            Seen seen = addedTo(*window, last, begin, count);
            return windowOn(r, op,
                            padded(*window, last, seen.before, seen.after),
                            withRow(op.getResult(), count),
                            rows.take(r, op.getX(), seen.begin, seen.count));
          }));
}

/// As many windows at a time as reach no more than a row.
LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r,
                                    SlidingWindowsOp op) {
  std::optional<int64_t> axis = getConstantInt(op.getAxis()),
                         stride = op.getStrideOrDefault();
  int64_t last = lastAxis(op.getX());
  if (!axis || !stride || fromFront(*axis, last + 1) != last ||
      rows.isLong(op.getResult()))
    return failure();
  SmallVector<int64_t> shape(shapeOf(op.getResult()));
  int64_t windows = shape[last], size = shape[last + 1],
          most = (rows.limit - size) / *stride + 1;
  Parts pieces;
  for (int64_t first = 0; first < windows; first += most) {
    shape[last] = std::min(most, windows - first);
    pieces.push_back(SlidingWindowsOp::create(
        r.rewriter, op.getLoc(),
        cast<RankedTensorType>(op.getType()).clone(shape),
        rows.take(r, op.getX(), first * *stride,
                  (shape[last] - 1) * *stride + size),
        r.integer(last), op.getSize(), op.getStride()));
  }
  return rows.become(r, op, {r.concat(pieces, last)});
}
