//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// A reduction that the planar engine has.
template <typename MILOp, zin::ReductionType Kind>
struct ReductionRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    int64_t rank = milShape(op.getX()).size();
    SmallVector<int64_t> axes;
    if (op.getAxes())
      axes = *mil::getConstantInts(op.getAxes());
    else
      llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
    for (int64_t &axis : axes)
      axis = alignAxis(axis < 0 ? axis + rank : axis, rank);
    llvm::sort(axes);

    auto type = cast<RankedTensorType>(adaptor.getX().getType());
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t axis : axes)
      shape[axis] = 1;
    Value result = adaptor.getX();
    if (!axes.empty())
      result = zin::ReductionOp::create(rewriter, location,
                                        halfType(op.getContext(), shape), Kind,
                                        result, axes);
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateReductionPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReductionRule<mil::ReduceMeanOp, zin::ReductionType::Avg>,
               ReductionRule<mil::ReduceSumOp, zin::ReductionType::Sum>,
               ReductionRule<mil::ReduceMaxOp, zin::ReductionType::Max>>(
      converter, patterns.getContext());
}
