//===- TapProducts.cpp - An image times each tap of a kernel --------------===//

#include "Decompose/TapProducts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// The smallest number that multiplied with itself is at least `product`.
static int64_t rootAtLeast(int64_t product, unsigned times) {
  auto isEnough = [&](int64_t number) {
    int64_t power = 1;
    for (unsigned i = 0; i < times; ++i)
      power *= number;
    return power >= product;
  };
  int64_t number = 1;
  while (!isEnough(number))
    ++number;
  return number;
}

/// As few factors as make so many taps, or a few more, of up to `most` each.
static SmallVector<int64_t> factorsOf(int64_t taps, int64_t most) {
  unsigned left = 1;
  for (int64_t reached = most; reached < taps; reached *= most)
    ++left;
  SmallVector<int64_t> factors;
  for (; left > 0; --left) {
    factors.push_back(rootAtLeast(taps, left));
    taps = llvm::divideCeil(taps, factors.back());
  }
  return factors;
}

TapProducts::TapProducts(const Window &window) : window(window) {
  for (auto [dim, count] : llvm::enumerate(window.kernel)) {
    bool isLast = dim + 1 == window.kernel.size();
    factors.push_back(
        factorsOf(count, isLast ? h13.maxKernelWidth : h13.maxKernelHeight));
    taps.push_back(llvm::product_of(factors.back()));
  }
}

Value TapProducts::multiply(Replacer &r, Value x, Value weight) const {
  SmallVector<int64_t> shape(shapeOf(weight)), padding, order = {0};
  for (auto [extent, all] :
       llvm::zip_equal(ArrayRef(shape).drop_front(2), taps))
    padding.append({0, all - extent});
  if (llvm::any_of(padding, [](int64_t count) { return count > 0; }))
    weight = r.pad(weight, padding);
  llvm::append_range(order, llvm::seq<int64_t>(2, shape.size()));
  order.push_back(1);
  SmallVector<int64_t> ofPixel(shape.size(), 1), result(shapeOf(x));
  ofPixel[0] = result[1] = shape[0] * count();
  ofPixel[1] = shape[1];
  return ConvOp::create(r.rewriter, x.getLoc(),
                        cast<RankedTensorType>(x.getType()).clone(result), x,
                        r.reshape(r.transpose(weight, order), ofPixel), Value(),
                        Value(), Value(), Value(), Value(), Value());
}

Value TapProducts::addStage(Replacer &r, Value y, size_t dim,
                            const Stage &stage) {
  SmallVector<int64_t> shape(shapeOf(y)), kernel(shape.size(), 1);
  size_t dims = shape.size() - 2;
  SmallVector<int64_t> strides(dims, 1), dilations(dims, 1),
      padding(2 * dims, 0);
  strides[dim] = stage.stride;
  dilations[dim] = stage.dilation;
  // Taps of 0 behind the kernel may see what is behind the image.
  int64_t reach = (stage.taps - 1) * stage.dilation, &extent = shape[dim + 2],
          all = std::max(extent, stage.places + reach);
  padding[2 * dim + 1] = all - extent;
  extent = (all - reach - 1) / stage.stride + 1;
  shape[1] /= stage.taps;
  kernel[0] = shape[1];
  kernel[1] = kernel[dim + 2] = stage.taps;
  SmallVector<double> ones(shape[1] * stage.taps * stage.taps, 0);
  for (int64_t tap = 0; tap < shape[1] * stage.taps; ++tap)
    ones[tap * stage.taps + tap % stage.taps] = 1;
  return ConvOp::create(r.rewriter, y.getLoc(),
                        cast<RankedTensorType>(y.getType()).clone(shape), y,
                        r.tensor(ones, kernel, y), Value(), r.ints(strides),
                        r.string("custom"), r.ints(padding), r.ints(dilations),
                        r.integer(shape[1]));
}

/// The taps of the last dimension are next to each other among the channels.
Value TapProducts::addUp(Replacer &r, Value y) const {
  for (size_t dim = window.kernel.size(); dim-- > 0;) {
    int64_t dilation = window.dilation[dim], left = taps[dim];
    for (int64_t factor : factors[dim]) {
      left /= factor;
      int64_t stride = left == 1 ? window.stride[dim] : 1,
              places = (window.output[dim] - 1) * window.stride[dim] + 1 +
                       (left - 1) * dilation * factor;
      if (factor > 1 || stride > 1)
        y = addStage(r, y, dim, {factor, dilation, stride, places});
      dilation *= factor;
    }
  }
  return y;
}
