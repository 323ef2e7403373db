//===- DecomposeLinear.cpp - Products by other products -------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// softmax(query * key^T / sqrt(E) + mask) * value. The factor goes to the
/// query, so that scores do not pass fp16 where the scaled ones do not.
struct AttentionRule : OpRewritePattern<ScaledDotProductAttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScaledDotProductAttentionOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (!staticType(operand))
        return rewriter.notifyMatchFailure(op, "no static tensor");
    Location location = op.getLoc();
    Replacer r(rewriter, op);
    Value query = op.getQuery();
    query = r.binary<MulOp>(query, 1 / std::sqrt(shapeOf(query).back()));
    Value scores = r.product(query, op.getKey(), true);
    if (Value mask = op.getAttnMask()) {
      if (staticType(mask).getElementType().isInteger(1)) {
        // A score as low as this has no weight beside any other.
        constexpr double hidden = 30000;
        Value shown = r.convert(mask, scores);
        mask = r.binary<MulOp>(r.binary<SubOp>(shown, 1), hidden);
      }
      scores = r.binary<AddOp>(scores, mask);
    }
    Value weights = SoftmaxOp::create(rewriter, location, scores.getType(),
                                      scores, r.integer(-1));
    return r.replace(r.product(weights, op.getValue()));
  }
};

/// nchw,nwhu->nchu: a product for each n and h.
struct EinsumRule : OpRewritePattern<EinsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EinsumOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op.getValues())
      if (!staticType(operand))
        return rewriter.notifyMatchFailure(op, "no static tensor");
    Replacer r(rewriter, op);
    Value x = op.getValues()[0], y = op.getValues()[1];
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(x).size()));
    std::swap(order[order.size() - 3], order[order.size() - 2]);
    Value product = r.product(r.transpose(x, order), r.transpose(y, order));
    return r.replace(r.transpose(product, order));
  }
};

/// What a value of a batch and all else in one dimension was before, a batch
/// of channels and what belongs to them; null if it was not.
Value beforeFlattening(Value x) {
  Operation *op = x.getDefiningOp();
  if (!isa_and_nonnull<ReshapeOp, Flatten2dOp>(op))
    return {};
  Value source = op->getOperand(0);
  RankedTensorType type = staticType(source);
  if (!type || type.getRank() < 3 || type.getDimSize(0) != shapeOf(x)[0])
    return {};
  return source;
}

/// A product with more numbers than a row has, those of an image -> a
/// convolution whose one window is the image.
struct FlattenedLinearRule : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || type.getRank() != 2 || type.getDimSize(1) <= longestDim)
      return rewriter.notifyMatchFailure(op, "rows of columns");
    Value source = beforeFlattening(op.getX());
    ElementsAttr weights = getConstantElements(op.getWeight());
    if (!source || !weights)
      return rewriter.notifyMatchFailure(
          op, "no image before it, or the weights are computed");
    int64_t batch = type.getDimSize(0), outputs = shapeOf(op.getWeight())[0];
    // A window of many columns would become a sum of several. Its elements are
    // channels instead.
    SmallVector<int64_t> image(shapeOf(source));
    if (image.size() != 4 || image.back() > h13.maxKernelWidth)
      image = {batch, type.getDimSize(1), 1, 1};
    SmallVector<int64_t> kernel(image);
    kernel.front() = outputs;
    ElementsAttr window = reshaped(weights, kernel);
    if (!window)
      return rewriter.notifyMatchFailure(op, "the weights are not at hand");
    Replacer r(rewriter, op);
    if (shapeOf(source) != ArrayRef(image))
      source = r.reshape(source, image);
    Value bias = op.getBias();
    bool isOneForAll = bias && shapeOf(bias) != ArrayRef(outputs);
    if (isOneForAll)
      bias = Value();
    Value result = ConvOp::create(
        rewriter, op.getLoc(), type.clone({batch, outputs, 1, 1}), source,
        r.constant(window), bias, r.ints({1, 1}), r.string("valid"),
        r.ints({0, 0, 0, 0}), r.ints({1, 1}), r.integer(1));
    result = r.reshape(result, {batch, outputs});
    if (isOneForAll)
      result = r.binary<AddOp>(result, op.getBias());
    return r.replace(result);
  }
};

} // namespace

void ane::mil::populateDecomposeLinear(RewritePatternSet &patterns) {
  patterns.add<AttentionRule, EinsumRule, FlattenedLinearRule>(
      patterns.getContext());
}
