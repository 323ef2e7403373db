//===- Elementwise.h - Functions of one element, and of two -----*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_ELEMENTWISE_H
#define ANE_LIB_REFERENCE_ELEMENTWISE_H

#include "IndexSpace.h"
#include "OpTable.h"

namespace ane::reference {

/// `fn` of each element of a floating-point tensor, in its type.
template <typename Fn> Tensor mapFloats(const Tensor &x, Fn fn) {
  Tensor result(x.getType());
  llvm::transform(x.floats(), result.floats().begin(), fn);
  return result;
}

/// Registers an op that applies `fn` to each element of `x`.
template <typename Op, typename Fn> void addUnary(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op, Inputs<Op> in) { return mapFloats(*in.getX(), fn); });
}

/// Registers an op that applies `fn` to each pair of elements of `x` and `y`,
/// which broadcast. `fn` takes doubles as well as 64-bit integers; of 32-bit
/// operands the latter hold every sum and product.
template <typename Op, typename Fn> void addBinary(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op op, Inputs<Op> in) {
    Tensor result = resultOf(op);
    withPayload(*in.getX(), [&](auto payload) {
      using T = decltype(payload);
      auto x = in.getX()->template values<T>();
      auto y = in.getY()->template values<T>();
      T *out = result.template values<T>().data();
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

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_ELEMENTWISE_H
