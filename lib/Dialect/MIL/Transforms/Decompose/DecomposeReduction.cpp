//===- DecomposeReduction.cpp - Reductions by sum and maximum -------------===//

#include "Decompose/Decompose.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A rule of a reduction: gets its input, axes and `keep_dims`, gives its
/// value.
template <typename Op> struct ReductionRule : OpRewritePattern<Op> {
  using Rule = Value (*)(Replacer &, Value, ArrayRef<int64_t>, bool);
  ReductionRule(MLIRContext *context, Rule rule)
      : OpRewritePattern<Op>(context), rule(rule) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    // The engine has means and sums of squares itself, but not of integers.
    constexpr bool ofFloats =
        !llvm::is_one_of<Op, ReduceMeanOp, ReduceSumSquareOp>::value;
    constexpr bool ofIntegers =
        llvm::is_one_of<Op, ReduceMinOp, ReduceL1NormOp, ReduceProdOp,
                        ReduceMeanOp, ReduceSumSquareOp>::value;
    if (!type ||
        !(isa<FloatType>(type.getElementType()) ? ofFloats : ofIntegers))
      return rewriter.notifyMatchFailure(op,
                                         "no static tensor of such numbers");
    std::optional<SmallVector<int64_t>> axes =
        reducedAxes(op.getAxes(), type.getRank());
    std::optional<bool> keepDims = op.getKeepDimsOrDefault();
    if (!axes || !keepDims)
      return rewriter.notifyMatchFailure(op, "an attribute is computed");
    Replacer r(rewriter, op);
    return r.replace(rule(r, op.getX(), *axes, *keepDims));
  }

  Rule rule;
};

/// min(x) = -max(-x).
Value minimum(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  Value largest = r.reduce<ReduceMaxOp>(r.binary<MulOp>(x, -1), axes, keepDims);
  return r.binary<MulOp>(largest, -1);
}

Value l1Norm(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  return r.reduce<ReduceSumOp>(r.unary<AbsOp>(x), axes, keepDims);
}

Value squareSum(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  return r.reduce<ReduceSumOp>(r.unary<SquareOp>(x), axes, keepDims);
}

/// The product of the first half and the second one, and so on.
Value allFactors(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  for (int64_t axis : axes) {
    Value rest;
    for (int64_t extent; (extent = shapeOf(x)[axis]) > 1;) {
      int64_t half = extent / 2;
      if (extent % 2 == 1) {
        Value last = r.slice(x, axis, extent - 1, 1);
        rest = rest ? r.binary<MulOp>(rest, last) : last;
      }
      x = r.binary<MulOp>(r.slice(x, axis, 0, half),
                          r.slice(x, axis, half, half));
    }
    if (rest)
      x = r.binary<MulOp>(x, rest);
  }
  if (keepDims)
    return x;
  SmallVector<int64_t> kept;
  for (auto [axis, extent] : llvm::enumerate(shapeOf(x)))
    if (!llvm::is_contained(axes, int64_t(axis)))
      kept.push_back(extent);
  return r.reshape(x, kept);
}

/// The number of elements that are reduced to one.
double countOf(Value x, ArrayRef<int64_t> axes) {
  double count = 1;
  for (int64_t axis : axes)
    count *= cast<RankedTensorType>(x.getType()).getDimSize(axis);
  return count;
}

/// A quotient of integers is cut off as their mean is.
Value integerMean(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  return r.binary<RealDivOp>(r.reduce<ReduceSumOp>(x, axes, keepDims),
                             countOf(x, axes));
}

Value logarithm(Replacer &r, Value x) {
  return LogOp::create(r.rewriter, x.getLoc(), x.getType(), x,
                       /*epsilon=*/nullptr);
}

/// log(sum(exp(x))) = m + log(sum(exp(x - m))), where m is the largest x.
Value logSumExp(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  Value shift = r.reduce<ReduceMaxOp>(x, axes, /*keepDims=*/true);
  Value rest =
      logSum(r, r.unary<ExpOp>(r.binary<SubOp>(x, shift)), axes, keepDims);
  Value largest =
      keepDims ? shift : r.reduce<ReduceMaxOp>(x, axes, /*keepDims=*/false);
  return r.binary<AddOp>(largest, rest);
}

} // namespace

/// log(mean(x)) + log(n): a mean is in the range of its elements.
Value ane::mil::logSum(Replacer &r, Value x, ArrayRef<int64_t> axes,
                       bool keepDims) {
  Value mean = r.reduce<ReduceMeanOp>(x, axes, keepDims);
  return r.binary<AddOp>(logarithm(r, mean), std::log(countOf(x, axes)));
}

void ane::mil::populateDecomposeReduction(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ReductionRule<ReduceMinOp>>(context, minimum);
  patterns.add<ReductionRule<ReduceL1NormOp>>(context, l1Norm);
  patterns.add<ReductionRule<ReduceProdOp>>(context, allFactors);
  patterns.add<ReductionRule<ReduceMeanOp>>(context, integerMean);
  patterns.add<ReductionRule<ReduceSumSquareOp>>(context, squareSum);
  patterns.add<ReductionRule<ReduceLogSumOp>>(context, logSum);
  patterns.add<ReductionRule<ReduceLogSumExpOp>>(context, logSumExp);
}
