//===- TableScale.h - What closer tables multiply x by ----------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_TABLESCALE_H
#define ANE_DIALECT_ZIN_IR_TABLESCALE_H

namespace ane::zin {

/// Knots of a table are a power of 2 apart. With these factors, which fp16 has,
/// those of sigmoid_high_precision and of custom_lut are 4 / 11 and 1 / 5 of x
/// apart, as their curves need it. Assigned.
constexpr double sigmoidTableScale = 1.375, geluShareTableScale = 2.5;

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_TABLESCALE_H
