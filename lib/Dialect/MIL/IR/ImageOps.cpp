//===- ImageOps.cpp - Resampling of images --------------------------------===//

#include "Inference.h"
#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

constexpr llvm::StringLiteral samplingModes[] = {
    "STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT", "OFFSET_CORNERS",
    "UNALIGN_CORNERS"};
constexpr llvm::StringLiteral boxModes[] = {
    "CORNERS_HEIGHT_FIRST", "CORNERS_WIDTH_FIRST", "CENTER_SIZE_HEIGHT_FIRST",
    "CENTER_SIZE_WIDTH_FIRST"};

/// Constraint `mil-image-c1`.
template <typename Op>
FailureOr<RankedTensorType> checkImage(Op op, int64_t lowest, int64_t highest) {
  auto x = tensorType(op.getX());
  if (x && x.getRank() >= lowest && x.getRank() <= highest)
    return x;
  return refuse(
      op, "mil-image-c1",
      "'x' is " + formatType(op.getX().getType()) + "; it must have " +
          (lowest == highest ? "rank " : "at least rank ") + Twine(lowest));
}
template <typename Op> FailureOr<RankedTensorType> checkImages(Op op) {
  return checkImage(op, 4, 4);
}
template <typename Op> FailureOr<RankedTensorType> checkPlanes(Op op) {
  return checkImage(op, 3, std::numeric_limits<int64_t>::max());
}

/// A size that the op is given. Constraint `mil-image-c2`.
FailureOr<int64_t> readSize(Operation *op, StringRef name,
                            std::optional<int64_t> size) {
  if (size && *size >= 1)
    return *size;
  return refuse(op, "mil-image-c2",
                "'" + name + "' is " +
                    (size ? Twine(*size) : Twine("unknown")) +
                    "; it must be a positive scalar");
}

/// Constraint `mil-image-c3`.
LogicalResult checkMode(Operation *op, StringRef name, Value value,
                        ArrayRef<llvm::StringLiteral> modes) {
  std::optional<StringRef> mode = value ? getConstantString(value) : modes[0];
  if (mode && llvm::is_contained(modes, *mode))
    return success();
  std::string list;
  for (StringRef known : modes)
    list += (list.empty() ? "" : ", ") + known.str();
  return refuse(op, "mil-image-c3",
                "'" + name + "' is \"" + mode.value_or("") + "\"; it may be " +
                    list);
}

/// An image with other last two extents.
RankedTensorType withPlane(RankedTensorType x, int64_t height, int64_t width) {
  SmallVector<int64_t> shape(x.getShape().drop_back(2));
  shape.append({height, width});
  return RankedTensorType::get(shape, x.getElementType());
}

/// floor(extent * factor). A factor in fp32 is multiplied wide, but where a
/// product rounded to fp32 is what the op declares, that is meant: tools
/// compute the extent in either precision, and 5 * 2.6 is 13 in fp32 only.
FailureOr<int64_t> scaleExtent(Operation *op, StringRef name, Value value,
                               int64_t extent, int64_t declared) {
  if (ShapedType::isDynamic(extent))
    return ShapedType::kDynamic;
  std::optional<double> factor = 1;
  if (value) {
    factor = getConstantFloat(value);
    if (std::optional<int64_t> whole = getConstantInt(value))
      factor = static_cast<double>(*whole);
  }
  constexpr double limit = std::numeric_limits<int32_t>::max();
  double wide = factor ? std::floor(static_cast<double>(extent) * *factor) : 0;
  if (!(wide >= 1 && wide <= limit)) {
    std::string text = "?";
    if (factor) {
      text.clear();
      llvm::raw_string_ostream(text) << llvm::format("%g", wide);
    }
    return refuse(op, "mil-image-c2",
                  "'" + name + "' makes " + text + " of extent " +
                      Twine(extent) + "; the result must have 1 to 2^31 - 1");
  }
  double narrow =
      std::floor(static_cast<float>(extent) * static_cast<float>(*factor));
  if (narrow != wide && narrow == static_cast<double>(declared))
    return declared;
  return static_cast<int64_t>(wide);
}

template <typename Op>
LogicalResult inferUpsample(Op op, SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkPlanes(op);
  if (failed(x))
    return failure();
  int64_t rank = x->getRank();
  auto declared = dyn_cast<RankedTensorType>(op.getType());
  if (!declared || declared.getRank() != rank)
    declared = *x;
  FailureOr<int64_t> height =
      scaleExtent(op, "scale_factor_height", op.getScaleFactorHeight(),
                  x->getDimSize(rank - 2), declared.getDimSize(rank - 2));
  FailureOr<int64_t> width =
      scaleExtent(op, "scale_factor_width", op.getScaleFactorWidth(),
                  x->getDimSize(rank - 1), declared.getDimSize(rank - 1));
  if (failed(height) || failed(width))
    return failure();
  types.push_back(withPlane(*x, *height, *width));
  return success();
}

template <typename Op>
LogicalResult inferResize(Op op, std::optional<int64_t> targetHeight,
                          std::optional<int64_t> targetWidth,
                          SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkPlanes(op);
  if (failed(x))
    return failure();
  FailureOr<int64_t> height = readSize(op, "target_size_height", targetHeight);
  FailureOr<int64_t> width = readSize(op, "target_size_width", targetWidth);
  if (failed(height) || failed(width))
    return failure();
  types.push_back(withPlane(*x, *height, *width));
  return success();
}

/// The boxes of `crop_resize` and how many images each gives, before ios17 in a
/// dimension of its own.
struct Boxes {
  int64_t count;
  std::optional<int64_t> images;
};

FailureOr<Boxes> checkBoxes(CropResizeOp op, int64_t batch) {
  Value value = op.getBoxes() ? op.getBoxes() : op.getRoi();
  auto type = value ? tensorType(value) : RankedTensorType();
  auto fits = [&](ArrayRef<int64_t> shape) {
    return type && succeeded(verifyCompatibleShape(type.getShape(), shape));
  };
  constexpr int64_t any = ShapedType::kDynamic;
  if (op.getBoxes() && fits({any, 4}))
    return Boxes{type.getDimSize(0), std::nullopt};
  if (!op.getBoxes() && fits({any, 1, any, 1, 1})) {
    int64_t coordinates = type.getDimSize(2);
    if (ShapedType::isDynamic(coordinates))
      return Boxes{type.getDimSize(0), any};
    if (coordinates == 4 || coordinates == 5)
      return Boxes{type.getDimSize(0), coordinates == 4 ? batch : 1};
  }
  return refuse(
      op, "mil-crop_resize-c1",
      (op.getBoxes() ? "'boxes' is " : "'roi' is ") +
          (value ? formatType(value.getType()) : std::string("absent")) +
          (op.getBoxes() ? "; it must be [N, 4]"
                         : "; it must be [N, 1, 4, 1, 1] or, with an "
                           "index in front, [N, 1, 5, 1, 1]"));
}

} // namespace

LogicalResult
UpsampleNearestNeighborOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferUpsample(*this, types);
}
LogicalResult
ResizeNearestNeighborOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferResize(*this, getConstantInt(getTargetSizeHeight()),
                     getConstantInt(getTargetSizeWidth()), types);
}

LogicalResult UpsampleBilinearOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(inferUpsample(*this, types)))
    return failure();
  std::optional<bool> align = getAlignCornersOrDefault();
  std::optional<bool> half = getBoolOr(getHalfPixelCenters(), false);
  if (align && half && *align && *half)
    return refuse(*this, "mil-upsample_bilinear-c1",
                  "'align_corners' and 'half_pixel_centers' are both true; at "
                  "most one of them may be");
  return success();
}

LogicalResult ResizeBilinearOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(inferResize(*this, getTargetSizeHeightOrDefault(),
                         getTargetSizeWidthOrDefault(), types)))
    return failure();
  return checkMode(*this, "sampling_mode", getSamplingMode(), samplingModes);
}

LogicalResult CropResizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkImages(*this);
  if (failed(x))
    return failure();
  FailureOr<int64_t> height =
      readSize(*this, "target_height", getTargetHeightOrDefault());
  FailureOr<int64_t> width =
      readSize(*this, "target_width", getTargetWidthOrDefault());
  if (failed(height) || failed(width) ||
      failed(checkMode(*this, "box_coordinate_mode", getBoxCoordinateMode(),
                       boxModes)) ||
      failed(
          checkMode(*this, "sampling_mode", getSamplingMode(), samplingModes)))
    return failure();
  int64_t batch = x->getDimSize(0);
  FailureOr<Boxes> boxes = checkBoxes(*this, batch);
  if (failed(boxes))
    return failure();
  if (getBoxIndices()) {
    auto indices = tensorType(getBoxIndices());
    if (!indices || indices.getRank() != 1 ||
        !agree(indices.getDimSize(0), boxes->count))
      return refuse(*this, "mil-crop_resize-c2",
                    "'box_indices' is " +
                        formatType(getBoxIndices().getType()) +
                        "; it must have one entry for each of the " +
                        Twine(boxes->count) + " boxes");
  } else if (getBoxes() && !agree(boxes->count, batch) &&
             boxes->count > batch) {
    return refuse(*this, "mil-crop_resize-c2",
                  "there are " + Twine(boxes->count) + " boxes for " +
                      Twine(batch) + " images; give 'box_indices'");
  }
  if (getBoxes() && getNormalizedCoordinatesOrDefault() == true &&
      !isa<FloatType>(tensorType(getBoxes()).getElementType()))
    return refuse(*this, "mil-crop_resize-c3",
                  "'boxes' is " + formatType(getBoxes().getType()) +
                      "; normalized coordinates must be fp16 or fp32");
  SmallVector<int64_t> shape = {boxes->count};
  if (boxes->images)
    shape.push_back(*boxes->images);
  shape.append({x->getDimSize(1), *height, *width});
  types.push_back(RankedTensorType::get(shape, x->getElementType()));
  return success();
}

LogicalResult CropOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkPlanes(*this);
  if (failed(x))
    return failure();
  int64_t left[2];
  std::pair<StringRef, Value> inputs[] = {{"crop_height", getCropHeight()},
                                          {"crop_width", getCropWidth()}};
  for (auto [i, input] : llvm::enumerate(inputs)) {
    std::optional<SmallVector<int64_t>> cut = getConstantInts(input.second);
    if (!cut)
      return keepDeclared(*this, types);
    if (cut->size() != 2 || (*cut)[0] < 0 || (*cut)[1] < 0)
      return refuse(*this, "mil-crop-c1",
                    "'" + input.first + "' is " + formatShape(*cut) +
                        "; it must have two entries of at least 0");
    int64_t extent = x->getDimSize(x->getRank() - 2 + i);
    left[i] = extent;
    if (ShapedType::isDynamic(extent))
      continue;
    left[i] = extent - (*cut)[0] - (*cut)[1];
    if (left[i] < 1)
      return refuse(*this, "mil-crop-c2",
                    "'" + input.first + "' is " + formatShape(*cut) +
                        ", which leaves nothing of extent " + Twine(extent));
  }
  types.push_back(withPlane(*x, left[0], left[1]));
  return success();
}

LogicalResult AffineOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkImages(*this);
  if (failed(x))
    return failure();
  auto matrix = tensorType(getTransformMatrix());
  if (!matrix || matrix.getRank() != 2 || !agree(matrix.getDimSize(1), 6) ||
      (matrix.getDimSize(0) != 1 &&
       !agree(matrix.getDimSize(0), x->getDimSize(0))))
    return refuse(*this, "mil-affine-c1",
                  "'transform_matrix' is " +
                      formatType(getTransformMatrix().getType()) +
                      "; it must be [1, 6] or have a row for each of the " +
                      Twine(x->getDimSize(0)) + " images");
  FailureOr<int64_t> height =
      readSize(*this, "output_height", getConstantInt(getOutputHeight()));
  FailureOr<int64_t> width =
      readSize(*this, "output_width", getConstantInt(getOutputWidth()));
  if (failed(height) || failed(width) ||
      failed(
          checkMode(*this, "sampling_mode", getSamplingMode(), {"bilinear"})) ||
      failed(
          checkMode(*this, "padding_mode", getPaddingMode(), {"constant"})) ||
      failed(checkMode(*this, "coordinates_mode", getCoordinatesMode(),
                       {"normalized_minus_one_to_one"})))
    return failure();
  if (getConstantFloat(getPaddingValue()).value_or(0) != 0 ||
      !getConstantBool(getAlignCorners()).value_or(true))
    return refuse(*this, "mil-affine-c2",
                  "the op has 'padding_value' 0 and 'align_corners' true only; "
                  "use resample for others");
  types.push_back(withPlane(*x, *height, *width));
  return success();
}

LogicalResult ResampleOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> x = checkImages(*this);
  if (failed(x))
    return failure();
  auto coordinates = tensorType(getCoordinates());
  if (!coordinates || coordinates.getRank() != 4 ||
      !agree(coordinates.getDimSize(0), x->getDimSize(0)) ||
      !agree(coordinates.getDimSize(3), 2))
    return refuse(*this, "mil-resample-c1",
                  "'coordinates' is " + formatType(getCoordinates().getType()) +
                      "; it must be [" + Twine(x->getDimSize(0)) +
                      ", H, W, 2], with the batch of 'x'");
  if (failed(checkMode(*this, "sampling_mode", getSamplingMode(),
                       {"bilinear", "nearest"})) ||
      failed(checkMode(*this, "padding_mode", getPaddingMode(),
                       {"constant", "border", "reflection", "symmetric"})) ||
      failed(checkMode(*this, "coordinates_mode", getCoordinatesMode(),
                       {"unnormalized", "normalized_minus_one_to_one",
                        "normalized_zero_to_one"})))
    return failure();
  types.push_back(
      withPlane(*x, coordinates.getDimSize(1), coordinates.getDimSize(2)));
  return success();
}

LogicalResult ResizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), shape = tensorType(getShape());
  if (!x || !shape || shape.getRank() != 1 ||
      (!shape.isDynamicDim(0) && shape.getDimSize(0) > x.getRank()))
    return refuse(*this, "mil-resize-c1",
                  "'shape' is " + formatType(getShape().getType()) +
                      " and 'x' " + formatType(getX().getType()) +
                      "; 'shape' must have rank 1 and at most as many entries "
                      "as 'x' has dimensions");
  if (failed(checkMode(*this, "interpolation_mode", getInterpolationMode(),
                       {"LINEAR", "NEAREST_NEIGHBOR"})) ||
      failed(
          checkMode(*this, "sampling_mode", getSamplingMode(), samplingModes)))
    return failure();
  int64_t entries = shape.getDimSize(0);
  std::optional<int64_t> resized = getConstantInt(getResizedDims());
  if (!resized || shape.isDynamicDim(0))
    return keepDeclared(*this, types);
  if (*resized < 0 || *resized > entries)
    return refuse(*this, "mil-resize-c2",
                  "'resized_dims' is " + Twine(*resized) +
                      "; 'shape' has only " +
                      counted(entries, "entry", "entries"));
  SmallVector<int64_t> result(x.getShape());
  std::optional<SmallVector<int64_t>> extents = getConstantInts(getShape());
  for (int64_t i = 1; i <= *resized; ++i) {
    int64_t &extent = result[x.getRank() - i];
    if (!extents) {
      extent = ShapedType::kDynamic;
      continue;
    }
    int64_t entry = (*extents)[entries - i];
    if (entry < 0 || entry > std::numeric_limits<int32_t>::max())
      return refuse(*this, "mil-image-c2",
                    "an entry of 'shape' is " + Twine(entry) +
                        "; it must be 1 to 2^31 - 1, or 0 for the extent of "
                        "'x'");
    if (entry > 0)
      extent = entry;
  }
  types.push_back(RankedTensorType::get(result, x.getElementType()));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILImageOps.cpp.inc"

void MILDialect::registerImageOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILImageOps.cpp.inc"
      >();
}
