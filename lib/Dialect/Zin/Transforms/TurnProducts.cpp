//===- TurnProducts.cpp - Products that hand over turned matrices ---------===//

#include "ane/Dialect/Zin/Transforms/Passes.h"
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

/// The group that a pointwise op is in; nothing if something else reads or
/// makes one of its values.
std::optional<Group> groupAround(Operation *seed) {
  Group group;
  group.pointwise.insert(seed);
  auto addUsers = [&](Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      auto product = dyn_cast<MatMulOp>(user);
      if (product && use.getOperandNumber() == 0 &&
          !product.getContractRows() && hasConstantKernel(product)) {
        group.behind.insert(user);
        return true;
      }
      return isPointwise(user) && (group.pointwise.insert(user), true);
    });
  };
  for (size_t i = 0; i < group.pointwise.size(); ++i) {
    Operation *op = group.pointwise[i];
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      auto product = dyn_cast_or_null<MatMulOp>(maker);
      if (product && !product.getOutputsOnRows() &&
          hasConstantKernel(product)) {
        if (group.before.insert(maker) && !addUsers(operand))
          return std::nullopt;
      } else if (isPointwise(maker)) {
        group.pointwise.insert(maker);
      } else {
        return std::nullopt;
      }
    }
    if (!addUsers(op->getResult(0)))
      return std::nullopt;
  }
  if (group.before.empty() || group.behind.empty())
    return std::nullopt;
  return group;
}

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
    llvm::DenseSet<Operation *> seen;
    for (Operation &op : getOperation().getBody().front()) {
      if (!isPointwise(&op) || seen.contains(&op))
        continue;
      std::optional<Group> group = groupAround(&op);
      // Rows become columns.
      if (!group ||
          shapeOf(op.getResult(0))[H] > int64_t(description->maxWidth))
        continue;
      for (Operation *product : group->before) {
        cast<MatMulOp>(product).setOutputsOnRows(true);
        turn(product->getResult(0));
      }
      for (Operation *each : group->pointwise) {
        seen.insert(each);
        turn(each->getResult(0));
      }
      for (Operation *product : group->behind)
        cast<MatMulOp>(product).setContractRows(true);
      ++numGroups;
    }
  }
};

} // namespace
