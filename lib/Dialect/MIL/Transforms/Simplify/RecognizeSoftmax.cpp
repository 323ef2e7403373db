//===- RecognizeSoftmax.cpp - A softmax written out -----------------------===//

#include "Replacer.h"
#include "Simplify/Recognize.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What may be added to a sum of 1 or more that is inverted: fp16 holds none of
/// it beside that. The default of `inverse` is less.
constexpr double mostEpsilon = 0x1p-12;

/// The axis of a reduction of one, which keeps it as a dimension.
template <typename Op> std::optional<int64_t> axisOf(Op op) {
  RankedTensorType type = staticType(op.getX());
  if (!type || op.getKeepDimsOrDefault() != true)
    return std::nullopt;
  auto axes = reducedAxes(op.getAxes(), type.getRank());
  return axes && axes->size() == 1 ? std::optional(axes->front())
                                   : std::nullopt;
}

/// What a value is 1 over; null where it is something else.
Value inverted(Value value) {
  if (auto inverse = value.getDefiningOp<InverseOp>()) {
    std::optional<double> epsilon = inverse.getEpsilonOrDefault();
    return epsilon && *epsilon >= 0 && *epsilon <= mostEpsilon ? inverse.getX()
                                                               : Value();
  }
  auto quotient = value.getDefiningOp<RealDivOp>();
  return quotient && getConstantFloat(quotient.getX()) == 1.0 ? quotient.getY()
                                                              : Value();
}

/// Of exponentials of x - max(x) along an axis, which `op` divides by their
/// sum: x, and the axis. Nothing where they are others, or something else reads
/// what is between; `reader` is what may read the sum.
std::optional<std::pair<Value, int64_t>>
findSource(Operation *op, ExpOp powers, Value divisor, Operation *reader) {
  auto sum = divisor.getDefiningOp<ReduceSumOp>();
  auto difference = powers.getX().getDefiningOp<SubOp>();
  if (!sum || !difference || sum.getX() != powers.getResult())
    return std::nullopt;
  auto top = difference.getY().getDefiningOp<ReduceMaxOp>();
  std::optional<int64_t> axis = axisOf(sum);
  auto isReadBy = [](Value value, ArrayRef<Operation *> readers) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return llvm::is_contained(readers, user);
    });
  };
  if (!axis || !top || axisOf(top) != axis || top.getX() != difference.getX() ||
      !isReadBy(powers, {sum, op}) || !isReadBy(sum, {reader}) ||
      !difference->hasOneUse() || !top->hasOneUse())
    return std::nullopt;
  return std::pair(top.getX(), *axis);
}

} // namespace

bool ane::mil::recognizeSoftmax(PatternRewriter &rewriter, Operation *op) {
  Value x = op->getOperand(0), y = op->getOperand(1), divisor = y;
  Operation *reader = op;
  if (isa<MulOp>(op)) {
    if (!x.getDefiningOp<ExpOp>())
      std::swap(x, y);
    divisor = inverted(y);
    reader = y.getDefiningOp();
    if (!divisor || !y.hasOneUse())
      return false;
  }
  auto powers = x.getDefiningOp<ExpOp>();
  if (!powers)
    return false;
  auto source = findSource(op, powers, divisor, reader);
  if (!source)
    return false;
  auto [values, axis] = *source;
  Replacer r(rewriter, op);
  Value made = SoftmaxOp::create(rewriter, op->getLoc(), x.getType(), values,
                                 r.integer(axis));
  (void)r.replace(made);
  eraseUnread({x, y}, made.getDefiningOp());
  return true;
}
