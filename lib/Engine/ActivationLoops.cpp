//===- ActivationLoops.cpp - Activation tables on many values -------------===//
//
// The same operations as ActivationTable's on a single value, without branches
// on it. Functions that split mantissa and exponent, but for the powers of two,
// go value by value.
//
//===----------------------------------------------------------------------===//

#include "ActivationVectors.h"
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
  if (!form.lines && form.index <= LutMode::ToZero)
    return VectorTable::Kind::Plain;
  constexpr float limit = 126; // a normal float, and so is its reciprocal
  bool isSmall =
      form.xLow >= -limit && form.xHigh <= limit && form.xLow <= form.xHigh;
  if (form.index == LutMode::Exp2 && isSmall && !form.odd && !form.absolute &&
      !form.positive)
    return VectorTable::Kind::Exp2;
  return VectorTable::Kind::None;
}

} // namespace

VectorTable::VectorTable(const ActivationForm &form)
    : form(form), kind(kindOf(form)) {
  for (int i = 0; i < lastKnot; ++i) {
    knots[i] = form.knots[i];
    steps[i] = form.knots[i + 1] - form.knots[i];
  }
  // The bounds belong to the outside.
  first = std::nextafter(form.xLow, infinity);
  last = std::nextafter(form.xHigh, -infinity);
  if (kind != Kind::Plain)
    return;
  // So far below the last knot that no position rounds to it.
  constexpr float margin = 0x1p-18f;
  first = std::max(first, -form.centre / form.scale);
  last = std::min(last, (lastKnot - margin - form.centre) / form.scale);
  if (form.positive)
    first = form.absolute ? infinity : std::max(first, 0.0f);
}

#if defined(__x86_64__)

namespace ane::engine::avx512 {
namespace {
#define ANE_TARGET ANE_AVX512_TARGET
using Vector = Simd::Vector;
#include "ActivationLoops.inc"
#undef ANE_TARGET
} // namespace
} // namespace ane::engine::avx512

namespace ane::engine::avx2 {
namespace {
#define ANE_TARGET ANE_AVX2_TARGET
using Vector = Simd::Vector;
#include "ActivationLoops.inc"
#undef ANE_TARGET
} // namespace
} // namespace ane::engine::avx2

#endif

void ActivationTable::apply(float *values, size_t count,
                            Instructions instructions) const {
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
