//===- Normalization.cpp - Normalisation ----------------------------------===//

#include "Sums/Reduction.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include <cmath>

using namespace ane::mil;
using namespace ane::reference;

namespace {

Tensor batchNorm(BatchNormOp op, Inputs<BatchNormOp> in) {
  Tensor result = resultOf(op);
  AxisSplit split(result.getShape(), /*axis=*/1);
  double epsilon = in.getFloat("epsilon");
  const double *x = in.getX()->floats().data();
  double *y = result.floats().data();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t c = 0; c < split.extent; ++c) {
      double mean = in.getMean()->floats()[c];
      double deviation = std::sqrt(in.getVariance()->floats()[c] + epsilon);
      double gamma = in.getGamma() ? in.getGamma()->floats()[c] : 1;
      double beta = in.getBeta() ? in.getBeta()->floats()[c] : 0;
      for (int64_t n = 0; n < split.inner; ++n)
        *y++ = gamma * (*x++ - mean) / deviation + beta;
    }
  return result;
}

/// gamma * (x - mean) / sqrt(variance + epsilon) + beta, where mean and
/// variance are those of the `axes` of `x`. `parameterShape` broadcasts to `x`.
Tensor normalize(const Tensor &x, llvm::ArrayRef<int64_t> axes,
                 llvm::ArrayRef<int64_t> parameterShape, const Tensor *gamma,
                 const Tensor *beta, double epsilon) {
  Strides group = reductionStrides(x.getShape(), axes);
  Strides parameter = broadcastStrides(parameterShape, x.getShape());
  int64_t size = 1;
  for (int64_t axis : axes)
    size *= x.getDimSize(fromFront(axis, x.getRank()));
  Tensor result(x.getType());
  if (x.getNumElements() == 0)
    return result;

  std::vector<double> mean(x.getNumElements() / size), variance(mean.size());
  const double *next = x.floats().data();
  forEachIndex<1>(x.getShape(), {group}, [&](std::array<int64_t, 1> at) {
    mean[at[0]] += *next++ / size;
  });
  next = x.floats().data();
  forEachIndex<1>(x.getShape(), {group}, [&](std::array<int64_t, 1> at) {
    double distance = *next++ - mean[at[0]];
    variance[at[0]] += distance * distance / size;
  });
  next = x.floats().data();
  double *out = result.floats().data();
  forEachIndex<2>(x.getShape(), {group, parameter},
                  [&](std::array<int64_t, 2> at) {
                    double scale = gamma ? gamma->floats()[at[1]] : 1;
                    double shift = beta ? beta->floats()[at[1]] : 0;
                    *out++ = scale * (*next++ - mean[at[0]]) /
                                 std::sqrt(variance[at[0]] + epsilon) +
                             shift;
                  });
  return result;
}

Tensor instanceNorm(InstanceNormOp, Inputs<InstanceNormOp> in) {
  const Tensor &x = *in.getX();
  llvm::SmallVector<int64_t> parameterShape(x.getRank(), 1);
  parameterShape[1] = x.getDimSize(1);
  return normalize(x, llvm::to_vector(llvm::seq<int64_t>(2, x.getRank())),
                   parameterShape, in.getGamma(), in.getBeta(),
                   in.getFloat("epsilon"));
}

Tensor layerNorm(LayerNormOp, Inputs<LayerNormOp> in) {
  const Tensor &x = *in.getX();
  llvm::SmallVector<int64_t> axes = axesOrAll(in.getAxes(), x.getRank());
  llvm::SmallVector<int64_t> parameterShape(x.getRank(), 1);
  for (int64_t &axis : axes) {
    axis = fromFront(axis, x.getRank());
    parameterShape[axis] = x.getDimSize(axis);
  }
  return normalize(x, axes, parameterShape, in.getGamma(), in.getBeta(),
                   in.getFloat("epsilon"));
}

Tensor l2Norm(L2NormOp, Inputs<L2NormOp> in) {
  const Tensor &x = *in.getX();
  double epsilon = in.getFloat("epsilon");
  Tensor result(x.getType());
  if (x.getNumElements() == 0)
    return result;
  // The last three dimensions lie next to each other.
  int64_t size = 1;
  for (int64_t extent : x.getShape().take_back(3))
    size *= extent;
  for (int64_t first = 0; first < x.getNumElements(); first += size) {
    llvm::ArrayRef<double> from = x.floats().slice(first, size);
    double sum = epsilon;
    for (double value : from)
      sum += value * value;
    llvm::transform(from, result.floats().begin() + first,
                    [=](double value) { return value / std::sqrt(sum); });
  }
  return result;
}

Tensor localResponseNorm(LocalResponseNormOp, Inputs<LocalResponseNormOp> in) {
  const Tensor &x = *in.getX();
  int64_t size = in.getSize()->ints().front();
  double alpha = in.getFloat("alpha");
  double beta = in.getFloat("beta");
  double k = in.getFloat("k");
  Tensor result(x.getType());
  AxisSplit split(x.getShape(), /*axis=*/1);
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t c = 0; c < split.extent; ++c) {
      int64_t begin = std::max<int64_t>(0, c - size / 2);
      int64_t end = std::min(split.extent, c + (size - 1) / 2 + 1);
      for (int64_t n = 0; n < split.inner; ++n) {
        auto at = [&](int64_t channel) {
          return (o * split.extent + channel) * split.inner + n;
        };
        double sum = 0;
        for (int64_t i = begin; i < end; ++i)
          sum += x.floats()[at(i)] * x.floats()[at(i)];
        result.floats()[at(c)] =
            x.floats()[at(c)] / std::pow(k + alpha / size * sum, beta);
      }
    }
  return result;
}

} // namespace

void ane::reference::registerNormalizationOps(OpTable &table) {
  table.add<BatchNormOp>(batchNorm);
  table.add<InstanceNormOp>(instanceNorm);
  table.add<L2NormOp>(l2Norm);
  table.add<LayerNormOp>(layerNorm);
  table.add<LocalResponseNormOp>(localResponseNorm);
}
