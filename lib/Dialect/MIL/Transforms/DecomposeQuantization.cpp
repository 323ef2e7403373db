//===- DecomposeQuantization.cpp - Quantized values inside a program ------===//
//
// The engine computes in fp16, which holds the integers of 8 bits. A value that
// is quantized and taken back is rounded and clipped where it is; one that
// leaves the program, or comes into it, is cast.
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
  shape[fromFront(*at, rank)] = numbers.size();
  return r.tensor(numbers, shape, x);
}

/// Whether elements stay what they are.
bool isMove(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, ExpandDimsOp, SqueezeOp>(op);
}

/// Whether an op has one scale for all elements, so that it does not matter
/// where they are.
bool isUniform(DequantizeOp op) {
  RankedTensorType scale = staticType(op.getScale());
  return scale && scale.getRank() == 0 && !op.getAxis();
}

/// Whether a rule joins the op, or one behind moves, with what quantized it.
bool isTakenBack(Operation *quantized, bool isMoved = false) {
  return llvm::any_of(quantized->getUsers(), [&](Operation *user) {
    if (auto dequantize = dyn_cast<DequantizeOp>(user))
      return !isMoved || isUniform(dequantize);
    return isMove(user) && isTakenBack(user, /*isMoved=*/true);
  });
}

/// The parameters of an op, as operands of what `x` is computed with.
struct Line {
  Value scale, zero; ///< the zero point is null where it is absent

  template <typename Op>
  static std::optional<Line> read(Replacer &r, Op op, Value x) {
    Line line = {parameter(r, op.getScale(), op.getAxis(), x), {}};
    if (op.getZeroPoint())
      line.zero = parameter(r, op.getZeroPoint(), op.getAxis(), x);
    if (!line.scale || (op.getZeroPoint() && !line.zero))
      return std::nullopt;
    return line;
  }

  /// Integers, in the element type of `x`.
  Value quantize(Replacer &r, Value x, Type element) const {
    bool isUnsigned = element.isUnsignedInteger();
    Value y = r.unary<RoundOp>(r.binary<RealDivOp>(x, scale));
    if (zero)
      y = r.binary<AddOp>(y, zero);
    return r.with<ClipOp>(y, r.scalar(isUnsigned ? 0 : INT8_MIN, y),
                          r.scalar(isUnsigned ? UINT8_MAX : INT8_MAX, y));
  }
  Value dequantize(Replacer &r, Value y) const {
    if (zero)
      y = r.binary<SubOp>(y, zero);
    return r.binary<MulOp>(y, scale);
  }
};

struct QuantizedRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    auto quantize = op.getInput().getDefiningOp<QuantizeOp>();
    if (!quantize || !staticType(quantize.getInput()))
      return rewriter.notifyMatchFailure(op, "the input is not quantized here");
    Replacer r(rewriter, op);
    Value x = quantize.getInput();
    std::optional<Line> in = Line::read(r, quantize, x),
                        out = Line::read(r, op, x);
    if (!in || !out)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    Value y = in->quantize(r, x, staticType(op.getInput()).getElementType());
    return r.replace(r.convert(out->dequantize(r, y), op.getResult()));
  }
};

/// A quantized value that somebody else reads.
struct QuantizeRule : OpRewritePattern<QuantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getResult());
    if (!type || isTakenBack(op))
      return rewriter.notifyMatchFailure(op, "the value may be taken back");
    Replacer r(rewriter, op);
    std::optional<Line> line = Line::read(r, op, op.getInput());
    if (!line)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    return r.replace(
        r.convert(line->quantize(r, op.getInput(), type.getElementType()),
                  op.getResult()));
  }
};

/// A value that was not quantized here.
struct DequantizeRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    Operation *source = op.getInput().getDefiningOp();
    if (!staticType(op.getInput()) || isa_and_nonnull<QuantizeOp>(source) ||
        (isMove(source) && isUniform(op)))
      return rewriter.notifyMatchFailure(op, "the value may be quantized here");
    Replacer r(rewriter, op);
    Value x = r.convert(op.getInput(), op.getResult());
    std::optional<Line> line = Line::read(r, op, x);
    if (!line)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    return r.replace(line->dequantize(r, x));
  }
};

/// dequantize(move(x)) -> move(dequantize(x)): with one scale for all elements
/// it does not matter where they are.
struct MovedRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    Operation *move = op.getInput().getDefiningOp();
    if (!isMove(move))
      return rewriter.notifyMatchFailure(op, "the input is not moved");
    Value x = move->getOperand(0);
    RankedTensorType from = staticType(x), to = staticType(op.getResult());
    if (!from || !to || !isUniform(op))
      return rewriter.notifyMatchFailure(op, "elements differ in scale");
    Replacer r(rewriter, op);
    IRMapping mapping;
    mapping.map(x, DequantizeOp::create(
                       rewriter, op.getLoc(), from.clone(to.getElementType()),
                       x, op.getZeroPoint(), op.getScale(), Value(),
                       /*label=*/std::nullopt, /*result_names=*/nullptr));
    Operation *moved = rewriter.clone(*move, mapping);
    dropNames(moved);
    moved->getResult(0).setType(to);
    return r.replace(moved->getResult(0));
  }
};

} // namespace

void ane::mil::populateDecomposeQuantization(RewritePatternSet &patterns) {
  patterns.add<MovedRule, QuantizedRule, QuantizeRule, DequantizeRule>(
      patterns.getContext());
}
