//===- KeepKernels.cpp - Coefficients that stay in the scratchpad ---------===//

#include "HalfConstant.h"
#include "Layers/MovedBiases.h"
#include "Layers/ValueLives.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Half.h"
#include "ane/Support/Inventory.h"
#include "ane/TaskDescriptor/Palettes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace ane::zin {
#define GEN_PASS_DEF_KEEPKERNELS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// What products that keep their kernel have to save of their time. Assigned.
constexpr int64_t leastGainPercent = 5;

/// Products of one constant kernel, in their order.
struct Group {
  ConstantOp kernel;
  SmallVector<MatMulOp> products;
  int64_t outputs = 0, taps = 0;
  uint64_t bytes = 0; ///< of the kernel in memory
  int64_t kept = 0;   ///< the first outputs, whose coefficients stay
  int64_t gain = 0;   ///< cycles
};

/// Whether the product is one of rows by a kernel, and nothing else.
bool isPlain(MatMulOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  return !op.getContractRows() && !op.getOutputsOnRows() &&
         !op.getActivationAttr() && !op.getScaleAttr() &&
         x[N] * x[D] * x[C] == 1 && shapeOf(op.getKernel())[C] == 1 &&
         isAtHand(op.getKernel()) && (!op.getBias() || isAtHand(op.getBias()));
}

/// Whether coefficients lose nothing that shows as elements of a matrix. There
/// numbers below the normal ones are 0, whereas a kernel is scaled: what is
/// lost of an output is less than half a unit in the last place of what all of
/// its elements may add up to.
bool areNormal(const HalfElements &elements, int64_t taps) {
  for (size_t row = 0; row < elements.size(); row += taps) {
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < taps; ++i) {
      double magnitude = std::fabs(halfToDouble(elements[row + i]));
      (magnitude < smallestNormalHalf ? lost : sum) += magnitude;
    }
    if (lost * 0x1p11 > sum)
      return false;
  }
  return true;
}

/// Cycles of products with a kernel of `taps` coefficients for an output.
class Costs {
public:
  Costs(const TargetDescription &target, int64_t taps)
      : target(target), taps(taps) {}

  /// With coefficients that come from memory, and rows that are turned.
  int64_t fromMemory(int64_t rows, int64_t outputs, int64_t bytes) const {
    return outputs == 0 ? 0
                        : 2 * task + std::max(target.memoryCycles(bytes),
                                              products(outputs, rows));
  }
  /// With coefficients that L2 has, and rows that are the kernel, which comes
  /// from memory: many of them by a copy that puts them side by side.
  int64_t kept(int64_t rows, int64_t outputs) const {
    bool isCopied = rows >= 4 * target.neuralEngines;
    int64_t perTask = target.neuralEngines * (isCopied ? 8 : 1),
            moves = target.memoryCycles(rows * taps * elementBytes);
    return (llvm::divideCeil(rows, perTask) + isCopied) * task +
           (isCopied ? moves : 0) + std::max(products(rows, outputs), moves);
  }
  /// Of bringing them there.
  int64_t first(int64_t outputs) const {
    return task + target.memoryCycles(outputs * taps * elementBytes);
  }
  /// Of adding a bias, or of a table, to results.
  int64_t pass(int64_t rows, int64_t outputs) const {
    int64_t pieces = llvm::divideCeil(outputs * elementBytes, target.l2Granule),
            banks = llvm::divideCeil(rows, target.l2Banks);
    return task + std::max(rows * outputs / target.planarElementsPerCycle,
                           3 * pieces * banks);
  }

private:
  /// The engines have a row of the kernel each.
  int64_t products(int64_t kernelRows, int64_t pixels) const {
    return llvm::divideCeil(kernelRows, target.neuralEngines) * taps *
           llvm::alignTo(pixels, target.patchPixels) / target.macsPerCycle;
  }

  const TargetDescription &target;
  int64_t taps, task = target.taskOverheadCycles;
};

/// Whether a table could be part of the task of a product.
bool hasTable(MatMulOp op) {
  if (!op->hasOneUse())
    return false;
  auto neuron = dyn_cast<NeuronOp>(*op->user_begin());
  return neuron && neuron.getFunction().getMode() != NonLinearMode::relu;
}

class KeepKernels : public ane::zin::impl::KeepKernelsBase<KeepKernels> {
public:
  using KeepKernelsBase::KeepKernelsBase;

  void runOnOperation() override {
    description = findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    SmallVector<Group> groups;
    if (getAnalysis<Inventory>().hasAny<MatMulOp>())
      groups = findGroups();
    if (groups.empty())
      return markAllAnalysesPreserved();
    Block &body = getOperation().getBody().front();
    ValueLives lives(body, *description);
    // What saves most for its bytes comes first.
    for (Group &group : groups)
      choose(group, lives);
    llvm::erase_if(groups, [](const Group &group) { return group.kept == 0; });
    llvm::sort(groups, [](const Group &a, const Group &b) {
      int64_t ofA = a.gain * b.kept * b.taps, ofB = b.gain * a.kept * a.taps;
      return ofA == ofB
                 ? a.products.front()->isBeforeInBlock(b.products.front())
                 : ofA > ofB;
    });
    for (Group &group : groups) {
      choose(group, lives);
      if (group.kept == 0)
        continue;
      lives.add(lifeOf(group, lives));
      keep(group);
    }
  }

private:
  SmallVector<Group> findGroups() {
    SmallVector<Group> groups;
    bool mayHavePalettes =
        getOperation()->hasAttr(ZinDialect::palettizedAttrName);
    for (auto constant :
         getOperation().getBody().front().getOps<ConstantOp>()) {
      if (constant->hasOneUse())
        continue;
      Group group;
      group.kernel = constant;
      for (OpOperand &use : constant->getUses()) {
        auto product = dyn_cast<MatMulOp>(use.getOwner());
        if (product && use.getOperandNumber() == 1 && isPlain(product))
          group.products.push_back(product);
      }
      if (group.products.size() < 2)
        continue;
      llvm::sort(group.products, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
      ArrayRef<int64_t> shape = shapeOf(constant);
      group.outputs = shape[H];
      group.taps = shape[W];
      std::optional<HalfElements> elements = halfElementsOf(constant);
      if (!areNormal(*elements, group.taps))
        continue;
      uint64_t count = group.outputs * group.taps;
      group.bytes =
          mayHavePalettes
              ? td::leastPaletteBytes(elements->bytes(), group.outputs, count)
              : count * elementBytes;
      groups.push_back(std::move(group));
    }
    return groups;
  }

  /// What L2 has of the kernel.
  Life lifeOf(const Group &group, const ValueLives &lives) const {
    int64_t bytes = group.taps * description->l2ChannelBytes(group.kept);
    return {bytes, lives.positionOf(group.products.front()),
            lives.positionOf(group.products.back()),
            bytes * (1 + int64_t(group.products.size()))};
  }

  /// Finds how many outputs are worth to be kept, 0 if none are.
  void choose(Group &group, const ValueLives &lives) {
    int64_t step = description->rowStep();
    int64_t room = description->l2Bytes / 5 * 4;
    group.kept = group.outputs;
    int64_t free = lives.bytesBeside(lifeOf(group, lives), room);
    if (lifeOf(group, lives).bytes > free)
      group.kept = free / (group.taps * elementBytes) / step * step;
    if (group.kept <= 0) {
      group.kept = group.gain = 0;
      return;
    }
    Costs costs(*description, group.taps);
    int64_t before = 0, after = costs.first(group.kept);
    for (MatMulOp op : group.products) {
      int64_t rows = shapeOf(op.getX())[H], rest = group.outputs - group.kept;
      before += costs.fromMemory(rows, group.outputs, group.bytes);
      after +=
          costs.fromMemory(rows, rest, group.bytes * rest / group.outputs) +
          costs.kept(rows, group.kept);
      if (op.getBias() || hasTable(op))
        after += costs.pass(rows, group.kept);
    }
    after += description->memoryCycles(
        lives.bytesDriven(lifeOf(group, lives), room));
    group.gain = before - after;
    if (group.gain * 100 < before * leastGainPercent)
      group.kept = group.gain = 0;
  }

  void keep(Group &group) {
    moveBiases(group.products);
    OpBuilder builder(group.products.front());
    Value kept = rowsOf(builder, group, 0, group.kept);
    Value rest = rowsOf(builder, group, group.kept, group.outputs);
    for (MatMulOp op : group.products) {
      builder.setInsertionPoint(op);
      SmallVector<Value, 2> parts = {MatMulOp::create(
          builder, op.getLoc(), resultType(op, group.kept), kept, op.getX(),
          /*bias=*/Value(),
          /*contract_rows=*/false, /*outputs_on_rows=*/true, NeuronAttr())};
      std::vector<uint16_t> bias = biasOf(op);
      if (rest)
        parts.push_back(MatMulOp::create(
            builder, op.getLoc(), resultType(op, group.outputs - group.kept),
            op.getX(), rest,
            makeBias(builder, op, ArrayRef(bias).drop_front(group.kept)),
            /*contract_rows=*/false, /*outputs_on_rows=*/false, NeuronAttr()));
      std::fill(bias.begin() + group.kept, bias.end(), 0);
      if (!addBehindViews(op, bias))
        if (Value added =
                makeBias(builder, op, ArrayRef(bias).take_front(group.kept)))
          parts.front() = sumOf(builder, op, parts.front(), added);
      op.replaceAllUsesWith(concatAlong(builder, op.getLoc(), parts, W));
      op.erase();
      ++numProducts;
    }
    if (group.kernel.use_empty())
      group.kernel.erase();
    ++numKept;
  }

  /// Rows [begin, end) of a kernel; null for none.
  static Value rowsOf(OpBuilder &builder, Group &group, int64_t begin,
                      int64_t end) {
    if (begin == end)
      return {};
    if (end - begin == group.outputs)
      return group.kernel;
    return makeSlice(builder, group.kernel->getLoc(), group.kernel,
                     {1, 1, 1, end - begin, group.taps}, begin * group.taps);
  }

  static RankedTensorType resultType(MatMulOp op, int64_t outputs) {
    return RankedTensorType::get({1, 1, 1, shapeOf(op.getResult())[H], outputs},
                                 Float16Type::get(op.getContext()));
  }

  static Value sumOf(OpBuilder &builder, MatMulOp op, Value x, Value y) {
    return ElementWiseOp::create(builder, op.getLoc(), x.getType(), EWType::Add,
                                 x, y);
  }

  /// Adds a bias where parts of a result are read, and only to those where it
  /// is not 0. Not if all of a result is read, or one sum takes less.
  bool addBehindViews(MatMulOp op, ArrayRef<uint16_t> bias) const {
    auto isPart = [](Operation *user) {
      auto view = dyn_cast<InputViewOp>(user);
      return view && view.getStrides()[W] == 1;
    };
    if (!llvm::all_of(op->getUsers(), isPart))
      return false;
    Costs costs(*description, shapeOf(op.getKernel())[W]);
    ArrayRef<int64_t> whole = shapeOf(op.getResult());
    int64_t cycles = 0;
    OpBuilder builder(op);
    SmallVector<std::pair<InputViewOp, Value>> sums;
    for (Operation *user : op->getUsers()) {
      auto view = cast<InputViewOp>(user);
      ArrayRef<int64_t> part = shapeOf(view.getResult());
      if (Value added =
              makeBias(builder, op, bias.slice(view.getBegin()[W], part[W]))) {
        sums.push_back({view, added});
        cycles += costs.pass(part[H], part[W]);
      }
    }
    if (cycles > costs.pass(whole[H], whole[W])) {
      for (auto [view, added] : sums)
        added.getDefiningOp()->erase();
      return false;
    }
    for (auto [view, added] : sums) {
      builder.setInsertionPointAfter(view);
      Value sum = sumOf(builder, op, view.getResult(), added);
      view.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
    }
    return true;
  }

  const TargetDescription *description = nullptr;
};

} // namespace
