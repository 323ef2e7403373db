//===- DecomposeFrames.cpp - Windows of large steps -----------------------===//
//
// A task takes windows of few columns in steps of few elements. Windows beyond
// that are sums of several, at more places than are wanted. Where the input is
// cut into frames as long as a step, whose elements are channels, a window is a
// few frames, one step apart: the spectra of audio and the patches of images.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What a task has, rows and columns.
constexpr int64_t largestWindow[] = {h13.maxKernelHeight, h13.maxKernelWidth};
constexpr int64_t largestStep = h13.maxStride;
/// Of longer frames a dimension has not even two.
constexpr int64_t longestFrame = longestDim / 2;
/// Turning more channels costs more than windows at too many places, which
/// fill the multipliers then. Assigned, from the cost model.
constexpr int64_t fewChannels = 16;
/// Steps of lines of memory are cut here, where they are rows, those of signals
/// of fewer channels or no more elements, and those of images of which more is
/// made than L2 holds, so that blocks of rows go through what reads it. For
/// others zin-legalize has a task for each element of a step, which takes less
/// time where that is much. Assigned, from the cost model.
constexpr int64_t leastLayerChannels = 4, fewElements = 2048;

/// How one dimension is cut.
struct Frames {
  unsigned dim; ///< 0 is the first spatial one
  int64_t length, count;
  int64_t perWindow;
};

struct FramedConvRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    ElementsAttr weights = getConstantElements(op.getWeight());
    if (!type || !weights || type.getRank() > 4 || op.getGroupsOrDefault() != 1)
      return rewriter.notifyMatchFailure(
          op, "the kernel is computed, or not one of an image");
    FailureOr<Window> window = getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    SmallVector<Frames> cuts =
        cutsOf(*window, type.getDimSize(1), shapeOf(op.getWeight())[0]);
    auto numbers = cuts.empty() ? std::nullopt : getConstantFloats(weights);
    if (!numbers)
      return rewriter.notifyMatchFailure(op, "a window that a task has");

    Replacer r(rewriter, op);
    Value x = op.getX();
    SmallVector<double> kernel(numbers->begin(), numbers->end());
    SmallVector<int64_t> kernelShape(shapeOf(op.getWeight()));
    // Columns first: they are single elements, and the fewer channels.
    for (const Frames &cut : llvm::reverse(cuts)) {
      x = cutInput(r, x, cut, window->padBefore[cut.dim]);
      cutKernel(kernel, kernelShape, cut);
      window->stride[cut.dim] = 1;
      window->padBefore[cut.dim] = window->padAfter[cut.dim] = 0;
    }
    SmallVector<int64_t> padding;
    for (auto [before, after] :
         llvm::zip_equal(window->padBefore, window->padAfter))
      padding.append({before, after});
    return r.replace(
        ConvOp::create(rewriter, op.getLoc(), op.getResult().getType(), x,
                       r.tensor(kernel, kernelShape, op.getWeight()),
                       op.getBias(), r.ints(window->stride), r.string("custom"),
                       r.ints(padding), r.ints(window->dilation), r.integer(1))
            .getResult());
  }

private:
  /// Whether steps that a task does not have are cut here.
  static bool cutsStepsOf(const Window &window, int64_t channels,
                          int64_t outputs) {
    bool areLines = window.stride.back() % h13.rowStep() == 0;
    int64_t given = channels * llvm::product_of(window.input),
            made = outputs * llvm::product_of(window.output);
    if (window.kernel.size() == 1)
      return areLines || channels < leastLayerChannels || given <= fewElements;
    return (areLines && channels == 1) ||
           (made > given && made * int64_t(halfBytes) > h13.usableL2Bytes());
  }

  static SmallVector<Frames> cutsOf(const Window &window, int64_t channels,
                                    int64_t outputs) {
    SmallVector<Frames> cuts;
    bool pays = false;
    size_t spatial = window.kernel.size();
    // Those of a signal are rows.
    int64_t turned = channels,
            mostChannels = spatial == 1 ? longestDim : longestOuter;
    bool cutsSteps = cutsStepsOf(window, channels, outputs);
    for (unsigned dim = 0; dim < spatial; ++dim) {
      // One window takes no step.
      int64_t step =
          window.output[dim] == 1 ? window.kernel[dim] : window.stride[dim];
      bool isLarge =
          window.kernel[dim] > largestWindow[dim + 2 - spatial] && step > 1;
      bool isCut = isLarge || step > largestStep;
      if (window.stride[dim] > largestStep && window.output[dim] > 1)
        isCut = cutsSteps;
      if (window.dilation[dim] != 1 || !isCut || step > longestFrame)
        continue;
      // With some of the frames the other windows would be of many channels,
      // which are more of a task than of one dimension.
      if (step > mostChannels / turned)
        return {};
      turned *= step;
      pays |= isLarge || channels <= fewChannels;
      int64_t perWindow = llvm::divideCeil(window.kernel[dim], step);
      cuts.push_back(
          {dim, step, window.output[dim] + perWindow - 1, perWindow});
    }
    return pays ? cuts : SmallVector<Frames>();
  }

  /// [N, C, ..., frames * length, ...] to [N, C * length, ..., frames, ...],
  /// with zeros in front, and behind or without what no window reaches.
  static Value cutInput(Replacer &r, Value x, const Frames &cut,
                        int64_t before) {
    // With the zeros a dimension may pass what the target has.
    int64_t most = cut.count * cut.length <= longestDim
                       ? cut.count
                       : longestFrame / cut.length;
    SmallVector<Value> pieces;
    for (int64_t first = 0; first < cut.count; first += most)
      pieces.push_back(framesOf(r, x, cut, before, first,
                                std::min(most, cut.count - first)));
    x = r.concat(pieces, int64_t(cut.dim) + 3);
    SmallVector<int64_t> shape(shapeOf(x));
    shape[1] *= cut.length;
    shape.erase(shape.begin() + 2);
    return r.reshape(x, shape);
  }

  /// [N, C, length, ..., frames, ...]: `count` frames from the `first` on.
  static Value framesOf(Replacer &r, Value x, const Frames &cut, int64_t before,
                        int64_t first, int64_t count) {
    int64_t axis = int64_t(cut.dim) + 2, rank = shapeOf(x).size(),
            extent = shapeOf(x)[axis];
    int64_t begin = first * cut.length - before,
            end = begin + count * cut.length;
    int64_t from = std::clamp<int64_t>(begin, 0, extent),
            to = std::clamp<int64_t>(end, 0, extent);
    SmallVector<int64_t> shape(shapeOf(x));
    if (from == to) {
      shape[axis] = end - begin;
      x = r.tensor(SmallVector<double>(llvm::product_of(shape), 0), shape, x);
    } else {
      SmallVector<int64_t> padding(2 * (rank - 2), 0);
      padding[2 * cut.dim] = from - begin;
      padding[2 * cut.dim + 1] = end - to;
      x = r.slice(x, axis, from, to - from);
      if (llvm::any_of(padding, [](int64_t zeros) { return zeros > 0; }))
        x = r.pad(x, padding);
    }
    shape[axis] = count;
    shape.insert(shape.begin() + axis + 1, cut.length);
    SmallVector<int64_t> order = {0, 1, axis + 1};
    for (int64_t dim = 2; dim <= rank; ++dim)
      if (dim != axis + 1)
        order.push_back(dim);
    return r.transpose(r.reshape(x, shape), order);
  }

  /// The same of the kernel [Cout, C, ..., K, ...]; zeros behind its end.
  static void cutKernel(SmallVector<double> &kernel,
                        SmallVector<int64_t> &shape, const Frames &cut) {
    int64_t axis = int64_t(cut.dim) + 2, taps = shape[axis];
    int64_t outer = shape[0] * shape[1],
            between = llvm::product_of(ArrayRef(shape).slice(2, cut.dim)),
            inner = llvm::product_of(ArrayRef(shape).drop_front(axis + 1));
    SmallVector<double> result;
    result.reserve(outer * between * inner * cut.length * cut.perWindow);
    for (int64_t channel = 0; channel < outer; ++channel)
      for (int64_t i = 0; i < cut.length; ++i)
        for (int64_t place = 0; place < between; ++place)
          for (int64_t frame = 0; frame < cut.perWindow; ++frame) {
            int64_t tap = frame * cut.length + i;
            int64_t first = ((channel * between + place) * taps + tap) * inner;
            for (int64_t rest = 0; rest < inner; ++rest)
              result.push_back(tap < taps ? kernel[first + rest] : 0);
          }
    kernel = std::move(result);
    shape[1] *= cut.length;
    shape[axis] = cut.perWindow;
  }
};

} // namespace

void ane::mil::populateDecomposeFrames(RewritePatternSet &patterns) {
  patterns.add<FramedConvRule>(patterns.getContext());
}
