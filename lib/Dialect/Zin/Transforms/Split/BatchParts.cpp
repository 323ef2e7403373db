//===- BatchParts.cpp - Some matrices of a batch --------------------------===//

#include "Split/BatchParts.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

std::optional<std::array<IndexRange, 3>>
zin::placeInBatch(ArrayRef<int64_t> whole, IndexRange matrices) {
  std::array<IndexRange, 3> place;
  auto [first, count] = matrices;
  for (unsigned dim = H; dim-- > N;) {
    int64_t part = std::min(count, whole[dim]);
    if (count % part != 0 || whole[dim] % part != 0)
      return std::nullopt;
    place[dim] = {first % whole[dim], part};
    count /= part;
    first /= whole[dim];
  }
  return place;
}

Value zin::partOfJoined(OpBuilder &builder, Location location, Value value,
                        ArrayRef<int64_t> begin, ArrayRef<int64_t> shape) {
  auto joined = value.getDefiningOp<ConcatOp>();
  // One value alone is a copy, which is there to be read.
  if (!joined || joined.getInterleave() || joined.getValues().size() == 1 ||
      shapeOf(value) == shape ||
      shape[joined.getAxis()] != shapeOf(value)[joined.getAxis()] ||
      !llvm::any_of(joined.getValues(), isOfParameter))
    return viewOf(builder, location, value, begin, shape);
  SmallVector<Value> parts;
  for (Value part : joined.getValues()) {
    SmallVector<int64_t> extents(shape);
    extents[joined.getAxis()] = shapeOf(part)[joined.getAxis()];
    parts.push_back(viewOf(builder, location, part, begin, extents));
  }
  return concatAlong(builder, location, parts, joined.getAxis());
}

Value zin::keptBy(Operation *layer) {
  auto reshape = dyn_cast_or_null<ReshapeOp>(layer);
  return reshape && shapeOf(reshape.getX()).take_back(2) ==
                        shapeOf(reshape.getResult()).take_back(2)
             ? reshape.getX()
             : Value();
}

/// Images of a batch lie along the dimensions in front of channels.
static int64_t imagesIn(ArrayRef<int64_t> shape) { return shape[N] * shape[D]; }

int64_t zin::imagesOf(Value value) {
  while (Operation *layer = value.getDefiningOp()) {
    Value before = turnsMatrices(layer) ? layer->getOperand(0) : keptBy(layer);
    if (!before)
      break;
    value = before;
  }
  return imagesIn(shapeOf(value));
}

/// Whether the matrices are of one of several images in front of reshapes.
static bool areOfOneImage(Value value, IndexRange matrices) {
  Operation *layer = value.getDefiningOp();
  if (turnsMatrices(layer))
    return areOfOneImage(layer->getOperand(0), matrices);
  auto place = placeInBatch(shapeOf(value), matrices);
  if (imagesIn(shapeOf(value)) > 1 && place &&
      (*place)[N].count * (*place)[D].count == 1)
    return true;
  Value before = keptBy(layer);
  return before && areOfOneImage(before, matrices);
}

Value zin::matricesOf(OpBuilder &builder, Location location, Value value,
                      IndexRange matrices) {
  Operation *layer = value.getDefiningOp();
  if (turnsMatrices(layer) && areOfOneImage(layer->getOperand(0), matrices))
    return transposeBy(
        builder, location,
        matricesOf(builder, location, layer->getOperand(0), matrices),
        rowsAndColumns);
  if (Value before = keptBy(layer); before && areOfOneImage(before, matrices))
    return matricesOf(builder, location, before, matrices);
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<int64_t> begin(numDims, 0), extents(shape);
  for (auto [dim, range] : llvm::enumerate(*placeInBatch(shape, matrices))) {
    begin[dim] = range.begin;
    extents[dim] = range.count;
  }
  return reshapeTo(builder, location,
                   partOfJoined(builder, location, value, begin, extents),
                   {1, 1, matrices.count, shape[H], shape[W]});
}

/// Joins parts image by image behind the reshape that parts these, if there is
/// one behind a value.
static bool joinImages(OpBuilder &builder, Value value, ArrayRef<Value> parts,
                       int64_t perPart) {
  Value behind = value;
  if (value.hasOneUse() && keptBy(*value.user_begin()))
    behind = value.user_begin()->getResult(0);
  ArrayRef<int64_t> shape = shapeOf(behind);
  unsigned imageDim = shape[N] > 1 ? N : D;
  if (shape[imageDim] == 1 || imagesIn(shape) != shape[imageDim] ||
      shape[C] % perPart != 0)
    return false;
  SmallVector<int64_t> image(shape);
  image[imageDim] = 1;
  SmallVector<Value> images;
  for (; !parts.empty(); parts = parts.drop_front(shape[C] / perPart))
    images.push_back(
        reshapeTo(builder, value.getLoc(),
                  concatAlong(builder, value.getLoc(),
                              parts.take_front(shape[C] / perPart), C),
                  image));
  behind.replaceAllUsesWith(
      concatAlong(builder, value.getLoc(), images, imageDim));
  if (behind != value)
    behind.getDefiningOp()->erase();
  return true;
}

void zin::joinMatrices(OpBuilder &builder, Value value, ArrayRef<Value> parts,
                       int64_t perPart, bool byImages) {
  if (byImages && joinImages(builder, value, parts, perPart))
    return;
  Value whole = concatAlong(builder, value.getLoc(), parts, C);
  value.replaceAllUsesWith(
      reshapeTo(builder, value.getLoc(), whole, shapeOf(value)));
}
