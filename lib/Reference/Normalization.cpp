//===- Normalization.cpp - Normalisation ----------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include <cmath>

using namespace ane::mil;
using namespace ane::reference;

namespace {

Tensor batchNorm(BatchNormOp op, Inputs<BatchNormOp> in) {
  Tensor result = resultOf(op);
  AxisSplit split(result.getShape(), /*axis=*/1);
  double epsilon = floatOr(in.getEpsilon(), 1e-5);
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

} // namespace

void ane::reference::registerNormalizationOps(OpTable &table) {
  table.add<BatchNormOp>(batchNorm);
}
