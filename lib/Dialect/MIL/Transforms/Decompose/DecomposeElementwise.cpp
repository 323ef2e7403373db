//===- DecomposeElementwise.cpp - Quotients and powers --------------------===//
//
// The engine has 1/x, 2^x and log2(x) from tables. What becomes of infinities,
// zeros and the last bits is in docs/op-accuracy.md.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A rule of an op of two floats that broadcast; gives nothing, and makes
/// nothing, where it does not apply.
template <typename Op> struct BinaryRule : OpRewritePattern<Op> {
  using Rule = Value (*)(Replacer &, Value, Value);
  BinaryRule(MLIRContext *context, Rule rule)
      : OpRewritePattern<Op>(context), rule(rule) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getResult());
    if (!type || !isa<FloatType>(type.getElementType()) ||
        !staticType(op.getX()) || !staticType(op.getY()))
      return rewriter.notifyMatchFailure(op, "no static tensors of floats");
    Replacer r(rewriter, op);
    Value y = rule(r, op.getX(), op.getY());
    if (!y)
      return rewriter.notifyMatchFailure(op, "a divisor is too small");
    return r.replace(y);
  }

  Rule rule;
};

/// 1 / number as a product, all factors but the first powers of two: a single
/// one may be no normal fp16.
std::array<double, 3> reciprocal(double number) {
  std::array<double, 3> factors = {1 / number, 1, 1};
  double &rest = factors.front();
  for (double &power : llvm::drop_begin(factors)) {
    double magnitude = std::fabs(rest);
    if (magnitude > largestHalf && std::isfinite(rest))
      power = reciprocalStep;
    else if (magnitude < smallestNormalHalf && magnitude != 0)
      power = 1 / reciprocalStep;
    rest /= power;
  }
  return factors;
}

/// x / y by the reciprocal of y; null where a known one is too small.
Value quotient(Replacer &r, Value x, Value y) {
  std::optional<SmallVector<double>> divisors = getConstantNumbers(y);
  if (!divisors)
    return r.binary<MulOp>(x, r.with<InverseOp>(y, r.scalar(0, y)));
  if (llvm::any_of(*divisors, isSmallDivisor))
    return {};
  std::array<SmallVector<double>, 3> factors;
  for (double divisor : *divisors)
    for (auto [each, factor] : llvm::zip_equal(factors, reciprocal(divisor)))
      each.push_back(factor);
  Value product = r.binary<MulOp>(x, r.tensor(factors[0], shapeOf(y), y));
  for (ArrayRef<double> powers : llvm::drop_begin(factors))
    if (llvm::any_of(powers, [](double power) { return power != 1; }))
      product = r.binary<MulOp>(product, r.tensor(powers, shapeOf(y), y));
  return product;
}

/// The quotient rounded down may be off by one, since the reciprocal is not
/// exact. What it and one more leave of x says so, by the sign alone: rounded,
/// a rest may become y itself, as that of a small negative x does.
Value floorQuotient(Replacer &r, Value x, Value y) {
  Value guess = quotient(r, x, y);
  if (!guess)
    return {};
  guess = r.unary<FloorOp>(guess);
  Value sign = r.unary<SignOp>(y), zero = r.scalar(0, x);
  auto rest = [&](Value count) {
    Value left = r.binary<SubOp>(x, r.binary<MulOp>(count, y));
    return r.binary<MulOp>(left, sign);
  };
  Value tooLow =
      r.compare<GreaterEqualOp>(rest(r.binary<AddOp>(guess, 1)), zero);
  Value tooHigh = r.compare<LessOp>(rest(guess), zero);
  return r.binary<SubOp>(r.binary<AddOp>(guess, tooLow), tooHigh);
}

Value floorRemainder(Replacer &r, Value x, Value y) {
  Value count = floorQuotient(r, x, y);
  return count ? r.binary<SubOp>(x, r.binary<MulOp>(count, y)) : Value();
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// x to a positive integer by squares and products.
Value integerPower(Replacer &r, Value x, unsigned exponent) {
  Value result;
  for (Value square = x;; square = r.unary<SquareOp>(square)) {
    if (exponent & 1)
      result = result ? r.binary<MulOp>(result, square) : square;
    exponent >>= 1;
    if (exponent == 0)
      return result;
  }
}

/// x to a known number; null where the general rule is to be used.
Value knownPower(Replacer &r, Value x, double exponent) {
  constexpr double mostFactors = 16;
  Value zero = r.scalar(0, x);
  if (exponent == 0.5)
    return r.unary<SqrtOp>(x);
  if (exponent == -0.5)
    return r.with<RsqrtOp>(x, zero);
  if (exponent != std::floor(exponent) || std::fabs(exponent) > mostFactors)
    return {};
  if (exponent == 0) {
    auto type = cast<RankedTensorType>(x.getType());
    return r.constant(SplatElementsAttr::get(
        type, Attribute(r.rewriter.getOneAttr(type.getElementType()))));
  }
  Value power = integerPower(r, x, std::fabs(exponent));
  return exponent < 0 ? r.with<InverseOp>(power, zero) : power;
}

/// The power that all elements are raised to, if it is known and gives the
/// result the shape of `x`.
std::optional<double> oneExponent(Value x, Value y) {
  std::optional<SmallVector<double>> exponents = getConstantNumbers(y);
  if (std::optional<SmallVector<int64_t>> ints = getConstantInts(y))
    exponents.emplace(ints->begin(), ints->end());
  if (!exponents || exponents->empty() || !llvm::all_equal(*exponents))
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(x), other = shapeOf(y);
  if (other.size() > shape.size())
    return std::nullopt;
  for (auto [extent, own] :
       llvm::zip_equal(other, shape.take_back(other.size())))
    if (extent != 1 && extent != own)
      return std::nullopt;
  return exponents->front();
}

/// 1 for odd integers, 0 for even ones.
Value isOdd(Replacer &r, Value y) {
  Value half = r.unary<FloorOp>(r.binary<MulOp>(y, 0.5));
  return r.binary<SubOp>(y, r.binary<MulOp>(half, 2));
}

/// |x|^y as exp(y log|x|), negated for negative x and odd y. A negative x to a
/// fraction has no value.
Value power(Replacer &r, Value x, Value y) {
  std::optional<SmallVector<double>> exponents = getConstantNumbers(y);
  if (std::optional<double> exponent = oneExponent(x, y))
    if (Value known = knownPower(r, x, *exponent))
      return known;
  Value logarithm = r.with<LogOp>(r.unary<AbsOp>(x), r.scalar(0, x));
  Value magnitude = r.unary<ExpOp>(r.binary<MulOp>(logarithm, y));
  auto isOddNumber = [](double number) {
    return std::fabs(std::fmod(number, 2)) == 1;
  };
  if (exponents && llvm::none_of(*exponents, isOddNumber))
    return magnitude;
  Value odd;
  if (exponents) {
    SmallVector<double> flags(llvm::map_range(
        *exponents, [&](double number) { return isOddNumber(number); }));
    odd = r.tensor(flags, shapeOf(y), y);
  } else {
    odd = isOdd(r, y);
  }
  Value negative = r.compare<LessOp>(x, r.scalar(0, x));
  Value sign =
      r.binary<AddOp>(r.binary<MulOp>(r.binary<MulOp>(negative, odd), -2), 1);
  return r.binary<MulOp>(magnitude, sign);
}

/// x to powers of its elements: a product of x where a power has one more
/// factor, and of 1 elsewhere.
Value integerPowers(Replacer &r, PowOp op, ArrayRef<int64_t> exponents) {
  Value result;
  for (int64_t i = 0, most = *llvm::max_element(exponents);
       i < std::max<int64_t>(most, 1); ++i) {
    SmallVector<bool> hasFactor(llvm::map_range(
        exponents, [&](int64_t exponent) { return exponent > i; }));
    Value factor = SelectOp::create(r.rewriter, op.getLoc(), op.getType(),
                                    r.truths(hasFactor, shapeOf(op.getY())),
                                    op.getX(), r.scalar(1, op.getX()));
    result = result ? r.binary<MulOp>(result, factor) : factor;
  }
  return result;
}

/// Integers to known powers are products: nothing is rounded.
struct IntegerPowerRule : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PowOp op,
                                PatternRewriter &rewriter) const override {
    // Of 2, no higher one is counted by fp16.
    constexpr int64_t mostFactors = 11;
    RankedTensorType type = staticType(op.getX());
    if (!type || !staticType(op.getY()) ||
        !isa<IntegerType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no static tensor of integers");
    std::optional<SmallVector<int64_t>> exponents = getConstantInts(op.getY());
    if (!exponents || exponents->empty() ||
        !llvm::all_of(*exponents, [](int64_t exponent) {
          return exponent >= 0 && exponent <= mostFactors;
        }))
      return rewriter.notifyMatchFailure(op, "no small known exponents");
    Replacer r(rewriter, op);
    std::optional<double> one = oneExponent(op.getX(), op.getY());
    return r.replace(one && *one > 0
                         ? integerPower(r, op.getX(), unsigned(*one))
                         : integerPowers(r, op, *exponents));
  }
};

/// The larger of an integer and a bound, which for floats is a table.
struct IntegerThresholdRule : OpRewritePattern<ThresholdOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ThresholdOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || !isa<IntegerType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no static tensor of integers");
    Replacer r(rewriter, op);
    return r.replace(r.binary<MaximumOp>(op.getX(), op.getAlpha()));
  }
};

} // namespace

void ane::mil::populateDecomposeElementwise(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<BinaryRule<RealDivOp>>(context, quotient);
  patterns.add<BinaryRule<FloorDivOp>>(context, floorQuotient);
  patterns.add<BinaryRule<ModOp>>(context, floorRemainder);
  patterns.add<BinaryRule<PowOp>>(context, power);
  patterns.add<IntegerPowerRule, IntegerThresholdRule>(context);
}
