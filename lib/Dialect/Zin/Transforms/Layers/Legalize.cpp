//===- Legalize.cpp - Rewrite layers the engine has no form for -----------===//

#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layers/MadeKernels.h"
#include "Layers/SplitStrides.h"
#include "Layers/StackTaps.h"
#include "Layers/TurnedColumns.h"
#include "Layout/EarlyNeurons.h"
#include "Split/LayerBlocks.h"
#include "Split/WideRows.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {
#define GEN_PASS_DEF_LEGALIZE
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// A kernel that covers more than the registers say -> sums of convolutions
/// with parts of it.
struct SplitKernel : OpRewritePattern<ConvOp> {
  SplitKernel(MLIRContext *context, const TargetDescription &target,
              MadeKernels &kernels)
      : OpRewritePattern(context, /*benefit=*/2), target(target),
        limits{target.maxKernelHeight, target.maxKernelWidth},
        kernels(kernels) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    for (unsigned i : {0, 1})
      if (dilatedExtent(kernel[H + i], op.getTaskDilation(i)) > limits[i])
        return split(op, i, rewriter);
    return rewriter.notifyMatchFailure(op, "the kernel is small enough");
  }

private:
  LogicalResult split(ConvOp op, unsigned i, PatternRewriter &rewriter) const {
    if (!isAtHand(op.getKernel()))
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
    if (op.getActivationAttr() || op.getScaleAttr())
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    Location location = op.getLoc();
    ArrayRef<int64_t> x = shapeOf(op.getX()), kernel = shapeOf(op.getKernel());
    unsigned dim = H + i;
    int64_t dilation = op.getDilations()[i];
    int64_t perPart = (limits[i] - 1) / op.getTaskDilation(i) + 1;
    // Where parts begin within a step of a row.
    bool isTurned = i == 1 && x[H] == 1 && x[C] >= leastTurnedChannels;
    std::optional<TurnedColumns> turned;
    Value sum;
    for (int64_t begin = 0; begin < kernel[dim]; begin += perPart) {
      SmallVector<int64_t> padding(op.getPadding());
      padding[i] -= begin * dilation;
      // What is in front of the part; behind the input it is all padding.
      if (-padding[i] >= x[dim])
        break;
      Value input = op.getX();
      IndexRange seen = {-padding[i], x[dim] + padding[i]};
      if (isTurned && hasTurnedColumns(padding[i], target)) {
        if (!turned)
          turned.emplace(rewriter, location, op.getX(),
                         turnedColumns(op, perPart), target);
        input = turned->columns(rewriter, seen);
        padding[i] = 0;
      } else if (padding[i] < 0) {
        input =
            viewAlong(rewriter, location, input, dim, seen.begin, seen.count);
        padding[i] = 0;
      }
      IndexRange taps = {begin, std::min(perPart, kernel[dim] - begin)};
      Value part = kernels.get(
          rewriter, op.getKernel().getDefiningOp<ConstantOp>(),
          {dim, taps.begin, taps.count}, [&] {
            return blockOf(rewriter, location, op.getKernel(), dim, taps);
          });
      Value product = ConvOp::create(
          rewriter, location, op.getType(), input, part,
          sum ? Value() : op.getBias(), op.getStridesAttr(),
          rewriter.getDenseI64ArrayAttr(padding), op.getDilationsAttr(),
          op.getGroupsAttr(), NeuronAttr());
      sum = sum ? ElementWiseOp::create(rewriter, location, op.getType(),
                                        EWType::Add, sum, product)
                : product;
    }
    rewriter.replaceOp(op, sum);
    return success();
  }

  /// The columns that parts see for which they are turned.
  IndexRange turnedColumns(ConvOp op, int64_t perPart) const {
    int64_t extent = shapeOf(op.getX())[W], taps = shapeOf(op.getKernel())[W],
            first = extent;
    for (int64_t begin = 0; begin < taps; begin += perPart) {
      int64_t padding = op.getPadding()[1] - begin * op.getDilations()[1];
      if (hasTurnedColumns(padding, target))
        first = std::min(first, -padding);
    }
    return {first, extent - first};
  }

  const TargetDescription &target;
  int64_t limits[2];
  MadeKernels &kernels;
};

/// More padding in front than the registers say -> zeros in front of the input.
struct PadInFront : OpRewritePattern<ConvOp> {
  PadInFront(MLIRContext *context, int64_t limit)
      : OpRewritePattern(context), limit(limit) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned i : {0, 1}) {
      int64_t count = op.getPadding()[i];
      // Phases share the rows.
      if (count <= limit * op.getPhases(i))
        continue;
      SmallVector<int64_t> padding(op.getPadding()), shape(shapeOf(op.getX()));
      shape[H + i] = count;
      auto type = RankedTensorType::get(shape, rewriter.getF16Type());
      Value front = ConstantOp::create(
          rewriter, op.getLoc(), cast<TypedAttr>(rewriter.getZeroAttr(type)));
      Value padded =
          concatAlong(rewriter, op.getLoc(), {front, op.getX()}, H + i);
      padding[i] = 0;
      rewriter.modifyOpInPlace(op, [&] {
        op.getXMutable().assign(padded);
        op.setPadding(padding);
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the padding is native");
  }

  int64_t limit;
};

/// A dilated kernel -> a larger kernel with zeros in between, but for rows that
/// the lowering can take apart.
struct ExpandDilation : OpRewritePattern<ConvOp> {
  /// Sets `addsZeros` if a kernel gets some.
  ExpandDilation(MLIRContext *context, const TargetDescription &target,
                 bool &addsZeros, MadeKernels &kernels)
      : OpRewritePattern(context), target(target), addsZeros(addsZeros),
        kernels(kernels) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    bool isWhole = staysWhole(op);
    if (!isWhole && !op.isDilatedInTasks())
      return rewriter.notifyMatchFailure(op, "not dilated");
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    int64_t left = isWhole ? 1 : op.getPhases(0);
    int64_t dy = op.getDilations()[0] / left, dx = op.getTaskDilation(1);
    if ((dy == 1 || kernel[H] == 1) && (dx == 1 || kernel[W] == 1)) {
      rewriter.modifyOpInPlace(op, [&] { op.setDilations({left, 1}); });
      return success();
    }
    auto constant = op.getKernel().getDefiningOp<ConstantOp>();
    std::optional<HalfElements> elements =
        constant ? HalfElements::get(constant.getElements()) : std::nullopt;
    if (!elements)
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
    auto expand = [&] {
      int64_t rows = dilatedExtent(kernel[H], dy),
              columns = dilatedExtent(kernel[W], dx);
      int64_t planes = kernel[N] * kernel[C];
      std::vector<uint16_t> bits(planes * rows * columns, 0);
      for (int64_t plane = 0; plane < planes; ++plane)
        for (int64_t y = 0; y < kernel[H]; ++y)
          for (int64_t x = 0; x < kernel[W]; ++x)
            bits[(plane * rows + y * dy) * columns + x * dx] =
                (*elements)[(plane * kernel[H] + y) * kernel[W] + x];
      return makeConstant(rewriter, op.getLoc(),
                          {kernel[N], 1, kernel[C], rows, columns},
                          std::move(bits));
    };
    // No dimension has that number.
    constexpr int64_t dilated = numDims;
    Value expanded = kernels.get(rewriter, constant, {dilated, dy, dx}, expand);
    rewriter.modifyOpInPlace(op, [&] {
      op.getKernelMutable().assign(expanded);
      op.setDilations({left, 1});
    });
    addsZeros = true;
    return success();
  }

private:
  /// Whether rows get zeros, too. Products of single channels are few: where
  /// those with zeros take no longer than an element that the planar engine
  /// makes, tasks for every n-th row cost more than they save, and no block of
  /// rows goes through them (assigned).
  bool staysWhole(ConvOp op) const {
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    int64_t rows = dilatedExtent(kernel[H], op.getDilations()[0]);
    int64_t columns = dilatedExtent(kernel[W], op.getDilations()[1]);
    return op.getPhases(0) > 1 && op.getGroups() > 1 && isChannelwise(op) &&
           rows <= target.maxKernelHeight && columns <= target.maxKernelWidth &&
           rows * columns * target.planarElementsPerCycle <=
               target.neuralEngines * target.macsPerCycle;
  }

  const TargetDescription &target;
  bool &addsZeros;
  MadeKernels &kernels;
};

/// A stride beyond the register -> its largest factor within and a view of
/// every n-th result.
/// Works for any layer whose strides are rows, columns.
template <typename Layer> struct SplitStride : OpRewritePattern<Layer> {
  SplitStride(MLIRContext *context, int64_t limit)
      : OpRewritePattern<Layer>(context), limit(limit) {}

  LogicalResult matchAndRewrite(Layer op,
                                PatternRewriter &rewriter) const override {
    Value split = splitStrides(rewriter, op, limit);
    if (!split)
      return rewriter.notifyMatchFailure(op, "the strides are native");
    rewriter.replaceOp(op, split);
    return success();
  }

  int64_t limit;
};

/// An average with several divisors -> an average by the whole window times a
/// constant map of corrections.
struct SplitDivisor : OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != PoolingType::Avg)
      return rewriter.notifyMatchFailure(op, "no average");
    if (op.hasOneDivisor())
      return rewriter.notifyMatchFailure(op, "one divisor for all windows");
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    ArrayRef<int64_t> window = op.getWindow(), pad = op.getPadding();
    std::vector<uint16_t> corrections;
    SmallVector<int64_t> inRow = op.getCounts(1);
    for (int64_t rows : op.getCounts(0))
      for (int64_t columns : inRow) {
        // A window without elements averages to nothing; 0 by convention.
        int64_t count = rows * columns;
        corrections.push_back(
            halfFromDouble(count ? double(window[0] * window[1]) / count : 0));
      }
    Value map = makeConstant(rewriter, op.getLoc(), {1, 1, 1, y[H], y[W]},
                             std::move(corrections));
    // Reading the divisors off the padded window makes them uniform.
    SmallVector<int64_t> padding(pad);
    for (unsigned i = 0; i < 2; ++i)
      padding[2 + i] = std::max((y[H + i] - 1) * op.getStrides()[i] +
                                    window[i] - pad[i] - x[H + i],
                                int64_t(0));
    auto average =
        PoolOp::create(rewriter, op.getLoc(), op.getType(), PoolingType::Avg,
                       op.getX(), window, op.getStrides(), padding,
                       /*exclude_padding=*/false);
    rewriter.replaceOpWithNewOp<ElementWiseOp>(op, op.getType(), EWType::Mult,
                                               average, map);
    return success();
  }
};

class Legalize : public ane::zin::impl::LegalizeBase<Legalize> {
public:
  using LegalizeBase::LegalizeBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    bool addsZeros = false;
    MadeKernels kernels;
    patterns.add<ExpandDilation>(context, *description, addsZeros, kernels);
    patterns.add<SplitDivisor>(context);
    patterns.add<SplitKernel>(context, *description, kernels);
    populateStepsAsChannels(patterns, *description, addsZeros, kernels);
    populateStepsAsRows(patterns, *description, kernels);
    populateStackTaps(patterns, *description, kernels);
    patterns.add<PadInFront>(context, description->maxPadding);
    patterns.add<SplitStride<ConvOp>, SplitStride<PoolOp>>(
        context, description->maxStride);
    populateWideRowPatterns(patterns, *description);
    // What is in parts now may have an activation behind all of them.
    populateEarlyNeurons(patterns);
    CountingListener listener(numRewritten);
    if (failed(rewriteLayers(getOperation().getBody(), std::move(patterns),
                             &listener)))
      signalPassFailure();
    if (!kernels.isEmpty())
      shareConstants();
    if (addsZeros)
      getOperation()->setAttr(ZinDialect::sparseAttrName,
                              UnitAttr::get(context));
  }

private:
  /// Layers that had one kernel have one again.
  void shareConstants() {
    llvm::DenseMap<Attribute, ConstantOp> first;
    for (auto constant : llvm::make_early_inc_range(
             getOperation().getBody().getOps<ConstantOp>())) {
      auto [known, isNew] = first.try_emplace(constant.getElements(), constant);
      if (isNew)
        continue;
      constant.getResult().replaceAllUsesWith(known->second.getResult());
      constant.erase();
    }
  }

  struct CountingListener : RewriterBase::Listener {
    explicit CountingListener(PassStatistic &count) : count(count) {}
    void notifyPatternEnd(const Pattern &, LogicalResult status) override {
      if (succeeded(status))
        ++count;
    }
    PassStatistic &count;
  };
};

} // namespace
