//===- Divisors.h - Divisors of extents -------------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_DIVISORS_H
#define ANE_SUPPORT_DIVISORS_H

#include <algorithm>
#include <cstdint>

namespace ane {

/// The largest divisor of `number` up to `limit`; both are at least 1.
constexpr int64_t largestDivisor(int64_t number, int64_t limit) {
  int64_t divisor = std::min(number, limit);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

} // namespace ane

#endif // ANE_SUPPORT_DIVISORS_H
