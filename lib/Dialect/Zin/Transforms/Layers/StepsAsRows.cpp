//===- StepsAsRows.cpp - Dilated windows of one row, by rows --------------===//
//
// Taps that are whole lines of memory apart see the columns of a signal as
// those of rows which are as long as a step: there they are one below the
// other, and no element moves.
//
//===----------------------------------------------------------------------===//

#include "HalfConstant.h"
#include "Layers/MadeKernels.h"
#include "Layers/StackTaps.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Rows of a value in L2 that are worth a copy of it: few of them take as long
/// to access as many. Assigned.
constexpr int64_t leastRows = 16;

/// Taps of a row that are whole lines of memory apart -> rows of as many
/// columns, which lie where they are, and taps of one column.
struct StepsAsRows : OpRewritePattern<ConvOp> {
  StepsAsRows(MLIRContext *context, const TargetDescription &target,
              MadeKernels &kernels)
      : OpRewritePattern(context, /*benefit=*/4), target(target),
        kernels(kernels) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult()),
                      kernel = shapeOf(op.getKernel());
    int64_t step = op.getDilations()[1], padding = op.getPadding()[1];
    if (x[H] != 1 || y[H] != 1 || kernel[H] != 1 || op.getPadding()[0] != 0 ||
        kernel[W] == 1 || op.getStrides()[1] != 1 || step % target.rowStep() ||
        x[W] % target.rowStep() || padding % step ||
        (x[W] % step &&
         (comesFromMemory(op, target) || x[W] / step < leastRows)))
      return rewriter.notifyMatchFailure(op, "taps are not lines apart");
    auto constant = op.getKernel().getDefiningOp<ConstantOp>();
    if (!constant || !isAtHand(op.getKernel()))
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
    Location location = op.getLoc();
    // The last row is filled with zeros, or has results too many.
    Value source = op.getX();
    if (int64_t missing = llvm::alignTo(x[W], step) - x[W]) {
      SmallVector<int64_t> zeros(x);
      zeros[W] = missing;
      source = concatAlong(rewriter, location,
                           {source, makeZeros(rewriter, location, zeros)}, W);
    }
    auto inRows = [&](ArrayRef<int64_t> shape) {
      SmallVector<int64_t> rows(shape);
      rows[H] = llvm::divideCeil(shape[W], step);
      rows[W] = step;
      return rows;
    };
    SmallVector<int64_t> taps(kernel);
    std::swap(taps[H], taps[W]);
    // No dimension has that number.
    constexpr int64_t turned = numDims + 2;
    Value column = kernels.get(rewriter, constant, {turned}, [&] {
      return makeSlice(rewriter, location, constant, taps, 0);
    });
    Value result =
        ConvOp::create(rewriter, location,
                       RankedTensorType::get(inRows(y), rewriter.getF16Type()),
                       reshapeTo(rewriter, location, source, inRows(x)), column,
                       op.getBias(), rewriter.getDenseI64ArrayAttr({1, 1}),
                       rewriter.getDenseI64ArrayAttr({padding / step, 0}),
                       rewriter.getDenseI64ArrayAttr({1, 1}),
                       op.getGroupsAttr(), op.getActivationAttr());
    result.getDefiningOp<ConvOp>().setScaleAttr(op.getScaleAttr());
    SmallVector<int64_t> line(y);
    line[W] = llvm::alignTo(y[W], step);
    rewriter.replaceOp(
        op, viewAlong(rewriter, location,
                      reshapeTo(rewriter, location, result, line), W, 0, y[W]));
    return success();
  }

private:
  const TargetDescription &target;
  MadeKernels &kernels;
};

} // namespace

void zin::populateStepsAsRows(RewritePatternSet &patterns,
                              const TargetDescription &target,
                              MadeKernels &kernels) {
  patterns.add<StepsAsRows>(patterns.getContext(), target, kernels);
}
