//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

struct ReduceMeanRule : OpConversionPattern<mil::ReduceMeanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ReduceMeanOp op, OpAdaptor adaptor,
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
                                        halfType(op.getContext(), shape),
                                        zin::ReductionType::Avg, result, axes);
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateReductionPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReduceMeanRule>(converter, patterns.getContext());
}
