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

/// [before, after] of each dimension but the last, and that as given.
static SmallVector<int64_t> paddingOf(const Window &window, int64_t before,
                                      int64_t after) {
  SmallVector<int64_t> padding;
  for (size_t dim = 0; dim + 1 < window.kernel.size(); ++dim) {
    padding.push_back(window.padBefore[dim]);
    padding.push_back(window.padAfter[dim]);
  }
  padding.push_back(before);
  padding.push_back(after);
  return padding;
}

Value ane::mil::windowOn(Replacer &r, ConvOp op, const Window &window,
                         Type type, Value x, int64_t before, int64_t after) {
  return ConvOp::create(r.rewriter, op.getLoc(), type, x, op.getWeight(),
                        op.getBias(), r.ints(window.stride), r.string("custom"),
                        r.ints(paddingOf(window, before, after)),
                        r.ints(window.dilation), op.getGroups());
}

/// `more`: what the op has behind the inputs of every pool. Other dimensions
/// have as many windows as they had.
template <typename Op, typename... Inputs>
static Value poolOn(Replacer &r, Op op, const Window &window, Type type,
                    Value x, int64_t before, int64_t after, Inputs... more) {
  return Op::create(r.rewriter, op.getLoc(), type, x, op.getKernelSizes(),
                    r.ints(window.stride), r.string("custom"),
                    r.ints(paddingOf(window, before, after)), op.getCeilMode(),
                    more...);
}

Value ane::mil::windowOn(Replacer &r, MaxPoolOp op, const Window &window,
                         Type type, Value x, int64_t before, int64_t after) {
  return poolOn(r, op, window, type, x, before, after);
}

Value ane::mil::windowOn(Replacer &r, L2PoolOp op, const Window &window,
                         Type type, Value x, int64_t before, int64_t after) {
  return poolOn(r, op, window, type, x, before, after);
}

Value ane::mil::windowOn(Replacer &r, AvgPoolOp op, const Window &window,
                         Type type, Value x, int64_t before, int64_t after) {
  return poolOn(r, op, window, type, x, before, after,
                op.getExcludePaddingFromAverage());
}

Value ane::mil::windowOn(Replacer &r, ConvTransposeOp op, const Window &window,
                         Type type, Value x, int64_t before, int64_t after) {
  return ConvTransposeOp::create(
      r.rewriter, op.getLoc(), type, x, op.getWeight(), op.getBias(),
      r.ints(paddingOf(window, before, after)),
      // It may say of other dimensions what the padding does not.
      op.getOutputShape()
          ? r.ints(llvm::cast<RankedTensorType>(type).getShape())
          : Value(),
      r.string("custom"), r.ints(window.stride), r.ints(window.dilation),
      op.getGroups());
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

/// Each piece sees what its windows reach. `make(type, x, before, after)` is
/// the op on a part of x with padding around it.
static LogicalResult
splitWindows(LongRows &rows, Replacer &r, Operation *op, const Window &window,
             llvm::function_ref<Value(Type, Value, int64_t, int64_t)> make) {
  int64_t extent = window.input.back(), stride = window.stride.back(),
          before = window.padBefore.back(), reach = reachOf(window);
  // Each window has something of the input.
  if (reach >= rows.limit || std::max(before, window.padAfter.back()) >= reach)
    return failure();
  return rows.become(
      r, op,
      rows.assemble(r, window.output.back(), windowsOfPiece(rows, op, window),
                    [&](int64_t first, int64_t count) {
                      int64_t begin = first * stride - before,
                              end = begin + (count - 1) * stride + reach;
                      int64_t from = std::max<int64_t>(begin, 0),
                              to = std::min(end, extent);
                      return make(
                          withRow(op->getResult(0), count),
                          rows.take(r, op->getOperand(0), from, to - from),
                          from - begin, end - to);
                    }));
}

template <typename Op>
static LogicalResult splitPlain(LongRows &rows, Replacer &r, Op op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  return splitWindows(rows, r, op, *window,
                      [&](Type type, Value x, int64_t before, int64_t after) {
                        return windowOn(r, op, *window, type, x, before, after);
                      });
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, ConvOp op) {
  return splitPlain(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, MaxPoolOp op) {
  return splitPlain(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, L2PoolOp op) {
  return splitPlain(rows, r, op);
}

LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r, AvgPoolOp op) {
  FailureOr<Window> window = getWindow(op);
  std::optional<bool> excludes = op.getExcludePaddingFromAverageOrDefault();
  if (failed(window) || !excludes)
    return failure();
  if (*excludes || !passesPadding(*window))
    return splitPlain(rows, r, op);
  // Without padding that is a mean of what is inside.
  auto isZero = [](int64_t count) { return count == 0; };
  if (!llvm::all_of(window->padBefore, isZero) ||
      !llvm::all_of(window->padAfter, isZero))
    return failure();
  return splitWindows(rows, r, op, *window,
                      [&](Type type, Value x, int64_t before, int64_t after) {
                        return poolOn(r, op, *window, type, x, before, after,
                                      r.boolean(true));
                      });
}

/// Of whole factors: what each piece repeats, with what is too much cut off.
LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r,
                                    UpsampleNearestNeighborOp op) {
  int64_t in = shapeOf(op.getX()).back(), out = shapeOf(op.getResult()).back();
  if (out % in != 0 || out / in * 4 > rows.limit)
    return failure();
  int64_t factor = out / in;
  return rows.become(
      r, op,
      rows.assemble(r, out, rows.limit - 2 * factor,
                    [&](int64_t begin, int64_t count) {
                      int64_t from = begin / factor,
                              to = llvm::divideCeil(begin + count, factor);
                      Value piece = UpsampleNearestNeighborOp::create(
                          r.rewriter, op.getLoc(),
                          withRow(op.getResult(), (to - from) * factor),
                          rows.take(r, op.getX(), from, to - from),
                          op.getScaleFactorHeight(), op.getScaleFactorWidth());
                      return r.slice(piece, lastAxis(piece),
                                     begin - from * factor, count);
                    }));
}

/// Each piece is made of all elements that add to it; what they add beside it
/// is cut off.
LogicalResult ane::mil::splitWindow(LongRows &rows, Replacer &r,
                                    ConvTransposeOp op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  int64_t extent = shapeOf(op.getX()).back(), stride = window->stride.back(),
          before = window->padBefore.back(), reach = reachOf(*window);
  int64_t result = shapeOf(op.getResult()).back();
  // All of the result comes from an element, and a piece from few of them.
  if (reach < stride || (extent - 1) * stride + reach < result + before ||
      rows.limit <= 4 * reach)
    return failure();
  int64_t most =
      std::min(rows.limit - 2 * reach, (rows.limit - 2 * reach) * stride);
  return rows.become(
      r, op, rows.assemble(r, result, most, [&](int64_t begin, int64_t count) {
        // Element i adds to i * stride to i * stride + reach - 1.
        int64_t low = begin + before, high = low + count;
        int64_t from = std::max<int64_t>(
                    llvm::divideCeilSigned(low - reach + 1, stride), 0),
                to = std::min((high - 1) / stride + 1, extent);
        return windowOn(r, op, *window, withRow(op.getResult(), count),
                        rows.take(r, op.getX(), from, to - from),
                        low - from * stride, (to - 1) * stride + reach - high);
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
