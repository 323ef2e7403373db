//===- Elementwise.h - Functions of one element, and of two -----*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_ELEMENTS_ELEMENTWISE_H
#define ANE_LIB_REFERENCE_ELEMENTS_ELEMENTWISE_H

#include "IndexSpace.h"
#include "OpTable.h"
#include <cmath>

namespace ane::reference {

/// `fn` of each element of a floating-point tensor, in its type.
template <typename Fn> Tensor mapFloats(const Tensor &x, Fn fn) {
  Tensor result(x.getType());
  llvm::transform(x.floats(), result.floats().begin(), fn);
  return result;
}

/// `fn` of each element of any tensor, in its type. `fn` takes doubles as well
/// as 64-bit integers.
template <typename Fn> Tensor mapPayload(const Tensor &x, Fn fn) {
  Tensor result(x.getType());
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    llvm::transform(x.values<T>(), result.values<T>().begin(), fn);
  });
  return result;
}

/// Registers an op that applies `fn` to each element of `x`, which is of a
/// floating-point type.
template <typename Op, typename Fn> void addUnary(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op, Inputs<Op> in) { return mapFloats(*in.getX(), fn); });
}

/// The same for an op that takes integers as well.
template <typename Op, typename Fn>
void addPayloadUnary(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op, Inputs<Op> in) { return mapPayload(*in.getX(), fn); });
}

/// Registers an op that applies `fn` to each pair of elements of `x` and `y`,
/// which broadcast. `fn` takes doubles as well as 64-bit integers; of 32-bit
/// operands the latter hold every sum and product. It gives a value of that
/// kind, or a truth value where the result is bool.
template <typename Op, typename Fn> void addBinary(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op op, Inputs<Op> in) {
    Tensor result = resultOf(op);
    withPayload(*in.getX(), [&](auto payload) {
      using T = decltype(payload);
      auto x = in.getX()->template values<T>();
      auto y = in.getY()->template values<T>();
      using R = std::conditional_t<
          std::is_same_v<decltype(fn(payload, payload)), bool>, int64_t, T>;
      R *out = result.template values<R>().data();
      llvm::ArrayRef<int64_t> shape = result.getShape();
      forEachIndex<2>(shape,
                      {broadcastStrides(in.getX()->getShape(), shape),
                       broadcastStrides(in.getY()->getShape(), shape)},
                      [&](const std::array<int64_t, 2> &at) {
                        *out++ = fn(x[at[0]], y[at[1]]);
                      });
    });
    return result;
  });
}

/// The larger and the smaller of two values: NaN if either is, and -0 is less
/// than 0, as maximum and minimum of IEEE 754-2019.
template <typename T> T larger(T x, T y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return std::signbit(x) ? y : x;
  return x < y ? y : x;
}
template <typename T> T smaller(T x, T y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

/// x to the power of y. Of integers the low 64 bits, and the fraction that a
/// negative y makes truncated towards zero; 1 / 0 is 0 as in a division.
inline double power(double x, double y) { return std::pow(x, y); }
inline int64_t power(int64_t x, int64_t y) {
  if (y < 0)
    return x == 1 ? 1 : x == -1 ? (y % 2 == 0 ? 1 : -1) : 0;
  uint64_t result = 1;
  for (uint64_t base = x; y != 0; y >>= 1, base *= base)
    if (y & 1)
      result *= base;
  return result;
}

/// A default that the documentation gives in the element type of an input.
inline double roundedTo(mlir::Type elementType, double value) {
  Tensor tensor(mlir::RankedTensorType::get({}, elementType));
  tensor.floats().front() = value;
  tensor.roundToElementType();
  return tensor.floats().front();
}

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_ELEMENTS_ELEMENTWISE_H
