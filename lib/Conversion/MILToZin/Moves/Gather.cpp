//===- Gather.cpp - Elements that are chosen by index ---------------------===//
//
// Indices that the compiler knows are views and copies.
//
//===----------------------------------------------------------------------===//

#include "Moves/Choose.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// [1, 1, batch or 1, indices, extent]: for each of the indices, which are
/// [1, 1, batch or 1, indices, 1], a row with a one.
Value oneHotRows(const ElementLayers &layers, Value indices, int64_t extent,
                 bool countsFromEnd) {
  if (countsFromEnd)
    indices = fromFront(layers, indices, extent);
  return equal(layers, indices, counting(layers, zin::W, extent, 0));
}

/// Sums of products keep numbers of medium magnitude alone. So others are
/// divided by a power of 2 in the kernel and multiplied by it behind the sum,
/// where what is infinite leaves fp16.
constexpr double factorOfLarge = 4, factorOfDenormals = 0x1p-10;

double factorBehind(double element) {
  if (std::fabs(element) >= accumulatorLimit || std::isnan(element))
    return factorOfLarge;
  bool isDenormal = element != 0 && std::fabs(element) < smallestNormalHalf;
  return isDenormal ? factorOfDenormals : 1;
}

/// NaN counts as +inf.
double inKernel(double element, double factor) {
  if (std::isfinite(element))
    return element / factor;
  return std::copysign(accumulatorLimit / 2, std::isnan(element) ? 1 : element);
}

/// Rows of a table of [extent, inner] numbers, one for each row of `rows`,
/// which are zeros and a one. Elements that need a factor have kernels of their
/// own, with zeros in all other places.
Value rowsOfTable(const ElementLayers &layers, Value rows,
                  ArrayRef<double> table, int64_t extent) {
  int64_t inner = table.size() / extent;
  Value sum;
  for (double factor : {1., factorOfLarge, factorOfDenormals}) {
    auto needsIt = [&](double element) {
      return factorBehind(element) == factor;
    };
    if (llvm::none_of(table, needsIt))
      continue;
    std::vector<double> kernel(table.size(), 0);
    for (auto [place, element] : llvm::enumerate(table))
      if (needsIt(element))
        kernel[place % inner * extent + place / inner] =
            inKernel(element, factor);
    Value part =
        multiplyAlong(layers.builder, layers.location, rows, zin::W, kernel);
    if (factor != 1)
      part = layers.scaled(part, factor);
    sum = sum ? layers.add(sum, part) : part;
  }
  return sum;
}

/// y[..., i, ...] = x[..., indices[..., i, ...], ...]: what is beside the axis
/// becomes channels, each with a row of elements to choose from.
struct GatherAlongAxisRule : OpConversionPattern<mil::GatherAlongAxisOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::GatherAlongAxisOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    ArrayRef<int64_t> from = milShape(op.getX());
    int64_t rank = from.size();
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the axis is not constant");
    *axis = mil::fromFront(*axis, rank);
    LastAxis turn(alignAxis(*axis, rank));
    Value x = turn.apply(layers, op.getX(), adaptor.getX(), rank);
    Value indices =
        turn.apply(layers, op.getIndices(), adaptor.getIndices(), rank);
    SmallVector<int64_t> result(milShape(indices));
    int64_t extent = from[*axis], count = result.back(),
            rows = llvm::product_of(result) / count;
    x = reshapeTo(rewriter, op.getLoc(), x, {1, 1, rows, 1, extent});
    indices = reshapeTo(rewriter, op.getLoc(), indices, {1, 1, rows, count, 1});
    Value chosen = layers.mul(
        oneHotRows(layers, indices, extent, mayBeNegative(op.getIndices())), x);
    Value y = reduceOver(rewriter, op.getLoc(), zin::ReductionType::Sum, chosen,
                         {zin::W});
    y = reshapeTo(rewriter, op.getLoc(), y, result);
    rewriter.replaceOp(op, turn.back(layers, y));
    return success();
  }
};

/// Slices along one axis, with indices that differ from batch to batch in
/// front of it.
struct GatherRule : ChoosingRule<mil::GatherOp> {
  using ChoosingRule::ChoosingRule;

  LogicalResult
  matchAndRewrite(mil::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    ArrayRef<int64_t> from = milShape(op.getX());
    int64_t rank = from.size();
    std::optional<int64_t> axis = op.getAxisOrDefault();
    std::optional<int64_t> batchDims = op.getBatchDimsOrDefault();
    if (!axis || !batchDims)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    *axis = mil::fromFront(*axis, rank);
    ArrayRef<int64_t> shape = milShape(op.getResult());
    std::optional<KnownPlaces> known = knownPlaces(op);
    Value y;
    if (!known)
      y = takeComputed(layers, op, adaptor, *axis, *batchDims);
    else if (*batchDims == 0)
      y = takeAlong(rewriter, op.getLoc(),
                    operandAs(layers.builder, layers.location, op.getX(),
                              adaptor.getX(), alignShape(from, rank)),
                    alignAxis(*axis, rank), known->places);
    else
      y = takePerBatch(layers, op, adaptor.getX(), *axis, *known);
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), y,
                                     alignShape(shape, shape.size())));
    return success();
  }

private:
  /// Known places in the batches one behind the other.
  Value takePerBatch(const ElementLayers &layers, mil::GatherOp op, Value x,
                     int64_t axis, const KnownPlaces &known) const {
    ArrayRef<int64_t> from = milShape(op.getX());
    Slice slice(llvm::product_of(from.drop_front(axis + 1)), longestRow);
    x = operandAs(layers.builder, layers.location, op.getX(), x,
                  {1, 1, known.extent, slice.rows, slice.columns});
    return takeAlong(layers.builder, layers.location, x, zin::C, known.places);
  }

  Value takeComputed(const ElementLayers &layers, mil::GatherOp op,
                     OpAdaptor adaptor, int64_t axis, int64_t batchDims) const {
    ArrayRef<int64_t> from = milShape(op.getX());
    int64_t batches = llvm::product_of(from.take_front(batchDims));
    int64_t between = llvm::product_of(from.slice(batchDims, axis - batchDims));
    int64_t extent = from[axis],
            inner = llvm::product_of(from.drop_front(axis + 1));
    int64_t count = llvm::product_of(milShape(op.getIndices())) / batches;
    Value indices = operandAs(layers.builder, layers.location, op.getIndices(),
                              adaptor.getIndices(), {1, 1, batches, count, 1});
    Value rows =
        oneHotRows(layers, indices, extent, mayBeNegative(op.getIndices()));
    // A table is a kernel.
    std::optional<SmallVector<double>> table =
        mil::getConstantNumbers(op.getX());
    Slice slice(inner, longestRow);
    if (table && batches * between == 1 && slice.rows == 1)
      return rowsOfTable(layers, rows, *table, extent);
    Value x = operandAs(layers.builder, layers.location, op.getX(),
                        adaptor.getX(), slice.shape(batches * between, extent));
    if (batches > 1 && between > 1)
      rows = takeAlong(layers.builder, layers.location, rows, zin::C,
                       repeated(batches, between));
    return chooseSlices(layers, rows, x, slice);
  }

  static SmallVector<int64_t> repeated(int64_t count, int64_t times) {
    SmallVector<int64_t> indices;
    for (int64_t i = 0; i < count * times; ++i)
      indices.push_back(i / times);
    return indices;
  }
};

/// Slices chosen by tuples: those in the dimensions that a tuple chooses in are
/// one dimension, where it chooses by one number.
struct GatherNdRule : ChoosingRule<mil::GatherNdOp> {
  using ChoosingRule::ChoosingRule;

  LogicalResult
  matchAndRewrite(mil::GatherNdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    ArrayRef<int64_t> from = milShape(op.getX()),
                      tuples = milShape(op.getIndices());
    std::optional<int64_t> batchDims = op.getBatchDimsOrDefault();
    if (!batchDims)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    int64_t length = tuples.back();
    int64_t batches = llvm::product_of(from.take_front(*batchDims));
    ArrayRef<int64_t> chosen = from.slice(*batchDims, length);
    int64_t extent = llvm::product_of(chosen),
            inner = llvm::product_of(from.drop_front(*batchDims + length)),
            count = llvm::product_of(tuples) / length / batches;
    Slice slice(inner, longestRow);
    Value y;
    if (std::optional<KnownPlaces> known = knownPlaces(op)) {
      Value x =
          operandAs(layers.builder, layers.location, op.getX(), adaptor.getX(),
                    {1, 1, known->extent, slice.rows, slice.columns});
      y = takeAlong(rewriter, op.getLoc(), x, zin::C, known->places);
    } else {
      Value all =
          operandAs(layers.builder, layers.location, op.getIndices(),
                    adaptor.getIndices(), {1, 1, batches, count, length});
      Value place =
          linearIndex(layers, all, chosen, mayBeNegative(op.getIndices()));
      Value rows = oneHotRows(layers, place, extent, /*countsFromEnd=*/false);
      Value x = operandAs(layers.builder, layers.location, op.getX(),
                          adaptor.getX(), slice.shape(batches, extent));
      y = chooseSlices(layers, rows, x, slice);
    }
    ArrayRef<int64_t> shape = milShape(op.getResult());
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), y,
                                     alignShape(shape, shape.size())));
    return success();
  }
};

} // namespace

std::optional<KnownPlaces> ane::lowering::knownPlaces(mil::GatherOp op) {
  std::optional<SmallVector<int64_t>> indices =
      mil::getConstantInts(op.getIndices());
  std::optional<int64_t> axis = op.getAxisOrDefault(),
                         batchDims = op.getBatchDimsOrDefault();
  if (!indices || !axis || !batchDims)
    return std::nullopt;
  ArrayRef<int64_t> from = milShape(op.getX());
  *axis = mil::fromFront(*axis, from.size());
  int64_t extent = from[*axis];
  for (int64_t &index : *indices)
    index = mil::fromFront(index, extent);
  if (*batchDims == 0)
    return KnownPlaces{std::move(*indices), extent};
  int64_t batches = llvm::product_of(from.take_front(*batchDims));
  int64_t between =
      llvm::product_of(from.slice(*batchDims, *axis - *batchDims));
  size_t perBatch = indices->size() / batches;
  // With something between batch and axis that is part of the batch.
  SmallVector<int64_t> places;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t i = 0; i < between; ++i)
      for (int64_t index : ArrayRef(*indices).slice(batch * perBatch, perBatch))
        places.push_back((batch * between + i) * extent + index);
  return KnownPlaces{std::move(places), batches * between * extent};
}

std::optional<KnownPlaces> ane::lowering::knownPlaces(mil::GatherNdOp op) {
  std::optional<SmallVector<int64_t>> indices =
      mil::getConstantInts(op.getIndices());
  std::optional<int64_t> batchDims = op.getBatchDimsOrDefault();
  if (!indices || !batchDims)
    return std::nullopt;
  ArrayRef<int64_t> from = milShape(op.getX());
  size_t length = milShape(op.getIndices()).back();
  ArrayRef<int64_t> chosen = from.slice(*batchDims, length);
  int64_t batches = llvm::product_of(from.take_front(*batchDims));
  size_t tuples = indices->size() / length, perBatch = tuples / batches;
  SmallVector<int64_t> places;
  for (size_t tuple = 0; tuple < tuples; ++tuple) {
    int64_t place = tuple / perBatch;
    for (size_t i = 0; i < length; ++i)
      place = place * chosen[i] +
              mil::fromFront((*indices)[tuple * length + i], chosen[i]);
    places.push_back(place);
  }
  return KnownPlaces{std::move(places), batches * llvm::product_of(chosen)};
}

void ane::lowering::populateGatherPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns,
    int64_t longestRow) {
  patterns.add<GatherAlongAxisRule>(converter, patterns.getContext());
  patterns.add<GatherRule, GatherNdRule>(converter, patterns.getContext(),
                                         longestRow);
  populateComputedSlicePatterns(converter, patterns, longestRow);
  populateScatterPatterns(converter, patterns, longestRow);
}
