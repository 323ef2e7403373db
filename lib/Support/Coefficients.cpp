//===- Coefficients.cpp - What fp16 leaves of coefficients ----------------===//

#include "ane/Support/Coefficients.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace ane;

bool ane::isCoefficient(double value) {
  double magnitude = std::fabs(value);
  return value == 0 ||
         (magnitude >= smallestNormalHalf && magnitude <= largestHalf);
}

bool ane::areCoefficients(llvm::ArrayRef<double> values) {
  constexpr double mostLost = 0x1p-22;
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
