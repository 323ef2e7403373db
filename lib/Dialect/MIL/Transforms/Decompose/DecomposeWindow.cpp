//===- DecomposeWindow.cpp - Windows by windows that the engine has -------===//
//
// The engine has windows of rows and columns: one of three dimensions is one of
// two and one of the third. What it lacks of groups, biases and norms under a
// window is other ops beside one that it has.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Decompose/Patches.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// A pool over some of the spatial dimensions of a window.
template <typename Op>
Value poolOver(Replacer &r, Op op, Value x, const Window &window,
               ArrayRef<size_t> dims) {
  SmallVector<int64_t> kernel, strides, padding,
      shape(shapeOf(x).take_front(2));
  for (size_t dim : dims) {
    kernel.push_back(window.kernel[dim]);
    strides.push_back(window.stride[dim]);
    padding.push_back(window.padBefore[dim]);
    padding.push_back(window.padAfter[dim]);
    shape.push_back(window.output[dim]);
  }
  // A pool over one dimension beside one that stays.
  for (size_t i = dims.size() + 2; i < shapeOf(x).size(); ++i) {
    kernel.push_back(1);
    strides.push_back(1);
    padding.append(2, 0);
    shape.push_back(shapeOf(x)[i]);
  }
  auto create = [&](auto... more) -> Value {
    return Op::create(r.rewriter, op.getLoc(),
                      cast<RankedTensorType>(x.getType()).clone(shape), x,
                      r.ints(kernel), r.ints(strides), r.string("custom"),
                      r.ints(padding), op.getCeilMode(), more...);
  };
  if constexpr (requires { op.getExcludePaddingFromAverage(); })
    return create(op.getExcludePaddingFromAverage());
  else
    return create();
}

/// [N, C, D, H, W]: over rows and columns with C and D as channels, then over
/// the depth. The divisor of an average is the product of the two divisors.
template <typename Op> struct VolumePoolRule : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || type.getRank() != 5)
      return rewriter.notifyMatchFailure(op, "no volume of known extents");
    FailureOr<Window> window = getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    int64_t channels = type.getDimSize(1),
            most = std::max<int64_t>(longestOuter / type.getDimSize(2), 1);
    ArrayRef<int64_t> to = window->output;
    if (llvm::divideCeil(channels, most) *
            llvm::divideCeil(to[1], mostRowsOf(to[2])) >
        mostPieces)
      return rewriter.notifyMatchFailure(op, "too many pools");
    Replacer r(rewriter, op);
    SmallVector<Value> parts;
    for (int64_t first = 0; first < channels; first += most) {
      int64_t count = std::min(most, channels - first);
      parts.push_back(
          poolVolume(r, op, r.slice(op.getX(), 1, first, count), *window));
    }
    return r.replace(r.concat(parts, 1));
  }

private:
  /// The rows that lie side by side.
  static int64_t mostRowsOf(int64_t columns) {
    return std::max<int64_t>(longestDim / columns, 1);
  }

  static Value poolVolume(Replacer &r, Op op, Value volume,
                          const Window &window) {
    SmallVector<int64_t> from(shapeOf(volume));
    ArrayRef<int64_t> to = window.output;
    Value x = r.reshape(volume, {from[0], from[1] * from[2], from[3], from[4]});
    x = poolOver(r, op, x, window, {1, 2});
    // Rows side by side, as many as a row of the engine takes.
    int64_t mostRows = mostRowsOf(to[2]);
    SmallVector<Value> parts;
    for (int64_t row = 0; row < to[1]; row += mostRows) {
      int64_t rows = std::min(mostRows, to[1] - row);
      Value part = r.reshape(r.slice(x, 2, row, rows),
                             {from[0], from[1], from[2], rows * to[2]});
      part = poolOver(r, op, part, window, {0});
      parts.push_back(r.reshape(part, {from[0], from[1], to[0], rows, to[2]}));
    }
    return r.concat(parts, 3);
  }
};

/// Leaves out the front and the end of a window that lie on padding wherever
/// the window is. What is there counts as nothing.
void trimToInput(Window &window) {
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    int64_t kernel = window.kernel[i], before = window.padBefore[i];
    int64_t first = std::clamp<int64_t>(
        before - (window.output[i] - 1) * window.stride[i], 0, kernel - 1);
    int64_t end = std::clamp(window.input[i] + before, first + 1, kernel);
    window.kernel[i] = end - first;
    window.padBefore[i] = before - first;
  }
}

/// sqrt(sum(x * x)) with the sum as a convolution with ones, channel by
/// channel. Each channel is divided before: of squares fp16 holds a fourth of
/// what it holds of numbers, and a sum takes those below 2^-14 as 0. So the
/// largest quotient is as large as sums of its squares allow.
struct L2PoolRule : OpRewritePattern<L2PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(L2PoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    FailureOr<Window> window = failure();
    if (type)
      window = getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not known");
    if (!isOfEngineValues(op))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    trimToInput(*window);
    auto taps = llvm::product_of(window->kernel);
    if (taps * type.getDimSize(1) > mostMaskElements)
      return rewriter.notifyMatchFailure(op, "a kernel beyond the limit");
    Replacer r(rewriter, op);
    if (taps == 1)
      return r.replace(
          r.unary<AbsOp>(patchesOf(r, op.getX(), *window).front()));
    int64_t channels = type.getDimSize(1);
    SmallVector<int64_t> kernel = {channels, 1};
    kernel.append(window->kernel.begin(), window->kernel.end());
    SmallVector<double> ones(llvm::product_of(kernel), 1);
    SmallVector<int64_t> spatial(window->kernel.size());
    std::iota(spatial.begin(), spatial.end(), 2);
    double most = largestQuotient(taps);
    Value divisor = r.reduce<ReduceMaxOp>(r.unary<AbsOp>(op.getX()), spatial,
                                          /*keepDims=*/true);
    divisor = r.binary<MulOp>(divisor, 1 / most);
    // 1 / y is precise, and not infinite, between 2^-12 and 2^14 (assigned). An
    // infinity counts as the largest number.
    divisor = r.binary<MaximumOp>(divisor, 0x1p-12);
    divisor = r.binary<MinimumOp>(divisor, std::min(0x1p14, 0x1p16 / most));
    Value squares = r.unary<SquareOp>(r.binary<RealDivOp>(op.getX(), divisor));
    Value sums = ConvOp::create(rewriter, op.getLoc(), op.getResult().getType(),
                                squares, r.tensor(ones, kernel, squares),
                                /*bias=*/Value(), r.ints(window->stride),
                                r.string("custom"), r.ints(paddingOf(*window)),
                                r.ints(window->dilation), r.integer(channels));
    return r.replace(r.binary<MulOp>(r.unary<SqrtOp>(sums), divisor));
  }

private:
  /// A power of 2. As many of its squares as there are taps stay below 2^15,
  /// where sums overflow, and what errors of the reciprocal add to them.
  static double largestQuotient(int64_t taps) {
    double square = 0x1.fp14 / double(taps);
    return std::exp2(std::floor(std::log2(square) / 2));
  }
};

//===----------------------------------------------------------------------===//
// Many groups
//===----------------------------------------------------------------------===//

/// Several channels of more groups than a layer has: convolutions of as many
/// groups each, joined.
struct ManyGroupsRule : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    // As h13-conv-c2.
    constexpr int64_t mostGroups = h13.maxGroups;
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getResult());
    std::optional<int64_t> groups = op.getGroupsOrDefault();
    if (!type || !result || !groups || *groups <= mostGroups ||
        (*groups == type.getDimSize(1) && *groups == result.getDimSize(1)))
      return rewriter.notifyMatchFailure(op, "one layer has the groups");
    std::optional<SmallVector<double>> weights =
                                           getConstantNumbers(op.getWeight()),
                                       biases;
    if (op.getBias())
      biases = getConstantNumbers(op.getBias());
    if (!weights || (op.getBias() && !biases))
      return rewriter.notifyMatchFailure(op, "a parameter is not known");
    Replacer r(rewriter, op);
    int64_t parts = llvm::divideCeil(*groups, mostGroups),
            most = llvm::divideCeil(*groups, parts);
    SmallVector<Value> joined;
    for (int64_t first = 0; first < *groups; first += most) {
      int64_t count = std::min(most, *groups - first);
      // The channels of these groups; those of a parameter lie in front.
      auto channelsOf = [&](ArrayRef<double> numbers) {
        int64_t each = int64_t(numbers.size()) / *groups;
        return numbers.slice(first * each, count * each);
      };
      int64_t inputs = type.getDimSize(1) / *groups,
              outputs = result.getDimSize(1) / *groups;
      SmallVector<int64_t> kernel(shapeOf(op.getWeight())),
          shape(result.getShape());
      kernel[0] = shape[1] = count * outputs;
      Value bias;
      if (biases)
        bias = r.tensor(channelsOf(*biases), shape[1], op.getBias());
      joined.push_back(
          ConvOp::create(rewriter, op.getLoc(), result.clone(shape),
                         r.slice(op.getX(), 1, first * inputs, count * inputs),
                         r.tensor(channelsOf(*weights), kernel, op.getWeight()),
                         bias, op.getStrides(), op.getPadType(), op.getPad(),
                         op.getDilations(), r.integer(count)));
    }
    return r.replace(r.concat(joined, 1));
  }
};

//===----------------------------------------------------------------------===//
// Computed biases
//===----------------------------------------------------------------------===//

/// A bias that is no constant is added behind the op.
template <typename Op> struct ComputedBiasRule : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value bias = op.getBias();
    RankedTensorType result = staticType(op.getResult());
    if (!bias || getConstantElements(bias) || !staticType(bias) || !result ||
        !getConstantElements(op.getWeight()))
      return rewriter.notifyMatchFailure(op, "no computed bias");
    Replacer r(rewriter, op);
    auto plain = cast<Op>(rewriter.clone(*op));
    plain.getBiasMutable().clear();
    dropNames(plain);
    SmallVector<int64_t> shape(result.getRank(), 1);
    shape[1] = result.getDimSize(1);
    Value y = plain.getResult();
    return r.replace(r.binary<AddOp>(y, r.reshape(r.convert(bias, y), shape)));
  }
};

} // namespace

void ane::mil::populateDecomposeWindow(RewritePatternSet &patterns) {
  patterns.add<VolumePoolRule<MaxPoolOp>, VolumePoolRule<AvgPoolOp>, L2PoolRule,
               ManyGroupsRule, ComputedBiasRule<ConvOp>,
               ComputedBiasRule<ConvTransposeOp>>(patterns.getContext());
}
