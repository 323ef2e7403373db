//===- Number.h - Numbers of MIL text ---------------------------*- C++ -*-===//
//
// MIL text writes numbers in decimal (`0.1`, `1e-05`, `-3`), as hexadecimal
// floats (`-0x1.8p+1`, the only form Apple's tools write for floats) and as
// `inf`, `-inf`, `nan`. A literal is rounded once, to nearest with ties to
// even, to the element type it is declared with.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FRONTEND_NUMBER_H
#define ANE_FRONTEND_NUMBER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

namespace ane::frontend {

/// Floating-point element types, named by their MIL name.
enum class FloatFormat { Fp16, Bf16, Fp32, Fp64 };

/// Longest spelling of a number. The longest exact fp64 needs about 1100
/// characters; nothing that is longer can be meant.
inline constexpr size_t maxNumberLength = 2048;

/// The bit pattern of a number rounded to a format. `text` is what the lexer
/// takes for a number, an integer included, of at most maxNumberLength
/// characters. Too large a number gives infinity.
uint64_t parseFloat(llvm::StringRef text, FloatFormat format);

/// The two's complement value of a decimal integer, if it fits `width` bits,
/// 1 to 64.
std::optional<uint64_t> parseInteger(llvm::StringRef text, unsigned width,
                                     bool isSigned);

/// The value of a bit pattern; exact, as fp64 holds the other formats.
double floatFromBits(uint64_t bits, FloatFormat format);

/// Writes a number as Apple's tools do: a leading 1, no trailing zeros, a sign
/// at the exponent, `0x0p+0` for zero.
void printHexFloat(llvm::raw_ostream &os, double value);

} // namespace ane::frontend

#endif // ANE_FRONTEND_NUMBER_H
