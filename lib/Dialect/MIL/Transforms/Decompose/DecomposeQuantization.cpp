//===- DecomposeQuantization.cpp - Quantized values inside a program ------===//
//
// The engine computes in fp16, which holds the integers of 8 bits: they are
// taken back by a difference and a product. What makes them is a layer. Of a
// weight they are taken back here.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The scale or zero point of an op as an operand that broadcasts to `x`.
/// Null if it is not known.
Value parameter(Replacer &r, Value given, Value axis, Value x) {
  ElementsAttr elements = getConstantElements(given);
  if (!elements)
    return {};
  std::optional<SmallVector<double>> numbers = getConstantNumbers(given);
  if (!numbers)
    return {};
  if (elements.getShapedType().getRank() == 0)
    return r.scalar(numbers->front(), x);
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  std::optional<int64_t> at = getConstantInt(axis);
  if (!at)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[fromFront(*at, rank)] = numbers->size();
  return r.tensor(*numbers, shape, x);
}

struct DequantizeRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    if (!staticType(op.getInput()))
      return rewriter.notifyMatchFailure(op, "an extent is not known");
    Replacer r(rewriter, op);
    Value y = r.convert(op.getInput(), op.getResult());
    Value scale = parameter(r, op.getScale(), op.getAxis(), y), zero;
    if (op.getZeroPoint())
      zero = parameter(r, op.getZeroPoint(), op.getAxis(), y);
    if (!scale || (op.getZeroPoint() && !zero))
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    if (zero)
      y = r.binary<SubOp>(y, zero);
    return r.replace(r.binary<MulOp>(y, scale));
  }
};

/// What a weight of integers stands for.
struct ConvQuantizedRule : OpRewritePattern<ConvQuantizedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvQuantizedOp op,
                                PatternRewriter &rewriter) const override {
    if (getConstantString(op.getQuantizationType()) != "linear")
      return rewriter.notifyMatchFailure(op, "the table is not documented");
    auto weight = getConstantNumbers(op.getWeight());
    auto scale = getConstantNumbers(op.getQuantScale());
    auto offset = getConstantNumbers(op.getQuantBias());
    if (!weight || !scale || !offset || !staticType(op.getX()))
      return rewriter.notifyMatchFailure(op, "a number or extent is computed");
    ArrayRef<int64_t> shape = shapeOf(op.getWeight());
    size_t perChannel = weight->size() / std::max<int64_t>(shape[0], 1);
    auto ofChannel = [](const SmallVector<double> &numbers, size_t channel) {
      return numbers[numbers.size() == 1 ? 0 : channel];
    };
    for (auto [index, number] : llvm::enumerate(*weight))
      number = number * ofChannel(*scale, index / perChannel) +
               ofChannel(*offset, index / perChannel);
    Replacer r(rewriter, op);
    Value bias;
    if (op.getBias()) {
      auto numbers = getConstantNumbers(op.getBias());
      if (!numbers)
        return rewriter.notifyMatchFailure(op, "the bias is computed");
      bias = r.tensor(*numbers, shapeOf(op.getBias()), op.getX());
    }
    Value result = ConvOp::create(
        rewriter, op.getLoc(), op.getResult().getType(), op.getX(),
        r.tensor(*weight, shape, op.getX()), bias, op.getStrides(),
        op.getPadType(), op.getPad(), op.getDilations(), op.getGroups());
    return r.replace(result);
  }
};

} // namespace

void ane::mil::populateDecomposeQuantization(RewritePatternSet &patterns) {
  patterns.add<DequantizeRule, ConvQuantizedRule>(patterns.getContext());
}
