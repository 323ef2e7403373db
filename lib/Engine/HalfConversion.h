//===- HalfConversion.h - fp16 of the executor ------------------*- C++ -*-===//
//
// The executor's own conversion, so that an error here cannot hide behind the
// same error in the compiler. There is a portable form and one with the
// instructions of a processor, F16C or those of AArch64; all give the same
// bits, NaN payloads included.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_HALFCONVERSION_H
#define ANE_LIB_ENGINE_HALFCONVERSION_H

#include <cstddef>
#include <cstdint>

namespace ane::engine {

/// The exact value of an fp16 bit pattern. Sets the quiet bit of a NaN.
float halfBitsToFloat(uint16_t bits);

/// Rounds to the nearest fp16, ties to even; overflow gives infinity. A NaN
/// keeps the upper bits of its payload and becomes quiet.
uint16_t floatToHalfBits(float value);

/// A float that rounds to the same fp16 as `value`: rounding to odd loses no
/// information that a later rounding needs.
float narrowToOdd(double value);

/// Replaces what is a denormal in fp16, of either sign, by +0.
void flushDenormals(float *values, size_t count);

/// Converts `count` fp16 numbers in little-endian order, at any alignment.
void halfToFloat(const uint8_t *source, float *dest, size_t count);
void floatToHalf(const float *source, uint8_t *dest, size_t count);

/// The same on any processor.
void halfToFloatPortable(const uint8_t *source, float *dest, size_t count);
void floatToHalfPortable(const float *source, uint8_t *dest, size_t count);
#if defined(__x86_64__)
bool hasF16C();
#endif

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_HALFCONVERSION_H
