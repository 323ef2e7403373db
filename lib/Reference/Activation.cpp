//===- Activation.cpp - Functions of one element, and softmax -------------===//

#include "Elementwise.h"
#include <cmath>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Tensor leakyRelu(LeakyReluOp, Inputs<LeakyReluOp> in) {
  double alpha = in.getAlpha()->floats().front();
  return mapFloats(*in.getX(),
                   [=](double x) { return x >= 0 ? x : alpha * x; });
}

FailureOr<Tensor> softmax(SoftmaxOp op, Inputs<SoftmaxOp> in) {
  Tensor result = resultOf(op);
  if (result.getRank() == 0)
    return report(op) << "'x' is a scalar, which has no axis";
  AxisSplit split(result.getShape(), intOr(in.getAxis(), -1));
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t n = 0; n < split.inner; ++n) {
      const double *x =
          in.getX()->floats().data() + o * split.extent * split.inner + n;
      double *y = result.floats().data() + o * split.extent * split.inner + n;
      double largest = -INFINITY, sum = 0;
      for (int64_t i = 0; i < split.extent; ++i)
        largest = larger(largest, x[i * split.inner]);
      for (int64_t i = 0; i < split.extent; ++i)
        sum += y[i * split.inner] = std::exp(x[i * split.inner] - largest);
      for (int64_t i = 0; i < split.extent; ++i)
        y[i * split.inner] /= sum;
    }
  return result;
}

} // namespace

void ane::reference::registerActivationOps(OpTable &table) {
  addUnary<ReluOp>(table, [](double x) { return larger(x, 0.0); });
  addUnary<Relu6Op>(table,
                    [](double x) { return smaller(larger(x, 0.0), 6.0); });
  addUnary<SigmoidOp>(table, sigmoid);
  addUnary<TanhOp>(table, [](double x) { return std::tanh(x); });
  addUnary<SiluOp>(table, [](double x) { return x * sigmoid(x); });
  table.add<LeakyReluOp>(leakyRelu);
  table.add<SoftmaxOp>(softmax);
}
