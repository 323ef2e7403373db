//===- Sampling.cpp - Places between the elements of images ---------------===//

#include "Moves/Sampling.h"
#include <cmath>
#include <optional>

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
