//===- Decisions.cpp - Results that rounding decides ----------------------===//

#include "Verify/Decisions.h"
#include "Verify/Ties.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Half.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

/// Whether a result may change by much where the operands do by little. Values
/// of the best elements do not, their indices do.
bool jumps(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<mil::TopkOp>(op))
    return result.getResultNumber() == 1;
  if (isa<mil::CastOp>(op))
    return !isFloat(result);
  return isa<mil::ReduceArgmaxOp, mil::ReduceArgminOp, mil::ArgsortOp,
             mil::EqualOp, mil::NotEqualOp, mil::GreaterOp, mil::GreaterEqualOp,
             mil::LessOp, mil::LessEqualOp, mil::FloorOp, mil::CeilOp,
             mil::RoundOp, mil::SignOp, mil::FloorDivOp, mil::ModOp,
             mil::QuantizeOp>(op);
}

/// Whether the engine multiplies by 1 / scale in fp16, one for each element
/// along an axis, so that quotients beside ties may be on the other side.
bool hasRoundedFactors(Operation *op) {
  auto quantize = dyn_cast<mil::QuantizeOp>(op);
  return quantize &&
         cast<RankedTensorType>(quantize.getScale().getType()).getRank() != 0;
}

/// The name of an operand whose value rounding may have changed; empty for any
/// other.
StringRef nameOfDeciding(Value operand) {
  auto result = dyn_cast<OpResult>(operand);
  if (!result || !isFloat(result) || isa<mil::ConstOp>(result.getOwner()) ||
      mil::isConstexpr(result.getOwner()))
    return "";
  return mil::getResultName(result);
}

/// Whether a value is a constant that fp16, which the engine has it in, may
/// hold as another number.
bool isRoundedConstant(Value operand) {
  return mil::getConstantElements(operand) &&
         getElementTypeOrSelf(operand).isF32();
}

/// A constant as the engine has it, where it has a finite number.
Tensor roundedToHalf(Tensor constant) {
  for (double &each : constant.floats())
    if (std::fabs(each) <= largestHalf)
      each = roundToHalf(each);
  return constant;
}

/// The ops of the body that an output comes from.
llvm::SetVector<Operation *> opsBehind(mil::FuncOp func, unsigned output) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> rest = {
      func.getBody().front().getTerminator()->getOperand(output)};
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val().getDefiningOp();
    if (op && op->getParentOp() == func && ops.insert(op))
      op->walk([&](Operation *inner) {
        llvm::append_range(rest, inner->getOperands());
      });
  }
  return ops;
}

/// What the engine has where that is near enough.
Tensor chooseNear(const Tensor &right, const Tensor &engine, double part) {
  double limit = part * largestMagnitude(right);
  Tensor chosen = right;
  for (auto [own, other] : llvm::zip_equal(chosen.floats(), engine.floats()))
    if (std::fabs(own - other) <= limit)
      own = other;
  return chosen;
}

/// Gives integers those of the engine where they lie between what scales make
/// that differ by as much as the factors of the engine.
void chooseBetween(mil::QuantizeOp op, ArrayRef<const Tensor *> operands,
                   const Tensor &engine, Tensor &chosen) {
  constexpr double part = 0x1p-11;
  unsigned scale = op.getScaleMutable().getOperandNumber();
  SmallVector<Tensor, 2> bounds;
  for (double factor : {1 - part, 1 + part}) {
    Tensor scales = *operands[scale];
    for (double &each : scales.floats())
      each *= factor;
    SmallVector<const Tensor *> own(operands);
    own[scale] = &scales;
    FailureOr<SmallVector<Tensor>> made = reference::evaluateOp(op, own);
    if (failed(made))
      return;
    bounds.push_back(std::move(made->front()));
  }
  for (auto [own, other, a, b] :
       llvm::zip_equal(chosen.ints(), engine.ints(), bounds.front().ints(),
                       bounds.back().ints()))
    if (std::min(a, b) <= other && other <= std::max(a, b))
      own = other;
}

template <typename T>
size_t countChanges(ArrayRef<T> before, ArrayRef<T> after) {
  size_t count = 0;
  for (auto [a, b] : llvm::zip_equal(before, after))
    count += a != b && (a == a || b == b); // NaN is NaN
  return count;
}

} // namespace

bool ane::findDeciding(mil::FuncOp func, unsigned output,
                       llvm::SetVector<Value> &deciding) {
  bool hasRounded = false;
  for (Operation *op : opsBehind(func, output)) {
    if (llvm::none_of(op->getResults(), jumps))
      continue;
    for (Value operand : op->getOperands()) {
      hasRounded |= isRoundedConstant(operand);
      if (!nameOfDeciding(operand).empty())
        deciding.insert(operand);
    }
    if (hasRoundedFactors(op))
      deciding.insert(op->getResult(0));
  }
  return hasRounded;
}

FailureOr<Redecided> ane::decideAs(const NamedTensors &engine, mil::FuncOp func,
                                   const Trial &trial, double tolerance) {
  Redecided made;
  auto decide = [&](Operation *op, ArrayRef<const Tensor *> operands,
                    MutableArrayRef<Tensor> results) {
    if (llvm::none_of(op->getResults(), jumps))
      return;
    SmallVector<const Tensor *> own(operands);
    std::vector<std::unique_ptr<Tensor>> chosen;
    for (auto [operand, tensor] : llvm::zip_equal(op->getOperands(), own)) {
      if (isRoundedConstant(operand)) {
        chosen.push_back(std::make_unique<Tensor>(roundedToHalf(*tensor)));
        tensor = chosen.back().get();
        continue;
      }
      auto found = engine.find(nameOfDeciding(operand));
      if (found == engine.end() || found->second.getType() != tensor->getType())
        continue;
      chosen.push_back(std::make_unique<Tensor>(
          chooseNear(*tensor, found->second, tolerance / 2)));
      tensor = chosen.back().get();
    }
    FailureOr<SmallVector<Tensor>> decided = reference::evaluateOp(op, own);
    if (failed(decided))
      return;
    if (hasRoundedFactors(op)) {
      auto found = engine.find(mil::getResultName(op->getResult(0)));
      if (found != engine.end())
        chooseBetween(cast<mil::QuantizeOp>(op), own, found->second,
                      decided->front());
    }
    for (auto [value, before, after] :
         llvm::zip_equal(op->getResults(), results, *decided)) {
      if (!jumps(value))
        continue;
      size_t numChanged = reference::withPayload(before, [&](auto payload) {
        using T = decltype(payload);
        return countChanges(std::as_const(before).template values<T>(),
                            std::as_const(after).template values<T>());
      });
      if (numChanged == 0)
        continue;
      StringRef name = mil::getResultName(value);
      made.decisions[name] = {(op->getName().stripDialect() + " " + name).str(),
                              numChanged, size_t(before.getNumElements())};
      before = std::move(after);
    }
  };
  auto outputs = reference::evaluate(func, trial.parameters, decide);
  if (failed(outputs))
    return failure();
  made.outputs = std::move(*outputs);
  return made;
}

std::vector<Decision> ane::decisionsBehind(mil::FuncOp func, unsigned output,
                                           const Redecided &redecided) {
  std::vector<Decision> decisions;
  for (Operation *op : opsBehind(func, output))
    for (OpResult result : op->getResults()) {
      auto found = redecided.decisions.find(mil::getResultName(result));
      if (found != redecided.decisions.end())
        decisions.push_back(found->second);
    }
  return decisions;
}
