//===- Resize.cpp - Images of another size --------------------------------===//
//
// Resizing works on one dimension after the other. The nearest elements are
// taken by index; weighted means are a product with the matrix of weights. Sums
// are wide inside a product, so each dimension rounds once.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

template <typename MILOp> struct ResizeRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    mil::Resampling resampling = *mil::getResampling(op);
    ArrayRef<int64_t> from = milShape(op.getX()), to = milShape(op.getResult());
    int64_t rank = from.size();
    Value x = adaptor.getX();
    // What shrinks comes first, so that nothing between is larger than both.
    // Columns take the most steps: they shrink last and grow first.
    SmallVector<int64_t> axes;
    for (int64_t axis = rank - resampling.dims; axis < rank; ++axis)
      if (to[axis] <= from[axis])
        axes.push_back(axis);
    for (int64_t axis = rank; axis-- > rank - resampling.dims;)
      if (to[axis] > from[axis])
        axes.push_back(axis);
    for (int64_t axis : axes)
      x = resample(rewriter, op.getLoc(), x, alignAxis(axis, rank),
                   resampling.nearest, resampling.places(from[axis], to[axis]));
    rewriter.replaceOp(op, x);
    return success();
  }

private:
  static Value resample(OpBuilder &builder, Location location, Value x,
                        unsigned dim, bool nearest, ArrayRef<double> places) {
    int64_t extent = milShape(x)[dim];
    auto all = llvm::seq<int64_t>(0, extent);
    if (llvm::equal(places, all))
      return x;
    if (nearest) {
      SmallVector<int64_t> indices(places.begin(), places.end());
      return takeAlong(builder, location, x, dim, indices);
    }
    return multiplyAlong(builder, location, x, dim,
                         mil::sampleWeights(places, extent));
  }
};

} // namespace

void ane::lowering::populateResizePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ResizeRule<mil::UpsampleNearestNeighborOp>,
               ResizeRule<mil::ResizeNearestNeighborOp>,
               ResizeRule<mil::UpsampleBilinearOp>,
               ResizeRule<mil::ResizeBilinearOp>, ResizeRule<mil::ResizeOp>>(
      converter, patterns.getContext());
}
