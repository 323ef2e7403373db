//===- DecomposeQuantization.cpp - Quantized values inside a program ------===//
//
// The engine computes in fp16, which holds the integers of 8 bits. A value that
// is quantized and taken back is rounded and clipped where it is; one that
// leaves the program, or comes into it, is cast.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
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

  Value dequantize(Replacer &r, Value y) const {
    if (zero)
      y = r.binary<SubOp>(y, zero);
    return r.binary<MulOp>(y, scale);
  }
};

struct DequantizeRule : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeOp op,
                                PatternRewriter &rewriter) const override {
    if (!staticType(op.getInput()))
      return rewriter.notifyMatchFailure(op, "an extent is not known");
    Replacer r(rewriter, op);
    Value x = r.convert(op.getInput(), op.getResult());
    std::optional<Line> line = Line::read(r, op, x);
    if (!line)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    return r.replace(line->dequantize(r, x));
  }
};

} // namespace

void ane::mil::populateDecomposeQuantization(RewritePatternSet &patterns) {
  patterns.add<DequantizeRule>(patterns.getContext());
}
