//===- ElementLayers.h - Layers that are functions of elements --*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_ELEMENTS_ELEMENTLAYERS_H
#define ANE_LIB_CONVERSION_MILTOZIN_ELEMENTS_ELEMENTLAYERS_H

#include "Lowering.h"

namespace ane::lowering {

/// What is added to numbers so that fp16 rounds them to integers, to even: it
/// has nothing else from 1024 to 2048.
constexpr double integersOnly = 1536;

/// Makes layers at one place.
struct ElementLayers {
  mlir::OpBuilder &builder;
  mlir::Location location;

  /// `function((x + bias) * scale)`, bias and scale rounded to fp16.
  mlir::Value neuron(zin::NonLinearMode mode, mlir::Value x, double scale = 1,
                     double bias = 0) const;
  /// An activation with parameters.
  mlir::Value neuron(zin::NonLinearMode mode, double alpha,
                     std::optional<double> beta, mlir::Value x) const;
  /// min(max(x, low), high): with bounds the wrong way round the upper one
  /// counts.
  mlir::Value clamped(double low, double high, mlir::Value x) const;
  mlir::Value scaled(mlir::Value x, double scale, double bias = 0) const;
  /// Operands that broadcast.
  mlir::Value binary(zin::EWType kind, mlir::Value x, mlir::Value y) const;
  mlir::Value add(mlir::Value x, mlir::Value y) const {
    return binary(zin::EWType::Add, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) const {
    return binary(zin::EWType::Sub, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) const {
    return binary(zin::EWType::Mult, x, y);
  }

private:
  mlir::FloatAttr half(double value) const;
};

/// A rule for an op of one input `x`, which a function turns into layers.
template <typename MILOp> struct UnaryRule : mlir::OpConversionPattern<MILOp> {
  using Rule = mlir::Value (*)(const ElementLayers &, mlir::Value);
  UnaryRule(const mlir::TypeConverter &converter, mlir::MLIRContext *context,
            Rule rule)
      : mlir::OpConversionPattern<MILOp>(converter, context), rule(rule) {}

  mlir::LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, rule({rewriter, op.getLoc()}, adaptor.getX()));
    return mlir::success();
  }

  Rule rule;
};

/// x without its fraction, rounded down or up; exact for every fp16.
mlir::Value roundDown(const ElementLayers &layers, mlir::Value x);
mlir::Value roundUp(const ElementLayers &layers, mlir::Value x);
/// The nearest integer, the even one of two; exact for every fp16.
mlir::Value roundNearest(const ElementLayers &layers, mlir::Value x);

void populateUnaryPatterns(const MILToZinTypeConverter &,
                           mlir::RewritePatternSet &);
void populateIntegerPatterns(const MILToZinTypeConverter &,
                             mlir::RewritePatternSet &);
void populateLogicPatterns(const MILToZinTypeConverter &,
                           mlir::RewritePatternSet &);
void populateQuantizePatterns(const MILToZinTypeConverter &,
                              mlir::RewritePatternSet &);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_ELEMENTS_ELEMENTLAYERS_H
