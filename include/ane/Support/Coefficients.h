//===- Coefficients.h - What fp16 leaves of coefficients --------*- C++ -*-===//

#ifndef ANE_SUPPORT_COEFFICIENTS_H
#define ANE_SUPPORT_COEFFICIENTS_H

#include "llvm/ADT/ArrayRef.h"

namespace ane {

/// Whether the engine takes a number for what it is where it multiplies:
/// denormals count as 0 there (docs/numerics.md, measured).
bool isCoefficient(double value);

/// Whether coefficients that are added up keep their worth in fp16: none passes
/// its largest number, and those that count as 0 are together no more than
/// 2^-11 of all, as lengths of vectors, which is what rounding may take from
/// each.
bool areCoefficients(llvm::ArrayRef<double> values);

/// Products of fp16 numbers, each rounded once to nearest even, as bits.
/// Whether they are coefficients, as `areCoefficients` has it. For millions of
/// them.
bool scaleCoefficients(llvm::ArrayRef<uint16_t> coefficients,
                       llvm::ArrayRef<uint16_t> factors,
                       llvm::MutableArrayRef<uint16_t> products);

/// The sum of products of finite fp16 numbers, by a fixed order of additions.
double sumOfProducts(llvm::ArrayRef<uint16_t> a, llvm::ArrayRef<uint16_t> b);

} // namespace ane

#endif // ANE_SUPPORT_COEFFICIENTS_H
