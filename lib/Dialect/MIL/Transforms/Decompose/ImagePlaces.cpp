//===- ImagePlaces.cpp - Places of images ---------------------------------===//

#include "Decompose/ImagePlaces.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

std::optional<SmallVector<double>> mil::finiteNumbersOf(Value value) {
  std::optional<SmallVector<double>> numbers = getConstantNumbers(value);
  if (numbers &&
      !llvm::all_of(*numbers, [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  return numbers;
}

RankedTensorType mil::floatType(Value value) {
  RankedTensorType type = staticType(value);
  return type && isa<FloatType>(type.getElementType()) ? type
                                                       : RankedTensorType();
}

double mil::foldPlace(double place, int64_t extent, Padding padding) {
  double last = double(extent - 1);
  if (padding == Padding::Reflection && last > 0)
    place -= 2 * last * std::floor(place / (2 * last));
  if (padding == Padding::Reflection && place > last)
    place = 2 * last - place;
  if (padding == Padding::Symmetric) {
    double period = 2 * last + 2;
    place -= period * std::floor(place / period);
    place = std::min(place, period - 1 - place);
  }
  return padding == Padding::Constant ? place : std::clamp(place, 0.0, last);
}
