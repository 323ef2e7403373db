//===- ActivationLoops.cpp - Activation tables on many values -------------===//
//
// The same operations as ActivationTable's on a single value, without branches
// on it. Functions that split mantissa and exponent, but for the powers of two,
// go value by value.
//
//===----------------------------------------------------------------------===//

#include "Activation/ActivationVectors.h"
#include "HalfConversion.h"
#include "StreamVectors.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::engine;
using td::LutMode;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

VectorTable::Kind kindOf(const ActivationForm &form) {
  if (form.index <= LutMode::ToZero)
    return VectorTable::Kind::Plain;
  constexpr float limit = 126; // a normal float, and so is its reciprocal
  bool isSmall =
      form.xLow >= -limit && form.xHigh <= limit && form.xLow <= form.xHigh;
  if (form.index == LutMode::Exp2 && isSmall && !form.odd && !form.absolute &&
      !form.positive)
    return VectorTable::Kind::Exp2;
  return VectorTable::Kind::None;
}

/// The bits of the largest fp16 that is not greater than a positive number.
uint16_t halfAtMost(float limit) {
  uint16_t bits = floatToHalfBits(limit);
  return halfBitsToFloat(bits) > limit ? bits - 1 : bits;
}

} // namespace

VectorTable::VectorTable(const ActivationForm &form)
    : form(form), kind(kindOf(form)) {
  // The bounds belong to the outside.
  first = std::nextafter(form.xLow, infinity);
  last = std::nextafter(form.xHigh, -infinity);
  if (kind == Kind::Plain) {
    first = std::max(first, -form.centre / form.scale);
    constexpr int end = ActivationForm::numSegments;
    last = std::min(
        last, std::nextafter((end - form.centre) / form.scale, -infinity));
    if (form.positive)
      first = form.absolute ? infinity : std::max(first, 0.0f);
    // Zero is a bound of odd functions, and often there.
    if (form.xLow == 0 && first <= 0x1p-126f && form.centre == 0 &&
        form.intercepts[0] == 0 && form.yLow == 0 && !std::signbit(form.yLow))
      first = 0;
  }
  if (kind == Kind::None || !(first <= 0 && last >= 0))
    return;
  hasBits = true;
  lastBits = halfAtMost(last);
  firstBits = form.absolute ? 0x7fff : 0x8000 | halfAtMost(-first);
}

#if defined(__x86_64__)

#define ANE_LOOPS "Activation/ActivationLoops.inc"
#include "EachInstructions.inc"

#endif

void ActivationTable::apply(float *values, size_t count,
                            [[maybe_unused]] Instructions instructions) const {
#if defined(__x86_64__)
  VectorTable table(form());
  if (instructions != Instructions::Portable &&
      table.kind != VectorTable::Kind::None)
    return instructions == Instructions::AVX512
               ? avx512::apply(table, values, count)
               : avx2::apply(table, values, count);
#endif
  for (size_t i = 0; i < count; ++i)
    values[i] = (*this)(values[i] != values[i] ? 0 : values[i]);
}
