//===- Choice.cpp - What gathers and scatters choose in -------------------===//

#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane::mil;

namespace {

std::optional<ArrayRef<int64_t>> staticShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return type.getShape();
}

template <typename Op> std::optional<Choice> chooseAlong(Op op, Value from) {
  std::optional<ArrayRef<int64_t>> shape = staticShape(from);
  std::optional<int64_t> axis = op.getAxisOrDefault();
  if (!shape || !axis)
    return std::nullopt;
  return Choice{op.getIndices(), {(*shape)[fromFront(*axis, shape->size())]}};
}

std::optional<Choice> chooseByTuples(Value indices, Value from,
                                     std::optional<int64_t> batchDims) {
  std::optional<ArrayRef<int64_t>> shape = staticShape(from),
                                   tuples = staticShape(indices);
  if (!shape || !tuples || !batchDims || tuples->empty() || tuples->back() == 0)
    return std::nullopt;
  return Choice{indices,
                SmallVector<int64_t>(shape->slice(*batchDims, tuples->back()))};
}

} // namespace

std::optional<Choice> ane::mil::getChoice(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Choice>>(op)
      .Case<GatherOp, GatherAlongAxisOp>(
          [](auto gather) { return chooseAlong(gather, gather.getX()); })
      .Case<ScatterOp, ScatterAlongAxisOp>(
          [](auto scatter) { return chooseAlong(scatter, scatter.getData()); })
      .Case([](GatherNdOp gather) {
        return chooseByTuples(gather.getIndices(), gather.getX(),
                              gather.getBatchDimsOrDefault());
      })
      .Case([](ScatterNdOp scatter) {
        return chooseByTuples(scatter.getIndices(), scatter.getData(), 0);
      })
      .Default([](Operation *) { return std::nullopt; });
}
