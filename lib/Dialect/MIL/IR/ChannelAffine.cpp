//===- ChannelAffine.cpp - Batch norm as gain and offset ------------------===//

#include "ane/Dialect/MIL/IR/ChannelAffine.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include <cmath>

using namespace mlir;
using namespace ane::mil;

namespace {

/// The elements of a constant parameter; `fill` where it is absent.
std::optional<SmallVector<double>> parameter(Value value, size_t channels,
                                             double fill) {
  if (!value)
    return SmallVector<double>(channels, fill);
  ElementsAttr elements = getConstantElements(value);
  if (!elements)
    return std::nullopt;
  std::optional<SmallVector<double>> values = getConstantFloats(elements);
  if (!values || values->size() != channels)
    return std::nullopt;
  return values;
}

} // namespace

std::optional<ChannelAffine> ane::mil::getChannelAffine(BatchNormOp op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  if (x.isDynamicDim(1))
    return std::nullopt;
  size_t channels = x.getDimSize(1);
  auto mean = parameter(op.getMean(), channels, 0);
  auto variance = parameter(op.getVariance(), channels, 1);
  auto gamma = parameter(op.getGamma(), channels, 1);
  auto beta = parameter(op.getBeta(), channels, 0);
  std::optional<double> epsilon = op.getEpsilonOrDefault();
  if (!mean || !variance || !gamma || !beta || !epsilon)
    return std::nullopt;
  ChannelAffine affine;
  for (size_t c = 0; c < channels; ++c) {
    double scale = (*gamma)[c] / std::sqrt((*variance)[c] + *epsilon);
    affine.scale.push_back(scale);
    affine.bias.push_back((*beta)[c] - (*mean)[c] * scale);
  }
  return affine;
}
