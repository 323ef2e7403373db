//===- TurnProducts.cpp - Products that hand over turned matrices ---------===//

#include "HalfConstant.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
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
  return op && op->hasTrait<Elementwise>() &&
         llvm::all_of(op->getOperandTypes(), [&](Type type) {
           return type == op->getResult(0).getType();
         });
}

/// Pointwise ops between products and transposes, or none between these.
struct Group {
  llvm::SetVector<Operation *> pointwise;
  llvm::SetVector<Operation *> before; ///< products whose results they read
  llvm::SetVector<Operation *> behind; ///< products that read theirs
  /// Transposes whose results they read, and that read theirs.
  llvm::SetVector<Operation *> turnsBefore, turnsBehind;
};

class GroupFinder {
public:
  /// The group that the result of a product or a transpose is in; nothing if
  /// something else reads or makes one of its values, or nothing is gained.
  std::optional<Group> behind(Operation *maker) {
    group = Group();
    bool isWhole = addMaker(maker->getResult(0));
    for (size_t i = 0; isWhole && i < group.pointwise.size(); ++i)
      isWhole = addNeighbours(group.pointwise[i]);
    // One that turns a matrix of the group for the group has to do so.
    isWhole &= llvm::none_of(group.turnsBefore, [&](Operation *transpose) {
      return group.turnsBehind.contains(transpose);
    });
    if (!isWhole) {
      outside.insert_range(group.pointwise);
      return std::nullopt;
    }
    bool turns = !group.turnsBefore.empty() || !group.turnsBehind.empty();
    bool ends = !group.behind.empty() || !group.turnsBehind.empty();
    // Where a product reads another one the lowering leaves the matrix as it
    // is.
    if (!ends || (group.pointwise.empty() && !turns))
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
    Operation *op = value.getDefiningOp();
    if (auto product = dyn_cast_or_null<MatMulOp>(op);
        product && !product.getOutputsOnRows() && hasConstantKernel(product))
      return !group.before.insert(product) || addUsers(value);
    if (turnsMatrices(op))
      return !group.turnsBefore.insert(op) || addUsers(value);
    return addPointwise(op);
  }

  bool addUsers(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      if (turnsMatrices(use.getOwner())) {
        group.turnsBehind.insert(use.getOwner());
        return true;
      }
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

/// The transpose of channels and columns of an image of one row that is all
/// that reads a value, if need be behind a reshape that makes channels rows.
TransposeOp turnBehind(Value image) {
  constexpr std::array<int64_t, numDims> channelsAndColumns = {N, D, W, H, C};
  if (!image.hasOneUse())
    return nullptr;
  Operation *user = *image.user_begin();
  ArrayRef<int64_t> shape = shapeOf(image);
  auto reshape = dyn_cast<ReshapeOp>(user);
  if (!reshape) {
    auto turn = dyn_cast<TransposeOp>(user);
    return turn && turn.getPermutation() == ArrayRef(channelsAndColumns)
               ? turn
               : nullptr;
  }
  if (!reshape->hasOneUse() || shapeOf(reshape.getResult())[H] != shape[C] ||
      shapeOf(reshape.getResult())[W] != shape[W] ||
      !turnsMatrices(*reshape->user_begin()))
    return nullptr;
  return cast<TransposeOp>(*reshape->user_begin());
}

/// A convolution of one row, with a window of one element, is a product that
/// contracts rows. Where its result is turned, that has its outputs along
/// columns.
bool makeProduct(ConvOp conv) {
  ArrayRef<int64_t> x = shapeOf(conv.getX()),
                    kernel = shapeOf(conv.getKernel());
  int64_t outputs = kernel[N], inputs = kernel[C], columns = x[W];
  bool isProduct = isAtHand(conv.getKernel()) &&
                   (!conv.getBias() || isAtHand(conv.getBias())) &&
                   conv.getGroups() == 1 && kernel[H] * kernel[W] == 1 &&
                   inputs > 1 && x[D] * x[H] == 1 &&
                   conv.getStrides() == ArrayRef<int64_t>{1, 1} &&
                   shapeOf(conv.getResult()).take_back(2) == x.take_back(2) &&
                   conv.getPadding() == ArrayRef<int64_t>{0, 0};
  TransposeOp turn = isProduct ? turnBehind(conv.getResult()) : TransposeOp();
  if (!turn)
    return false;
  OpBuilder builder(turn);
  Location loc = conv.getLoc();
  auto asRows = [&](Value value, ArrayRef<int64_t> shape) -> Value {
    return value ? makeSlice(builder, loc, value.getDefiningOp<ConstantOp>(),
                             shape, /*begin=*/0)
                 : value;
  };
  Value rows =
      reshapeTo(builder, loc, conv.getX(), {x[N], 1, 1, inputs, columns});
  Value matrix = asRows(conv.getKernel(), {1, 1, 1, outputs, inputs});
  Value bias = asRows(conv.getBias(), {1, 1, 1, 1, outputs});
  auto type = cast<RankedTensorType>(turn.getType())
                  .clone({x[N], 1, 1, columns, outputs});
  auto product = MatMulOp::create(
      builder, loc, type, rows, matrix, bias, /*contractRows=*/true,
      /*outputsOnRows=*/false, conv.getActivationAttr());
  product.setScaleAttr(conv.getScaleAttr());
  turn.replaceAllUsesWith(
      reshapeTo(builder, loc, product.getResult(), shapeOf(turn.getResult())));
  // With what led from the convolution to the transpose.
  for (Operation *op = turn; op != conv;) {
    Operation *before = op->getOperand(0).getDefiningOp();
    op->erase();
    op = before;
  }
  conv.erase();
  return true;
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
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!getAnalysis<Inventory>().hasAny<MatMulOp, ConvOp>())
      return markAllAnalysesPreserved();
    for (ConvOp conv : llvm::to_vector(getOperation().getOps<ConvOp>()))
      numProducts += makeProduct(conv);
    GroupFinder finder;
    for (Operation *maker : makers()) {
      std::optional<Group> group = finder.behind(maker);
      // Rows become columns.
      if (!group ||
          shapeOf(maker->getResult(0))[H] > int64_t(description->maxWidth))
        continue;
      apply(*group);
      ++numGroups;
    }
    readUnturned();
  }

private:
  SmallVector<Operation *> makers() {
    SmallVector<Operation *> ops;
    for (Operation &op : getOperation().getBody().front())
      if (isa<MatMulOp>(op) || turnsMatrices(&op))
        ops.push_back(&op);
    return ops;
  }

  static void apply(const Group &group) {
    for (Operation *product : group.before) {
      cast<MatMulOp>(product).setOutputsOnRows(true);
      turn(product->getResult(0));
    }
    for (Operation *each : group.pointwise)
      turn(each->getResult(0));
    for (Operation *product : group.behind)
      cast<MatMulOp>(product).setContractRows(true);
    for (const auto *turns : {&group.turnsBefore, &group.turnsBehind})
      for (Operation *transpose : *turns)
        transpose->getResult(0).replaceAllUsesWith(transpose->getOperand(0));
  }

  /// What others read turned as well a product reads as it was before. Leaves
  /// out transposes that nothing reads any more.
  void readUnturned() {
    SmallVector<Operation *> ops = makers();
    for (Operation *op : ops) {
      auto product = dyn_cast<MatMulOp>(op);
      if (!product || product.getContractRows() || !hasConstantKernel(product))
        continue;
      Operation *transpose = product.getX().getDefiningOp();
      if (!turnsMatrices(transpose))
        continue;
      product.getXMutable().assign(transpose->getOperand(0));
      product.setContractRows(true);
      ++numTurned;
    }
    for (Operation *op : llvm::reverse(ops))
      if (turnsMatrices(op) && op->use_empty())
        op->erase();
  }
};

} // namespace
