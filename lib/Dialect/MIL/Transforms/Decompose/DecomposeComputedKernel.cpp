//===- DecomposeComputedKernel.cpp - Convolutions as products -------------===//
//
// The engine has windows of kernels that are known. A kernel that is computed
// is one side of a product with the elements under it.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Decompose/Patches.h"
#include "Decompose/TapProducts.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Of a convolution with a computed kernel, where all extents are known.
struct ComputedKernel {
  Window window;
  int64_t groups, taps;

  template <typename Op> static FailureOr<ComputedKernel> find(Op op) {
    std::optional<int64_t> groups = op.getGroupsOrDefault();
    if (!groups || getConstantElements(op.getWeight()) ||
        !staticType(op.getX()) || !staticType(op.getWeight()) ||
        !staticType(op.getResult()))
      return failure();
    FailureOr<Window> window = getWindow(op);
    if (failed(window))
      return failure();
    int64_t taps = llvm::product_of(window->kernel);
    return ComputedKernel{std::move(*window), *groups, taps};
  }
};

/// The sum of what `product` makes of up to `most` inputs from one on.
Value addUp(Replacer &r, int64_t inputs, int64_t most,
            llvm::function_ref<Value(int64_t, int64_t)> product) {
  Value sum;
  for (int64_t input = 0; input < inputs; input += most) {
    Value part = product(input, std::min(most, inputs - input));
    sum = sum ? r.binary<AddOp>(sum, part) : part;
  }
  return sum;
}

/// Inputs of so many taps each that a row holds.
int64_t mostInputsOfRow(int64_t taps) {
  return std::max<int64_t>(longestDim / taps, 1);
}

/// Whether a product for each place and group costs less than a slice for each
/// tap (from the cost model): where there is one place, or where taps are twice
/// as many as the others. A row holds the taps of one input.
bool hasFewPlaces(ConvOp op, const ComputedKernel &kernel) {
  auto places = llvm::product_of(kernel.window.output);
  int64_t rows = llvm::divideCeil(shapeOf(op.getWeight())[1],
                                  mostInputsOfRow(kernel.taps));
  return 2 * (places - 1) * kernel.groups <= kernel.taps &&
         kernel.taps <= longestDim &&
         places * kernel.groups * rows <= mostPieces;
}

/// Whether each channel has a kernel of its own, of so few taps that sums of
/// fp16 are as good as others.
bool isChannelwise(ConvOp op, const ComputedKernel &kernel) {
  ArrayRef<int64_t> weight = shapeOf(op.getWeight());
  return weight[0] == shapeOf(op.getX())[1] && weight[1] == 1 &&
         kernel.taps <= mostAddedTaps;
}

/// Whether products of all taps with all elements cost less than what the taps
/// see of these, which is what other rules make of an image: if they are fewer,
/// or half as many where they leave L2 (from what convolutions of many shapes
/// cost).
bool hasFewOutputs(ConvOp op, const ComputedKernel &kernel) {
  const Window &window = kernel.window;
  if (kernel.taps == 1 || kernel.taps > mostComputedTaps ||
      window.kernel.size() > 2 || !isOfEngineValues(op))
    return false;
  int64_t products = shapeOf(op.getWeight())[0] * TapProducts(window).count();
  if (products > longestOuter)
    return false;
  for (size_t dim = 0; dim < window.kernel.size(); ++dim) {
    int64_t extent =
        window.input[dim] + window.padBefore[dim] + window.reachBehind(dim);
    if (extent > longestDim)
      return false;
    products *= extent;
  }
  int64_t seen =
      shapeOf(op.getX())[1] * kernel.taps * llvm::product_of(window.output);
  bool fits = products * elementBytes <= h13.wholeL2Bytes();
  return products * (fits ? 1 : 2) < seen;
}

/// What a convolution with a computed kernel becomes; the first that applies.
enum class Form { FewPlaces, Channelwise, FewOutputs, Taps };

Form formOf(ConvOp op, const ComputedKernel &kernel) {
  if (hasFewPlaces(op, kernel))
    return Form::FewPlaces;
  if (isChannelwise(op, kernel))
    return Form::Channelwise;
  return hasFewOutputs(op, kernel) ? Form::FewOutputs : Form::Taps;
}

/// What each tap sees, times the tap, added up. A product would have one output
/// for each channel, of the sixteen that a task computes, and what it sees a
/// row for each tap in memory.
struct ChannelwiseKernelRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ComputedKernel> kernel = ComputedKernel::find(op);
    if (failed(kernel) || formOf(op, *kernel) != Form::Channelwise)
      return rewriter.notifyMatchFailure(op, "no computed kernel of channels");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    Replacer r(rewriter, op);
    const Window &window = kernel->window;
    SmallVector<int64_t> shape(shapeOf(op.getX()).size(), 1);
    shape[1] = shapeOf(op.getX())[1];
    shape[2] = kernel->taps;
    Value weight = r.reshape(r.convert(op.getWeight(), op.getX()), shape);
    // Column by column, so that few copies of columns are there at a time.
    Value x = padded(r, op.getX(), window), sum;
    int64_t columns = window.kernel.back();
    Window rows = window;
    rows.input.assign(shapeOf(x).drop_front(2).begin(), shapeOf(x).end());
    rows.padBefore.assign(rows.input.size(), 0);
    rows.input.back() = rows.output.back();
    rows.kernel.back() = rows.stride.back() = rows.dilation.back() = 1;
    for (int64_t column = 0; column < columns; ++column) {
      // Sums of sums round less than one sum of all.
      Value part;
      Value seen =
          r.slice(x, int64_t(shape.size()) - 1, column * window.dilation.back(),
                  window.output.back(), window.stride.back());
      for (auto [row, patch] : llvm::enumerate(patchesOf(r, seen, rows))) {
        Value factor = r.slice(weight, 2, int64_t(row) * columns + column, 1);
        Value product = r.binary<MulOp>(patch, factor);
        part = part ? r.binary<AddOp>(part, product) : product;
      }
      sum = sum ? r.binary<AddOp>(sum, part) : part;
    }
    shape[2] = 1;
    if (op.getBias())
      sum =
          r.binary<AddOp>(sum, r.reshape(r.convert(op.getBias(), sum), shape));
    return r.replace(sum);
  }
};

/// For each group, [Cout, taps * Cin] times [taps * Cin, places]: the elements
/// of the input that one tap of the kernel sees are a strided slice.
struct ComputedKernelRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ComputedKernel> kernel = ComputedKernel::find(op);
    if (failed(kernel))
      return rewriter.notifyMatchFailure(op, "no computed kernel");
    if (formOf(op, *kernel) != Form::Taps)
      return rewriter.notifyMatchFailure(op, "another rule has a cheaper form");
    int64_t taps = kernel->taps, groups = kernel->groups;
    if (taps > mostComputedTaps)
      return rewriter.notifyMatchFailure(op, "a slice for each of many taps");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    ArrayRef<int64_t> result = shapeOf(op.getResult());
    // Results are columns of a product, so there are some rows of them at a
    // time, and what is contracted is rows of a matrix.
    int64_t row = llvm::product_of(result.drop_front(3)),
            most = std::max<int64_t>(longestDim / row, 1),
            mostInputs = mostInputsOfRow(taps),
            inputs = shapeOf(op.getWeight())[1];
    if (llvm::divideCeil(result[2], most) *
            (taps + groups * llvm::divideCeil(inputs, mostInputs)) >
        mostPieces)
      return rewriter.notifyMatchFailure(op, "too many products");
    Replacer r(rewriter, op);
    Value weight = r.convert(op.getWeight(), op.getX());
    int64_t outputs = result[1] / groups;
    int64_t batch = result[0], channels = shapeOf(op.getX())[1];
    Value bias;
    if (op.getBias())
      bias = r.reshape(r.convert(op.getBias(), op.getX()), {1, result[1], 1});
    SmallVector<Value> seen = patchesOf(r, op.getX(), kernel->window), blocks;
    for (int64_t begin = 0; begin < result[2]; begin += most) {
      SmallVector<int64_t> shape(result);
      shape[2] = std::min(most, result[2] - begin);
      int64_t places = shape[2] * row;
      SmallVector<Value> sides;
      for (Value side : seen)
        sides.push_back(r.reshape(r.slice(side, 2, begin, shape[2]),
                                  {batch, channels, 1, places}));
      Value patches = r.concat(sides, 2);
      SmallVector<Value> parts;
      for (int64_t group = 0; group < groups; ++group) {
        Value kernels = r.slice(weight, 0, group * outputs, outputs);
        auto product = [&](int64_t input, int64_t count) -> Value {
          Value part =
              r.reshape(r.slice(patches, 1, group * inputs + input, count),
                        {batch, count * taps, places});
          Value row = r.reshape(r.slice(kernels, 1, input, count),
                                {1, outputs, count * taps});
          return MatmulOp::create(rewriter, op.getLoc(),
                                  cast<RankedTensorType>(part.getType())
                                      .clone({batch, outputs, places}),
                                  row, part, r.boolean(false),
                                  r.boolean(false));
        };
        parts.push_back(addUp(r, inputs, mostInputs, product));
      }
      Value y = r.concat(parts, 1);
      if (bias)
        y = r.binary<AddOp>(y, bias);
      blocks.push_back(r.reshape(y, shape));
    }
    return r.replace(r.concat(blocks, 2));
  }
};

/// A convolution of few outputs: each element of the image times each tap, for
/// all channels by one product, added up where a window sees them. That is a
/// convolution with ones, dimension by dimension.
struct FewOutputsRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ComputedKernel> kernel = ComputedKernel::find(op);
    if (failed(kernel) || formOf(op, *kernel) != Form::FewOutputs)
      return rewriter.notifyMatchFailure(op,
                                         "no computed kernel of few outputs");
    Replacer r(rewriter, op);
    TapProducts taps(kernel->window);
    Value x = padded(r, op.getX(), kernel->window),
          weight = r.convert(op.getWeight(), op.getX());
    int64_t outputs = shapeOf(weight)[0] / kernel->groups,
            inputs = shapeOf(weight)[1];
    SmallVector<Value> products;
    for (int64_t group = 0; group < kernel->groups; ++group)
      products.push_back(
          taps.multiply(r, r.slice(x, 1, group * inputs, inputs),
                        r.slice(weight, 0, group * outputs, outputs)));
    Value y = taps.addUp(r, r.concat(products, 1));
    if (op.getBias()) {
      SmallVector<int64_t> shape(shapeOf(y).size(), 1);
      shape[1] = shapeOf(y)[1];
      y = r.binary<AddOp>(y, r.reshape(r.convert(op.getBias(), y), shape));
    }
    return r.replace(y);
  }
};

/// A convolution that gives few places for its taps, as the gradients of
/// kernels are: for each group and place, [batch, Cin * taps] times
/// [Cin * taps, Cout]. What one place sees is a strided slice.
struct FewPlacesRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ComputedKernel> kernel = ComputedKernel::find(op);
    if (failed(kernel) || formOf(op, *kernel) != Form::FewPlaces)
      return rewriter.notifyMatchFailure(op, "no computed kernel of many taps");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    int64_t taps = kernel->taps, groups = kernel->groups,
            batch = shapeOf(op.getX())[0], inputs = shapeOf(op.getWeight())[1],
            outputs = shapeOf(op.getWeight())[0] / groups,
            mostInputs = mostInputsOfRow(taps);
    Replacer r(rewriter, op);
    Value weight = r.convert(op.getWeight(), op.getX());
    // Taps of one place are to it what places are to one tap.
    Window byPlace = kernel->window;
    std::swap(byPlace.kernel, byPlace.output);
    std::swap(byPlace.stride, byPlace.dilation);
    SmallVector<Value> results;
    for (Value seen : patchesOf(r, op.getX(), byPlace)) {
      SmallVector<Value> parts;
      for (int64_t group = 0; group < groups; ++group) {
        Value kernels = r.slice(weight, 0, group * outputs, outputs);
        auto product = [&](int64_t input, int64_t count) {
          Value part =
              r.reshape(r.slice(seen, 1, group * inputs + input, count),
                        {1, batch, count * taps});
          Value row = r.reshape(r.slice(kernels, 1, input, count),
                                {1, outputs, count * taps});
          return r.product(part, row, /*transposeY=*/true);
        };
        parts.push_back(addUp(r, inputs, mostInputs, product));
      }
      results.push_back(r.concat(parts, 2));
    }
    Value y = r.transpose(r.concat(results, 0), {1, 2, 0});
    if (op.getBias())
      y = r.binary<AddOp>(
          y, r.reshape(r.convert(op.getBias(), y), {1, outputs * groups, 1}));
    return r.replace(r.reshape(y, shapeOf(op.getResult())));
  }
};

/// The convolution that a transposed one with a computed kernel is: over `x`
/// with zeros between its elements, with the kernel from its end to its start.
struct ComputedTransposeRule : OpRewritePattern<ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<ComputedKernel> kernel = ComputedKernel::find(op);
    if (failed(kernel))
      return rewriter.notifyMatchFailure(op, "no computed kernel");
    if (kernel->taps > mostComputedTaps)
      return rewriter.notifyMatchFailure(op, "a slice for each of many taps");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    const Window &window = kernel->window;
    size_t dims = window.kernel.size();
    // Zeros around the input, or elements that no window sees where negative.
    SmallVector<int64_t> around;
    for (size_t i = 0; i < dims; ++i) {
      int64_t spread = (window.output[i] - 1) * window.stride[i] + 1;
      int64_t before = window.reach(i) - 1 - window.padBefore[i];
      int64_t behind = window.input[i] + window.padBefore[i] - spread;
      // What is cut off behind leaves what the result shows of the input.
      if (spread + before <= 0)
        return rewriter.notifyMatchFailure(op, "no window sees the input");
      around.append({before, behind});
    }
    Replacer r(rewriter, op);
    Value x = op.getX();
    for (size_t i = 0; i < dims; ++i)
      x = spreadOut(r, x, i + 2, window.stride[i]);
    for (size_t i = 0; i < dims; ++i) {
      int64_t &before = around[2 * i], &behind = around[2 * i + 1];
      int64_t front = std::max<int64_t>(-before, 0);
      int64_t count = shapeOf(x)[i + 2] - front + std::min<int64_t>(behind, 0);
      x = r.slice(x, int64_t(i) + 2, front, count);
      before = std::max<int64_t>(before, 0);
      behind = std::max<int64_t>(behind, 0);
    }
    Value y = ConvOp::create(
        rewriter, op.getLoc(), op.getResult().getType(), x,
        kernelOf(r, op.getWeight(), kernel->groups), op.getBias(),
        r.ints(SmallVector<int64_t>(dims, 1)), r.string("custom"),
        r.ints(around), r.ints(window.dilation), r.integer(kernel->groups));
    return r.replace(y);
  }

private:
  /// `stride` - 1 zeros between the elements of a dimension.
  static Value spreadOut(Replacer &r, Value x, size_t dim, int64_t stride) {
    if (stride == 1)
      return x;
    SmallVector<int64_t> shape(shapeOf(x));
    int64_t outer = llvm::product_of(ArrayRef(shape).take_front(dim)),
            inner = llvm::product_of(ArrayRef(shape).drop_front(dim + 1)),
            extent = shape[dim];
    x = r.pad(r.reshape(x, {outer, extent, 1, inner}), {0, stride - 1, 0, 0});
    shape[dim] = extent * stride;
    return r.slice(r.reshape(x, shape), int64_t(dim), 0,
                   (extent - 1) * stride + 1);
  }

  /// [Cin, Cout / groups, *K] as [Cout, Cin / groups, *K], each tap in the
  /// place of the one opposite.
  static Value kernelOf(Replacer &r, Value weight, int64_t groups) {
    int64_t rank = shapeOf(weight).size(), inputs = shapeOf(weight)[0] / groups;
    SmallVector<int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    SmallVector<int64_t> taps(ArrayRef(order).drop_front(2));
    std::swap(order[0], order[1]);
    SmallVector<Value> parts;
    for (int64_t group = 0; group < groups; ++group)
      parts.push_back(
          r.transpose(r.slice(weight, 0, group * inputs, inputs), order));
    return r.with<ReverseOp>(r.concat(parts, 0), r.ints(taps));
  }
};

} // namespace

void ane::mil::populateDecomposeComputedKernel(RewritePatternSet &patterns) {
  patterns.add<ComputedKernelRule, FewPlacesRule, FewOutputsRule,
               ChannelwiseKernelRule, ComputedTransposeRule>(
      patterns.getContext());
}
