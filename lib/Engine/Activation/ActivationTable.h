//===- ActivationTable.h - Evaluates an activation table --------*- C++ -*-===//
//
// How a table record becomes a function. Where the record's own header only
// names a mode, the arithmetic here follows from the mathematical function and
// the knots of real records, and from values measured on M1:
//
//  - Infinite outputs of a record stand for +-65536: the engine's number format
//    has no infinities there. log(+0) is -65536 times the scale of the next
//    task, measured.
//  - x <= xLow gives yLow and x >= xHigh gives yHigh. sign(0) = 0 and
//    tanh(4) = 1 need both bounds to belong to the outside (verified records).
//  - A table of the largest scale has nothing but 0 between its knots: real
//    comparisons need that (lutScaleOfLines).
//  - positiveDomain gives +0 for x < 0: sqrt(-1), rsqrt(-1) and log(-1) are +0,
//    measured.
//  - The mantissa of a power of four for sqrt and rsqrt lies in [0.5, 2), of a
//    power of two for 1/x and log2 in [0.5, 1): the knots outside are 0 or
//    missing.
//  - Between two knots a line is computed with one rounding to fp32 (assigned).
//  - Fraction and Integer have records of zeros, so the result is x without its
//    integer part or without its fraction, both of the sign of x.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONTABLE_H
#define ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONTABLE_H

#include "Instructions.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/Support/Error.h"

namespace ane::engine {

/// A record as numbers.
struct ActivationForm {
  td::LutMode::Index index = td::LutMode::FromZero;
  bool odd = false;
  bool absolute = false;
  bool positive = false;
  float scale = 1;  ///< knots per unit of x
  float centre = 0; ///< knot at x = 0
  float xLow = 0, xHigh = 0, yLow = 0, yHigh = 0;
  float lowSlope = 0, lowIntercept = 0, highSlope = 0, highIntercept = 0;
  /// Between two knots the function is fma(u, slope, intercept), one rounding;
  /// u is x, or its mantissa or fraction where the table is entered with those.
  static constexpr int numSegments = td::numLutKnots - 1;
  float slopes[numSegments] = {}, intercepts[numSegments] = {};
};

class ActivationTable : ActivationForm {
public:
  /// Refuses modes and scales whose meaning is not known.
  static llvm::Expected<ActivationTable> create(const td::LutRecord &record);

  /// The activation of a value that is no NaN.
  float operator()(float x) const;

  /// The same for many values; an indeterminate one counts as 0.
  void apply(float *values, size_t count,
             Instructions instructions = bestInstructions()) const;

  const ActivationForm &form() const { return *this; }

private:
  ActivationTable() = default;

  float inside(float x) const;
  float line(float u, float segment) const;
  float lowLine(float x) const { return lowSlope * x + lowIntercept; }
  float highLine(float x) const { return highSlope * x + highIntercept; }
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONTABLE_H
