//===- DecomposeLargePool.cpp - Pools of windows too large for one --------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Divisors.h"
#include <array>
#include <functional>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The largest window of a pool (h13-pool-c1), and the most padding in front of
/// it (h13-window-c2).
constexpr int64_t largestPool = h13.maxPoolWindow;
constexpr int64_t mostPadding = h13.maxPadding;

/// A window along one dimension. `after` is how far the last one reaches
/// behind the input, `declared` what of that is padding.
struct Span {
  int64_t input, kernel, stride, before, after, output, declared = 0;

  bool isLarge() const { return kernel > largestPool; }
  bool isPadded() const { return before > 0 || after > 0; }
  bool isWhole() const { return kernel == input && output == 1 && !isPadded(); }
  bool isNothing() const { return kernel == 1 && stride == 1 && !isPadded(); }
  /// The first element that a window sees, and the one behind the last.
  std::pair<int64_t, int64_t> seenBy(int64_t index) const {
    int64_t begin = index * stride - before;
    return {std::max<int64_t>(begin, 0), std::min(begin + kernel, input)};
  }
  /// Whether each window has something of the input.
  bool seesInput() const {
    return llvm::all_of(std::array{int64_t(0), output - 1}, [&](int64_t index) {
      auto [begin, end] = seenBy(index);
      return begin < end;
    });
  }
  int64_t outputOf() const {
    return (input + before + after - kernel) / stride + 1;
  }
};

SmallVector<Span> spansOf(const Window &window) {
  SmallVector<Span> spans;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    spans.push_back({window.input[i], window.kernel[i], window.stride[i],
                     window.padBefore[i], window.reachBehind(i),
                     window.output[i], window.padAfter[i]});
  }
  return spans;
}

/// The window of a pool of known extents, of which a dimension, or its padding,
/// is too large.
template <typename Op>
FailureOr<SmallVector<Span>> largeSpans(Op op, PatternRewriter &rewriter) {
  RankedTensorType type = staticType(op.getX());
  if (!type || type.getRank() > 4)
    return rewriter.notifyMatchFailure(op, "no image of known extents");
  if (!isOfEngineValues(op))
    return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return rewriter.notifyMatchFailure(op, "the window is not legal");
  SmallVector<Span> spans = spansOf(*window);
  if (llvm::none_of(spans, [](const Span &span) {
        return span.isLarge() || span.before > mostPadding;
      }))
    return rewriter.notifyMatchFailure(op, "the window is small enough");
  return spans;
}

/// Two pools after one another, in each dimension.
struct TwoPools {
  SmallVector<Span> first, second;

  void add(Span one, int64_t kernel, int64_t stride, const Span &whole) {
    one.output = one.outputOf();
    Span two = {one.output, kernel, stride, 0, 0, 0};
    two.output = two.outputOf();
    fits &= two.output == whole.output;
    first.push_back(one);
    second.push_back(two);
  }
  bool fits = true; ///< together they are the pool
};

template <typename Op>
Value makePool(Replacer &r, Op op, Value x, ArrayRef<Span> spans) {
  SmallVector<int64_t> kernel, strides, padding,
      shape(shapeOf(x).take_front(2));
  for (const Span &span : spans) {
    kernel.push_back(span.kernel);
    strides.push_back(span.stride);
    llvm::append_values(padding, span.before, span.after);
    shape.push_back(span.output);
  }
  auto create = [&](auto... more) -> Value {
    return Op::create(r.rewriter, op.getLoc(),
                      cast<RankedTensorType>(x.getType()).clone(shape), x,
                      r.ints(kernel), r.ints(strides), r.string("custom"),
                      r.ints(padding), r.boolean(false), more...);
  };
  if constexpr (std::is_same_v<Op, AvgPoolOp>)
    return create(r.boolean(false));
  else
    return create();
}

/// A window that is all of each of its dimensions is a reduction.
template <typename Reduction>
LogicalResult reduceWhole(Operation *op, Value x, ArrayRef<Span> spans,
                          PatternRewriter &rewriter) {
  SmallVector<int64_t> axes;
  for (auto [dim, span] : llvm::enumerate(spans)) {
    if (span.isWhole())
      axes.push_back(int64_t(dim) + 2);
    else if (!span.isNothing())
      return rewriter.notifyMatchFailure(op, "a window of a part");
  }
  Replacer r(rewriter, op);
  return r.replace(r.reduce<Reduction>(x, axes, /*keepDims=*/true));
}

/// The input with the padding of a maximum as elements. What sees padding sees
/// the edge beside it, so the edge repeats.
Value padWithEdges(Replacer &r, Value x, SmallVector<Span> &spans) {
  SmallVector<int64_t> padding, shape(shapeOf(x));
  for (auto [dim, span] : llvm::enumerate(spans)) {
    llvm::append_values(padding, span.before, span.after);
    span.input += span.before + span.after;
    shape[dim + 2] = span.input;
    span.before = span.after = 0;
  }
  return PadOp::create(r.rewriter, x.getLoc(),
                       cast<RankedTensorType>(x.getType()).clone(shape), x,
                       r.ints(padding), r.string("replicate"), r.scalar(0, x));
}

/// The maximum of a window is that of the maxima of parts of it, which may
/// overlap.
struct LargeMaxPoolRule : OpRewritePattern<MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Span>> found = largeSpans(op, rewriter);
    if (failed(found))
      return failure();
    SmallVector<Span> &spans = *found;
    if (succeeded(reduceWhole<ReduceMaxOp>(op, op.getX(), spans, rewriter)))
      return success();
    Replacer r(rewriter, op);
    Value x = op.getX();
    if (llvm::any_of(spans, [](const Span &span) {
          return span.before > mostPadding ||
                 (span.isLarge() && span.after >= largestPool);
        })) {
      if (!llvm::all_of(spans, std::mem_fn(&Span::seesInput)))
        return rewriter.notifyMatchFailure(op, "a window of padding alone");
      x = padWithEdges(r, x, spans);
    }
    TwoPools pools;
    bool isLarge = false;
    for (const Span &span : spans) {
      Span one = span;
      if (!span.isLarge()) {
        pools.add(one, 1, 1, span);
        continue;
      }
      isLarge = true;
      one.kernel = largestPool;
      one.stride = 1;
      pools.add(one, span.kernel - one.kernel + 1, span.stride, span);
    }
    if (!isLarge)
      return r.replace(makePool(r, op, x, spans));
    assert(pools.fits && "the parts give another shape");
    Value maxima = makePool(r, op, x, pools.first);
    return r.replace(makePool(r, op, maxima, pools.second));
  }
};

/// The mean of a window is that of the means of equal parts of it. Windows
/// that overlap are a convolution, those whose divisors differ a product with
/// their weights, one dimension after the other.
struct LargeAvgPoolRule : OpRewritePattern<AvgPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AvgPoolOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Span>> found = largeSpans(op, rewriter);
    if (failed(found))
      return failure();
    SmallVector<Span> &spans = *found;
    if (succeeded(reduceWhole<ReduceMeanOp>(op, op.getX(), spans, rewriter)))
      return success();
    if (llvm::any_of(spans, std::mem_fn(&Span::isPadded)))
      return multiply(op, spans, rewriter);
    TwoPools pools;
    for (const Span &span : spans) {
      Span one = span;
      if (!span.isLarge()) {
        pools.add(one, 1, 1, span);
        continue;
      }
      one.kernel = one.stride = largestDivisor(span.kernel, largestPool);
      pools.fits &= one.kernel > 1 && span.stride == span.kernel;
      int64_t rest = span.kernel / one.kernel;
      pools.add(one, rest, rest, span);
    }
    Replacer r(rewriter, op);
    if (pools.fits) {
      Value means = makePool(r, op, op.getX(), pools.first);
      return r.replace(makePool(r, op, means, pools.second));
    }
    return convolve(op, spans, r);
  }

  /// Each product has the wide sums of the engine, so it rounds once.
  static LogicalResult multiply(AvgPoolOp op, ArrayRef<Span> spans,
                                PatternRewriter &rewriter) {
    std::optional<bool> excludes = op.getExcludePaddingFromAverageOrDefault();
    if (!excludes ||
        (*excludes && !llvm::all_of(spans, std::mem_fn(&Span::seesInput))))
      return rewriter.notifyMatchFailure(op, "a mean of nothing");
    Replacer r(rewriter, op);
    Value x = op.getX();
    for (auto [dim, span] : llvm::enumerate(spans))
      if (!span.isNothing())
        x = meansAlong(r, x, int64_t(dim) + 2, span, *excludes);
    return r.replace(x);
  }

private:
  /// Means along one of the last two dimensions.
  static Value meansAlong(Replacer &r, Value x, int64_t axis, const Span &span,
                          bool excludes) {
    // The weights of a piece are as many as its elements times those that it
    // sees, so pieces are short. Assigned.
    constexpr int64_t longestPiece = 512;
    SmallVector<Value> pieces;
    int64_t rank = int64_t(shapeOf(x).size());
    for (int64_t first = 0; first < span.output; first += longestPiece) {
      int64_t count = std::min(longestPiece, span.output - first);
      // Windows of padding alone see nothing, and are zeros.
      int64_t low = std::min(span.seenBy(first).first, span.input - 1);
      int64_t high = std::max(span.seenBy(first + count - 1).second, low + 1);
      SmallVector<double> weights(count * (high - low), 0);
      for (int64_t i = 0; i < count; ++i) {
        auto [begin, end] = span.seenBy(first + i);
        int64_t start = (first + i) * span.stride - span.before;
        int64_t counted = excludes ? end - begin
                                   : std::min(start + span.kernel,
                                              span.input + span.declared) -
                                         start;
        for (int64_t at = begin; at < end; ++at)
          weights[i * (high - low) + at - low] = 1 / double(counted);
      }
      SmallVector<int64_t> shape(rank - 2, 1);
      llvm::append_values(shape, count, high - low);
      Value by = r.tensor(weights, shape, x),
            seen = r.slice(x, axis, low, high - low);
      pieces.push_back(axis == rank - 1
                           ? r.product(seen, by, /*transposeY=*/true)
                           : r.product(by, seen));
    }
    return r.concat(pieces, axis);
  }

  static LogicalResult convolve(AvgPoolOp op, ArrayRef<Span> spans,
                                Replacer &r) {
    ArrayRef<int64_t> x = shapeOf(op.getX());
    SmallVector<int64_t> kernel = {x[1], 1}, strides;
    for (const Span &span : spans) {
      kernel.push_back(span.kernel);
      strides.push_back(span.stride);
    }
    int64_t elements = llvm::product_of(ArrayRef(kernel).drop_front(2));
    // 1 / elements is a normal fp16 up to this.
    constexpr int64_t mostElements = 16384;
    if (elements > mostElements || x[1] * elements > mostMaskElements)
      return multiply(op, spans, r.rewriter);
    SmallVector<double> weights(x[1] * elements, 1.0 / double(elements));
    SmallVector<int64_t> ones(spans.size(), 1), padding(2 * spans.size(), 0);
    Value means = ConvOp::create(
        r.rewriter, op.getLoc(), op.getResult().getType(), op.getX(),
        r.tensor(weights, kernel, op.getX()), /*bias=*/Value(), r.ints(strides),
        r.string("valid"), r.ints(padding), r.ints(ones), r.integer(x[1]));
    return r.replace(means);
  }
};

} // namespace

void ane::mil::populateDecomposeLargePool(RewritePatternSet &patterns) {
  patterns.add<LargeMaxPoolRule, LargeAvgPoolRule>(patterns.getContext());
}
