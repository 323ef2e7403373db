//===- StackTaps.cpp - Long windows of one row, of several copies ---------===//
//
// A kernel has few columns, and taps with zeros between them are multiplied or
// told apart. Where a signal is there several times, each copy so many taps
// ahead of the one before, as more channels or as rows, a window of many
// columns is one of few: no sums of parts have to be added up, and no zeros
// multiplied. L2 has room for the copies of some columns, or of some groups.
//
//===----------------------------------------------------------------------===//

#include "Layers/StackTaps.h"
#include "HalfConstant.h"
#include "Layers/MadeKernels.h"
#include "Layers/TurnedColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

bool zin::comesFromMemory(ConvOp op, const TargetDescription &target) {
  return isOfParameter(op.getX()) ||
         bytesInL2(shapeOf(op.getX()), target) > target.wholeL2Bytes();
}

namespace {

/// The part of L2 that a block may take: its copies, what they are made of and
/// its result; of columns that come from memory, of others, which lie there as
/// well, and of groups. Assigned.
constexpr int64_t streamedEighths = 7, columnEighths = 4, groupEighths = 5;
/// How many values of its size there are where parts of a window are added up,
/// and where several parts are turned. Assigned.
constexpr int64_t valuesOfSums = 5, valuesOfTurnedSums = 7;
/// Of groups the copies are rows, of which few are accessed at a time: products
/// of an output and channel that take as long. Assigned, from the cost model.
constexpr int64_t leastProducts = 512;
/// Groups that a block has a multiple of 32 of. Assigned.
constexpr int64_t manyGroups = 64;
/// Elements that a copy turns in a cycle. Assigned, from the cost model.
constexpr int64_t turnedPerCycle = 128;
/// Copies have to save this part of what parts of a window take. Assigned.
constexpr int64_t leastGainDenominator = 10;

/// The products of some taps: with zeros between them, or with a bit for each
/// of these where they are half of all.
int64_t productsOf(int64_t taps, int64_t dilation) {
  int64_t columns = dilatedExtent(taps, dilation);
  return 2 * taps <= columns ? taps + llvm::divideCeil(columns, 16) : columns;
}

/// How the columns of a window lie in copies of the row.
struct Stack {
  int64_t copies;
  int64_t taps;     ///< of each copy
  int64_t dilation; ///< of them
  int64_t stride;   ///< of the window

  static Stack of(int64_t taps, int64_t most, int64_t dilation,
                  int64_t stride) {
    int64_t copies = llvm::divideCeil(taps, most);
    return {copies, int64_t(llvm::divideCeil(taps, copies)), dilation, stride};
  }

  int64_t step() const { return taps * dilation; }
  /// Columns of the kernel.
  int64_t window() const { return dilatedExtent(taps, dilation); }
  /// Columns of a copy that the windows of so many results see.
  int64_t columnsFor(int64_t results) const {
    return (results - 1) * stride + window();
  }
  /// The products that the engine makes of a channel for a result.
  int64_t products() const { return copies * productsOf(taps, dilation); }
};

/// A window without the taps at both ends that see padding wherever it is.
struct Taps {
  int64_t first, count;

  explicit Taps(ConvOp op) {
    int64_t taps = shapeOf(op.getKernel())[W], dilation = op.getDilations()[1],
            padding = op.getPadding()[1], extent = shapeOf(op.getX())[W],
            last = (shapeOf(op.getResult())[W] - 1) * op.getStrides()[1];
    first = std::clamp<int64_t>(
        llvm::divideCeilSigned(padding - last, dilation), 0, taps - 1);
    count = std::clamp<int64_t>((extent - 1 + padding) / dilation + 1,
                                first + 1, taps) -
            first;
  }
};

/// A convolution of one row whose kernel has too many columns, or zeros between
/// them -> one of the row several times.
struct StackTaps : OpRewritePattern<ConvOp> {
  StackTaps(MLIRContext *context, const TargetDescription &target,
            MadeKernels &kernels)
      : OpRewritePattern(context, /*benefit=*/3), target(target),
        kernels(kernels) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult()),
                      kernel = shapeOf(op.getKernel());
    int64_t dilation = op.getDilations()[1], groups = op.getGroups();
    Taps taps(op);
    bool isLong = dilatedExtent(kernel[W], dilation) > target.maxKernelWidth;
    if (x[H] != 1 || y[H] != 1 || kernel[H] != 1 || op.getPadding()[0] != 0 ||
        taps.count == 1 || (!isLong && (dilation == 1 || groups > 1)))
      return rewriter.notifyMatchFailure(op, "no long window of one row");
    if (op.getActivationAttr() || op.getScaleAttr())
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    if (!isAtHand(op.getKernel()) || (op.getBias() && !isAtHand(op.getBias())))
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
    Value made;
    if (groups == 1)
      made = stackChannels(rewriter, op);
    else if (y[C] / groups * taps.count >= leastProducts)
      made = joinGroups(rewriter, op);
    else
      made = partGroups(rewriter, op);
    if (!made)
      return rewriter.notifyMatchFailure(op, "copies are not worth it");
    rewriter.replaceOp(op, made);
    return success();
  }

private:
  int64_t mostTaps(int64_t dilation) const {
    return (target.maxKernelWidth - 1) / dilation + 1;
  }

  /// Groups of which there are `bytes(groups)` in a part of L2; 0 if it has no
  /// room for one.
  static int64_t groupsWithin(int64_t room, int64_t groups,
                              llvm::function_ref<int64_t(int64_t)> bytes) {
    // Many groups have few channels each, of which blocks have whole lines.
    int64_t step = groups >= manyGroups ? columnsOfRow : 1;
    int64_t blocks = 1, perBlock = groups;
    while (perBlock > step && bytes(perBlock) > room)
      perBlock = llvm::alignTo(llvm::divideCeil(groups, ++blocks), step);
    return bytes(perBlock) > room ? 0 : perBlock;
  }

  /// What a block takes in L2 of so many columns of the result, with some of
  /// the channels.
  int64_t bytesOfBlock(ConvOp op, const Stack &stack, int64_t columns,
                       int64_t inputs, int64_t outputs) const {
    int64_t images = shapeOf(op.getX())[N] * shapeOf(op.getX())[D];
    int64_t seen = stack.columnsFor(columns);
    return images * (stack.copies + 1) * inputs * target.l2ChannelBytes(seen) +
           images * outputs * target.l2ChannelBytes(columns);
  }

  /// `make(x, channels of the result, bias)` of some groups at a time.
  static Value
  joinBlocks(PatternRewriter &rewriter, ConvOp op, Value source,
             int64_t perBlock,
             llvm::function_ref<Value(Value, IndexRange, Value)> make) {
    Location location = op.getLoc();
    int64_t groups = op.getGroups(), inputs = shapeOf(op.getX())[C] / groups,
            outputs = shapeOf(op.getResult())[C] / groups;
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < groups; begin += perBlock) {
      int64_t count = std::min(perBlock, groups - begin);
      IndexRange channels = {begin * outputs, count * outputs};
      Value bias = op.getBias();
      if (bias && count < groups)
        bias = blockOf(rewriter, location, bias, C, channels);
      parts.push_back(make(viewAlong(rewriter, location, source, C,
                                     begin * inputs, count * inputs),
                           channels, bias));
    }
    return concatAlong(rewriter, location, parts, C);
  }

  /// Groups of many products: some of them at a time, from copies; or one, and
  /// some columns of it.
  Value joinGroups(PatternRewriter &rewriter, ConvOp op) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    int64_t groups = op.getGroups(), inputs = x[C] / groups,
            outputs = y[C] / groups, dilation = op.getDilations()[1];
    Stack stack = Stack::of(Taps(op).count, mostTaps(dilation), dilation,
                            op.getStrides()[1]);
    if (stack.copies > target.maxKernelHeight)
      return {};
    int64_t columns = y[W],
            perBlock = groupsWithin(
                target.l2Bytes * groupEighths / 8, groups, [&](int64_t count) {
                  return bytesOfBlock(op, stack, columns, inputs * count,
                                      outputs * count);
                });
    if (perBlock == 0) {
      perBlock = 1;
      columns = columnsOfBlock(op, stack, inputs, outputs, groupEighths);
    }
    if (columns == 0)
      return {};
    Value source = sourceOf(rewriter, op, columns);
    return joinBlocks(rewriter, op, source, perBlock,
                      [&](Value part, IndexRange channels, Value bias) {
                        return joinColumns(rewriter, op, stack, part, channels,
                                           bias, columns);
                      });
  }

  /// Groups of few products, for which parts of the window are added up: some
  /// of them at a time, if L2 has no room for all.
  Value partGroups(PatternRewriter &rewriter, ConvOp op) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    int64_t groups = op.getGroups();
    int64_t most = mostTaps(op.getDilations()[1]), turned = 0;
    for (int64_t tap = 0; tap < shapeOf(op.getKernel())[W]; tap += most) {
      int64_t padding = op.getPadding()[1] - tap * op.getDilations()[1];
      turned += hasTurnedColumns(padding, target);
    }
    int64_t values = turned > 2 ? valuesOfTurnedSums : valuesOfSums;
    int64_t perBlock =
        groupsWithin(target.l2Bytes / values, groups, [&](int64_t count) {
          return bytesInL2({x[N], x[D], x[C] / groups * count, 1, x[W]},
                           target);
        });
    if (perBlock == 0 || perBlock == groups)
      return {};
    return joinBlocks(
        rewriter, op, op.getX(), perBlock,
        [&](Value source, IndexRange channels, Value bias) -> Value {
          // Views of several parts of a block would each come from memory.
          if (turned == 0)
            source = copyOf(rewriter, op.getLoc(), source);
          SmallVector<int64_t> shape(y);
          shape[C] = channels.count;
          Value kernel =
              kernels.get(rewriter, op.getKernel().getDefiningOp<ConstantOp>(),
                          {N, channels.begin, channels.count}, [&] {
                            return blockOf(rewriter, op.getLoc(),
                                           op.getKernel(), N, channels);
                          });
          return ConvOp::create(
              rewriter, op.getLoc(),
              RankedTensorType::get(shape, rewriter.getF16Type()), source,
              kernel, bias, op.getStridesAttr(), op.getPaddingAttr(),
              op.getDilationsAttr(),
              rewriter.getI64IntegerAttr(groups * channels.count / y[C]),
              NeuronAttr());
        });
  }

  /// Columns of the result of which L2 has room for what they take; 0 if it has
  /// not even for a few.
  int64_t columnsOfBlock(ConvOp op, const Stack &stack, int64_t inputs,
                         int64_t outputs, int64_t eighths) const {
    int64_t all = shapeOf(op.getResult())[W];
    auto fits = [&](int64_t columns) {
      return bytesOfBlock(op, stack, columns, inputs, outputs) <=
             target.l2Bytes * eighths / 8;
    };
    int64_t columns = all, blocks = 1, step = target.rowStep();
    while (columns > step && !fits(columns))
      columns = llvm::alignTo(llvm::divideCeil(all, ++blocks), step);
    return fits(columns) ? columns : 0;
  }

  /// Cycles of products, each block with all coefficients, and of copies.
  int64_t cyclesOf(ConvOp op, const Stack &stack, int64_t columns) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    int64_t blocks = llvm::divideCeil(y[W], columns);
    int64_t elements = x[N] * x[D] * x[C] * stack.columnsFor(columns);
    int64_t turned = (stack.copies + 1) * elements / turnedPerCycle;
    if (comesFromMemory(op, target))
      turned += target.memoryCycles(elements * elementBytes);
    return blocks * (productCycles(op, stack.products(), columns, /*read=*/0) +
                     turned + (stack.copies + 3) * target.taskOverheadCycles);
  }

  /// Cycles of so many products of each channel for each of some results, or
  /// those in which memory gives the coefficients and what else is read.
  int64_t productCycles(ConvOp op, int64_t products, int64_t columns,
                        int64_t read) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    int64_t coefficients = x[C] * y[C] * products;
    return std::max(target.productCycles(x[N] * x[D] * coefficients * columns),
                    target.memoryCycles(coefficients * elementBytes + read));
  }

  /// Cycles of the window as it is, or of the sum of parts of it, which goes
  /// through memory where L2 does not hold it beside what is added.
  int64_t cyclesOfParts(ConvOp op) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    int64_t dilation = op.getDilations()[1], taps = Taps(op).count,
            most = mostTaps(dilation), cycles = 0;
    int64_t read = bytesInL2(x, target), written = bytesInL2(y, target);
    bool isHeld = 2 * read + 3 * written <= target.l2Bytes;
    for (int64_t begin = 0; begin < taps; begin += most) {
      int64_t count = std::min(most, taps - begin);
      cycles +=
          productCycles(op, productsOf(count, dilation), y[W],
                        begin == 0 && comesFromMemory(op, target) ? read : 0) +
          target.taskOverheadCycles;
      if (begin > 0)
        cycles += llvm::product_of(y) / target.planarElementsPerCycle +
                  2 * llvm::product_of(x) / turnedPerCycle +
                  3 * target.taskOverheadCycles;
      if (taps > most && !isHeld)
        cycles += target.memoryCycles(read + 4 * written);
    }
    return cycles;
  }

  /// Some columns of the result at a time, from copies with as many taps each
  /// as take the least time.
  Value stackChannels(PatternRewriter &rewriter, ConvOp op) const {
    ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getResult());
    if (x[C] < leastTurnedChannels)
      return {};
    int64_t dilation = op.getDilations()[1], stride = op.getStrides()[1],
            count = Taps(op).count, columns = 0, least = cyclesOfParts(op);
    least -= least / leastGainDenominator;
    Stack best = {};
    for (int64_t taps = mostTaps(dilation); taps > 0; --taps) {
      Stack stack = Stack::of(count, taps, dilation, stride);
      int64_t perBlock = columnsOfBlock(
          op, stack, x[C], y[C],
          comesFromMemory(op, target) ? streamedEighths : columnEighths);
      if (stack.copies == 1 || stack.copies * x[C] > target.maxChannels ||
          perBlock == 0)
        continue;
      int64_t cycles = cyclesOf(op, stack, perBlock);
      if (cycles >= least)
        continue;
      least = cycles;
      columns = perBlock;
      best = stack;
    }
    if (columns == 0)
      return {};
    return joinColumns(rewriter, op, best, sourceOf(rewriter, op, columns),
                       {0, y[C]}, op.getBias(), columns);
  }

  /// What blocks of so many columns are made of.
  Value sourceOf(PatternRewriter &rewriter, ConvOp op, int64_t columns) const {
    bool isCut = columns < shapeOf(op.getResult())[W];
    return isCut ? sourceOfColumns(rewriter, op.getLoc(), op.getX(), target)
                 : op.getX();
  }

  Value joinColumns(PatternRewriter &rewriter, ConvOp op, const Stack &stack,
                    Value source, IndexRange channels, Value bias,
                    int64_t columns) const {
    int64_t all = shapeOf(op.getResult())[W];
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < all; begin += columns)
      parts.push_back(convolve(rewriter, op, stack, source, channels, bias,
                               {begin, std::min(columns, all - begin)}));
    return concatAlong(rewriter, op.getLoc(), parts, W);
  }

  /// `results` of some channels, from all channels of x.
  Value convolve(PatternRewriter &rewriter, ConvOp op, const Stack &stack,
                 Value x, IndexRange channels, Value bias,
                 IndexRange results) const {
    Location location = op.getLoc();
    int64_t columns = stack.columnsFor(results.count);
    int64_t begin = results.begin * stack.stride - op.getPadding()[1] +
                    Taps(op).first * stack.dilation;
    TurnedColumns source(rewriter, location, x,
                         {begin, (stack.copies - 1) * stack.step() + columns},
                         target);
    SmallVector<Value> copies;
    for (int64_t copy = 0; copy < stack.copies; ++copy)
      copies.push_back(
          source.columns(rewriter, {begin + copy * stack.step(), columns}));
    SmallVector<int64_t> shape(shapeOf(op.getResult()));
    int64_t groups = op.getGroups() * channels.count / shape[C];
    shape[C] = channels.count;
    shape[W] = results.count;
    return ConvOp::create(
        rewriter, location, RankedTensorType::get(shape, rewriter.getF16Type()),
        concatAlong(rewriter, location, copies, op.getGroups() > 1 ? H : C),
        kernelOf(rewriter, op, stack, channels), bias,
        rewriter.getDenseI64ArrayAttr({1, stack.stride}),
        rewriter.getDenseI64ArrayAttr({0, 0}),
        rewriter.getDenseI64ArrayAttr({1, stack.taps > 1 ? stack.dilation : 1}),
        rewriter.getI64IntegerAttr(groups), NeuronAttr());
  }

  /// The taps of some outputs, copy by copy; zeros behind the last one.
  Value kernelOf(PatternRewriter &rewriter, ConvOp op, const Stack &stack,
                 IndexRange outputs) const {
    // No dimension has that number.
    constexpr int64_t stacked = numDims + 1;
    Taps taps(op);
    // Copies are rows of a channel, or channels behind those before.
    bool areRows = op.getGroups() > 1;
    return kernels.get(
        rewriter, op.getKernel().getDefiningOp<ConstantOp>(),
        {stacked, areRows, outputs.begin, outputs.count, taps.first, taps.count,
         stack.taps},
        [&] {
          HalfElements elements = *halfElementsOf(op.getKernel());
          ArrayRef<int64_t> shape = shapeOf(op.getKernel());
          int64_t inputs = shape[C];
          std::vector<uint16_t> bits;
          bits.reserve(outputs.count * inputs * stack.copies * stack.taps);
          auto add = [&](int64_t channel, int64_t copy) {
            for (int64_t i = 0, tap = copy * stack.taps; i < stack.taps;
                 ++i, ++tap)
              bits.push_back(
                  tap < taps.count
                      ? elements[channel * shape[W] + taps.first + tap]
                      : 0);
          };
          int64_t outer = areRows ? 1 : stack.copies,
                  inner = areRows ? stack.copies : 1;
          for (int64_t output : llvm::seq(outputs.begin, outputs.end()))
            for (int64_t copy = 0; copy < outer; ++copy)
              for (int64_t input = 0; input < inputs; ++input)
                for (int64_t row = 0; row < inner; ++row)
                  add(output * inputs + input, copy + row);
          return makeConstant(
              rewriter, op.getLoc(),
              {outputs.count, 1, inputs * outer, inner, stack.taps},
              std::move(bits));
        });
  }

  const TargetDescription &target;
  MadeKernels &kernels;
};

} // namespace

void zin::populateStackTaps(RewritePatternSet &patterns,
                            const TargetDescription &target,
                            MadeKernels &kernels) {
  patterns.add<StackTaps>(patterns.getContext(), target, kernels);
}
