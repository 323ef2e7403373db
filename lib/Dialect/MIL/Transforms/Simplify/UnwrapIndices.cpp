//===- UnwrapIndices.cpp - Indices that count from the end ----------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_UNWRAPINDICES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

IntegerType integerOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? dyn_cast<IntegerType>(type.getElementType()) : IntegerType();
}

/// Whether `added` is the extent that each of the indices chooses in. Of
/// tuples, which lie along the last dimension, there may be several extents.
bool areExtents(Value added, ArrayRef<int64_t> extents) {
  std::optional<SmallVector<int64_t>> numbers = getConstantInts(added);
  if (!numbers)
    return false;
  auto isFirst = [&](int64_t number) { return number == extents.front(); };
  if (llvm::all_of(*numbers, isFirst) && llvm::all_of(extents, isFirst))
    return true;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(added.getType()).getShape();
  return !shape.empty() && shape.back() == int64_t(extents.size()) &&
         ArrayRef(*numbers) == extents;
}

/// i, if `indices` is i where that is not negative and i + extent elsewhere,
/// which may have been cast to another type with those numbers; else null.
Value unwrap(Value indices, ArrayRef<int64_t> extents) {
  int64_t largest = *llvm::max_element(extents);
  while (auto cast = indices.getDefiningOp<CastOp>()) {
    if (!integerOf(indices) || !integerOf(cast.getX()) ||
        !holdsBelow(integerOf(indices), largest))
      return {};
    indices = cast.getX();
  }
  auto select = indices.getDefiningOp<SelectOp>();
  if (!select)
    return {};
  Operation *condition = select.getCond().getDefiningOp();
  Value kept = select.getA(), wrapped = select.getB();
  if (isa_and_present<LessOp>(condition))
    std::swap(kept, wrapped);
  else if (!isa_and_present<GreaterEqualOp>(condition))
    return {};
  if (condition->getOperand(0) != kept ||
      !areExtents(condition->getOperand(1), {0}) ||
      kept.getType() != select.getResult().getType())
    return {};
  auto sum = wrapped.getDefiningOp<AddOp>();
  if (!sum)
    return {};
  if (sum.getX() == kept)
    return areExtents(sum.getY(), extents) ? kept : Value();
  return sum.getY() == kept && areExtents(sum.getX(), extents) ? kept : Value();
}

class UnwrapIndices : public mil::impl::UnwrapIndicesBase<UnwrapIndices> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>()
             .hasAny<GatherOp, GatherAlongAxisOp, GatherNdOp, ScatterOp,
                     ScatterAlongAxisOp, ScatterNdOp>())
      return markAllAnalysesPreserved();
    for (Operation &op : getOperation().getBody().front())
      llvm::TypeSwitch<Operation *>(&op)
          .Case<GatherOp, GatherAlongAxisOp, GatherNdOp, ScatterOp,
                ScatterAlongAxisOp, ScatterNdOp>(
              [&](auto choice) { rewrite(choice); });
  }

private:
  /// gather(x, select(i >= 0, i, i + extent)) -> gather(x, i).
  template <typename Op> void rewrite(Op op) {
    std::optional<bool> validates = op.getValidateIndicesOrDefault();
    std::optional<Choice> choice = getChoice(op);
    if (!validates || *validates || !choice)
      return;
    if (Value plain = unwrap(choice->indices, choice->extents)) {
      op.getIndicesMutable().assign(plain);
      eraseUnread(choice->indices);
      ++numUnwrapped;
    }
  }
};

} // namespace
