//===- MovedBiases.cpp - Biases that another product adds -----------------===//

#include "Layers/MovedBiases.h"
#include "HalfConstant.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Columns of a result, [begin, end).
using Columns = std::pair<int64_t, int64_t>;

/// Where columns come from.
struct Source {
  MatMulOp product;
  int64_t begin;
};

/// Whether a view keeps the columns of each row, or some of them that are side
/// by side; those begin at `begin`.
bool keepsColumns(Operation *view, int64_t &begin) {
  if (auto part = dyn_cast<InputViewOp>(view)) {
    begin = part.getBegin()[W];
    return part.getStrides()[W] == 1;
  }
  begin = 0;
  return isa<ReshapeOp>(view) &&
         shapeOf(view->getOperand(0))[W] == shapeOf(view->getResult(0))[W];
}

bool isView(Operation *layer) { return isa<ReshapeOp, InputViewOp>(layer); }

/// The product that a value shows columns of.
Source sourceOf(Value value) {
  int64_t begin = 0, first;
  Operation *layer = value.getDefiningOp();
  for (; layer && isView(layer); layer = layer->getOperand(0).getDefiningOp()) {
    if (!keepsColumns(layer, first))
      return {};
    begin += first;
  }
  return {dyn_cast_or_null<MatMulOp>(layer), begin};
}

bool takesBias(MatMulOp op) {
  return op && !op.getOutputsOnRows() && !op.getActivationAttr() &&
         !op.getScaleAttr() && isAtHand(op.getKernel()) &&
         (!op.getBias() || isAtHand(op.getBias()));
}

void setBias(MatMulOp op, ArrayRef<uint16_t> bits) {
  OpBuilder builder(op);
  op.getBiasMutable().clear();
  if (Value bias = makeBias(builder, op, bits))
    op.getBiasMutable().assign(bias);
}

class Mover {
public:
  explicit Mover(ArrayRef<MatMulOp> products) : products(products) {}

  void run() {
    std::vector<uint16_t> bias = biasOf(products.front());
    for (MatMulOp op : products)
      if (biasOf(op) != bias || !addReads(op))
        return;
    bool changed = false;
    for (auto &[columns, sums] : sumsOf) {
      if (sums.size() != products.size() || !isApart(columns))
        continue;
      llvm::MapVector<MatMulOp, int64_t> takers;
      if (!findTakers(columns, sums, takers))
        continue;
      auto part =
          ArrayRef(bias).slice(columns.first, columns.second - columns.first);
      for (auto [taker, begin] : takers)
        give(taker, begin, part);
      std::fill(bias.begin() + columns.first, bias.begin() + columns.second, 0);
      changed = true;
    }
    if (changed)
      for (MatMulOp op : products)
        setBias(op, bias);
  }

private:
  bool addReads(MatMulOp op) {
    auto reads = readsOfColumns(op.getResult());
    if (!reads)
      return false;
    for (const ReadColumns &read : *reads)
      sumsOf[{read.begin, read.begin + read.count}].push_back(read.use);
    return true;
  }

  /// Whether no layer reads these columns with others.
  bool isApart(Columns columns) const {
    return llvm::all_of(sumsOf, [&](const auto &other) {
      return other.first == columns || other.first.second <= columns.first ||
             other.first.first >= columns.second;
    });
  }

  /// The products that these columns are added to, and from where on.
  bool findTakers(Columns columns, ArrayRef<OpOperand *> sums,
                  llvm::MapVector<MatMulOp, int64_t> &takers) const {
    DenseSet<Operation *> adds;
    for (OpOperand *use : sums) {
      auto add = dyn_cast<ElementWiseOp>(use->getOwner());
      if (!add || add.getKind() != EWType::Add ||
          add.getX().getType() != add.getY().getType())
        return false;
      auto [taker, begin] =
          sourceOf(add->getOperand(1 - use->getOperandNumber()));
      if (!takesBias(taker) || llvm::is_contained(products, taker) ||
          takers.insert({taker, begin}).first->second != begin)
        return false;
      adds.insert(add);
    }
    int64_t count = columns.second - columns.first;
    return llvm::all_of(takers, [&](const auto &entry) {
      auto reads = readsOfColumns(entry.first->getResult(0));
      return reads && llvm::all_of(*reads, [&](const ReadColumns &read) {
               bool isAdded = read.begin == entry.second &&
                              read.count == count &&
                              adds.contains(read.use->getOwner());
               return isAdded || read.begin >= entry.second + count ||
                      read.begin + read.count <= entry.second;
             });
    });
  }

  static void give(MatMulOp taker, int64_t begin, ArrayRef<uint16_t> part) {
    std::vector<uint16_t> bits = biasOf(taker);
    for (auto [i, each] : llvm::enumerate(part))
      bits[begin + i] =
          halfFromDouble(halfToDouble(bits[begin + i]) + halfToDouble(each));
    setBias(taker, bits);
  }

  ArrayRef<MatMulOp> products;
  llvm::MapVector<Columns, SmallVector<OpOperand *>> sumsOf;
};

} // namespace

std::vector<uint16_t> zin::biasOf(MatMulOp op) {
  std::vector<uint16_t> bits(shapeOf(op.getResult())[W], 0);
  if (std::optional<HalfElements> elements = halfElementsOf(op.getBias()))
    for (auto [i, each] : llvm::enumerate(bits))
      each = (*elements)[i];
  return bits;
}

Value zin::makeBias(OpBuilder &builder, MatMulOp op, ArrayRef<uint16_t> bits) {
  if (llvm::all_of(bits, [](uint16_t each) { return each == 0; }))
    return {};
  return makeConstant(builder, op.getLoc(), {1, 1, 1, 1, int64_t(bits.size())},
                      bits.vec());
}

std::optional<SmallVector<ReadColumns>> zin::readsOfColumns(Value value) {
  SmallVector<ReadColumns> reads;
  SmallVector<std::pair<Value, int64_t>> shown = {{value, 0}};
  while (!shown.empty()) {
    auto [each, begin] = shown.pop_back_val();
    for (OpOperand &use : each.getUses()) {
      Operation *user = use.getOwner();
      int64_t first = 0;
      if (!isView(user))
        reads.push_back({&use, begin, shapeOf(each)[W]});
      else if (keepsColumns(user, first))
        shown.push_back({user->getResult(0), begin + first});
      else
        return std::nullopt;
    }
  }
  return reads;
}

void zin::moveBiases(ArrayRef<MatMulOp> products) {
  if (llvm::any_of(products, [](MatMulOp op) { return bool(op.getBias()); }))
    Mover(products).run();
}
