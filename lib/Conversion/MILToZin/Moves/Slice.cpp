//===- Slice.cpp - Parts of values, and values out of parts ---------------===//

#include "ane/Dialect/MIL/IR/Slice.h"
#include "AlongDim.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// The part of a value that a slice takes, still with all dimensions.
Value take(OpBuilder &builder, Location location, Value x,
           ArrayRef<mil::SliceDim> slice) {
  int64_t rank = slice.size();
  SmallVector<int64_t> begin(zin::numDims, 0), strides(zin::numDims, 1),
      shape(milShape(x));
  for (auto [axis, dim] : llvm::enumerate(slice)) {
    unsigned at = alignAxis(axis, rank);
    // Downwards, the view takes the same elements upwards.
    int64_t last = dim.begin + dim.step * (dim.extent - 1);
    begin[at] = std::min(dim.begin, last);
    strides[at] = dim.extent > 1 ? std::abs(dim.step) : 1;
    shape[at] = dim.extent;
  }
  RankedTensorType type = halfType(builder.getContext(), shape);
  if (type != x.getType())
    x = zin::InputViewOp::create(builder, location, type, x, begin, strides);
  for (auto [axis, dim] : llvm::enumerate(slice))
    if (dim.step < 0 && dim.extent > 1)
      x = takeAlong(
          builder, location, x, alignAxis(axis, rank),
          llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, dim.extent))));
  return x;
}

template <typename MILOp> struct SliceRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<mil::SliceDim>> slice = mil::getSlice(op);
    if (!slice)
      return rewriter.notifyMatchFailure(op, "a bound is not constant");
    Value part = take(rewriter, op.getLoc(), adaptor.getX(), *slice);
    ArrayRef<int64_t> shape = milShape(op.getResult());
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), part,
                                     alignShape(shape, shape.size())));
    return success();
  }
};

struct SplitRule : OpConversionPattern<mil::SplitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto parts = mil::getParts(op);
    if (!parts)
      return rewriter.notifyMatchFailure(op, "the axis is not constant");
    SmallVector<Value> values;
    for (ArrayRef<mil::SliceDim> part : *parts)
      values.push_back(take(rewriter, op.getLoc(), adaptor.getX(), part));
    rewriter.replaceOp(op, values);
    return success();
  }
};

struct ReverseRule : OpConversionPattern<mil::ReverseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ReverseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = milShape(op.getX());
    int64_t rank = shape.size();
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (op.getAxes()) {
      std::optional<SmallVector<int64_t>> given =
          mil::getConstantInts(op.getAxes());
      if (!given)
        return rewriter.notifyMatchFailure(op, "the axes are not constant");
      axes = *given;
    }
    SmallVector<mil::SliceDim> slice;
    for (int64_t extent : shape)
      slice.push_back({0, 1, extent});
    for (int64_t axis : axes) {
      axis = mil::fromFront(axis, rank);
      slice[axis] = {shape[axis] - 1, -1, shape[axis]};
    }
    rewriter.replaceOp(op, take(rewriter, op.getLoc(), adaptor.getX(), slice));
    return success();
  }
};

struct StackRule : OpConversionPattern<mil::StackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::StackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape(milShape(op.getResult()));
    int64_t rank = shape.size();
    std::optional<int64_t> axis = mil::getConstantInt(op.getAxis());
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the axis is not constant");
    *axis = mil::fromFront(*axis, rank);
    shape[*axis] = 1;
    Shape5 piece = alignShape(shape, rank);
    SmallVector<Value> values;
    for (auto [original, value] :
         llvm::zip_equal(op.getValues(), adaptor.getValues()))
      values.push_back(
          operandAs(rewriter, op.getLoc(), original, value, piece));
    rewriter.replaceOp(op, zin::concatAlong(rewriter, op.getLoc(), values,
                                            alignAxis(*axis, rank)));
    return success();
  }
};

struct TileRule : OpConversionPattern<mil::TileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::TileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> reps =
        mil::getConstantInts(op.getReps());
    if (!reps)
      return rewriter.notifyMatchFailure(op, "'reps' is not constant");
    ArrayRef<int64_t> shape = milShape(op.getX());
    Value x = adaptor.getX();
    Shape5 ofSingles = {1, 1, 1, 1, 1};
    for (auto [axis, count] : llvm::enumerate(*reps)) {
      unsigned dim = alignAxis(axis, shape.size());
      if (shape[axis] == 1) {
        ofSingles[dim] = count;
        continue;
      }
      SmallVector<int64_t> indices;
      for (int64_t i = 0; i < shape[axis] * count; ++i)
        indices.push_back(i % shape[axis]);
      if (count > 1)
        x = takeAlong(rewriter, op.getLoc(), x, dim, indices);
    }
    // Whatever number of dimensions: one layer, of the fewest elements.
    x = repeat(rewriter, op.getLoc(), x, ofSingles);
    rewriter.replaceOp(op, x);
    return success();
  }
};

struct PadRule : OpConversionPattern<mil::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> pad = mil::getConstantInts(op.getPad());
    std::optional<StringRef> mode = op.getMode()
                                        ? mil::getConstantString(op.getMode())
                                        : StringRef("constant");
    std::optional<double> value = op.getConstantValOrDefault();
    if (!pad || !mode || !value)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    ArrayRef<int64_t> shape = milShape(op.getX());
    int64_t rank = shape.size(), first = rank - pad->size() / 2;
    Value x = adaptor.getX();
    for (int64_t axis = first; axis < rank; ++axis) {
      int64_t before = (*pad)[2 * (axis - first)],
              after = (*pad)[2 * (axis - first) + 1];
      if (before == 0 && after == 0)
        continue;
      unsigned dim = alignAxis(axis, rank);
      if (*mode == "constant") {
        SmallVector<Value> pieces;
        if (before > 0)
          pieces.push_back(
              splatLike(rewriter, op.getLoc(), x, dim, before, *value));
        pieces.push_back(x);
        if (after > 0)
          pieces.push_back(
              splatLike(rewriter, op.getLoc(), x, dim, after, *value));
        x = zin::concatAlong(rewriter, op.getLoc(), pieces, dim);
        continue;
      }
      SmallVector<int64_t> indices;
      for (int64_t i = -before; i < shape[axis] + after; ++i)
        indices.push_back(mirror(i, shape[axis], *mode == "reflect"));
      x = takeAlong(rewriter, op.getLoc(), x, dim, indices);
    }
    rewriter.replaceOp(op, x);
    return success();
  }

private:
  /// The element in [0, extent) that stands at an index outside of it.
  static int64_t mirror(int64_t index, int64_t extent, bool reflect) {
    if (!reflect || extent == 1)
      return std::clamp<int64_t>(index, 0, extent - 1);
    // The edges are not repeated.
    int64_t period = 2 * (extent - 1);
    int64_t place = (index % period + period) % period;
    return std::min(place, period - place);
  }
};

struct TransposeRule : OpConversionPattern<mil::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> perm =
        mil::getConstantInts(op.getPerm());
    if (!perm)
      return rewriter.notifyMatchFailure(op, "'perm' is not constant");
    int64_t rank = perm->size();
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, zin::numDims));
    for (auto [axis, source] : llvm::enumerate(*perm))
      order[alignAxis(axis, rank)] =
          alignAxis(mil::fromFront(source, rank), rank);
    rewriter.replaceOp(
        op, zin::transposeBy(rewriter, op.getLoc(), adaptor.getX(), order));
    return success();
  }
};

} // namespace

void ane::lowering::populateSlicePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<SliceRule<mil::SliceByIndexOp>, SliceRule<mil::SliceBySizeOp>,
           SplitRule, ReverseRule, StackRule, TileRule, PadRule, TransposeRule>(
          converter, patterns.getContext());
}
