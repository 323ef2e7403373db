//===- Rearrange.cpp - Tensors made of elements of another ----------------===//

#include "Moves/Rearrange.h"

using namespace ane::reference;
using llvm::ArrayRef;

Tensor ane::reference::readStrided(const Tensor &x, mlir::RankedTensorType type,
                                   ArrayRef<int64_t> shape,
                                   const Strides &strides, int64_t first) {
  Tensor result(type);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> from = x.values<T>();
    T *to = result.values<T>().data();
    forEachIndex<1>(shape, {strides}, [&](std::array<int64_t, 1> at) {
      *to++ = from[first + at[0]];
    });
  });
  return result;
}

Tensor ane::reference::readSlice(const Tensor &x, mlir::RankedTensorType type,
                                 ArrayRef<int64_t> first,
                                 ArrayRef<int64_t> steps,
                                 ArrayRef<int64_t> extents) {
  Strides strides = rowMajorStrides(x.getShape());
  int64_t start = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    start += first[dim] * strides[dim];
    strides[dim] *= steps[dim];
  }
  return readStrided(x, type, extents, strides, start);
}

Tensor ane::reference::padAxis(const Tensor &x, int64_t axis, int64_t before,
                               int64_t after, Padding padding,
                               const Tensor *value) {
  llvm::SmallVector<int64_t> shape(x.getShape());
  shape[axis] += before + after;
  Tensor result(x.getType().clone(shape));
  AxisSplit from(x.getShape(), axis), to(shape, axis);
  // Where an index lies in `x`; outside if nowhere.
  auto source = [&](int64_t index) {
    int64_t last = from.extent - 1;
    if (padding == Padding::Reflect && last > 0) {
      int64_t period = 2 * last, phase = std::abs(index) % period;
      return std::min(phase, period - phase);
    }
    if (padding != Padding::Constant)
      return std::clamp<int64_t>(index, 0, last);
    return index;
  };
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    const T *in = x.values<T>().data();
    T *out = result.values<T>().data();
    T outside = value ? value->values<T>().front() : T();
    for (int64_t o = 0; o < to.outer; ++o)
      for (int64_t i = 0; i < to.extent; ++i, out += to.inner) {
        int64_t at = source(i - before);
        if (at < 0 || at >= from.extent)
          std::fill_n(out, to.inner, outside);
        else
          std::copy_n(in + (o * from.extent + at) * from.inner, from.inner,
                      out);
      }
  });
  return result;
}
