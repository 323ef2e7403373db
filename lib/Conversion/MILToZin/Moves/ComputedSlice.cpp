//===- ComputedSlice.cpp - Slices whose place the program computes --------===//
//
// The extents and steps of a slice are known, where it begins is not. Along a
// dimension that it does not take whole, element i is element k of the operand
// where `begin` is k - i * step: a comparison of a constant matrix with one
// number, and a product.
//
//===----------------------------------------------------------------------===//

#include "Moves/Choose.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Support/Divisors.h"
#include "ane/Target/H13.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

Value ane::lowering::equal(const ElementLayers &layers, Value x, Value y) {
  return layers.neuron(NonLinearMode::equal_zero, layers.sub(x, y));
}

bool ane::lowering::mayBeNegative(Value indices) {
  return !cast<RankedTensorType>(indices.getType())
              .getElementType()
              .isUnsignedInteger();
}

Value ane::lowering::fromFront(const ElementLayers &layers, Value indices,
                               int64_t extent) {
  Value isNegative =
      layers.neuron(NonLinearMode::greater_than_zero, indices, -1);
  return layers.add(indices, layers.scaled(isNegative, extent));
}

Value ane::lowering::counting(const ElementLayers &layers, unsigned dim,
                              int64_t count, double first) {
  SmallVector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  Shape5 shape(zin::numDims, 1);
  shape[dim] = count;
  return materializeHalf(layers.builder, layers.location, numbers, shape);
}

Value ane::lowering::linearIndex(const ElementLayers &layers, Value tuples,
                                 ArrayRef<int64_t> extents,
                                 bool countsFromEnd) {
  Value place;
  for (int64_t i = 0, e = extents.size(); i < e; ++i) {
    Value index =
        takeAlong(layers.builder, layers.location, tuples, zin::W, {i});
    if (countsFromEnd)
      index = fromFront(layers, index, extents[i]);
    int64_t step = llvm::product_of(extents.drop_front(i + 1));
    if (step != 1)
      index = layers.scaled(index, step);
    place = place ? layers.add(place, index) : index;
  }
  return place;
}

LastAxis::LastAxis(unsigned dim) {
  for (unsigned i = 0; i < zin::numDims; ++i)
    if (i != dim)
      order.push_back(i);
  order.push_back(dim);
}

Value LastAxis::apply(const ElementLayers &layers, Value original,
                      Value converted, int64_t rank) const {
  Value value = operandAs(layers.builder, layers.location, original, converted,
                          alignShape(milShape(original), rank));
  return zin::transposeBy(layers.builder, layers.location, value, order);
}

Value LastAxis::back(const ElementLayers &layers, Value x) const {
  SmallVector<int64_t> inverse(order.size());
  for (auto [to, source] : llvm::enumerate(order))
    inverse[source] = to;
  return zin::transposeBy(layers.builder, layers.location, x, inverse);
}

Slice::Slice(int64_t inner, int64_t longestRow)
    : columns(largestDivisor(inner, longestRow)), longestRow(longestRow) {
  rows = inner / columns;
}

Shape5 Slice::shape(int64_t batch, int64_t extent) const {
  if (rows == 1)
    return {1, 1, batch, extent, columns};
  return {1, batch, extent, rows, columns};
}

namespace {

/// Rows of zeros and ones, [1, 1, batch or 1, M, K], times [1, 1, batch, K,
/// columns], on the planar engine.
class PlanarChoice {
public:
  PlanarChoice(const ElementLayers &layers, Value rows, Value x)
      : layers(layers), batch(milShape(x)[zin::C]),
        rowBatch(milShape(rows)[zin::C]), count(milShape(rows)[zin::H]),
        extent(milShape(x)[zin::H]), columns(milShape(x)[zin::W]), rows(rows),
        x(x) {}

  int64_t products() const { return batch * count * extent * columns; }

  Value make() const {
    int64_t adding = bytesOfAdding(), joining = bytesOfJoining();
    Value sums = std::min(adding, joining) >= bytesOfTurning() ? turn()
                 : adding < joining                            ? add()
                                                               : join();
    return reshape(sums, {1, 1, batch, count, columns});
  }

private:
  /// What a task takes beside its elements, as bytes of them: 44 cycles
  /// (documented) of 64 elements.
  static constexpr int64_t bytesOfTask = 5632;

  Value reshape(Value value, ArrayRef<int64_t> to) const {
    return reshapeTo(layers.builder, layers.location, value, to);
  }
  Value sumOver(Value products, unsigned dim) const {
    return reduceOver(layers.builder, layers.location, zin::ReductionType::Sum,
                      products, {dim});
  }

  /// Products with each of the slices, added up: of few large ones, as images
  /// of rows that the engine reads several of at a time.
  Value add() const {
    constexpr int64_t mostColumns = 128;
    int64_t width = largestDivisor(columns, mostColumns);
    Value sum, all = reshape(rows, {rowBatch, 1, count, 1, extent}),
               slices = reshape(x, {batch, 1, extent, columns / width, width});
    for (int64_t i = 0; i < extent; ++i) {
      Value product = layers.mul(
          takeAlong(layers.builder, layers.location, all, zin::W, {i}),
          takeAlong(layers.builder, layers.location, slices, zin::C, {i}));
      sum = sum ? layers.add(sum, product) : product;
    }
    return sum;
  }
  int64_t bytesOfAdding() const {
    return 2 * extent * (batch * count * h13.rowPitch(columns) + bytesOfTask);
  }

  /// All products at once, those of a sum in a row.
  Value join() const {
    constexpr int64_t turned[] = {zin::N, zin::D, zin::C, zin::W, zin::H};
    return sumOver(
        layers.mul(reshape(rows, {rowBatch, 1, count, 1, extent}),
                   zin::transposeBy(layers.builder, layers.location,
                                    reshape(x, {batch, 1, 1, extent, columns}),
                                    turned)),
        zin::W);
  }
  int64_t bytesOfJoining() const {
    return 2 * batch * count * columns * h13.rowPitch(extent) + 4 * bytesOfTask;
  }

  /// The same, those of a slice in a row, which turn before they are added up.
  Value turn() const {
    return sumOver(layers.mul(reshape(rows, {rowBatch, 1, count, extent, 1}),
                              reshape(x, {batch, 1, 1, extent, columns})),
                   zin::H);
  }
  int64_t bytesOfTurning() const {
    return batch * count *
               (3 * extent * h13.rowPitch(columns) +
                columns * h13.rowPitch(extent)) +
           3 * bytesOfTask;
  }

  const ElementLayers &layers;
  int64_t batch, rowBatch, count, extent, columns;
  Value rows, x;
};

} // namespace

/// [1, 1, batch or 1, M, K] times [1, 1, batch, K, columns].
static Value chooseRows(const ElementLayers &layers, Value rows, Value x,
                        int64_t longestRow) {
  // 2 MiB of scratch (assigned).
  constexpr int64_t mostPlanarProducts = int64_t(1) << 20;
  ArrayRef<int64_t> rowShape = milShape(rows), shape = milShape(x);
  int64_t batch = shape[zin::C], count = rowShape[zin::H],
          extent = shape[zin::H], columns = shape[zin::W];
  PlanarChoice choice(layers, rows, x);
  if (choice.products() <= mostPlanarProducts)
    return choice.make();
  if (columns > 1 || rowShape[zin::C] > 1 || batch > longestRow)
    return multiplyMatrices(layers.builder, layers.location, rows, x);
  // Elements of many batches at the same places: one product for all.
  auto reshape = [&](Value value, ArrayRef<int64_t> to) {
    return reshapeTo(layers.builder, layers.location, value, to);
  };
  return reshape(
      zin::MatMulOp::create(
          layers.builder, layers.location,
          halfType(layers.builder.getContext(), {1, 1, 1, batch, count}),
          reshape(x, {1, 1, 1, batch, extent}), rows,
          /*bias=*/Value(), /*contractRows=*/false,
          /*outputsOnRows=*/false, zin::NeuronAttr()),
      {1, 1, batch, count, 1});
}

Value ane::lowering::chooseSlices(const ElementLayers &layers, Value rows,
                                  Value x, const Slice &slice) {
  if (slice.rows == 1)
    return chooseRows(layers, rows, x, slice.longestRow);
  // Each row of a slice is a batch of its own.
  constexpr int64_t order[] = {zin::N, zin::D, zin::H, zin::C, zin::W};
  ArrayRef<int64_t> shape = milShape(x);
  int64_t batch = shape[zin::D], extent = shape[zin::C],
          count = milShape(rows)[zin::H], columns = slice.columns;
  x = zin::transposeBy(layers.builder, layers.location, x, order);
  x = reshapeTo(layers.builder, layers.location, x,
                {1, 1, batch * slice.rows, extent, columns});
  if (milShape(rows)[zin::C] > 1) {
    SmallVector<int64_t> batches;
    for (int64_t i = 0; i < batch; ++i)
      batches.append(slice.rows, i);
    rows = takeAlong(layers.builder, layers.location, rows, zin::C, batches);
  }
  Value chosen = reshapeTo(layers.builder, layers.location,
                           chooseRows(layers, rows, x, slice.longestRow),
                           {1, batch, slice.rows, count, columns});
  return zin::transposeBy(layers.builder, layers.location, chosen, order);
}

Value ane::lowering::multiplyBy(const ElementLayers &layers, Value matrix,
                                Value x, unsigned dim, int64_t longestRow) {
  SmallVector<int64_t> shape(milShape(x));
  int64_t outer = llvm::product_of(ArrayRef(shape).take_front(dim)),
          inner = llvm::product_of(ArrayRef(shape).drop_front(dim + 1));
  Slice slice(inner, longestRow);
  x = reshapeTo(layers.builder, layers.location, x,
                slice.shape(outer, shape[dim]));
  shape[dim] = milShape(matrix)[zin::H];
  return reshapeTo(layers.builder, layers.location,
                   chooseSlices(layers, matrix, x, slice), shape);
}

namespace {

/// Where a slice begins along each axis.
class Begin {
public:
  Begin(const ElementLayers &layers, Value original, Value converted)
      : layers(layers), original(original) {
    int64_t rank = milShape(original).front();
    vector = operandAs(layers.builder, layers.location, original, converted,
                       {1, 1, 1, 1, rank});
  }

  /// [1, 1, 1, count, extent]: row i has a one where element i is; or the
  /// transpose of that.
  Value rows(int64_t axis, const mil::ComputedDim &dim, int64_t extent,
             bool transposed = false) const {
    int64_t count = dim.extent;
    Value begin = place(axis, dim, extent);
    SmallVector<double> begins(count * extent);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t k = 0; k < extent; ++k)
        begins[transposed ? k * count + i : i * extent + k] =
            double(k - i * dim.step);
    Shape5 shape = {1, 1, 1, count, extent};
    if (transposed)
      std::swap(shape[zin::H], shape[zin::W]);
    return equal(
        layers, materializeHalf(layers.builder, layers.location, begins, shape),
        begin);
  }

private:
  Value place(int64_t axis, const mil::ComputedDim &dim, int64_t extent) const {
    Value begin =
        takeAlong(layers.builder, layers.location, vector, zin::W, {axis});
    if (mayBeNegative(original))
      begin = fromFront(layers, begin, extent);
    if (!dim.clamps)
      return begin;
    // Beyond the other edge a slice has no elements.
    if (dim.step > 0)
      return mayBeNegative(original) ? layers.neuron(NonLinearMode::relu, begin)
                                     : begin;
    Value last = materializeHalf(layers.builder, layers.location,
                                 {double(extent - 1)}, Shape5(zin::numDims, 1));
    return layers.binary(zin::EWType::Min, begin, last);
  }

  const ElementLayers &layers;
  Value original, vector;
};

/// The elements of a dimension whose place is known.
SmallVector<int64_t> indicesOf(const mil::ComputedDim &dim) {
  return llvm::map_to_vector(llvm::seq(dim.extent), [&](int64_t i) {
    return *dim.begin + i * dim.step;
  });
}

template <typename MILOp> struct ComputedSliceRule : ChoosingRule<MILOp> {
  using ChoosingRule<MILOp>::ChoosingRule;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (mil::getSlice(op))
      return rewriter.notifyMatchFailure(op, "the slice is known");
    ElementLayers layers{rewriter, op.getLoc()};
    ArrayRef<int64_t> from = milShape(op.getX()), to = milShape(op.getResult());
    std::optional<SmallVector<mil::ComputedDim>> dims =
        mil::getComputedSlice(op);
    if (!dims)
      return rewriter.notifyMatchFailure(op, "an extent is not known");
    Begin begin(layers, op.getBegin(), adaptor.getBegin());
    int64_t rank = from.size();
    Value x = operandAs(layers.builder, layers.location, op.getX(),
                        adaptor.getX(), alignShape(from, rank));
    // Views before products, which have less to choose from then.
    for (auto [axis, dim] : llvm::enumerate(*dims))
      if (dim.begin)
        x = takeAlong(rewriter, op.getLoc(), x, alignAxis(axis, rank),
                      indicesOf(dim));
    for (auto [axis, dim] : llvm::enumerate(*dims))
      if (!dim.begin)
        x = multiplyBy(layers, begin.rows(axis, dim, from[axis]), x,
                       alignAxis(axis, rank), this->longestRow);
    rewriter.replaceOp(
        op, reshapeTo(rewriter, op.getLoc(), x, alignShape(to, to.size())));
    return success();
  }
};

/// x * (what stays) + (update at its place): of each element one of the two is
/// 0.
struct SliceUpdateRule : ChoosingRule<mil::SliceUpdateOp> {
  using ChoosingRule::ChoosingRule;

  LogicalResult
  matchAndRewrite(mil::SliceUpdateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Location location = op.getLoc();
    ArrayRef<int64_t> from = milShape(op.getX());
    int64_t rank = from.size();
    std::optional<SmallVector<mil::ComputedDim>> dims = dimsOf(op);
    if (!dims)
      return rewriter.notifyMatchFailure(op, "an extent is not known");
    Value x = operandAs(layers.builder, layers.location, op.getX(),
                        adaptor.getX(), alignShape(from, rank));
    SmallVector<int64_t> extents = llvm::map_to_vector(
        *dims, [](const mil::ComputedDim &dim) { return dim.extent; });
    Value update = operandAs(layers.builder, layers.location, op.getUpdate(),
                             adaptor.getUpdate(), alignShape(extents, rank));
    std::optional<Begin> begin;
    if (!llvm::all_of(
            *dims, [](const mil::ComputedDim &dim) { return bool(dim.begin); }))
      begin.emplace(layers, op.getBegin(), adaptor.getBegin());

    Value mask;
    for (int64_t axis = 0; axis < rank; ++axis) {
      unsigned dim = alignAxis(axis, rank);
      int64_t count = extents[axis], extent = from[axis];
      const mil::ComputedDim &part = (*dims)[axis];
      if (part.begin && count == extent && part.step == 1)
        continue;
      Shape5 along(zin::numDims, 1);
      along[dim] = extent;
      Value covered;
      if (part.begin) {
        std::vector<double> matrix(extent * count), row(extent);
        for (auto [i, place] : llvm::enumerate(indicesOf(part)))
          matrix[place * count + i] = row[place] = 1;
        update = multiplyAlong(rewriter, location, update, dim, matrix);
        covered = materializeHalf(rewriter, location, row, along);
      } else {
        Value rows = begin->rows(axis, part, extent, /*transposed=*/true);
        update = multiplyBy(layers, rows, update, dim, longestRow);
        covered = count == 1
                      ? rows
                      : reduceOver(rewriter, location, zin::ReductionType::Sum,
                                   rows, {zin::W});
        covered = reshapeTo(rewriter, location, covered, along);
      }
      mask = mask ? layers.mul(mask, covered) : covered;
    }
    if (mask)
      update = layers.add(layers.mul(x, layers.scaled(mask, -1, 1)), update);
    rewriter.replaceOp(op, update);
    return success();
  }

private:
  static std::optional<SmallVector<mil::ComputedDim>>
  dimsOf(mil::SliceUpdateOp op) {
    std::optional<SmallVector<mil::SliceDim>> slice = mil::getSlice(op);
    if (!slice)
      return mil::getComputedSlice(op);
    return llvm::map_to_vector(*slice, [](const mil::SliceDim &dim) {
      return mil::ComputedDim{dim.extent, dim.step, dim.begin,
                              /*clamps=*/false};
    });
  }
};

} // namespace

void ane::lowering::populateComputedSlicePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns,
    int64_t longestRow) {
  patterns.add<ComputedSliceRule<mil::SliceBySizeOp>,
               ComputedSliceRule<mil::SliceByIndexOp>, SliceUpdateRule>(
      converter, patterns.getContext(), longestRow);
}
