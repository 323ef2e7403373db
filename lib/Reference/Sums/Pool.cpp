//===- Pool.cpp - Pooling -------------------------------------------------===//

#include "Elements/Elementwise.h"
#include "Sums/Taps.h"
#include "ane/Support/CheckedProduct.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Calls `fn(plane, taps)` for each window on each spatial plane of `x` and
/// stores what it returns.
template <typename Op, typename Fn>
FailureOr<Tensor> pool(Op op, const Tensor &x, Fn fn) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  // Unlike that of a convolution, this kernel is not bounded by a tensor.
  std::optional<int64_t> kernel =
      ane::checkedProduct<int64_t>(1, window->kernel);
  if (!kernel || *kernel > Tensor::maxElements)
    return report(op) << "a kernel of more than " << Tensor::maxElements
                      << " elements has no reference";
  Tensor result = resultOf(op);
  const double *in = x.floats().data();
  double *out = result.floats().data();
  int64_t planes = x.getDimSize(0) * x.getDimSize(1);
  int64_t inSize = inputSize(*window), outSize = outputSize(*window);
  mlir::parallelFor(op.getContext(), 0, outSize, [&](size_t position) {
    Taps taps = tapsAt(*window, position);
    for (int64_t plane = 0; plane < planes; ++plane)
      out[plane * outSize + position] = fn(in + plane * inSize, taps);
  });
  return result;
}

FailureOr<Tensor> maxPool(MaxPoolOp op, Inputs<MaxPoolOp> in) {
  return pool(op, *in.getX(), [](const double *plane, const Taps &taps) {
    double largest = -INFINITY;
    for (Tap tap : taps.inInput)
      largest = larger(largest, plane[tap.input]);
    return largest;
  });
}

FailureOr<Tensor> l2Pool(L2PoolOp op, Inputs<L2PoolOp> in) {
  return pool(op, *in.getX(), [](const double *plane, const Taps &taps) {
    double sum = 0;
    for (Tap tap : taps.inInput)
      sum += plane[tap.input] * plane[tap.input];
    return std::sqrt(sum);
  });
}

/// Padding counts as zeros unless it is excluded; what a window of `ceil_mode`
/// covers behind the padding never counts.
FailureOr<Tensor> avgPool(AvgPoolOp op, Inputs<AvgPoolOp> in) {
  bool excludePadding = in.getBool("exclude_padding_from_average");
  return pool(op, *in.getX(), [=](const double *plane, const Taps &taps) {
    double sum = 0;
    for (Tap tap : taps.inInput)
      sum += plane[tap.input];
    return sum / (excludePadding ? static_cast<double>(taps.inInput.size())
                                 : taps.numInPaddedInput);
  });
}

} // namespace

void ane::reference::registerPoolOps(OpTable &table) {
  table.add<MaxPoolOp>(maxPool);
  table.add<AvgPoolOp>(avgPool);
  table.add<L2PoolOp>(l2Pool);
}
