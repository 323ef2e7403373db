//===- Coefficients.cpp - What fp16 leaves of coefficients ----------------===//

#include "ane/Support/Coefficients.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace ane;

namespace {

/// The part of all squares that those of lost numbers may be.
constexpr double mostLost = 0x1p-22;
/// Sums that are independent of each other, as vectors have them.
constexpr size_t lanes = 8;

/// Each index with the lane that it is in.
template <typename Function>
void forEachInLanes(size_t count, Function function) {
  size_t index = 0;
  for (; index + lanes <= count; index += lanes)
    for (size_t lane = 0; lane < lanes; ++lane)
      function(index + lane, lane);
  for (; index < count; ++index)
    function(index, 0);
}

} // namespace

bool ane::isCoefficient(double value) {
  double magnitude = std::fabs(value);
  return value == 0 ||
         (magnitude >= smallestNormalHalf && magnitude <= largestHalf);
}

bool ane::areCoefficients(llvm::ArrayRef<double> values) {
  double all = 0, lost = 0;
  for (double value : values) {
    if (!(std::fabs(value) <= largestHalf))
      return false;
    all += value * value;
    if (!isCoefficient(value))
      lost += value * value;
  }
  return lost <= all * mostLost;
}

bool ane::scaleCoefficients(llvm::ArrayRef<uint16_t> coefficients,
                            llvm::ArrayRef<uint16_t> factors,
                            llvm::MutableArrayRef<uint16_t> products) {
  // A product of two numbers of 11 bits is exact.
  float all[lanes] = {}, lost[lanes] = {};
  uint32_t isLarge = 0;
  forEachInLanes(coefficients.size(), [&](size_t index, size_t lane) {
    uint16_t bits = coefficients[index];
    float product = finiteHalfToFloat(bits) * finiteHalfToFloat(factors[index]);
    float magnitude = std::fabs(product), square = product * product;
    isLarge |= (bits & halfInfinity) == halfInfinity;
    isLarge |= !(magnitude <= float(largestHalf));
    all[lane] += square;
    lost[lane] += magnitude < float(smallestNormalHalf) ? square : 0;
    products[index] = finiteHalfFromFloat(product);
  });
  double sum = 0, sumLost = 0;
  for (size_t lane = 0; lane < lanes; ++lane) {
    sum += all[lane];
    sumLost += lost[lane];
  }
  return !isLarge && sumLost <= sum * mostLost;
}

double ane::sumOfProducts(llvm::ArrayRef<uint16_t> a,
                          llvm::ArrayRef<uint16_t> b) {
  double sums[lanes] = {}, sum = 0;
  forEachInLanes(a.size(), [&](size_t index, size_t lane) {
    sums[lane] += finiteHalfToFloat(a[index]) * finiteHalfToFloat(b[index]);
  });
  for (double each : sums)
    sum += each;
  return sum;
}
