//===- CheckRearrange.cpp - What is known of moved elements ---------------===//

#include "AlongDim.h"
#include "Check/CheckSupport.h"
#include "Moves/Choose.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Scatter.h"
#include "ane/Dialect/MIL/IR/Slice.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// The extent of the dimension that an axis names: the first one, where it is
/// an op on constants still.
int64_t extentAlong(Value x, std::optional<int64_t> axis) {
  ArrayRef<int64_t> shape = milShape(x);
  return shape[mil::fromFront(axis.value_or(0), int64_t(shape.size()))];
}

int64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

} // namespace

/// A slice of which a bound is computed: its extents must be known, and each
/// dimension of which the place is not is a choice.
template <typename Op> LogicalResult SupportChecker::checkComputedSlice(Op op) {
  std::optional<SmallVector<mil::ComputedDim>> dims = mil::getComputedSlice(op);
  if (!dims)
    return requireConstants(op,
                            {{"begin", op.getBegin()}, {"end", op.getEnd()}});
  for (auto [from, dim] : llvm::zip_equal(milShape(op.getX()), *dims))
    if (!dim.begin && failed(checkChosen(op, from, from * dim.extent)))
      return failure();
  return success();
}

LogicalResult SupportChecker::checkOp(mil::SliceByIndexOp op) {
  return mil::getSlice(op) ? success() : checkComputedSlice(op);
}

LogicalResult SupportChecker::checkOp(mil::SliceUpdateOp op) {
  return mil::getSlice(op) ? success() : checkComputedSlice(op);
}

LogicalResult SupportChecker::checkOp(mil::SliceBySizeOp op) {
  if (failed(requireConstants(op, {{"size", op.getSize()}})))
    return failure();
  if (isa_and_nonnull<mil::ConstOp>(op.getBegin().getDefiningOp()))
    return success();
  ArrayRef<int64_t> from = milShape(op.getX()), to = milShape(op.getResult());
  for (auto [axis, extent] : llvm::enumerate(from))
    if (extent != to[axis] &&
        failed(checkChosen(op, extent, extent * to[axis])))
      return failure();
  return success();
}

LogicalResult SupportChecker::checkChosen(Operation *op, int64_t extent,
                                          int64_t elements, StringRef indices) {
  if (extent > largestExactInteger)
    return refuse(op, id("gather-c1"),
                  "a computed index chooses among " + Twine(extent) +
                      " elements; fp16 counts up to " +
                      Twine(largestExactInteger) +
                      ": choose in two steps, or outside the program");
  if (elements > target.maxChosenElements)
    return refuse(op, id("gather-c3"),
                  "choosing by " + indices + " compares " + Twine(elements) +
                      " pairs, the limit is " +
                      Twine(target.maxChosenElements) +
                      "; take fewer elements at a time");
  return success();
}

LogicalResult SupportChecker::checkOp(mil::GatherAlongAxisOp op) {
  if (failed(mil::requireKnownIndices(op)))
    return failure();
  int64_t extent = extentAlong(op.getX(), op.getAxisOrDefault());
  return checkChosen(op, extent, extent * countOf(op.getResult()),
                     mil::getConstantElements(op.getIndices())
                         ? "indices of each row"
                         : computedIndices);
}

LogicalResult SupportChecker::checkOp(mil::GatherNdOp op) {
  if (failed(mil::requireKnownIndices(op)))
    return failure();
  int64_t batchDims = op.getBatchDimsOrDefault().value_or(0);
  ArrayRef<int64_t> tuples = milShape(op.getIndices());
  if (std::optional<KnownPlaces> known = knownPlaces(op))
    return checkMatrix(op, takenMatrixElements(known->places, known->extent));
  int64_t extent =
      llvm::product_of(milShape(op.getX()).slice(batchDims, tuples.back()));
  return checkChosen(op, extent, extent * llvm::product_of(tuples.drop_back()));
}

template <typename Op>
LogicalResult SupportChecker::checkScatter(Op op, int64_t extent,
                                           int64_t elements) {
  if (failed(mil::requireKnownIndices(op)))
    return failure();
  StringRef mode = mil::scatterModeOf(op);
  if (!mil::isScatterOfProducts(mode))
    return refuse(op, id("scatter-c1"),
                  "'mode' is \"" + mode +
                      "\"; updates are added, subtracted or take the place of "
                      "elements: gather those, and scatter what becomes of "
                      "them");
  return checkChosen(op, extent, elements);
}

LogicalResult SupportChecker::checkOp(mil::ScatterOp op) {
  int64_t extent = extentAlong(op.getData(), op.getAxisOrDefault());
  return checkScatter(op, extent, extent * countOf(op.getIndices()));
}

LogicalResult SupportChecker::checkOp(mil::ScatterAlongAxisOp op) {
  int64_t extent = extentAlong(op.getData(), op.getAxisOrDefault());
  return checkScatter(op, extent, extent * countOf(op.getIndices()));
}

LogicalResult SupportChecker::checkOp(mil::ScatterNdOp op) {
  ArrayRef<int64_t> tuples = milShape(op.getIndices());
  int64_t extent = 1, count = 1;
  for (int64_t dim : milShape(op.getData()).take_front(tuples.back()))
    extent *= dim;
  for (int64_t dim : tuples.drop_back())
    count *= dim;
  return checkScatter(op, extent, extent * count);
}

LogicalResult SupportChecker::checkMatrix(Operation *op, int64_t elements) {
  int64_t limit = target.maxKernelSectionBytes / zin::elementBytes;
  if (elements <= limit)
    return success();
  return refuse(op, id("matrix-c1"),
                "it is a product with constant matrices of " + Twine(elements) +
                    " elements, the limit is " + Twine(limit) +
                    "; reshape the dimension, or take it in parts");
}

LogicalResult SupportChecker::checkOp(mil::CumsumOp op) {
  int64_t extent = extentAlong(op.getX(), op.getAxisOrDefault());
  return checkMatrix(op, extent * extent);
}

LogicalResult
SupportChecker::checkResampling(Operation *op,
                                const mil::Resampling &resampling) {
  ArrayRef<int64_t> from = milShape(op->getOperand(0)),
                    to = milShape(op->getResult(0));
  for (size_t axis = from.size() - resampling.dims; axis < from.size();
       ++axis) {
    std::vector<double> places = resampling.places(from[axis], to[axis]);
    if (llvm::equal(places, llvm::seq<int64_t>(0, from[axis])))
      continue;
    // Two elements are weighed for each result, or one is taken.
    SmallVector<int64_t> indices(places.begin(), places.end());
    int64_t elements = resampling.nearest
                           ? takenMatrixElements(indices, from[axis])
                           : from[axis] * to[axis];
    if (failed(checkMatrix(op, elements)))
      return failure();
  }
  return success();
}

LogicalResult SupportChecker::checkOp(mil::ResizeOp op) {
  if (failed(requireConstants(op, {{"shape", op.getShape()}})))
    return failure();
  return checkResampling(op, *mil::getResampling(op));
}

LogicalResult SupportChecker::checkOp(mil::TileOp op) {
  return requireConstants(op, {{"reps", op.getReps()}});
}

LogicalResult SupportChecker::checkOp(mil::PadOp op) {
  return requireConstants(op, {{"pad", op.getPad()}});
}

LogicalResult SupportChecker::checkOp(mil::GatherOp op) {
  if (failed(mil::requireKnownIndices(op)))
    return failure();
  if (std::optional<KnownPlaces> known = knownPlaces(op))
    return checkMatrix(op, takenMatrixElements(known->places, known->extent));
  int64_t extent = extentAlong(op.getX(), op.getAxisOrDefault());
  return checkChosen(op, extent, extent * countOf(op.getIndices()));
}

LogicalResult SupportChecker::checkOp(mil::ReshapeOp op) {
  if (mil::getConstantInts(op.getShape()))
    return success();
  return refuse(op, id("const-c2"),
                "'shape' is not a constant; it must be known at compile time");
}

LogicalResult SupportChecker::checkOp(mil::ReshapeLikeOp op) {
  for (auto [name, bounds] :
       {std::pair("begins", op.getBegins()), std::pair("ends", op.getEnds()),
        std::pair("end_masks", op.getEndMasks())})
    for (Value bound : bounds)
      if (failed(requireConstant(op, bound, name)))
        return failure();
  return success();
}
