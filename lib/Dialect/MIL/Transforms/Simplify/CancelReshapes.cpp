//===- CancelReshapes.cpp - Ops between reshapes that undo each other -----===//
//
// The last dimension of a value is its rows, so a matrix [M, D] that becomes
// [M, D, 1, 1] has an element in each row and D channels. Where all between two
// such reshapes can be said of the matrix, neither is needed. FlatImages.cpp
// has those between images.
//
//===----------------------------------------------------------------------===//

#include "Simplify/FlatImages.h"
#include "Simplify/OpsBetween.h"
#include "Simplify/ReshapedRegion.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"

namespace ane::mil {
#define GEN_PASS_DEF_CANCELRESHAPES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Ops on values with so many extents of 1 at the end, as ops without these.
class NarrowRegion final : public ReshapedRegion {
public:
  explicit NarrowRegion(Operation *entry) {
    for (int64_t extent : llvm::reverse(shapeOf(entry->getResult(0)))) {
      if (extent != 1)
        break;
      ++ones;
    }
  }

private:
  bool changes(Value value) const override {
    RankedTensorType type = staticType(value);
    return type && ones > 0 && type.getRank() > ones &&
           llvm::all_of(type.getShape().take_back(ones),
                        [](int64_t extent) { return extent == 1; });
  }
  /// One with fewer dimensions has one element along those that it lacks, and
  /// those that it has.
  Shape otherShape(Value value) const override {
    ArrayRef<int64_t> shape = shapeOf(value);
    Shape kept(shape.drop_back(std::min<size_t>(ones, shape.size())));
    return kept.empty() ? Shape{1} : kept;
  }
  int64_t keptDims(int64_t rank) const override { return rank - ones; }
  bool canBeOperand(Value value) const override {
    return isConst(value) || staticType(value);
  }
  Value sourceOf(Value value) const override {
    Operation *maker = value.getDefiningOp();
    return isReshape(maker) ? maker->getOperand(0) : value;
  }
  /// Whether no more moves without the last dimensions.
  bool isExit(Operation *op) const override {
    return isReshape(op) && changes(op->getOperand(0)) &&
           movedElements(otherShape(op->getOperand(0)),
                         shapeOf(op->getResult(0))) <= movedElements(op);
  }
  bool readsOther(Operation *user) const override { return isReshape(user); }

  int64_t ones = 0;
};

class CancelReshapes : public mil::impl::CancelReshapesBase<CancelReshapes> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<ReshapeOp, ExpandDimsOp, SqueezeOp>())
      return markAllAnalysesPreserved();
    if (!cancelFromEntries(getOperation().getBody().front(), isReshape,
                           [&](Operation *op) { return cancelFrom(op); }))
      markAllAnalysesPreserved();
  }

private:
  bool cancelFrom(Operation *entry) {
    if (!cancelFlatImages(entry)) {
      NarrowRegion region(entry);
      if (!region.find(entry))
        return false;
      region.rewrite();
    }
    ++numRegions;
    return true;
  }
};

} // namespace
