//===- Elementwise.cpp - Arithmetic on elements ---------------------------===//

#include "Elementwise.h"

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

} // namespace

void ane::reference::registerElementwiseOps(OpTable &table) {
  addBinary<AddOp>(table, [](auto x, auto y) { return x + y; });
  addBinary<SubOp>(table, [](auto x, auto y) { return x - y; });
  addBinary<MulOp>(table, [](auto x, auto y) { return x * y; });
  addBinary<MaximumOp>(table, [](auto x, auto y) { return larger(x, y); });
  addBinary<MinimumOp>(table, [](auto x, auto y) { return smaller(x, y); });
  table.add<ClipOp>(clip);
  table.add<CastOp>(cast);
}
