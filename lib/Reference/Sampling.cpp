//===- Sampling.cpp - Places between the elements of images ---------------===//

#include "Sampling.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ane::reference;

namespace {

/// A whole coordinate as one inside `extent`, or none for what is outside of an
/// image with constant padding.
std::optional<int64_t> inside(double place, int64_t extent, Padding padding) {
  double last = static_cast<double>(extent) - 1;
  if (place >= 0 && place <= last)
    return static_cast<int64_t>(place);
  if (padding == Padding::Constant || std::isnan(place) || extent == 0)
    return std::nullopt;
  if (padding == Padding::Border || std::isinf(place) || last == 0)
    return place < 0 ? 0 : extent - 1;
  // Mirrored images repeat: a, b, c, b with the edge once, a, b, c, c, b, a
  // with it twice.
  double period = padding == Padding::Reflection ? 2 * last : 2 * last + 2;
  double phase = std::fmod(place, period);
  if (phase < 0)
    phase += period;
  if (phase > last)
    phase = period - phase - (padding == Padding::Symmetric);
  return static_cast<int64_t>(phase);
}

} // namespace

SamplingMode ane::reference::samplingModeOf(mlir::Value name) {
  llvm::StringRef mode =
      name ? mil::getConstantString(name).value_or("") : "DEFAULT";
  return llvm::StringSwitch<SamplingMode>(mode)
      .Case("STRICT_ALIGN_CORNERS", SamplingMode::StrictAlignCorners)
      .Case("ALIGN_CORNERS", SamplingMode::AlignCorners)
      .Case("OFFSET_CORNERS", SamplingMode::OffsetCorners)
      .Case("UNALIGN_CORNERS", SamplingMode::UnalignCorners)
      .Default(SamplingMode::Default);
}

std::vector<double> ane::reference::samplePlaces(SamplingMode mode,
                                                 double extent, int64_t count) {
  double in = extent, last = extent - 1, out = static_cast<double>(count);
  auto place = [&](double i) {
    switch (mode) {
    case SamplingMode::StrictAlignCorners:
      return count == 1 ? 0 : i * last / (out - 1);
    case SamplingMode::AlignCorners:
      return count == 1 ? last / 2 : i * last / (out - 1);
    case SamplingMode::Default:
      return i * in / out;
    case SamplingMode::OffsetCorners:
      return (i + 0.5) * std::max(1.0, last) / out;
    case SamplingMode::UnalignCorners:
      return (i + 0.5) * in / out - 0.5;
    }
    llvm_unreachable("covered switch");
  };
  std::vector<double> places;
  places.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    places.push_back(
        std::min(last, std::max(0.0, place(static_cast<double>(i)))));
  return places;
}

double Image::at(double row, double column) const {
  std::optional<int64_t> y = inside(row, height, padding);
  std::optional<int64_t> x = inside(column, width, padding);
  return y && x ? elements[*y * width + *x] : paddingValue;
}

double Image::bilinear(double row, double column) const {
  double top = std::floor(row), left = std::floor(column);
  double sum = 0;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) {
      double weight = (y ? row - top : 1 - (row - top)) *
                      (x ? column - left : 1 - (column - left));
      if (weight != 0)
        sum += weight * at(top + y, left + x);
    }
  return sum;
}

double Image::nearest(double row, double column) const {
  return at(std::nearbyint(row), std::nearbyint(column));
}
