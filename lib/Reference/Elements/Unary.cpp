//===- Unary.cpp - Functions of one element -------------------------------===//

#include "Elements/Elementwise.h"
#include <cmath>

using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Registers an op that applies `fn` to x + epsilon. The default of epsilon is
/// a number of the element type of x.
template <typename Op, typename Fn> void addShifted(OpTable &table, Fn fn) {
  table.add<Op>([=](Op, Inputs<Op> in) {
    double epsilon = in.getFloat("epsilon");
    if (!in.getEpsilon())
      epsilon = roundedTo(in.getX()->getElementType(), epsilon);
    return mapFloats(*in.getX(), [=](double x) { return fn(x + epsilon); });
  });
}

Tensor threshold(ThresholdOp, Inputs<ThresholdOp> in) {
  return mapPayload(*in.getX(), [&](auto x) {
    return larger(x, in.getAlpha()->values<decltype(x)>().front());
  });
}

Tensor logicalNot(LogicalNotOp, Inputs<LogicalNotOp> in) {
  return mapPayload(*in.getX(), [](auto x) { return x == 0; });
}

} // namespace

void ane::reference::registerUnaryOps(OpTable &table) {
  addUnary<AcosOp>(table, [](double x) { return std::acos(x); });
  addUnary<AsinOp>(table, [](double x) { return std::asin(x); });
  addUnary<AtanOp>(table, [](double x) { return std::atan(x); });
  addUnary<AtanhOp>(table, [](double x) { return std::atanh(x); });
  addUnary<CeilOp>(table, [](double x) { return std::ceil(x); });
  addUnary<CosOp>(table, [](double x) { return std::cos(x); });
  addUnary<CoshOp>(table, [](double x) { return std::cosh(x); });
  addUnary<ErfOp>(table, [](double x) { return std::erf(x); });
  addUnary<ExpOp>(table, [](double x) { return std::exp(x); });
  addUnary<FloorOp>(table, [](double x) { return std::floor(x); });
  // The rounding mode is to nearest, ties to even.
  addUnary<RoundOp>(table, [](double x) { return std::nearbyint(x); });
  addUnary<SinOp>(table, [](double x) { return std::sin(x); });
  addUnary<SinhOp>(table, [](double x) { return std::sinh(x); });
  addUnary<SqrtOp>(table, [](double x) { return std::sqrt(x); });
  addUnary<TanOp>(table, [](double x) { return std::tan(x); });

  addPayloadUnary<AbsOp>(table, [](auto x) { return std::abs(x); });
  addPayloadUnary<Exp2Op>(table,
                          [](auto x) { return power(decltype(x)(2), x); });
  addPayloadUnary<SignOp>(table, [](auto x) {
    return x != x ? x : static_cast<decltype(x)>((x > 0) - (x < 0));
  });
  addPayloadUnary<SquareOp>(table, [](auto x) { return x * x; });

  addShifted<InverseOp>(table, [](double x) { return 1 / x; });
  addShifted<LogOp>(table, [](double x) { return std::log(x); });
  addShifted<RsqrtOp>(table, [](double x) { return 1 / std::sqrt(x); });
  table.add<ThresholdOp>(threshold);
  table.add<LogicalNotOp>(logicalNot);
}
