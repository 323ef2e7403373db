//===- TableRecords.h - Table records by family -----------------*- C++ -*-===//
//
// Records marked verified have the bytes of real programs. The others are
// assigned: sampled from the function, over a range that keeps the largest
// error small. docs/op-accuracy.md has the errors of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CODEGEN_TABLERECORDS_H
#define ANE_LIB_CODEGEN_TABLERECORDS_H

#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Lut.h"

namespace ane::codegen {

constexpr uint16_t halfNegativeInfinity = 0xfc00;

/// Knots that sample a function at start, start + step, ...
template <typename Fn>
void sample(td::LutRecord &record, double start, double step, Fn fn) {
  for (unsigned i = 0; i < td::numLutKnots; ++i)
    record.knots[i] = halfFromDouble(fn(start + step * i));
}

// Curves: a table over a range and lines outside.
td::LutRecord sigmoidTable();
/// sigmoid(x / sigmoidTableScale).
td::LutRecord closeSigmoidTable();
/// gelu(x) / x of x / geluShareTableScale.
td::LutRecord geluShareTable();
td::LutRecord tanhTable();
td::LutRecord geluTable();
td::LutRecord swishTable();
td::LutRecord erfTable();
/// sin(2 * pi * x) for |x| <= 0.5: x counts turns.
td::LutRecord sinTable();
/// atan(x) for |x| <= 1 and +-pi/4 outside.
td::LutRecord atanPart1Table();
/// +-pi/4 - atan(x) for 0 < |x| <= 1, with the sign of x, and 0 outside.
td::LutRecord atanPart2Table();

// Powers: a table of the mantissa, arithmetic on the exponent.
td::LutRecord exp2Table();
td::LutRecord log2Table();
td::LutRecord sqrtTable();
td::LutRecord rsqrtTable();
td::LutRecord reciprocalTable();

// Lines: no table, at most two slopes and two bounds. Parameters are bits of
// fp16 numbers.
td::LutRecord leakyReluTable(uint16_t slope);
td::LutRecord clampTable(uint16_t low, uint16_t high);
td::LutRecord hardSigmoidTable(uint16_t alpha, uint16_t beta);
td::LutRecord thresholdedReluTable(uint16_t alpha);
td::LutRecord signTable();
/// `atZero` for x <= 0, or x == 0 with `absolute`, and `beyond` elsewhere.
td::LutRecord stepTable(bool absolute, uint16_t atZero, uint16_t beyond);
/// x without its fraction.
td::LutRecord truncationTable();
/// x without its integer part; of the sign of x.
td::LutRecord fractionTable();

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_TABLERECORDS_H
