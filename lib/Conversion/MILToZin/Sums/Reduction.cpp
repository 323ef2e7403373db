//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "Elements/ElementLayers.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// A reduction that the planar engine has.
template <typename MILOp, zin::ReductionType Kind, bool Square = false>
struct ReductionRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op->getLoc();
    int64_t rank = milShape(op.getX()).size();
    SmallVector<int64_t> axes;
    if (op.getAxes())
      axes = *mil::getConstantInts(op.getAxes());
    else
      llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
    for (int64_t &axis : axes)
      axis = alignAxis(mil::fromFront(axis, rank), rank);
    ElementLayers layers{rewriter, location};
    Value x = adaptor.getX(), result = x;
    bool isNorm = std::is_same_v<MILOp, mil::ReduceL2NormOp>;
    if (!axes.empty()) {
      result = reduceOver(rewriter, location, Kind, x, axes, Square,
                          isNorm ? zin::PEPost::rsqrt : zin::PEPost::none);
      // The root is never as large as the sum, which fp16 may not hold.
      if (isNorm)
        result = layers.neuron(zin::NonLinearMode::inv, result);
    } else if (Square) {
      // Over no dimension each element is alone.
      result =
          isNorm ? layers.neuron(zin::NonLinearMode::abs, x) : layers.mul(x, x);
    }
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
    return success();
  }
};

/// The first of the places where the extreme is. What is beaten is at least
/// 2^-24 away from that, so with
///
///   -distance * 2^15 + base + (K - i) * unit
///
/// for the element at i, where all of K units are 2^-9, it stays below each
/// that is as good, and the largest of all tells the place. Only the planar
/// engine takes such distances as they are: to a sum of products they are 0.
template <typename MILOp> struct ArgRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the axis is computed");
    ElementLayers layers{rewriter, op.getLoc()};
    Value x = adaptor.getX();
    int64_t rank = milShape(op.getX()).size();
    int64_t dim = alignAxis(mil::fromFront(*axis, rank), rank);
    int64_t count = milShape(x)[dim];
    auto largestOf = [&](Value value) {
      return reduceOver(rewriter, op.getLoc(), zin::ReductionType::Max, value,
                        dim);
    };
    Value distance;
    if constexpr (std::is_same_v<MILOp, mil::ReduceArgminOp>)
      distance =
          layers.sub(layers.scaled(largestOf(layers.scaled(x, -1)), -1), x);
    else
      distance = layers.sub(x, largestOf(x));

    constexpr double factor = 0x1p15, range = 0x1p-9;
    int64_t units = llvm::PowerOf2Ceil(count);
    // In front of up to 1024 places there is room for a base, with which none
    // of the numbers that win is denormal.
    int64_t base = units <= 1024 ? units : 0;
    std::vector<double> places;
    places.reserve(count);
    for (int64_t i = 0; i < count; ++i)
      places.push_back(double(base + count - i) * range / double(units));
    SmallVector<int64_t> shape(zin::numDims, 1);
    shape[dim] = count;
    Type f16 = rewriter.getF16Type();
    Value candidates = zin::ScaledElementWiseOp::create(
        rewriter, op.getLoc(), distance.getType(),
        zin::EWTypeAttr::get(op.getContext(), zin::EWType::Add), distance,
        materializeHalf(rewriter, op.getLoc(), places, shape),
        rewriter.getFloatAttr(f16, factor), rewriter.getFloatAttr(f16, 0));
    Value first = largestOf(candidates);
    double perUnit = double(units) / range;
    if (perUnit > factor) {
      first = layers.scaled(first, factor);
      perUnit /= factor;
    }
    first = layers.scaled(first, -perUnit, double(base + count));
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, op.getLoc(), first, alignShape(y, y.size())));
    return success();
  }
};

} // namespace

Value ane::lowering::reduceOver(OpBuilder &builder, Location location,
                                zin::ReductionType kind, Value x,
                                ArrayRef<int64_t> axes, bool square,
                                zin::PEPost post, double epsilon) {
  SmallVector<int64_t> shape(milShape(x)), sorted(axes);
  for (int64_t axis : axes)
    shape[axis] = 1;
  llvm::sort(sorted);
  zin::PEPostAttr postAttr;
  if (post != zin::PEPost::none)
    postAttr = zin::PEPostAttr::get(builder.getContext(), post);
  FloatAttr epsilonAttr;
  if (epsilon != 0)
    epsilonAttr = builder.getFloatAttr(builder.getF16Type(), epsilon);
  return zin::ReductionOp::create(builder, location,
                                  halfType(builder.getContext(), shape), kind,
                                  x, sorted, square, postAttr, epsilonAttr,
                                  /*scale=*/FloatAttr());
}

void ane::lowering::populateReductionPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ArgRule<mil::ReduceArgmaxOp>, ArgRule<mil::ReduceArgminOp>,
               ReductionRule<mil::ReduceMeanOp, zin::ReductionType::Avg>,
               ReductionRule<mil::ReduceSumOp, zin::ReductionType::Sum>,
               ReductionRule<mil::ReduceMaxOp, zin::ReductionType::Max>,
               ReductionRule<mil::ReduceSumSquareOp, zin::ReductionType::Sum,
                             /*Square=*/true>,
               ReductionRule<mil::ReduceL2NormOp, zin::ReductionType::Sum,
                             /*Square=*/true>>(converter,
                                               patterns.getContext());
}
