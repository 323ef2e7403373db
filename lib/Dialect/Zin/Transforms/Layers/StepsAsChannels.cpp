//===- StepsAsChannels.cpp - Windows of large steps, of smaller ones ------===//
//
// A task takes windows up to 3 rows and columns apart. Computed that near to
// each other, most of those that are further apart would be thrown away. Where
// the elements of a step are channels of one element, the windows are next to
// each other. Every n-th row is a view; columns are turned to be channels, of
// which every n-th one is a view as well, and turned back.
//
//===----------------------------------------------------------------------===//

#include "HalfConstant.h"
#include "Layers/MadeKernels.h"
#include "Layers/SplitStrides.h"
#include "Layers/StackTaps.h"
#include "Layers/StepPlan.h"
#include "Layers/TurnedColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

struct StepsAsChannels : OpRewritePattern<ConvOp> {
  StepsAsChannels(MLIRContext *context, const TargetDescription &target,
                  bool &addsZeros, MadeKernels &kernels)
      : OpRewritePattern(context, /*benefit=*/5), target(target),
        addsZeros(addsZeros), kernels(kernels) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getActivationAttr() || op.getScaleAttr())
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    if (!isAtHand(op.getKernel()))
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
    std::optional<StepPlan> plan = planSteps(op, target);
    if (!plan)
      return rewriter.notifyMatchFailure(op, "channels are not worth it");
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    addsZeros |= plan->phases() * plan->rows.taps * plan->columns.taps >
                 kernel[H] * kernel[W];
    rewriter.replaceOp(op, convolve(rewriter, op, *plan));
    return success();
  }

private:
  Value convolve(PatternRewriter &rewriter, ConvOp op,
                 const StepPlan &plan) const {
    Location location = op.getLoc();
    int64_t groups = op.getGroups();
    // The channels of a group stay together.
    SmallVector<int64_t> grouped(shapeOf(op.getX()));
    grouped[D] = groups;
    grouped[C] /= groups;
    const StepAxis &axis = plan.blockAxis();
    Value x = op.getX();
    if (plan.isLine() && plan.perBlock < axis.windows)
      x = sourceOfColumns(rewriter, location, x, target);
    x = reshapeTo(rewriter, location, x, grouped);
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < axis.windows; begin += plan.perBlock) {
      IndexRange windows = {begin,
                            std::min(plan.perBlock, axis.windows - begin)};
      IndexRange frames = {begin * axis.stride, axis.framesFor(windows.count)};
      // What is joined has no frame twice.
      if (plan.joins && windows.end() < axis.windows)
        frames.count = windows.count * axis.stride;
      Value made = framesOf(rewriter, location, plan, x, frames);
      parts.push_back(plan.joins ? made
                                 : convolve(rewriter, op, plan, made, windows));
    }
    Value joined =
        concatAlong(rewriter, location, parts, plan.isLine() ? W : H);
    return plan.joins ? convolve(rewriter, op, plan, joined, {0, axis.windows})
                      : joined;
  }

  /// Some frames of the axis that is cut to blocks, and all of the other one.
  Value framesOf(PatternRewriter &rewriter, Location location,
                 const StepPlan &plan, Value x, IndexRange frames) const {
    auto rangeOf = [&](const StepAxis &axis) {
      return &axis == &plan.blockAxis()
                 ? frames
                 : IndexRange{0, axis.framesFor(axis.windows)};
    };
    x = plan.rows.isCut()
            ? cutRows(rewriter, location, plan.rows, x, rangeOf(plan.rows))
            : seenRows(rewriter, location, plan.rows, x, rangeOf(plan.rows));
    return plan.columns.isCut() ? cutColumns(rewriter, location, plan.columns,
                                             x, rangeOf(plan.columns))
                                : x;
  }

  /// Some windows, of their frames.
  Value convolve(PatternRewriter &rewriter, ConvOp op, const StepPlan &plan,
                 Value x, IndexRange windows) const {
    SmallVector<int64_t> joined(shapeOf(x)), shape(shapeOf(op.getResult()));
    joined[C] *= joined[D];
    joined[D] = 1;
    shape[plan.isLine() ? W : H] = windows.count;
    // What is cut has its padding already.
    int64_t firstRow = plan.isLine() ? 0 : windows.begin * plan.rows.stride;
    int64_t above = plan.rows.isCut() ? 0 : plan.rows.padding - firstRow;
    auto conv = ConvOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(shape, rewriter.getF16Type()),
        reshapeTo(rewriter, op.getLoc(), x, joined),
        kernelOf(rewriter, op, plan), op.getBias(),
        rewriter.getDenseI64ArrayAttr({plan.rows.stride, plan.columns.stride}),
        rewriter.getDenseI64ArrayAttr(
            {std::max<int64_t>(above, 0),
             plan.columns.isCut() ? 0 : plan.columns.padding}),
        rewriter.getDenseI64ArrayAttr(
            {plan.rows.dilation, plan.columns.dilation}),
        op.getGroupsAttr(), NeuronAttr());
    // A stride that is not cut stays as it is.
    Value split = splitStrides(rewriter, conv, target.maxStride);
    if (!split)
      return conv;
    rewriter.eraseOp(conv);
    return split;
  }

  /// Rows of a value that are not cut, those of the padding left out.
  static Value seenRows(PatternRewriter &rewriter, Location location,
                        const StepAxis &axis, Value x, IndexRange rows) {
    int64_t from = std::max<int64_t>(rows.begin - axis.padding, 0),
            to = std::clamp(rows.end() - axis.padding, from + 1, axis.input);
    return viewAlong(rewriter, location, x, H, from, to - from);
  }

  /// Every n-th row, and zeros around them, for each phase.
  static Value cutRows(PatternRewriter &rewriter, Location location,
                       const StepAxis &axis, Value x, IndexRange frames) {
    SmallVector<Value> phases;
    for (int64_t phase : axis.phases) {
      int64_t first = frames.begin * axis.step - axis.padding + phase;
      // Frames whose row is one of the input.
      auto reached = [&](int64_t row) {
        return std::clamp<int64_t>(
            llvm::divideCeilSigned(row - first, axis.step), 0, frames.count);
      };
      int64_t from = reached(0), to = reached(axis.input);
      SmallVector<Value> parts;
      auto addZeros = [&](int64_t count) {
        SmallVector<int64_t> shape(shapeOf(x));
        shape[H] = count;
        if (count > 0)
          parts.push_back(makeZeros(rewriter, location, shape));
      };
      addZeros(from);
      if (from < to)
        parts.push_back(viewAlong(rewriter, location, x, H,
                                  first + from * axis.step, to - from,
                                  axis.step));
      addZeros(frames.count - to);
      phases.push_back(concatAlong(rewriter, location, parts, H));
    }
    return concatAlong(rewriter, location, phases, C);
  }

  Value cutColumns(PatternRewriter &rewriter, Location location,
                   const StepAxis &axis, Value x, IndexRange frames) const {
    int64_t begin = frames.begin * axis.step - axis.padding;
    TurnedColumns turned(rewriter, location, x,
                         {begin, frames.count * axis.step}, target);
    SmallVector<Value> phases;
    for (int64_t phase : axis.phases)
      phases.push_back(
          turned.columns(rewriter, {begin + phase, frames.count}, axis.step));
    return concatAlong(rewriter, location, phases, C);
  }

  /// [outputs, 1, phases of columns * phases of rows * inputs, taps of rows,
  /// taps of columns], with zeros where a phase has no tap.
  Value kernelOf(PatternRewriter &rewriter, ConvOp op,
                 const StepPlan &plan) const {
    // No dimension has that number.
    constexpr int64_t stepped = numDims + 3;
    const StepAxis &rows = plan.rows, &columns = plan.columns;
    return kernels.get(
        rewriter, op.getKernel().getDefiningOp<ConstantOp>(),
        {stepped, rows.step, columns.step, op.getDilations()[0],
         op.getDilations()[1]},
        [&] {
          HalfElements elements = *halfElementsOf(op.getKernel());
          ArrayRef<int64_t> shape = shapeOf(op.getKernel());
          int64_t channels = shape[C] * plan.phases();
          std::vector<uint16_t> bits(
              shape[N] * channels * rows.taps * columns.taps, 0);
          for (int64_t output = 0; output < shape[N]; ++output)
            for (int64_t input = 0; input < shape[C]; ++input)
              for (int64_t y = 0; y < shape[H]; ++y)
                for (int64_t x = 0; x < shape[W]; ++x) {
                  auto [row, tapRow] = rows.placeOf(y);
                  auto [column, tapColumn] = columns.placeOf(x);
                  int64_t channel =
                      (column * rows.phases.size() + row) * shape[C] + input;
                  bits[((output * channels + channel) * rows.taps + tapRow) *
                           columns.taps +
                       tapColumn] =
                      elements[((output * shape[C] + input) * shape[H] + y) *
                                   shape[W] +
                               x];
                }
          return makeConstant(rewriter, op.getLoc(),
                              {shape[N], 1, channels, rows.taps, columns.taps},
                              std::move(bits));
        });
  }

  const TargetDescription &target;
  bool &addsZeros;
  MadeKernels &kernels;
};

} // namespace

void zin::populateStepsAsChannels(RewritePatternSet &patterns,
                                  const TargetDescription &target,
                                  bool &addsZeros, MadeKernels &kernels) {
  patterns.add<StepsAsChannels>(patterns.getContext(), target, addsZeros,
                                kernels);
}
