//===- ElementLayers.cpp - Layers that are functions of elements ----------===//

#include "Elements/ElementLayers.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

FloatAttr ElementLayers::half(double value) const {
  return builder.getFloatAttr(builder.getF16Type(), value);
}

Value ElementLayers::neuron(NonLinearMode mode, Value x, double scale,
                            double bias) const {
  auto function = zin::NeuronAttr::get(builder.getContext(), mode, {}, {});
  FloatAttr biasAttr = half(bias);
  return zin::NeuronOp::create(
      builder, location, x, function, scale == 1 ? FloatAttr() : half(scale),
      biasAttr.getValue().isZero() ? FloatAttr() : biasAttr);
}

Value ElementLayers::neuron(NonLinearMode mode, double alpha,
                            std::optional<double> beta, Value x) const {
  return zin::NeuronOp::create(
      builder, location, x,
      zin::NeuronAttr::get(builder.getContext(), mode, half(alpha),
                           beta ? half(*beta) : FloatAttr()));
}

Value ElementLayers::clamped(double low, double high, Value x) const {
  // NaN counts as an infinity where it enters (measured).
  auto bound = [](double number) {
    return std::isnan(number) ? HUGE_VAL : number;
  };
  low = bound(low);
  high = bound(high);
  return neuron(NonLinearMode::clamped_relu, std::min(low, high), high, x);
}

Value ElementLayers::scaled(Value x, double scale, double bias) const {
  return zin::GOCOp::create(builder, location, x, scale, bias);
}

Value ElementLayers::binary(zin::EWType kind, Value x, Value y) const {
  Shape5 shape;
  for (auto [a, b] : llvm::zip_equal(milShape(x), milShape(y)))
    shape.push_back(std::max(a, b));
  return zin::ElementWiseOp::create(
      builder, location, halfType(builder.getContext(), shape),
      zin::EWTypeAttr::get(builder.getContext(), kind), x, y);
}
