//===- TurnProducts.cpp - Products that hand over turned matrices ---------===//

#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/SetVector.h"

namespace ane::zin {
#define GEN_PASS_DEF_TURNPRODUCTS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

bool hasConstantKernel(MatMulOp product) {
  return bool(product.getKernel().getDefiningOp<ConstantOp>());
}

/// Whether an op computes each element of its result from the same element of
/// its operands.
bool isPointwise(Operation *op) {
  return isa_and_nonnull<NeuronOp, GOCOp, ElementWiseOp, ScaledElementWiseOp>(
             op) &&
         llvm::all_of(op->getOperandTypes(), [&](Type type) {
           return type == op->getResult(0).getType();
         });
}

/// Pointwise ops between products.
struct Group {
  llvm::SetVector<Operation *> pointwise;
  llvm::SetVector<Operation *> before; ///< products whose results they read
  llvm::SetVector<Operation *> behind; ///< products that read theirs
};

class GroupFinder {
public:
  /// The group that a pointwise op is in; nothing if something else reads or
  /// makes one of its values.
  std::optional<Group> around(Operation *seed) {
    group = Group();
    group.pointwise.insert(seed);
    for (size_t i = 0; i < group.pointwise.size(); ++i)
      if (!addNeighbours(group.pointwise[i])) {
        outside.insert_range(group.pointwise);
        return std::nullopt;
      }
    if (group.before.empty() || group.behind.empty())
      return std::nullopt;
    return std::move(group);
  }

private:
  bool addNeighbours(Operation *op) {
    return llvm::all_of(op->getOperands(),
                        [&](Value value) { return addMaker(value); }) &&
           addUsers(op->getResult(0));
  }

  bool addMaker(Value value) {
    auto product = value.getDefiningOp<MatMulOp>();
    if (product && !product.getOutputsOnRows() && hasConstantKernel(product))
      return !group.before.insert(product) || addUsers(value);
    return addPointwise(value.getDefiningOp());
  }

  bool addUsers(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      auto product = dyn_cast<MatMulOp>(use.getOwner());
      if (!product || use.getOperandNumber() != 0 ||
          product.getContractRows() || !hasConstantKernel(product))
        return addPointwise(use.getOwner());
      group.behind.insert(product);
      return true;
    });
  }

  bool addPointwise(Operation *op) {
    if (!isPointwise(op) || outside.contains(op))
      return false;
    group.pointwise.insert(op);
    return true;
  }

  Group group;
  /// Of no group: what is connected to one of these is not, either.
  llvm::DenseSet<Operation *> outside;
};

void turn(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[H], shape[W]);
  value.setType(type.clone(shape));
}

class TurnProducts : public ane::zin::impl::TurnProductsBase<TurnProducts> {
public:
  using TurnProductsBase::TurnProductsBase;

  void runOnOperation() override {
    const TargetDescription *description = findTarget(target);
    if (!description) {
      getOperation().emitError() << unknownTarget(target);
      return signalPassFailure();
    }
    if (!getAnalysis<Inventory>().hasAny<MatMulOp>())
      return markAllAnalysesPreserved();
    GroupFinder finder;
    llvm::DenseSet<Operation *> seen;
    for (Operation &op : getOperation().getBody().front()) {
      if (!isPointwise(&op) || seen.contains(&op))
        continue;
      std::optional<Group> group = finder.around(&op);
      if (group)
        seen.insert_range(group->pointwise);
      // Rows become columns.
      if (!group ||
          shapeOf(op.getResult(0))[H] > int64_t(description->maxWidth))
        continue;
      for (Operation *product : group->before) {
        cast<MatMulOp>(product).setOutputsOnRows(true);
        turn(product->getResult(0));
      }
      for (Operation *each : group->pointwise)
        turn(each->getResult(0));
      for (Operation *product : group->behind)
        cast<MatMulOp>(product).setContractRows(true);
      ++numGroups;
    }
  }
};

} // namespace
