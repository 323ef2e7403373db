//===- Scatter.cpp - Elements that are written to computed places ---------===//
//
// For each element of the operand, a row says which updates go there: the
// product of that matrix with the updates is what is added, or takes the place
// of the element. Of several updates of one place the last one stays.
//
//===----------------------------------------------------------------------===//

#include "Moves/Choose.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Support/Half.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

namespace {

enum class Mode { Add, Sub, Update };

template <typename Op> std::optional<Mode> modeOf(Op op) {
  if (!op.getMode())
    return Mode::Add;
  std::optional<StringRef> name = mil::getConstantString(op.getMode());
  if (name == "add")
    return Mode::Add;
  if (name == "sub")
    return Mode::Sub;
  return name == "update" ? std::optional(Mode::Update) : std::nullopt;
}

/// Where a run of updates goes.
struct Places {
  int64_t begin, count; ///< the updates
  Value taken;          ///< [1, 1, R, extent, count]: 1 where an update goes
  Value covered; ///< [1, 1, R, extent, 1]: 1 where one does; of Update only

  /// `indices` are [1, 1, R, 1, updates], in [0, extent).
  Places(const ElementLayers &layers, Value indices, int64_t begin,
         int64_t count, int64_t extent, Mode mode)
      : begin(begin), count(count) {
    taken = equal(layers, part(layers, indices, zin::W),
                  counting(layers, zin::H, extent, 0));
    if (mode != Mode::Update)
      return;
    Value order = layers.mul(taken, counting(layers, zin::W, count, 1));
    Value last = reduceOver(layers.builder, layers.location,
                            zin::ReductionType::Max, order, {zin::W});
    covered = layers.neuron(NonLinearMode::not_equal_zero, last);
    taken = layers.mul(taken, equal(layers, order, last));
  }

  /// What the run has of a value that has updates along a dimension.
  Value part(const ElementLayers &layers, Value x, unsigned dim) const {
    return zin::viewAlong(layers.builder, layers.location, x, dim, begin,
                          count);
  }
};

/// Runs of updates that are applied one after the other. Updates that take the
/// place of elements are numbered, which fp16 does up to a limit; those of a
/// later run hide those before it.
SmallVector<Places> placesOf(const ElementLayers &layers, Value indices,
                             int64_t extent, Mode mode) {
  int64_t updates = milShape(indices)[zin::W];
  int64_t longest = mode == Mode::Update ? largestExactInteger : updates;
  SmallVector<Places> runs;
  for (int64_t begin = 0; begin < updates; begin += longest)
    runs.emplace_back(layers, indices, begin,
                      std::min(longest, updates - begin), extent, mode);
  return runs;
}

/// What becomes of the operand where `sum` comes to it.
Value apply(const ElementLayers &layers, Value data, Value sum, Value covered,
            Mode mode) {
  if (mode == Mode::Sub)
    return layers.sub(data, sum);
  if (mode == Mode::Update)
    data = layers.mul(data, layers.scaled(covered, -1, 1));
  return layers.add(data, sum);
}

/// The same for slices, of which places are those along H.
Value applySlices(const ElementLayers &layers, Value data, Value updates,
                  ArrayRef<Places> runs, const Slice &slice, Mode mode) {
  for (const Places &run : runs) {
    Value covered = run.covered;
    if (covered && slice.dim() != zin::H)
      covered = reshapeTo(layers.builder, layers.location, covered,
                          {1, 1, milShape(covered)[zin::H], 1, 1});
    Value sum = chooseSlices(layers, run.taken,
                             run.part(layers, updates, slice.dim()), slice);
    data = apply(layers, data, sum, covered, mode);
  }
  return data;
}

struct ScatterAlongAxisRule : OpConversionPattern<mil::ScatterAlongAxisOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ScatterAlongAxisOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Location location = op.getLoc();
    std::optional<Mode> mode = modeOf(op);
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!mode || !axis)
      return rewriter.notifyMatchFailure(op, "no rule for the mode");
    ArrayRef<int64_t> shape = milShape(op.getData());
    int64_t rank = shape.size();
    *axis = mil::fromFront(*axis, rank);
    LastAxis turn(alignAxis(*axis, rank));
    Value data = turn.apply(layers, op.getData(), adaptor.getData(), rank);
    Value indices =
        turn.apply(layers, op.getIndices(), adaptor.getIndices(), rank);
    Value updates =
        turn.apply(layers, op.getUpdates(), adaptor.getUpdates(), rank);
    SmallVector<int64_t> turned(milShape(data));
    int64_t extent = turned.back(), count = milShape(indices).back(),
            rows = llvm::product_of(turned) / extent;
    auto reshape = [&](Value x, ArrayRef<int64_t> to) {
      return reshapeTo(rewriter, location, x, to);
    };
    indices = reshape(indices, {1, 1, rows, 1, count});
    if (mayBeNegative(op.getIndices()))
      indices = fromFront(layers, indices, extent);
    for (const Places &run : placesOf(layers, indices, extent, *mode)) {
      Value part =
          run.part(layers, reshape(updates, {1, 1, rows, 1, count}), zin::W);
      Value sum = reduceOver(rewriter, location, zin::ReductionType::Sum,
                             layers.mul(run.taken, part), {zin::W});
      data = apply(layers, reshape(data, {1, 1, rows, extent, 1}), sum,
                   run.covered, *mode);
    }
    rewriter.replaceOp(op, turn.back(layers, reshape(data, turned)));
    return success();
  }
};

/// Slices along an axis.
struct ScatterRule : ChoosingRule<mil::ScatterOp> {
  using ChoosingRule::ChoosingRule;

  LogicalResult
  matchAndRewrite(mil::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    std::optional<Mode> mode = modeOf(op);
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!mode || !axis)
      return rewriter.notifyMatchFailure(op, "no rule for the mode");
    ArrayRef<int64_t> shape = milShape(op.getData());
    *axis = mil::fromFront(*axis, int64_t(shape.size()));
    int64_t outer = llvm::product_of(shape.take_front(*axis)),
            extent = shape[*axis],
            inner = llvm::product_of(shape.drop_front(*axis + 1)),
            count = llvm::product_of(milShape(op.getIndices()));
    Value indices = operandAs(layers.builder, layers.location, op.getIndices(),
                              adaptor.getIndices(), {1, 1, 1, 1, count});
    if (mayBeNegative(op.getIndices()))
      indices = fromFront(layers, indices, extent);
    SmallVector<Places> runs = placesOf(layers, indices, extent, *mode);
    Slice slice(inner, longestRow);
    Value data = operandAs(layers.builder, layers.location, op.getData(),
                           adaptor.getData(), slice.shape(outer, extent));
    Value updates = operandAs(layers.builder, layers.location, op.getUpdates(),
                              adaptor.getUpdates(), slice.shape(outer, count));
    Value y = applySlices(layers, data, updates, runs, slice, *mode);
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), y,
                                     alignShape(shape, shape.size())));
    return success();
  }
};

/// Slices at tuples of indices, which are one index.
struct ScatterNdRule : ChoosingRule<mil::ScatterNdOp> {
  using ChoosingRule::ChoosingRule;

  LogicalResult
  matchAndRewrite(mil::ScatterNdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    std::optional<Mode> mode = modeOf(op);
    if (!mode)
      return rewriter.notifyMatchFailure(op, "no rule for the mode");
    ArrayRef<int64_t> shape = milShape(op.getData()),
                      tuples = milShape(op.getIndices());
    int64_t length = tuples.back(), count = llvm::product_of(tuples) / length;
    int64_t extent = llvm::product_of(shape.take_front(length)),
            inner = llvm::product_of(shape.drop_front(length));
    Value all = operandAs(layers.builder, layers.location, op.getIndices(),
                          adaptor.getIndices(), {1, 1, 1, count, length});
    Value indices = linearIndex(layers, all, shape.take_front(length),
                                mayBeNegative(op.getIndices()));
    indices = reshapeTo(rewriter, op.getLoc(), indices, {1, 1, 1, 1, count});
    SmallVector<Places> runs = placesOf(layers, indices, extent, *mode);
    Slice slice(inner, longestRow);
    Value data = operandAs(layers.builder, layers.location, op.getData(),
                           adaptor.getData(), slice.shape(1, extent));
    Value updates = operandAs(layers.builder, layers.location, op.getUpdates(),
                              adaptor.getUpdates(), slice.shape(1, count));
    Value y = applySlices(layers, data, updates, runs, slice, *mode);
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), y,
                                     alignShape(shape, shape.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateScatterPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns,
    int64_t longestRow) {
  patterns.add<ScatterAlongAxisRule>(converter, patterns.getContext());
  patterns.add<ScatterRule, ScatterNdRule>(converter, patterns.getContext(),
                                           longestRow);
}
