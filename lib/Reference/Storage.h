//===- Storage.h - Element types as they are stored -------------*- C++ -*-===//
//
// The one place that knows how an element type looks in memory and how a wide
// value becomes one. It is independent of the conversions in lib/Support and in
// the executor.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_REFERENCE_STORAGE_H
#define ANE_LIB_REFERENCE_STORAGE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <type_traits>

namespace ane::reference {

/// A bfloat16, which C++ does not have.
class BFloat16 {
public:
  BFloat16() = default;
  explicit BFloat16(double value) {
    llvm::APFloat rounded(value);
    bool losesInfo;
    rounded.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                    &losesInfo);
    bits = rounded.bitcastToAPInt().getZExtValue();
  }
  explicit operator double() const {
    return llvm::APFloat(llvm::APFloat::BFloat(), llvm::APInt(16, bits))
        .convertToDouble();
  }

private:
  uint16_t bits = 0;
};

/// An integer of fewer than eight bits, in a byte of its own.
template <unsigned Bits, bool Signed> class NarrowInt {
public:
  static constexpr unsigned width = Bits;
  static constexpr int64_t lowest = Signed ? -(1 << (Bits - 1)) : 0;
  static constexpr int64_t highest = (1 << (Signed ? Bits - 1 : Bits)) - 1;

  NarrowInt() = default;
  /// Keeps the low bits.
  explicit NarrowInt(int64_t value) : bits(value & ((1 << Bits) - 1)) {}
  explicit operator int64_t() const {
    return Signed ? llvm::SignExtend64<Bits>(bits) : bits;
  }

private:
  uint8_t bits = 0;
};

template <typename T> inline constexpr bool isNarrowInt = false;
template <unsigned Bits, bool Signed>
inline constexpr bool isNarrowInt<NarrowInt<Bits, Signed>> = true;

/// Calls `fn(T())` with the C++ type that stores an element, and returns true;
/// or returns false for an element type that nothing stores. Conversion from
/// double to each floating-point T rounds once, to nearest, ties to even; that
/// holds for _Float16 too, which Clang and GCC convert from double directly.
/// Conversion from int64_t to each integer T keeps the low bits.
template <typename Fn> bool withStorage(mlir::Type type, Fn fn) {
  if (type.isF16())
    return fn(_Float16()), true;
  if (type.isF32())
    return fn(float()), true;
  if (type.isF64())
    return fn(double()), true;
  if (type.isBF16())
    return fn(BFloat16()), true;
  if (type.isUnsignedInteger(1))
    return fn(NarrowInt<1, false>()), true;
  if (type.isUnsignedInteger(2))
    return fn(NarrowInt<2, false>()), true;
  if (type.isUnsignedInteger(3))
    return fn(NarrowInt<3, false>()), true;
  if (type.isUnsignedInteger(4))
    return fn(NarrowInt<4, false>()), true;
  if (type.isUnsignedInteger(6))
    return fn(NarrowInt<6, false>()), true;
  if (type.isSignlessInteger(4))
    return fn(NarrowInt<4, true>()), true;
  if (type.isUnsignedInteger(8))
    return fn(uint8_t()), true;
  if (type.isUnsignedInteger(16))
    return fn(uint16_t()), true;
  if (type.isUnsignedInteger(32))
    return fn(uint32_t()), true;
  if (type.isUnsignedInteger(64))
    return fn(uint64_t()), true;
  if (type.isSignlessInteger(1))
    return fn(bool()), true;
  if (type.isSignlessInteger(8))
    return fn(int8_t()), true;
  if (type.isSignlessInteger(16))
    return fn(int16_t()), true;
  if (type.isSignlessInteger(32))
    return fn(int32_t()), true;
  if (type.isSignlessInteger(64))
    return fn(int64_t()), true;
  return false;
}

/// How a Tensor holds an element stored as T.
template <typename T>
using PayloadOf = std::conditional_t<std::is_integral_v<T> || isNarrowInt<T>,
                                     int64_t, double>;

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_STORAGE_H
