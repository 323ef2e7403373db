//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "Lowering.h"

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
    // A reduction over nothing is one over a dimension of extent 1.
    Value result = adaptor.getX();
    if (axes.empty())
      axes.push_back(llvm::find(milShape(result), 1) -
                     milShape(result).begin());
    bool isNorm = std::is_same_v<MILOp, mil::ReduceL2NormOp>;
    if (axes.front() < int64_t(zin::numDims))
      result = reduceOver(rewriter, location, Kind, result, axes, Square,
                          isNorm ? zin::PEPost::rsqrt : zin::PEPost::none);
    // The root is never as large as the sum, which fp16 may not hold.
    if (isNorm)
      result = zin::NeuronOp::create(
          rewriter, location, result,
          zin::NeuronAttr::get(op.getContext(), zin::NonLinearMode::inv, {},
                               {}));
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
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
  patterns.add<ReductionRule<mil::ReduceMeanOp, zin::ReductionType::Avg>,
               ReductionRule<mil::ReduceSumOp, zin::ReductionType::Sum>,
               ReductionRule<mil::ReduceMaxOp, zin::ReductionType::Max>,
               ReductionRule<mil::ReduceSumSquareOp, zin::ReductionType::Sum,
                             /*Square=*/true>,
               ReductionRule<mil::ReduceL2NormOp, zin::ReductionType::Sum,
                             /*Square=*/true>>(converter,
                                               patterns.getContext());
}
