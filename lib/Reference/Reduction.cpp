//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"

using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Strides that take each index of `x` to the place of its reduction in the
/// row-major result. Absent axes mean all of them.
Strides reductionStrides(const Tensor &x, const Tensor *axes) {
  llvm::SmallVector<int64_t> kept(x.getShape());
  if (!axes)
    kept.assign(x.getRank(), 1);
  else
    for (int64_t axis : axes->ints())
      kept[axis < 0 ? axis + x.getRank() : axis] = 1;
  return broadcastStrides(kept, x.getShape());
}

/// A mean of integers is exact before it is truncated towards zero, as
/// NumPy's mean followed by astype. The mean of nothing is NaN, or 0 as an
/// integer.
Tensor reduceMean(ReduceMeanOp op, Inputs<ReduceMeanOp> in) {
  const Tensor &x = *in.getX();
  Tensor result = resultOf(op);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    llvm::MutableArrayRef<T> out = result.values<T>();
    const T *next = x.values<T>().data();
    forEachIndex<1>(x.getShape(), {reductionStrides(x, in.getAxes())},
                    [&](std::array<int64_t, 1> at) { out[at[0]] += *next++; });
    if (out.empty())
      return;
    int64_t count = x.getNumElements() / out.size();
    for (T &sum : out)
      sum = result.isFloat() || count != 0 ? sum / static_cast<T>(count) : 0;
  });
  return result;
}

} // namespace

void ane::reference::registerReductionOps(OpTable &table) {
  table.add<ReduceMeanOp>(reduceMean);
}
