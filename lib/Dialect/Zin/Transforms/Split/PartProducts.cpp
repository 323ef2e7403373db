//===- PartProducts.cpp - Products of large operands part by part ---------===//

#include "Split/LayerBlocks.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

namespace ane::zin {
#define GEN_PASS_DEF_PARTPRODUCTS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Parts have to save so much of the time, more where blocks of outputs, which
/// have few of them, each take all parts. Assigned.
constexpr int64_t leastGainPercent = 12, leastGainPercentOfBlocks = 30;

/// A product of a constant kernel of one tap with columns: `outputs` of each,
/// of `taps` numbers.
struct Product {
  unsigned tapsOfX; ///< the dimension of the operand that is contracted
  unsigned tapsOfKernel;
  int64_t columns, taps, outputs;
  /// Whether tasks for some outputs each read all of the operand, or one for
  /// some columns all coefficients.
  bool readsPerOutputs;
};

template <typename Layer> bool isPlain(Layer layer) {
  return !layer.getActivationAttr() && !layer.getScaleAttr() &&
         isAtHand(layer.getKernel()) &&
         (!layer.getBias() || isAtHand(layer.getBias()));
}

std::optional<Product> productOf(Operation *op) {
  if (auto product = dyn_cast<MatMulOp>(op)) {
    ArrayRef<int64_t> x = shapeOf(product.getX()),
                      kernel = shapeOf(product.getKernel());
    bool onRows = product.getContractRows();
    if (!isPlain(product) || x[N] * x[D] * x[C] != 1 || kernel[C] != 1)
      return std::nullopt;
    return Product{
        onRows ? H : W,           W, x[onRows ? W : H], kernel[W], kernel[H],
        /*readsPerOutputs=*/false};
  }
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || !isPlain(conv) || conv.getGroups() != 1)
    return std::nullopt;
  // An image goes through a chain of layers in blocks of rows; a signal may
  // have become one for that.
  ArrayRef<int64_t> x = shapeOf(conv.getX()),
                    kernel = shapeOf(conv.getKernel());
  auto reshape = conv.getX().getDefiningOp<ReshapeOp>();
  bool isSignal = x[H] == 1 || (reshape && shapeOf(reshape.getX())[H] == 1 &&
                                shapeOf(reshape.getX())[C] == x[C]);
  if (!isSignal || x[N] * x[D] * kernel[H] * kernel[W] != 1 ||
      conv.getStrides() != ArrayRef<int64_t>{1, 1} ||
      shapeOf(conv.getResult()).take_back(2) != x.take_back(2))
    return std::nullopt;
  return Product{C,
                 C,
                 x[H] * x[W],
                 kernel[C],
                 kernel[N],
                 /*readsPerOutputs=*/x[H] > 1};
}

/// What a kernel takes, about, in the form that zin-compress-kernels chooses.
struct StoredBytes {
  int64_t whole;
  /// In tasks of some outputs each, which read an operand that L2 holds.
  int64_t inParts;
};

/// What the operand takes in L2.
int64_t operandBytes(const Product &product, const TargetDescription &target) {
  return product.taps * target.l2ChannelBytes(product.columns);
}

/// How a product takes an operand that L2 does not hold, and what that costs.
class Costs {
public:
  Costs(const Product &product, StoredBytes kernelBytes,
        const TargetDescription &target)
      : product(product), target(target), xBytes(operandBytes(product, target)),
        sumBytes(product.outputs * target.l2ChannelBytes(product.columns)),
        kernelBytes(kernelBytes) {}

  /// The least number of parts that is worth it; 1 if none is.
  int64_t parts() const {
    int64_t room = productRoom(target);
    int64_t runs = llvm::divideCeil(xBytes, room);
    // Sums lie beside a part, or some outputs of them at a time do, for each of
    // which all parts come again.
    bool sumsStay = sumBytes <= target.largeL2Bytes();
    int64_t parts =
        llvm::divideCeil(xBytes, sumsStay ? room - 2 * sumBytes : room / 2);
    int64_t blocks =
        sumsStay ? 1 : llvm::divideCeil(3 * sumBytes, room - room / 2);
    int64_t whole = time(wholeBytes(runs) + sumBytes);
    int64_t inParts =
        time(kernelBytes.inParts + (1 + blocks) * xBytes + sumBytes) +
        (parts - 1) * planarTime();
    int64_t percent = sumsStay ? leastGainPercent : leastGainPercentOfBlocks;
    return (whole - inParts) * 100 > whole * percent ? parts : 1;
  }

private:
  /// Of operand and coefficients, in so many runs of columns. What makes the
  /// operand may run with them, so that it does not pass through memory.
  int64_t wholeBytes(int64_t runs) const {
    if (!product.readsPerOutputs)
      return runs * kernelBytes.whole;
    int64_t lanes = target.neuralEngines,
            passes =
                product.columns <= target.accumulatedPixels
                    ? llvm::divideCeil(product.outputs, lanes * target.ocgCap)
                    : llvm::divideCeil(kernelBytes.whole,
                                       lanes * target.kernelMemoryBytes);
    return kernelBytes.whole + passes * xBytes;
  }

  /// In cycles, of what is longer: products or memory.
  int64_t time(int64_t bytes) const {
    int64_t products = product.taps * product.outputs * product.columns;
    return std::max(target.productCycles(products), target.memoryCycles(bytes));
  }
  int64_t planarTime() const {
    return product.outputs * product.columns / target.planarElementsPerCycle;
  }

  const Product &product;
  const TargetDescription &target;
  int64_t xBytes, sumBytes;
  StoredBytes kernelBytes;
};

class PartProducts : public ane::zin::impl::PartProductsBase<PartProducts> {
public:
  using PartProductsBase::PartProductsBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<MatMulOp, ConvOp>() ||
        llvm::none_of(inventory.getTypes(), [&](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && tensor.getNumElements() * elementBytes >
                               productRoom(*description);
        }))
      return markAllAnalysesPreserved();
    bool changed = false;
    Block &body = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      std::optional<Product> product = productOf(&op);
      if (!product)
        continue;
      if (operandBytes(*product, *description) <= productRoom(*description))
        continue;
      Costs costs(*product, storedBytes(op.getOperand(1), product->outputs),
                  *description);
      int64_t parts = costs.parts();
      if (parts == 1)
        continue;
      int64_t perPart = llvm::alignTo(llvm::divideCeil(product->taps, parts),
                                      description->rowStep());
      OpBuilder builder(&op);
      op.replaceAllUsesWith(ValueRange{
          sumOfParts(builder, &op, product->tapsOfX, product->tapsOfKernel,
                     product->taps, perPart)});
      op.erase();
      ++numParted;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  StoredBytes storedBytes(Value kernel, int64_t outputs) {
    int64_t count = llvm::product_of(shapeOf(kernel)),
            bytes = count * elementBytes;
    bool mayHavePalettes =
        getOperation()->hasAttr(ZinDialect::palettizedAttrName);
    bool mayBeSparse = getOperation()->hasAttr(ZinDialect::sparseAttrName);
    std::optional<HalfElements> elements = halfElementsOf(kernel);
    if (!elements || (!mayHavePalettes && !mayBeSparse))
      return {bytes, bytes};
    KernelCensus census(*elements);
    StoredBytes stored = {bytes, bytes};
    if (mayHavePalettes) {
      stored.whole = count * census.numbers.bits() / CHAR_BIT;
      stored.inParts = td::leastPaletteBytes(elements->bytes(), outputs, count);
    }
    int64_t sparse =
        (census.count - census.zeros) * elementBytes + count / CHAR_BIT;
    return mayBeSparse ? StoredBytes{std::min(stored.whole, sparse),
                                     std::min(stored.inParts, sparse)}
                       : stored;
  }
};

} // namespace
