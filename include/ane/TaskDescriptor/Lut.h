//===- Lut.h - The activation table record ----------------------*- C++ -*-===//
//
// An activation that is not relu is a piecewise linear function in a record of
// 43 half-words, padded to 128 bytes, at the start of every coefficient lane.
//
// With x the scaled accumulator:
//   x <= xLow          -> yLow
//   x >= xHigh         -> yHigh
//   x below the table  -> lowSlope * x + lowIntercept
//   x above the table  -> highSlope * x + highIntercept
//   otherwise          -> on the line through the two knots around x
// the first that applies. That the bounds belong to the outside follows from
// sign(0) and tanh(4) of real programs.
// Verified: the records of real programs for sigmoid, tanh, gelu, silu, exp2,
// log2, sqrt, rsqrt, reciprocal and leaky relu.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_LUT_H
#define ANE_TASKDESCRIPTOR_LUT_H

#include "llvm/Support/Endian.h"

namespace ane::td {

using llvm::support::ulittle16_t;

constexpr unsigned numLutKnots = 33;

/// All values but `scale` and `mode` are fp16.
struct LutRecord {
  ulittle16_t xLow;
  ulittle16_t xHigh;
  ulittle16_t yLow;
  ulittle16_t yHigh;
  ulittle16_t knots[numLutKnots];
  ulittle16_t lowSlope;
  ulittle16_t lowIntercept;
  ulittle16_t highSlope;
  ulittle16_t highIntercept;
  ulittle16_t scale; ///< see lutScaleOfLines
  ulittle16_t mode;  ///< see LutMode
};
static_assert(sizeof(LutRecord) == 86);

/// Bytes a record takes in a lane. Verified.
constexpr uint64_t lutBytes = 128;

/// The scale half-word is log2 of the knots per unit of x, a signed number.
/// With this one no number but 0 falls between knots, so but for that only the
/// two lines count. Verified: a real comparison with 0 is 1 in its knots and 0
/// on its lines, another one the other way round.
constexpr uint16_t lutScaleOfLines = 0x40;

/// The mode half-word. The low nibble says how x finds its place in the table.
struct LutMode {
  enum Index : uint16_t {
    FromZero = 0,   ///< knot 0 at x = 0
    Centred = 1,    ///< knot 16 at x = 0
    ToZero = 2,     ///< knot 32 at x = 0
    Fraction = 3,   ///< in the ceil of real programs
    Integer = 4,    ///< in the ceil of real programs
    Sqrt = 5,       ///< mantissa in [0.5, 2), exponent halved
    RSqrt = 6,      ///< mantissa in [0.5, 2), exponent halved and negated
    Reciprocal = 7, ///< mantissa in [0.5, 1), exponent negated
    Log2 = 9,       ///< mantissa in [0.5, 1), exponent added
    Exp2 = 0xa,     ///< fraction of x, its integer part becomes the exponent
  };
  static constexpr uint16_t indexMask = 0xf;
  /// The result takes the sign of x.
  static constexpr uint16_t oddResult = 0x20;
  /// The table is entered with |x|.
  static constexpr uint16_t absoluteInput = 0x40;
  /// The function is defined for x >= 0 only.
  static constexpr uint16_t positiveDomain = 0x80;
  static constexpr uint16_t known =
      indexMask | oddResult | absoluteInput | positiveDomain;
};

/// Sign-extends the scale half-word.
int lutLog2Scale(const LutRecord &record);

/// The position of x = 0 in the table, in knots.
int lutCentre(uint16_t mode);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_LUT_H
