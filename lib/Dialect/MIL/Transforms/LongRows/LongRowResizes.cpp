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

std::optional<ResizedPieces> ResizedPieces::get(Operation *op, int64_t axis,
                                                int64_t limit) {
  std::optional<Resampling> resampling = getResampling(op);
  if (!resampling)
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)),
                    to = shapeOf(op->getResult(0));
  int64_t last = int64_t(from.size()) - 1;
  auto placesOf = [&](int64_t dim) {
    return dim > last - resampling->dims
               ? resampling->places(from[dim], to[dim])
               : std::vector<double>(llvm::seq<int64_t>(0, from[dim]).begin(),
                                     llvm::seq<int64_t>(0, from[dim]).end());
  };
  // A volume keeps its depth.
  for (int64_t dim = 0; dim < last - 1; ++dim)
    if (!llvm::equal(placesOf(dim), llvm::seq<int64_t>(0, from[dim])))
      return std::nullopt;
  ResizedPieces pieces;
  pieces.axis = axis;
  pieces.otherAxis = axis == last ? last - 1 : last;
  pieces.extent = from[axis];
  pieces.nearest = resampling->nearest;
  pieces.places = placesOf(axis);
  if (pieces.otherAxis >= 0) {
    pieces.otherPlaces = placesOf(pieces.otherAxis);
    pieces.shrinks = to[pieces.otherAxis] <= from[pieces.otherAxis];
  }
  double step = 0;
  for (auto [place, next] :
       llvm::zip(pieces.places, ArrayRef<double>(pieces.places).drop_front()))
    step = std::max(step, next - place);
  // The weights of a piece are as many as its elements times those of the
  // input, so pieces are short. Assigned.
  constexpr double longestPiece = 512;
  pieces.most = static_cast<int64_t>(
      std::clamp(std::floor(double(limit - 2) / step) + 1, 1.0, longestPiece));
  return pieces;
}

Value ResizedPieces::make(
    Replacer &r, int64_t begin, int64_t count,
    llvm::function_ref<Value(int64_t, int64_t)> take) const {
  auto resizeOther = [&](Value piece) {
    return otherPlaces.empty()
               ? piece
               : resize(r, piece, otherAxis, otherPlaces, nearest);
  };
  auto low = static_cast<int64_t>(places[begin]);
  int64_t end =
      std::min(static_cast<int64_t>(places[begin + count - 1]) + 2, extent);
  SmallVector<double> own;
  for (int64_t i = begin; i < begin + count; ++i)
    own.push_back(places[i] - double(low));
  Value piece = take(low, end - low);
  if (shrinks)
    piece = resizeOther(piece);
  piece = resize(r, piece, axis, own, nearest);
  return shrinks ? piece : resizeOther(piece);
}

/// The one of the last two axes whose weights are too many for all of it at
/// once. Nothing where it is both of them.
static std::optional<int64_t> largeAxis(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<UpsampleBilinearOp, ResizeBilinearOp, ResizeOp>(
          [](auto resize) -> std::optional<int64_t> {
            auto from = staticType(resize.getX()),
                 to = staticType(resize.getResult());
            std::optional<Resampling> resampling = getResampling(resize);
            if (!from || !to || !resampling || resampling->nearest)
              return std::nullopt;
            auto isLarge = [&](int64_t axis) {
              // Extents are below 2^31.
              return axis >= 0 &&
                     from.getDimSize(axis) != to.getDimSize(axis) &&
                     from.getDimSize(axis) * to.getDimSize(axis) >
                         mostResizeWeights;
            };
            int64_t last = lastAxis(resize.getX());
            if (isLarge(last) == isLarge(last - 1))
              return std::nullopt;
            return isLarge(last) ? last : last - 1;
          })
      .Default(std::nullopt);
}

bool ane::mil::needsPieces(Operation *op) { return bool(largeAxis(op)); }

LogicalResult ane::mil::splitResize(LongRows &rows, Replacer &r,
                                    Operation *op) {
  Value x = op->getOperand(0), result = op->getResult(0);
  int64_t axis = lastAxis(x);
  if (!rows.isLong(x) && !rows.isLong(result))
    axis = largeAxis(op).value_or(axis);
  auto pieces = ResizedPieces::get(op, axis, rows.limit);
  if (!pieces)
    return failure();
  bool isAlongRows = axis == lastAxis(x);
  auto take = [&](int64_t from, int64_t taken) {
    return isAlongRows ? rows.take(r, x, from, taken)
                       : r.slice(x, axis, from, taken);
  };
  auto make = [&](int64_t begin, int64_t count) {
    return pieces->make(r, begin, count, take);
  };
  int64_t extent = shapeOf(result)[axis], most = pieces->most;
  if (isAlongRows)
    return rows.become(r, op, rows.assemble(r, extent, most, make));
  Parts list;
  for (int64_t begin = 0; begin < extent; begin += most)
    list.push_back(make(begin, std::min(most, extent - begin)));
  return r.replace(r.concat(list, axis));
}
