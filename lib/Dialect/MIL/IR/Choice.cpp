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

int64_t ane::mil::lowestIndex(Operation *op, int64_t extent) {
  constexpr unsigned firstWithValidation = 17;
  bool validates = getOpset(op) >= firstWithValidation &&
                   llvm::TypeSwitch<Operation *, std::optional<bool>>(op)
                       .Case<GatherOp, GatherAlongAxisOp, GatherNdOp, ScatterOp,
                             ScatterAlongAxisOp, ScatterNdOp>([](auto typed) {
                         return typed.getValidateIndicesOrDefault();
                       })
                       .Default(std::nullopt)
                       .value_or(false);
  return validates ? 0 : -extent;
}

LogicalResult ane::mil::requireKnownIndices(Operation *op) {
  std::optional<Choice> choice = getChoice(op);
  std::optional<SmallVector<int64_t>> indices =
      choice ? getConstantInts(choice->indices) : std::nullopt;
  if (!indices)
    return success();
  for (auto [place, index] : llvm::enumerate(*indices)) {
    int64_t extent = choice->extents[place % choice->extents.size()];
    int64_t lowest = lowestIndex(op, extent);
    if (index < lowest || index >= extent)
      return refuse(op, "mil-index-c1",
                    "index " + Twine(index) + " is outside [" + Twine(lowest) +
                        ", " + Twine(extent) +
                        "); leave it out, or clip the indices");
  }
  return success();
}
