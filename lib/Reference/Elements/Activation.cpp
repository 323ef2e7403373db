//===- Activation.cpp - Functions of one element, and softmax -------------===//

#include "Elements/Elementwise.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// log(1 + exp(x)) without an exponential that overflows.
double softplus(double x) {
  return larger(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// Registers an op that applies `fn(x, alpha)` to each element of `x`.
template <typename Op, typename Fn> void addWithAlpha(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op, Inputs<Op> in) {
    double alpha = in.getAlpha()->floats().front();
    return mapFloats(*in.getX(), [=](double x) { return fn(x, alpha); });
  });
}

/// Registers an op that applies `fn(x, alpha, beta)` to each element of `x`.
template <typename Op, typename Fn>
void addWithAlphaBeta(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op, Inputs<Op> in) {
    double alpha = in.getAlpha()->floats().front();
    double beta = in.getBeta()->floats().front();
    return mapFloats(*in.getX(), [=](double x) { return fn(x, alpha, beta); });
  });
}

/// Applies `fn(x, channel)` to each element of [N, C, *D].
template <typename Fn> Tensor mapChannels(const Tensor &x, Fn fn) {
  Tensor result(x.getType());
  AxisSplit split(x.getShape(), /*axis=*/1);
  const double *from = x.floats().data();
  double *to = result.floats().data();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t c = 0; c < split.extent; ++c)
      for (int64_t n = 0; n < split.inner; ++n)
        *to++ = fn(*from++, c);
  return result;
}

Tensor prelu(PreluOp, Inputs<PreluOp> in) {
  llvm::ArrayRef<double> alpha = in.getAlpha()->floats();
  return mapChannels(*in.getX(), [=](double x, int64_t c) {
    return x >= 0 ? x : alpha[c] * x;
  });
}

Tensor softplusParametric(SoftplusParametricOp,
                          Inputs<SoftplusParametricOp> in) {
  llvm::ArrayRef<double> alpha = in.getAlpha()->floats();
  llvm::ArrayRef<double> beta = in.getBeta()->floats();
  return mapChannels(*in.getX(), [=](double x, int64_t c) {
    return alpha[c] * softplus(beta[c] * x);
  });
}

Tensor gelu(GeluOp op, Inputs<GeluOp> in) {
  llvm::StringRef mode = getString(op, "mode");
  if (mode == "TANH_APPROXIMATION")
    return mapFloats(*in.getX(), [](double x) {
      double scale = std::sqrt(2 / std::numbers::pi);
      return x / 2 * (1 + std::tanh(scale * (x + 0.044715 * x * x * x)));
    });
  if (mode == "SIGMOID_APPROXIMATION")
    return mapFloats(*in.getX(),
                     [](double x) { return x * sigmoid(1.702 * x); });
  // The complement keeps its precision far below zero.
  return mapFloats(*in.getX(), [](double x) {
    return x / 2 * std::erfc(-x / std::numbers::sqrt2);
  });
}

FailureOr<Tensor> softmax(SoftmaxOp op, Inputs<SoftmaxOp> in) {
  Tensor result = resultOf(op);
  if (result.getRank() == 0)
    return report(op) << "'x' is a scalar, which has no axis";
  AxisSplit split(result.getShape(), in.getInt("axis"));
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
  addUnary<SoftplusOp>(table, softplus);
  addUnary<SoftsignOp>(table, [](double x) { return x / (1 + std::abs(x)); });
  addWithAlpha<LeakyReluOp>(
      table, [](double x, double alpha) { return x >= 0 ? x : alpha * x; });
  addWithAlpha<EluOp>(table, [](double x, double alpha) {
    return x > 0 ? x : alpha * std::expm1(x);
  });
  addWithAlpha<ThresholdedReluOp>(
      table, [](double x, double alpha) { return x >= alpha ? x : 0.0; });
  addWithAlphaBeta<ClampedReluOp>(
      table, [](double x, double alpha, double beta) {
        return smaller(x >= 0 ? x : alpha * x, beta);
      });
  addWithAlphaBeta<LinearActivationOp>(
      table,
      [](double x, double alpha, double beta) { return alpha * x + beta; });
  addWithAlphaBeta<ScaledTanhOp>(table,
                                 [](double x, double alpha, double beta) {
                                   return alpha * std::tanh(beta * x);
                                 });
  addWithAlphaBeta<SigmoidHardOp>(
      table, [](double x, double alpha, double beta) {
        return smaller(larger(alpha * x + beta, 0.0), 1.0);
      });
  table.add<GeluOp>(gelu);
  table.add<PreluOp>(prelu);
  table.add<SoftplusParametricOp>(softplusParametric);
  table.add<SoftmaxOp>(softmax);
}
