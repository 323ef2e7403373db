//===- Elementwise.cpp - Arithmetic on elements ---------------------------===//

#include "Elements/Elementwise.h"

using namespace ane::mil;
using namespace ane::reference;

namespace {

Tensor clip(ClipOp, Inputs<ClipOp> in) {
  double alpha = in.getAlpha()->floats().front();
  double beta = in.getBeta()->floats().front();
  return mapFloats(*in.getX(),
                   [=](double x) { return smaller(larger(x, alpha), beta); });
}

Tensor cast(CastOp op, Inputs<CastOp> in) {
  return convert(*in.getX(), resultOf(op).getElementType());
}

/// The quotient rounded down, and what it leaves over, which has the sign of
/// the divisor. An integer divided by 0 gives 0 in both.
double floorDiv(double x, double y) { return std::floor(x / y); }
int64_t floorDiv(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}
double floorMod(double x, double y) {
  double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
int64_t floorMod(int64_t x, int64_t y) {
  return y == 0 ? 0 : x - floorDiv(x, y) * y;
}

/// Truncated towards zero as an integer.
double realDiv(double x, double y) { return x / y; }
int64_t realDiv(int64_t x, int64_t y) { return y == 0 ? 0 : x / y; }

} // namespace

void ane::reference::registerElementwiseOps(OpTable &table) {
  addBinary<AddOp>(table, [](auto x, auto y) { return x + y; });
  addBinary<SubOp>(table, [](auto x, auto y) { return x - y; });
  addBinary<MulOp>(table, [](auto x, auto y) { return x * y; });
  addBinary<MaximumOp>(table, [](auto x, auto y) { return larger(x, y); });
  addBinary<MinimumOp>(table, [](auto x, auto y) { return smaller(x, y); });
  addBinary<RealDivOp>(table, [](auto x, auto y) { return realDiv(x, y); });
  addBinary<FloorDivOp>(table, [](auto x, auto y) { return floorDiv(x, y); });
  addBinary<ModOp>(table, [](auto x, auto y) { return floorMod(x, y); });
  addBinary<PowOp>(table, [](auto x, auto y) { return power(x, y); });
  addBinary<EqualOp>(table, [](auto x, auto y) { return x == y; });
  addBinary<NotEqualOp>(table, [](auto x, auto y) { return x != y; });
  addBinary<LessOp>(table, [](auto x, auto y) { return x < y; });
  addBinary<LessEqualOp>(table, [](auto x, auto y) { return x <= y; });
  addBinary<GreaterOp>(table, [](auto x, auto y) { return x > y; });
  addBinary<GreaterEqualOp>(table, [](auto x, auto y) { return x >= y; });
  addBinary<LogicalAndOp>(table, [](auto x, auto y) { return x && y; });
  addBinary<LogicalOrOp>(table, [](auto x, auto y) { return x || y; });
  addBinary<LogicalXorOp>(table, [](auto x, auto y) { return !x != !y; });
  table.add<ClipOp>(clip);
  table.add<CastOp>(cast);
}
