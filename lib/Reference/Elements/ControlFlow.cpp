//===- ControlFlow.cpp - Choice between values ----------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"

using namespace ane::mil;
using namespace ane::reference;

namespace {

Tensor choose(SelectOp op, Inputs<SelectOp> in) {
  Tensor result = resultOf(op);
  llvm::ArrayRef<int64_t> shape = result.getShape();
  llvm::ArrayRef<int64_t> cond = in.getCond()->ints();
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    auto a = in.getA()->values<T>();
    auto b = in.getB()->values<T>();
    T *out = result.values<T>().data();
    forEachIndex<3>(shape,
                    {broadcastStrides(in.getCond()->getShape(), shape),
                     broadcastStrides(in.getA()->getShape(), shape),
                     broadcastStrides(in.getB()->getShape(), shape)},
                    [&](const std::array<int64_t, 3> &at) {
                      *out++ = cond[at[0]] != 0 ? a[at[1]] : b[at[2]];
                    });
  });
  return result;
}

} // namespace

void ane::reference::registerControlFlowOps(OpTable &table) {
  table.add<SelectOp>(choose);
}
