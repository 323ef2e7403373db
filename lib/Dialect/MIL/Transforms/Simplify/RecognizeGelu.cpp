//===- RecognizeGelu.cpp - Gelu that is written out -----------------------===//
//
// x / 2 * (1 + f(p(x))), where f is tanh or erf and p a polynomial. There are
// many orders in which programs multiply and add, so what counts is what comes
// out: the coefficients of p, and the factors around f.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "Simplify/Recognize.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Ops that are looked at on either side. Assigned: several times those that
/// programs have.
constexpr size_t mostOps = 16;

/// The number that a constant is, be it a scalar or in every element.
std::optional<double> numberOf(Value value) {
  if (std::optional<double> number = getConstantFloat(value))
    return number;
  auto dense =
      dyn_cast_or_null<DenseFPElementsAttr>(getConstantElements(value));
  if (!dense || !dense.isSplat())
    return std::nullopt;
  return getConstantFloats(dense)->front();
}

/// Programs write these numbers in fp16, or with four digits.
bool isAbout(double number, double wanted) {
  constexpr double tolerance = 0x1p-9;
  return std::abs(number - wanted) <= tolerance * std::abs(wanted);
}

/// The coefficients of 1, x, x^2, x^3.
using Polynomial = std::array<double, 4>;

/// A value as a polynomial of another one of the same type.
class Expression {
public:
  explicit Expression(Value x) : x(x) {}

  std::optional<Polynomial> of(Value value) {
    if (value == x)
      return Polynomial{0, 1, 0, 0};
    if (std::optional<double> number = numberOf(value))
      return Polynomial{*number, 0, 0, 0};
    Operation *op = value.getDefiningOp();
    if (!op || ops.size() >= mostOps || value.getType() != x.getType())
      return std::nullopt;
    ops.insert(op);
    return llvm::TypeSwitch<Operation *, std::optional<Polynomial>>(op)
        .Case([&](AddOp add) { return sum(add.getX(), add.getY(), 1); })
        .Case([&](SubOp sub) { return sum(sub.getX(), sub.getY(), -1); })
        .Case(
            [&](MulOp mul) { return product(of(mul.getX()), of(mul.getY())); })
        .Case([&](SquareOp square) {
          std::optional<Polynomial> once = of(square.getX());
          return product(once, once);
        })
        .Case([&](RealDivOp div) -> std::optional<Polynomial> {
          std::optional<double> divisor = numberOf(div.getY());
          if (!divisor)
            return std::nullopt;
          return product(of(div.getX()), Polynomial{1 / *divisor, 0, 0, 0});
        })
        .Case([&](PowOp pow) -> std::optional<Polynomial> {
          std::optional<double> exponent = numberOf(pow.getY());
          std::optional<Polynomial> once = of(pow.getX());
          if (exponent == 2.0)
            return product(once, once);
          if (exponent == 3.0)
            return product(product(once, once), once);
          return std::nullopt;
        })
        .Default(std::nullopt);
  }

  /// What `of` has looked at.
  llvm::SmallPtrSet<Operation *, mostOps> ops;

private:
  std::optional<Polynomial> sum(Value one, Value other, double sign) {
    std::optional<Polynomial> left = of(one), right = of(other);
    if (!left || !right)
      return std::nullopt;
    for (auto [to, from] : llvm::zip_equal(*left, *right))
      to += sign * from;
    return left;
  }

  static std::optional<Polynomial>
  product(const std::optional<Polynomial> &left,
          const std::optional<Polynomial> &right) {
    if (!left || !right)
      return std::nullopt;
    Polynomial result = {};
    for (auto [i, one] : llvm::enumerate(*left))
      for (auto [j, other] : llvm::enumerate(*right)) {
        if (one * other == 0)
          continue;
        if (i + j >= result.size())
          return std::nullopt;
        result[i + j] += one * other;
      }
    return result;
  }

  Value x;
};

/// Whether the polynomial is what the mode of a gelu has in its function.
bool isArgument(const Polynomial &p, bool isExact) {
  if (p[0] != 0 || p[2] != 0)
    return false;
  if (isExact)
    return p[3] == 0 && isAbout(p[1], std::sqrt(0.5));
  return isAbout(p[1], std::sqrt(2 / M_PI)) && isAbout(p[3], 0.044715 * p[1]);
}

/// The operand of an op with two that is not `value`; null if both are.
Value otherOperand(Operation *op, Value value) {
  for (Value operand : op->getOperands())
    if (operand != value)
      return operand;
  return {};
}

/// What becomes of a function f: factor * (addend + scale * f).
struct Outside {
  double addend = 0, scale = 1;
  Value factor;

  /// Goes on to a user; false where that is no such op.
  bool add(Operation *op, Value value) {
    Value other = op->getNumOperands() == 2 ? otherOperand(op, value) : Value();
    std::optional<double> number = other ? numberOf(other) : std::nullopt;
    bool isLeft = other && op->getOperand(0) == value;
    if (isa<MulOp>(op) && number) {
      multiply(*number);
    } else if (isa<MulOp>(op) && other && !factor) {
      factor = other;
    } else if (isa<RealDivOp>(op) && number && isLeft) {
      multiply(1 / *number);
    } else if (isa<AddOp>(op) && number && !factor) {
      addend += *number;
    } else {
      return false;
    }
    return true;
  }

private:
  void multiply(double number) {
    addend *= number;
    scale *= number;
  }
};

/// The value that is `value` times a number, beside itself times 1.
std::optional<std::pair<Value, double>> scaledFrom(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<MulOp>(op)) {
    if (std::optional<double> number = numberOf(op->getOperand(1)))
      return std::pair(op->getOperand(0), *number);
    if (std::optional<double> number = numberOf(op->getOperand(0)))
      return std::pair(op->getOperand(1), *number);
  }
  if (isa_and_present<RealDivOp>(op))
    if (std::optional<double> number = numberOf(op->getOperand(1)))
      return std::pair(op->getOperand(0), 1 / *number);
  return std::nullopt;
}

} // namespace

bool ane::mil::recognizeGelu(PatternRewriter &rewriter, Operation *op) {
  bool isExact = isa<ErfOp>(op);
  Value argument = op->getOperand(0);
  llvm::SmallPtrSet<Operation *, mostOps> between;
  Outside outside;
  // The gelu that ends at `end`, if its x is this one.
  auto isGeluOf = [&](Value x, double scale, Operation *end, Value factor) {
    Expression inside(x);
    std::optional<Polynomial> polynomial = inside.of(argument);
    if (!isAbout(scale * outside.scale, 0.5) || !polynomial ||
        !isArgument(*polynomial, isExact) ||
        end->getResult(0).getType() != x.getType())
      return false;
    llvm::SmallPtrSet<Operation *, 2 * mostOps> hidden(between.begin(),
                                                       between.end());
    hidden.insert(inside.ops.begin(), inside.ops.end());
    if (factor != x)
      hidden.insert(factor.getDefiningOp());
    return llvm::all_of(hidden, [&](Operation *each) {
      return llvm::all_of(each->getUsers(), [&](Operation *user) {
        return user == end || hidden.contains(user);
      });
    });
  };

  for (Value value = op->getResult(0);
       value.hasOneUse() && between.size() < mostOps;) {
    between.insert(value.getDefiningOp());
    Operation *user = *value.user_begin();
    if (!outside.add(user, value))
      return false;
    value = user->getResult(0);
    if (!outside.factor || !isAbout(outside.addend, outside.scale))
      continue;
    Value x;
    auto before = scaledFrom(outside.factor);
    if (isGeluOf(outside.factor, 1, user, outside.factor))
      x = outside.factor;
    else if (before &&
             isGeluOf(before->first, before->second, user, outside.factor))
      x = before->first;
    else
      continue;
    Replacer r(rewriter, user);
    SmallVector<Value> read(user->getOperands());
    Value gelu =
        r.with<GeluOp>(x, r.string(isExact ? "EXACT" : "TANH_APPROXIMATION"));
    (void)r.replace(gelu);
    eraseUnread(read, gelu.getDefiningOp());
    return true;
  }
  return false;
}
