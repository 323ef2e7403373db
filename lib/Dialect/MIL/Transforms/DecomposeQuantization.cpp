//===- DecomposeQuantization.cpp - Quantized values inside a program ------===//
//
// The engine computes in fp16, which holds the integers of 8 bits. A value that
// is quantized and taken back is rounded and clipped where it is.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/IRMapping.h"

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
  SmallVector<double> numbers;
  if (auto floats = getConstantFloats(elements)) {
    numbers = *floats;
  } else if (auto integers = getConstantInts(given)) {
    llvm::append_range(numbers, *integers);
  } else {
    return {};
  }
  if (elements.getShapedType().getRank() == 0)
    return r.scalar(numbers.front(), x);
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  std::optional<int64_t> at = getConstantInt(axis);
  if (!at)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[*at < 0 ? *at + rank : *at] = numbers.size();
  return r.tensor(numbers, shape, x);
}

struct QuantizedRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    auto quantize = op.getInput().getDefiningOp<QuantizeOp>();
    if (!quantize || !staticType(quantize.getInput()))
      return rewriter.notifyMatchFailure(op, "the input is not quantized here");
    Replacer r(rewriter, op);
    Value x = quantize.getInput();
    auto read = [&](Value given, Value axis) {
      return given ? parameter(r, given, axis, x) : r.scalar(0, x);
    };
    Value scale = read(quantize.getScale(), quantize.getAxis());
    Value zero = read(quantize.getZeroPoint(), quantize.getAxis());
    Value factor = read(op.getScale(), op.getAxis());
    Value shift = read(op.getZeroPoint(), op.getAxis());
    if (!scale || !zero || !factor || !shift)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");

    bool isUnsigned =
        staticType(op.getInput()).getElementType().isUnsignedInteger();
    Value y = r.unary<RoundOp>(r.binary<RealDivOp>(x, scale));
    if (quantize.getZeroPoint())
      y = r.binary<AddOp>(y, zero);
    y = r.with<ClipOp>(y, r.scalar(isUnsigned ? 0 : INT8_MIN, y),
                       r.scalar(isUnsigned ? UINT8_MAX : INT8_MAX, y));
    if (op.getZeroPoint())
      y = r.binary<SubOp>(y, shift);
    y = r.binary<MulOp>(y, factor);
    return r.replace(r.convert(y, op.getResult()));
  }
};

/// dequantize(move(x)) -> move(dequantize(x)): with one scale for all elements
/// it does not matter where they are.
struct MovedRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    Operation *move = op.getInput().getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, TransposeOp, ExpandDimsOp, SqueezeOp>(move))
      return rewriter.notifyMatchFailure(op, "the input is not moved");
    Value x = move->getOperand(0);
    RankedTensorType from = staticType(x), to = staticType(op.getResult());
    RankedTensorType scale = staticType(op.getScale());
    if (!from || !to || !scale || scale.getRank() != 0 || op.getAxis())
      return rewriter.notifyMatchFailure(op, "elements differ in scale");
    Replacer r(rewriter, op);
    IRMapping mapping;
    mapping.map(x, DequantizeOp::create(
                       rewriter, op.getLoc(), from.clone(to.getElementType()),
                       x, op.getZeroPoint(), op.getScale(), Value(),
                       /*label=*/nullptr, /*result_names=*/nullptr));
    Operation *moved = rewriter.clone(*move, mapping);
    moved->removeAttr("label");
    moved->removeAttr("result_names");
    moved->getResult(0).setType(to);
    return r.replace(moved->getResult(0));
  }
};

} // namespace

void ane::mil::populateDecomposeQuantization(RewritePatternSet &patterns) {
  patterns.add<MovedRule, QuantizedRule>(patterns.getContext());
}
