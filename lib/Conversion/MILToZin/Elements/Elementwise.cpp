//===- Elementwise.cpp - Arithmetic on elements ---------------------------===//

#include "Elements/ElementLayers.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// What a binary op with one scalar constant becomes. `value` is the constant;
/// `onLeft` says that it is the first operand.
Value applyScalar(const ElementLayers &layers, zin::EWType kind, Value x,
                  double value, bool onLeft) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  switch (kind) {
  case zin::EWType::Add:
    return layers.scaled(x, 1, value);
  case zin::EWType::Sub:
    return onLeft ? layers.scaled(x, -1, value) : layers.scaled(x, 1, -value);
  case zin::EWType::Mult:
    return layers.scaled(x, value);
  case zin::EWType::Max:
    return layers.clamped(value, inf, x);
  case zin::EWType::Min:
    return layers.clamped(-inf, value, x);
  }
  llvm_unreachable("unknown element-wise operation");
}

template <typename MILOp, zin::EWType Kind>
struct BinaryRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    size_t rank = milShape(op.getResult()).size();
    Shape5 resultShape = alignShape(milShape(op.getResult()), rank);

    // One number on one side needs no second operand. A factor that is infinite
    // is an operand: 0 times it is 0 there (measured).
    bool xConstant = bool(mil::getConstantElements(op.getX()));
    bool yConstant = bool(mil::getConstantElements(op.getY()));
    std::optional<double> scalar =
        mil::getConstantNumber(yConstant ? op.getY() : op.getX());
    bool isFactor = Kind == zin::EWType::Mult;
    if (xConstant != yConstant && scalar && std::isfinite(*scalar) &&
        !(isFactor && findHalfOverflow(*scalar))) {
      Value x = yConstant ? adaptor.getX() : adaptor.getY();
      Value result =
          applyScalar({rewriter, location}, Kind, x, *scalar, xConstant);
      rewriter.replaceOp(op,
                         reshapeTo(rewriter, location, result, resultShape));
      return success();
    }

    auto operand = [&](Value original, Value converted) {
      return operandAs(rewriter, location, original, converted,
                       alignShape(milShape(original), rank));
    };
    Value x = operand(op.getX(), adaptor.getX());
    Value y = operand(op.getY(), adaptor.getY());
    rewriter.replaceOpWithNewOp<zin::ElementWiseOp>(
        op, halfType(op.getContext(), resultShape),
        zin::EWTypeAttr::get(op.getContext(), Kind), x, y);
    return success();
  }
};

} // namespace

void ane::lowering::populateElementwisePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BinaryRule<mil::AddOp, zin::EWType::Add>,
               BinaryRule<mil::SubOp, zin::EWType::Sub>,
               BinaryRule<mil::MulOp, zin::EWType::Mult>,
               BinaryRule<mil::MaximumOp, zin::EWType::Max>,
               BinaryRule<mil::MinimumOp, zin::EWType::Min>>(
      converter, patterns.getContext());
  populateIntegerPatterns(converter, patterns);
  populateLogicPatterns(converter, patterns);
  populateQuantizePatterns(converter, patterns);
  populateUnaryPatterns(converter, patterns);
}
