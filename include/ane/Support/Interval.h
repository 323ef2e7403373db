//===- Interval.h - Bounds of numbers ---------------------------*- C++ -*-===//
//
// What is known of numbers that are not there yet: between which two they lie.
// Arithmetic on intervals gives bounds of what it makes of such numbers. Bounds
// may be infinite, and are computed as doubles are.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_INTERVAL_H
#define ANE_SUPPORT_INTERVAL_H

#include <algorithm>
#include <cmath>
#include <limits>

namespace ane {

/// Bounds of numbers, both included.
struct Interval {
  double low = 0, high = 0;

  constexpr Interval() = default;
  /// Of one number.
  constexpr Interval(double number) : low(number), high(number) {}
  constexpr Interval(double low, double high) : low(low), high(high) {}

  /// All numbers, and none, which others can be added to by unite().
  static constexpr Interval any() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  static constexpr Interval none() { return {any().high, any().low}; }

  constexpr Interval unite(Interval other) const {
    return {std::min(low, other.low), std::max(high, other.high)};
  }
  constexpr bool contains(Interval other) const {
    return low <= other.low && other.high <= high;
  }
  /// The largest absolute value.
  double magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }

  constexpr bool operator==(const Interval &) const = default;
};

constexpr Interval operator-(Interval x) { return {-x.high, -x.low}; }
constexpr Interval operator+(Interval x, Interval y) {
  return {x.low + y.low, x.high + y.high};
}
constexpr Interval operator-(Interval x, Interval y) { return x + -y; }

/// A bound that is infinite stands for numbers: 0 times these is 0.
constexpr Interval operator*(Interval x, Interval y) {
  Interval result = Interval::none();
  for (double a : {x.low, x.high})
    for (double b : {y.low, y.high})
      result = result.unite(a == 0 || b == 0 ? 0 : a * b);
  return result;
}

/// The larger one, and the smaller one, of two numbers.
constexpr Interval larger(Interval x, Interval y) {
  return {std::max(x.low, y.low), std::max(x.high, y.high)};
}
constexpr Interval smaller(Interval x, Interval y) {
  return {std::min(x.low, y.low), std::min(x.high, y.high)};
}

/// The product of a number with itself, at least 0.
inline Interval squared(Interval x) {
  return {0, x.magnitude() * x.magnitude()};
}

/// A function that only grows, or only falls.
template <typename Fn> Interval monotone(Interval x, Fn fn) {
  double a = fn(x.low), b = fn(x.high);
  return {std::min(a, b), std::max(a, b)};
}

} // namespace ane

#endif // ANE_SUPPORT_INTERVAL_H
