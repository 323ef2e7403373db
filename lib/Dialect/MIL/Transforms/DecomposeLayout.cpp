//===- DecomposeLayout.cpp - Layouts of many dimensions -------------------===//
//
// The engine has five dimensions. Programs split dimensions, exchange the parts
// and join them again, with more than five on the way. Dimensions that stay
// together are one; what is left is exchanged block by block.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include <algorithm>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Two neighbouring blocks of dimensions change places: with what is in front
/// and behind that is a transpose of four dimensions.
struct LargeTransposeRule : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    std::optional<SmallVector<int64_t>> perm = getConstantInts(op.getPerm());
    if (!type || !perm || type.getRank() <= mostDims)
      return rewriter.notifyMatchFailure(op, "dimensions are few or unknown");
    // Where the dimensions of the result come from; extents of 1 stay anywhere.
    SmallVector<int64_t> wanted, order;
    for (int64_t source : *perm) {
      source = fromFront(source, type.getRank());
      if (type.getDimSize(source) != 1)
        wanted.push_back(source);
    }
    order = wanted;
    llvm::sort(order);
    Replacer r(rewriter, op);
    Value x = op.getX();
    auto extent = [&](ArrayRef<int64_t> dims) {
      int64_t count = 1;
      for (int64_t dim : dims)
        count *= type.getDimSize(dim);
      return count;
    };
    for (size_t at = 0; at < wanted.size(); ++at) {
      size_t from = llvm::find(order, wanted[at]) - order.begin();
      if (from == at)
        continue;
      size_t count = 1;
      while (from + count < order.size() && at + count < wanted.size() &&
             order[from + count] == wanted[at + count])
        ++count;
      ArrayRef<int64_t> all = order;
      SmallVector<int64_t> blocks = {
          extent(all.take_front(at)), extent(all.slice(at, from - at)),
          extent(all.slice(from, count)), extent(all.drop_front(from + count))};
      x = r.transpose(r.reshape(x, blocks), {0, 2, 1, 3});
      std::rotate(order.begin() + at, order.begin() + from,
                  order.begin() + from + count);
    }
    return r.replace(r.reshape(x, staticType(op.getResult()).getShape()));
  }
};

/// A layout of many dimensions that somebody gives another shape at once.
template <typename Op> struct ReshapedRule : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Operation *source = op.getX().getDefiningOp();
    RankedTensorType between = staticType(op.getX()),
                     type = staticType(op.getResult());
    if (!isa_and_nonnull<ReshapeOp, ExpandDimsOp, SqueezeOp>(source) ||
        !between || !type || between.getRank() <= mostDims ||
        !staticType(source->getOperand(0)))
      return rewriter.notifyMatchFailure(op, "no reshape of many dimensions");
    Replacer r(rewriter, op);
    return r.replace(r.reshape(source->getOperand(0), type.getShape()));
  }
};

} // namespace

void ane::mil::populateDecomposeLayout(RewritePatternSet &patterns) {
  patterns.add<LargeTransposeRule, ReshapedRule<ReshapeOp>,
               ReshapedRule<ExpandDimsOp>, ReshapedRule<SqueezeOp>>(
      patterns.getContext());
}
