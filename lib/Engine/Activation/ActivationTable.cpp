//===- ActivationTable.cpp - Evaluates an activation table ----------------===//

#include "Activation/ActivationTable.h"
#include "HalfConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace ane;
using namespace ane::engine;
using td::LutMode;

namespace {

/// The largest scale of a real plain table.
constexpr int maxLog2Scale = td::lutScaleOfLines;

/// A bound of the domain, where an infinity is one.
float bound(uint16_t bits) { return halfBitsToFloat(bits); }

/// A number of the table: the largest exponent is an ordinary one.
float number(uint16_t bits) {
  if ((bits & 0x7c00) != 0x7c00)
    return halfBitsToFloat(bits);
  float fraction = 1.0f + static_cast<float>(bits & 0x3ff) * 0x1p-10f;
  return std::ldexp(bits & 0x8000 ? -fraction : fraction, 16);
}

/// The scale with which the knots of a mode cover just its mantissas; nothing
/// for a plain table.
std::optional<int> requiredLog2Scale(LutMode::Index index) {
  switch (index) {
  case LutMode::Sqrt:
  case LutMode::RSqrt:
    return 4;
  case LutMode::Reciprocal:
  case LutMode::Log2:
    return 6;
  case LutMode::Exp2:
  case LutMode::Integer:
    return 5;
  case LutMode::Fraction:
    return 0;
  default:
    return std::nullopt;
  }
}

bool isKnown(uint16_t index) {
  return index <= LutMode::Reciprocal || index == LutMode::Log2 ||
         index == LutMode::Exp2;
}

/// A positive number as mantissa * 2^exponent, the mantissa in [0.5, 1).
struct Split {
  float mantissa;
  int exponent;
  explicit Split(float x) : mantissa(std::frexp(x, &exponent)) {}
};

} // namespace

llvm::Expected<ActivationTable>
ActivationTable::create(const td::LutRecord &record) {
  uint16_t mode = record.mode;
  uint16_t index = mode & LutMode::indexMask;
  if ((mode & ~LutMode::known) || !isKnown(index))
    return llvm::createStringError(
        llvm::formatv("mode {0:x} of the activation table is not known", mode));

  ActivationTable table;
  table.index = static_cast<LutMode::Index>(index);
  table.odd = mode & LutMode::oddResult;
  table.absolute = mode & LutMode::absoluteInput;
  table.positive = mode & LutMode::positiveDomain;
  int log2Scale = lutLog2Scale(record);
  std::optional<int> required = requiredLog2Scale(table.index);
  if (required ? log2Scale != *required : std::abs(log2Scale) > maxLog2Scale)
    return llvm::createStringError(
        llvm::formatv("scale {0:x} of the activation table does not go with "
                      "its mode {1:x}",
                      uint16_t(record.scale), mode));
  table.scale = std::ldexp(1.0f, log2Scale);
  table.centre = td::lutCentre(mode);

  table.xLow = bound(record.xLow);
  table.xHigh = bound(record.xHigh);
  if (std::isnan(table.xLow) || std::isnan(table.xHigh))
    return llvm::createStringError(
        "a bound of the activation table is not a number");
  table.yLow = number(record.yLow);
  table.yHigh = number(record.yHigh);
  table.lowSlope = number(record.lowSlope);
  table.lowIntercept = number(record.lowIntercept);
  table.highSlope = number(record.highSlope);
  table.highIntercept = number(record.highIntercept);
  for (int k = 0; k < numSegments; ++k) {
    float knot = number(record.knots[k]);
    float step = number(record.knots[k + 1]) - knot;
    table.slopes[k] = step * table.scale;
    table.intercepts[k] = static_cast<float>(knot - static_cast<double>(step) *
                                                        (k - table.centre));
  }
  bool rounds =
      table.index == LutMode::Fraction || table.index == LutMode::Integer;
  if (rounds && llvm::any_of(record.knots,
                             [](uint16_t bits) { return number(bits) != 0; }))
    return llvm::createStringError(llvm::formatv(
        "an activation table of mode {0:x} has knots that are not 0; what they "
        "do is not known",
        mode));
  return table;
}

float ActivationTable::operator()(float x) const {
  if (positive && x < 0)
    return 0;
  bool negative = x < 0;
  if (absolute)
    x = std::fabs(x);
  float y = x <= xLow ? yLow : x >= xHigh ? yHigh : inside(x);
  return odd && negative ? -y : y;
}

float ActivationTable::line(float u, float segment) const {
  int index = static_cast<int>(
      std::clamp(segment, 0.0f, static_cast<float>(numSegments - 1)));
  return std::fma(u, slopes[index], intercepts[index]);
}

float ActivationTable::inside(float x) const {
  switch (index) {
  case LutMode::FromZero:
  case LutMode::Centred:
  case LutMode::ToZero: {
    float segment = std::floor(x * scale) + centre;
    if (segment < 0)
      return lowLine(x);
    if (segment >= numSegments)
      return highLine(x);
    return line(x, segment);
  }
  case LutMode::Fraction:
    return x - std::trunc(x);
  case LutMode::Integer:
    return std::trunc(x);
  case LutMode::Sqrt:
  case LutMode::RSqrt: {
    Split split(x);
    int half = split.exponent >> 1; // towards minus infinity
    float mantissa = std::ldexp(split.mantissa, split.exponent - 2 * half);
    return std::ldexp(line(mantissa, std::floor(mantissa * scale)),
                      index == LutMode::Sqrt ? half : -half);
  }
  case LutMode::Reciprocal: {
    Split split(x);
    float u = split.mantissa - 0.5f;
    return std::ldexp(line(u, std::floor(u * scale)), -split.exponent);
  }
  case LutMode::Log2: {
    Split split(x);
    float u = split.mantissa - 0.5f;
    return line(u, std::floor(u * scale)) + static_cast<float>(split.exponent);
  }
  case LutMode::Exp2: {
    float integer = std::floor(x);
    float segments = std::floor(x * scale);
    float segment = segments - numSegments * std::floor(segments / numSegments);
    constexpr float beyondFloat = 1000; // of the exponents a float has
    return std::ldexp(
        line(x - integer, segment),
        static_cast<int>(std::clamp(integer, -beyondFloat, beyondFloat)));
  }
  }
  llvm_unreachable("checked by create");
}
