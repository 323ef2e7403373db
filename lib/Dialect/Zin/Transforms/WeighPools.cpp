//===- WeighPools.cpp - Means of windows whose sums stay small ------------===//

#include "HalfConstant.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_WEIGHPOOLS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether there is one window, of each plane as it is.
bool isWhole(PoolOp pool) {
  ArrayRef<int64_t> x = shapeOf(pool.getX()), y = shapeOf(pool.getResult());
  return pool.getWindow() == x.drop_front(H) && y[H] == 1 && y[W] == 1;
}

class WeighPools : public ane::zin::impl::WeighPoolsBase<WeighPools> {
public:
  using WeighPoolsBase::WeighPoolsBase;

  void runOnOperation() override {
    const TargetDescription *description = findTarget(target);
    if (!description) {
      getOperation().emitError() << unknownTarget(target);
      return signalPassFailure();
    }
    for (auto pool : llvm::make_early_inc_range(
             getOperation().getBody().front().getOps<PoolOp>()))
      if (pool.getKind() == PoolingType::Avg && pool.hasOneDivisor()) {
        Value mean = isWhole(pool) ? reduced(pool) : weighed(pool, *description);
        if (!mean)
          continue;
        pool.replaceAllUsesWith(mean);
        pool.erase();
        ++numWeighed;
      }
  }

private:
  static Value reduced(PoolOp pool) {
    OpBuilder builder(pool);
    return ReductionOp::create(
        builder, pool.getLoc(), pool.getType(), ReductionType::Avg, pool.getX(),
        ArrayRef<int64_t>{H, W}, /*square=*/false,
        /*post=*/PEPostAttr(), /*epsilon=*/FloatAttr(), /*scale=*/FloatAttr());
  }

  /// Null where the window is too wide for a kernel.
  static Value weighed(PoolOp pool, const TargetDescription &target) {
    ArrayRef<int64_t> x = shapeOf(pool.getX()), window = pool.getWindow(),
                      padding = pool.getPadding();
    if (window[0] > target.maxKernelHeight || window[1] > target.maxKernelWidth ||
        x[D] != 1 || x[C] > target.maxGroups)
      return {};
    // A power of 2 loses no bit, and half of the largest number of fp16 is
    // below the limit of sums.
    double count = double(window[0] * window[1]);
    double divisor = double(llvm::PowerOf2Ceil(uint64_t(2 * count)));
    OpBuilder builder(pool);
    Value kernel = makeConstant(
        builder, pool.getLoc(), {x[C], 1, 1, window[0], window[1]},
        std::vector<uint16_t>(size_t(x[C] * window[0] * window[1]),
                              halfFromDouble(1 / divisor)));
    auto conv = ConvOp::create(
        builder, pool.getLoc(), pool.getType(), pool.getX(), kernel,
        /*bias=*/Value(), pool.getStrides(), padding.take_front(2),
        /*dilations=*/ArrayRef<int64_t>{1, 1}, /*groups=*/uint64_t(x[C]),
        NeuronAttr());
    conv.setScaleAttr(builder.getF16FloatAttr(divisor / count));
    return conv;
  }
};

} // namespace
