//===- LongRowResizes.cpp - Rows that are cut, in another size ------------===//
//
// A piece of the result is made of the elements between which its places lie:
// a product with their weights, or the nearest of them.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// Resizes an axis, one of the last two, by places inside it.
static Value resize(Replacer &r, Value x, int64_t axis, ArrayRef<double> places,
                    bool nearest) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t extent = shape[axis], rank = int64_t(shape.size()),
          count = int64_t(places.size());
  if (llvm::equal(places, llvm::seq<int64_t>(0, extent)))
    return x;
  if (nearest) {
    SmallVector<int64_t> indices(places.begin(), places.end()), made(shape);
    made[axis] = count;
    return GatherOp::create(r.rewriter, x.getLoc(),
                            cast<RankedTensorType>(x.getType()).clone(made), x,
                            r.ints(indices), r.integer(axis),
                            /*batch_dims=*/Value(),
                            /*validate_indices=*/Value());
  }
  if (rank == 1)
    return r.reshape(resize(r, r.reshape(x, {1, extent}), 1, places, nearest),
                     {count});
  SmallVector<int64_t> matrix(rank - 2, 1);
  llvm::append_values(matrix, count, extent);
  Value by = r.tensor(sampleWeights(places, extent), matrix, x);
  return axis == rank - 1 ? r.product(x, by, /*transposeY=*/true)
                          : r.product(by, x);
}

template <typename Op>
static LogicalResult splitPlaces(LongRows &rows, Replacer &r, Op op) {
  Value x = op.getX();
  std::optional<Resampling> resampling = getResampling(op);
  if (!resampling)
    return failure();
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(op.getResult());
  int64_t last = lastAxis(x);
  auto placesOf = [&](int64_t axis) {
    return axis > last - resampling->dims
               ? resampling->places(from[axis], to[axis])
               : std::vector<double>(llvm::seq<int64_t>(0, from[axis]).begin(),
                                     llvm::seq<int64_t>(0, from[axis]).end());
  };
  // A volume keeps its depth.
  for (int64_t axis = 0; axis < last - 1; ++axis)
    if (!llvm::equal(placesOf(axis), llvm::seq<int64_t>(0, from[axis])))
      return failure();
  std::vector<double> columns = placesOf(last), heights;
  if (last > 0)
    heights = placesOf(last - 1);
  double step = 0;
  for (auto [place, next] :
       llvm::zip(columns, ArrayRef<double>(columns).drop_front()))
    step = std::max(step, next - place);
  // The weights of a piece are as many as its elements times those of the
  // input, so pieces are short. Assigned.
  constexpr double longestPiece = 512;
  auto most = static_cast<int64_t>(std::clamp(
      std::floor(double(rows.limit - 2) / step) + 1, 1.0, longestPiece));
  auto resizeHeight = [&](Value piece) {
    return heights.empty()
               ? piece
               : resize(r, piece, last - 1, heights, resampling->nearest);
  };
  bool shrinks = last > 0 && to[last - 1] <= from[last - 1];
  auto make = [&](int64_t begin, int64_t count) {
    auto low = static_cast<int64_t>(columns[begin]);
    int64_t end = std::min(static_cast<int64_t>(columns[begin + count - 1]) + 2,
                           from.back());
    SmallVector<double> places;
    for (int64_t i = begin; i < begin + count; ++i)
      places.push_back(columns[i] - double(low));
    Value piece = rows.take(r, x, low, end - low);
    if (shrinks)
      piece = resizeHeight(piece);
    piece = resize(r, piece, last, places, resampling->nearest);
    return shrinks ? piece : resizeHeight(piece);
  };
  return rows.become(r, op, rows.assemble(r, to.back(), most, make));
}

bool ane::mil::needsPieces(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<UpsampleBilinearOp, ResizeBilinearOp, ResizeOp>([](auto resize) {
        auto from = staticType(resize.getX()),
             to = staticType(resize.getResult());
        std::optional<Resampling> resampling = getResampling(resize);
        if (!from || !to || !resampling || resampling->nearest)
          return false;
        auto isLarge = [&](int64_t axis) {
          // Extents are below 2^31.
          return axis >= 0 && from.getDimSize(axis) != to.getDimSize(axis) &&
                 from.getDimSize(axis) * to.getDimSize(axis) >
                     mostResizeWeights;
        };
        int64_t last = lastAxis(resize.getX());
        return isLarge(last) && !isLarge(last - 1);
      })
      .Default(false);
}

LogicalResult ane::mil::splitResize(LongRows &rows, Replacer &r,
                                    UpsampleBilinearOp op) {
  return splitPlaces(rows, r, op);
}

LogicalResult ane::mil::splitResize(LongRows &rows, Replacer &r,
                                    ResizeBilinearOp op) {
  return splitPlaces(rows, r, op);
}

LogicalResult ane::mil::splitResize(LongRows &rows, Replacer &r,
                                    ResizeNearestNeighborOp op) {
  return splitPlaces(rows, r, op);
}

LogicalResult ane::mil::splitResize(LongRows &rows, Replacer &r, ResizeOp op) {
  return splitPlaces(rows, r, op);
}
