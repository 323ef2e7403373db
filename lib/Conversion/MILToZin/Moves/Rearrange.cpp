//===- Rearrange.cpp - Blocks of pixels -----------------------------------===//
//
// Ops that trade rows and columns for channels or batch: each splits
// dimensions, exchanges the parts and joins them again. Batch and channels, and
// the two extents of a block, go as one dimension where they stay together, so
// that five dimensions are enough. Between channels and pixels of one image
// with many channels, rows and columns take turns instead, so that blocks of
// rows can go through that.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// An image and the builder of what becomes of it.
struct Blocks {
  ConversionPatternRewriter &rewriter;
  Location location;
  int64_t n, c, h, w;

  Blocks(ConversionPatternRewriter &rewriter, Operation *op)
      : rewriter(rewriter), location(op->getLoc()) {
    ArrayRef<int64_t> shape = milShape(op->getOperand(0));
    n = shape[0];
    c = shape[1];
    h = shape[2];
    w = shape[3];
  }

  Value reshape(Value x, ArrayRef<int64_t> shape) {
    return reshapeTo(rewriter, location, x, shape);
  }
  Value permute(Value x, ArrayRef<int64_t> order) {
    return zin::transposeBy(rewriter, location, x, order);
  }

  /// Whether elements are turned so that rows of so many pixels lie along
  /// columns, and back. Between the two the columns of a block are beside each
  /// other as channels are. Turned with those along columns, of which a row has
  /// few, all are turned a third time to join these rows. Of what L2 does not
  /// hold, blocks of rows go through that with what is in front.
  bool turnsTwice(int64_t rows, int64_t b) const {
    return rows >= 2 * b &&
           n * c * h * w * zin::elementBytes <= h13.wholeL2Bytes();
  }
  /// [n, c * b * b, h, w] to [n, c, h * b, w * b]; the block varies fastest in
  /// the channels.
  Value spread(Value x, int64_t b) {
    int64_t images = n * c / (b * b);
    if (turnsTwice(h, b)) {
      x = permute(reshape(x, {images, b, b, h, w}), {0, 1, 4, 2, 3});
      x = permute(reshape(x, {images, 1, b, w * b, h}), {0, 1, 4, 2, 3});
    } else {
      x = permute(reshape(x, {images, b, b, h, w}), {0, 3, 1, 4, 2});
    }
    return reshape(x, {n, 1, c / (b * b), h * b, w * b});
  }
  /// Whether rows stay rows where rows and columns of one image take turns.
  bool keepsRows(int64_t channels) const {
    return n == 1 && channels >= mil::leastRowChannels;
  }
  /// Images of so many channels by turns of columns and rows, given those of
  /// pixel i of all blocks. Nothing if rows are not kept.
  Value spreadInTurns(int64_t channels, int64_t bh, int64_t bw,
                      llvm::function_ref<Value(int64_t pixel)> imageOf) {
    if (!keepsRows(channels))
      return {};
    return imagesInTurns(rewriter, location, bh, bw,
                         [&](int64_t row, int64_t column) {
                           return imageOf(row * bw + column);
                         });
  }
  /// The reverse of it.
  Value gather(Value x, int64_t b) {
    if (turnsTwice(h / b, b)) {
      x = permute(reshape(x, {n * c, 1, h / b, b, w}), {0, 1, 3, 4, 2});
      x = permute(reshape(x, {n * c, b, w / b, b, h / b}), {0, 1, 3, 4, 2});
    } else {
      x = permute(reshape(x, {n * c, h / b, b, w / b, b}), {0, 2, 4, 1, 3});
    }
    return reshape(x, {n, 1, c * b * b, h / b, w / b});
  }
  /// The image of each pixel of all blocks. Nothing if rows are not kept, or if
  /// it would turn rows too often: once for each column of a block.
  SmallVector<Value> gatherInTurns(Value x, int64_t bh, int64_t bw) {
    SmallVector<Value> pixels;
    if (!keepsRows(c) || bw > mil::mostRowTurns)
      return pixels;
    for (int64_t row = 0; row < bh; ++row)
      for (int64_t column = 0; column < bw; ++column)
        pixels.push_back(
            zin::viewOf(rewriter, location, x, {0, 0, 0, row, column},
                        {1, 1, c, h / bh, w / bw}, {1, 1, 1, bh, bw}));
    return pixels;
  }
};

/// An op with square blocks, whose extent is the second input. The rule gets
/// the image and that extent.
template <typename MILOp> struct BlockRule : OpConversionPattern<MILOp> {
  using Rule = Value (*)(Blocks &, Value, int64_t);
  BlockRule(const TypeConverter &converter, MLIRContext *context, Rule rule)
      : OpConversionPattern<MILOp>(converter, context), rule(rule) {}

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<int64_t> block = mil::getConstantInt(op->getOperand(1));
    if (!block)
      return rewriter.notifyMatchFailure(op, "the block is not constant");
    Blocks blocks(rewriter, op);
    rewriter.replaceOp(op, rule(blocks, adaptor.getX(), *block));
    return success();
  }

  Rule rule;
};

Value pixelShuffle(Blocks &blocks, Value x, int64_t block) {
  int64_t pixels = block * block, outputs = blocks.c / pixels;
  Value y = blocks.spreadInTurns(outputs, block, block, [&](int64_t pixel) {
    return zin::viewAlong(blocks.rewriter, blocks.location, x, zin::C, pixel,
                          outputs, pixels);
  });
  return y ? y : blocks.spread(x, block);
}

Value pixelUnshuffle(Blocks &blocks, Value x, int64_t block) {
  SmallVector<Value> pixels = blocks.gatherInTurns(x, block, block);
  return pixels.empty() ? blocks.gather(x, block)
                        : zin::concatAlong(blocks.rewriter, blocks.location,
                                           pixels, zin::C, /*interleave=*/true);
}

/// The channels vary fastest, not the block.
Value depthToSpace(Blocks &blocks, Value x, int64_t block) {
  int64_t pixels = block * block, outputs = blocks.c / pixels;
  if (Value y = blocks.spreadInTurns(outputs, block, block, [&](int64_t pixel) {
        return zin::viewAlong(blocks.rewriter, blocks.location, x, zin::C,
                              pixel * outputs, outputs);
      }))
    return y;
  x = blocks.reshape(x, {blocks.n, pixels, outputs, blocks.h, blocks.w});
  return blocks.spread(blocks.permute(x, {0, 2, 1, 3, 4}), block);
}

Value spaceToDepth(Blocks &blocks, Value x, int64_t block) {
  if (SmallVector<Value> images = blocks.gatherInTurns(x, block, block);
      !images.empty())
    return zin::concatAlong(blocks.rewriter, blocks.location, images, zin::C);
  int64_t pixels = block * block, h = blocks.h / block, w = blocks.w / block;
  x = blocks.reshape(blocks.gather(x, block),
                     {blocks.n, blocks.c, pixels, h, w});
  x = blocks.permute(x, {0, 2, 1, 3, 4});
  return blocks.reshape(x, {blocks.n, 1, blocks.c * pixels, h, w});
}

/// Rows and columns of a block, and what is added or cut in front and behind.
struct BatchBlock {
  SmallVector<int64_t> block, margins;

  static std::optional<BatchBlock> read(Value block, Value margins) {
    std::optional<SmallVector<int64_t>> b = mil::getConstantInts(block);
    std::optional<SmallVector<int64_t>> m = mil::getConstantInts(margins);
    if (!b || !m || b->size() != 2 || m->size() != 4)
      return std::nullopt;
    return BatchBlock{*b, *m};
  }
};

struct SpaceToBatchRule : OpConversionPattern<mil::SpaceToBatchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::SpaceToBatchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto given = BatchBlock::read(op.getBlockShape(), op.getPaddings());
    if (!given)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    Blocks blocks(rewriter, op);
    Value x = adaptor.getX();
    for (unsigned dim : {zin::H, zin::W}) {
      unsigned first = 2 * (dim - zin::H);
      SmallVector<Value> pieces;
      auto pad = [&](int64_t count) {
        if (count > 0)
          pieces.push_back(splatLike(rewriter, op.getLoc(), x, dim, count, 0));
      };
      pad(given->margins[first]);
      pieces.push_back(x);
      pad(given->margins[first + 1]);
      x = zin::concatAlong(rewriter, op.getLoc(), pieces, dim);
    }
    int64_t bh = given->block[0], bw = given->block[1];
    blocks.h = milShape(x)[zin::H];
    blocks.w = milShape(x)[zin::W];
    if (SmallVector<Value> images = blocks.gatherInTurns(x, bh, bw);
        !images.empty()) {
      rewriter.replaceOp(
          op, zin::concatAlong(rewriter, op.getLoc(), images, zin::N));
      return success();
    }
    int64_t h = blocks.h / bh, w = blocks.w / bw;
    x = blocks.reshape(x, {blocks.n * blocks.c, h, bh, w, bw});
    x = blocks.permute(x, {2, 4, 0, 1, 3});
    rewriter.replaceOp(
        op, blocks.reshape(x, {bh * bw * blocks.n, 1, blocks.c, h, w}));
    return success();
  }
};

struct BatchToSpaceRule : OpConversionPattern<mil::BatchToSpaceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::BatchToSpaceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto given = BatchBlock::read(op.getBlockShape(), op.getCrops());
    if (!given)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    Blocks blocks(rewriter, op);
    int64_t bh = given->block[0], bw = given->block[1];
    blocks.n /= bh * bw;
    Value x = blocks.spreadInTurns(blocks.c, bh, bw, [&](int64_t pixel) {
      return zin::viewAlong(rewriter, op.getLoc(), adaptor.getX(), zin::N,
                            pixel, 1);
    });
    if (!x) {
      x = blocks.reshape(adaptor.getX(),
                         {bh, bw, blocks.n * blocks.c, blocks.h, blocks.w});
      x = blocks.permute(x, {2, 3, 0, 4, 1});
      x = blocks.reshape(x,
                         {blocks.n, 1, blocks.c, blocks.h * bh, blocks.w * bw});
    }
    for (unsigned dim : {zin::H, zin::W}) {
      unsigned first = 2 * (dim - zin::H);
      int64_t extent = milShape(x)[dim];
      x = takeAlong(
          rewriter, op.getLoc(), x, dim,
          llvm::to_vector(llvm::seq<int64_t>(
              given->margins[first], extent - given->margins[first + 1])));
    }
    rewriter.replaceOp(op, x);
    return success();
  }
};

/// Sums of all elements up to each: a product with a triangle of ones.
struct CumsumRule : OpConversionPattern<mil::CumsumOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::CumsumOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = milShape(op.getX());
    int64_t rank = shape.size();
    std::optional<int64_t> axis = op.getAxisOrDefault();
    std::optional<bool> exclusive = op.getExclusiveOrDefault();
    std::optional<bool> reverse = op.getReverseOrDefault();
    if (!axis || !exclusive || !reverse)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    *axis = mil::fromFront(*axis, rank);
    int64_t extent = shape[*axis];
    std::vector<double> matrix;
    matrix.reserve(extent * extent);
    for (int64_t to = 0; to < extent; ++to)
      for (int64_t from = 0; from < extent; ++from) {
        int64_t ahead = *reverse ? from - to : to - from;
        matrix.push_back(ahead > 0 || (ahead == 0 && !*exclusive));
      }
    rewriter.replaceOp(op, multiplyAlong(rewriter, op.getLoc(), adaptor.getX(),
                                         alignAxis(*axis, rank), matrix));
    return success();
  }
};

struct CropRule : OpConversionPattern<mil::CropOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::CropOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> height =
        mil::getConstantInts(op.getCropHeight());
    std::optional<SmallVector<int64_t>> width =
        mil::getConstantInts(op.getCropWidth());
    if (!height || !width)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    Value x = adaptor.getX();
    for (auto [dim, cut] : {std::pair(zin::H, *height), {zin::W, *width}})
      x = takeAlong(rewriter, op.getLoc(), x, dim,
                    llvm::to_vector(
                        llvm::seq<int64_t>(cut[0], milShape(x)[dim] - cut[1])));
    rewriter.replaceOp(op, x);
    return success();
  }
};

} // namespace

void ane::lowering::populateRearrangePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<BlockRule<mil::PixelShuffleOp>>(converter, context,
                                               pixelShuffle);
  patterns.add<BlockRule<mil::PixelUnshuffleOp>>(converter, context,
                                                 pixelUnshuffle);
  patterns.add<BlockRule<mil::DepthToSpaceOp>>(converter, context,
                                               depthToSpace);
  patterns.add<BlockRule<mil::SpaceToDepthOp>>(converter, context,
                                               spaceToDepth);
  patterns.add<SpaceToBatchRule, BatchToSpaceRule, CumsumRule, CropRule>(
      converter, context);
}
