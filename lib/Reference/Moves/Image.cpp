//===- Image.cpp - Resampling of images -----------------------------------===//

#include "IndexSpace.h"
#include "Moves/Sampling.h"
#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/CropBoxes.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// `x` at places along one axis, each between 0 and the last element.
/// `combine(from, stride, place)` gives an element from a column.
template <typename T, typename Fn>
Tensor alongAxis(const Tensor &x, int64_t axis, ArrayRef<double> places,
                 Fn combine) {
  SmallVector<int64_t> shape(x.getShape());
  shape[axis] = places.size();
  Tensor result(x.getType().clone(shape));
  AxisSplit split(x.getShape(), axis);
  const T *from = x.values<T>().data();
  T *to = result.values<T>().data();
  for (int64_t o = 0; o < split.outer; ++o, from += split.extent * split.inner)
    for (double place : places)
      for (int64_t n = 0; n < split.inner; ++n)
        *to++ = combine(from + n, split.inner, place);
  return result;
}

Tensor interpolate(const Tensor &x, int64_t axis, ArrayRef<double> places) {
  return alongAxis<double>(
      x, axis, places, [](const double *from, int64_t stride, double place) {
        auto first = static_cast<int64_t>(place);
        double weight = place - static_cast<double>(first);
        double value = from[first * stride];
        if (weight == 0)
          return value;
        return (1 - weight) * value + weight * from[(first + 1) * stride];
      });
}

/// The elements at places, which are whole numbers.
Tensor take(const Tensor &x, int64_t axis, ArrayRef<double> places) {
  return withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    return alongAxis<T>(x, axis, places,
                        [](const T *from, int64_t stride, double place) {
                          return from[static_cast<int64_t>(place) * stride];
                        });
  });
}

/// Brings each axis from `first` on to the extent that the result has there:
/// `step(x, axis, extent)`. Those that shrink come first, so that nothing
/// between is larger than operand and result.
template <typename Fn>
Tensor alongAxes(const Tensor &x, RankedTensorType type, int64_t first,
                 Fn step) {
  if (x.getNumElements() == 0 || type.getNumElements() == 0)
    return Tensor(type);
  Tensor result = x;
  for (bool grow : {false, true})
    for (int64_t axis = first; axis < type.getRank(); ++axis)
      if ((type.getDimSize(axis) > result.getDimSize(axis)) == grow)
        result = step(result, axis, type.getDimSize(axis));
  return result;
}

/// Resizes the axes from `first` on. Between them values stay wide.
template <typename Op>
Tensor resizeAxes(Op op, const Tensor &x, int64_t first) {
  Resampling resampling = *getResampling(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto step = [&](const Tensor &from, int64_t axis, int64_t extent) {
    std::vector<double> places =
        resampling.places(from.getDimSize(axis), extent);
    return resampling.nearest ? take(from, axis, places)
                              : interpolate(from, axis, places);
  };
  if (resampling.nearest || x.isFloat())
    return alongAxes(x, type, first, step);
  auto fp64 = Float64Type::get(op.getContext());
  return convert(alongAxes(convert(x, fp64), type.clone(fp64), first, step),
                 type.getElementType());
}

/// An op that resizes rows and columns.
template <typename Op> Tensor resizeImage(Op op, Inputs<Op> in) {
  return resizeAxes(op, *in.getX(),
                    cast<RankedTensorType>(op.getType()).getRank() - 2);
}

Tensor resize(ResizeOp op, Inputs<ResizeOp> in) {
  return resizeAxes(op, *in.getX(),
                    cast<RankedTensorType>(op.getType()).getRank() -
                        in.getResizedDims()->ints().front());
}

Tensor crop(CropOp op, Inputs<CropOp> in) {
  Tensor result = resultOf(op);
  const Tensor &x = *in.getX();
  const double *from = x.floats().data() + in.getCropWidth()->ints().front() +
                       in.getCropHeight()->ints().front() * x.getShape().back();
  double *to = result.floats().data();
  forEachIndex<1>(
      result.getShape(), {rowMajorStrides(x.getShape())},
      [&](const std::array<int64_t, 1> &at) { *to++ = from[at[0]]; });
  return result;
}

/// The places of one box, rows and columns.
struct Box {
  std::vector<double> rows, columns;
};

/// One box of one image: all channels. A place outside takes the padding as a
/// whole; its neighbours inside do not count. Without padding the image is
/// mirrored there.
void cropBox(const Tensor &x, int64_t image, const Box &box,
             std::optional<double> padValue, double *out) {
  int64_t height = x.getDimSize(2), width = x.getDimSize(3);
  for (int64_t channel = 0; channel < x.getDimSize(1); ++channel) {
    int64_t plane = image * x.getDimSize(1) + channel;
    Image source = {x.floats().slice(plane * height * width, height * width),
                    height, width,
                    padValue ? Padding::Border : Padding::Reflection, 0};
    for (double row : box.rows)
      for (double column : box.columns)
        *out++ =
            !padValue || (liesInside(row, height) && liesInside(column, width))
                ? source.bilinear(row, column)
                : *padValue;
  }
}

FailureOr<Tensor> cropResize(CropResizeOp op, Inputs<CropResizeOp> in) {
  Tensor result = resultOf(op);
  const Tensor &x = *in.getX();
  int64_t batch = x.getDimSize(0);
  auto fp64 = Float64Type::get(op.getContext());
  Tensor numbers = convert(in.getBoxes() ? *in.getBoxes() : *in.getRoi(), fp64);
  CropBoxes boxes{numbers.floats(), numbers.getDimSize(0)};
  std::optional<Tensor> indices;
  if (in.getBoxIndices())
    indices = convert(*in.getBoxIndices(), fp64);
  std::optional<SmallVector<double>> images = imagesOfBoxes(
      op, boxes,
      indices ? ArrayRef<double>(indices->floats()) : ArrayRef<double>());
  if (images)
    if (std::string lost = findBoxWithoutImage(*images, batch); !lost.empty())
      return report(op) << lost;

  std::optional<double> padValue;
  if (!mirrorsOutside(op))
    padValue = in.getFloat("pad_value");
  int64_t imagesOfBox = images ? 1 : batch;
  int64_t crops = boxes.count * imagesOfBox;
  int64_t size = crops ? result.getNumElements() / crops : 0;
  ArrayRef<int64_t> target = result.getShape().take_back(2);
  BoxConvention convention = getBoxConvention(
      op, in.getBool("normalized_coordinates"), in.getFloat("spatial_scale"));
  mlir::parallelFor(op.getContext(), 0, crops, [&](size_t crop) {
    int64_t n = crop / imagesOfBox;
    ArrayRef<double> box = boxes.coordinates(n);
    Box places = {
        convention.places(box, /*isWidth=*/false, x.getDimSize(2), target[0]),
        convention.places(box, /*isWidth=*/true, x.getDimSize(3), target[1])};
    int64_t image = images ? static_cast<int64_t>((*images)[n])
                           : int64_t(crop % imagesOfBox);
    cropBox(x, image, places, padValue, result.floats().data() + crop * size);
  });
  return result;
}

/// Fills each place of a result [B, C, H, W] with the image at `place(b, h,
/// w)`, a row and a column.
template <typename Fn>
Tensor sampleImages(Operation *op, const Tensor &x, Padding padding,
                    double paddingValue, bool nearest, Fn place) {
  Tensor result = resultOf(op);
  ArrayRef<int64_t> shape = result.getShape();
  int64_t size = x.getDimSize(2) * x.getDimSize(3), area = shape[2] * shape[3];
  mlir::parallelFor(op->getContext(), 0, shape[0] * shape[2], [&](size_t task) {
    int64_t b = task / shape[2], h = task % shape[2];
    for (int64_t w = 0; w < shape[3]; ++w) {
      std::pair<double, double> at = place(b, h, w);
      for (int64_t c = 0; c < shape[1]; ++c) {
        int64_t plane = b * shape[1] + c;
        Image image = {x.floats().slice(plane * size, size), x.getDimSize(2),
                       x.getDimSize(3), padding, paddingValue};
        result.floats()[plane * area + h * shape[3] + w] =
            nearest ? image.nearest(at.first, at.second)
                    : image.bilinear(at.first, at.second);
      }
    }
  });
  return result;
}

/// A coordinate from -1 to 1 as a place, the ends at the outer elements.
double fromUnit(double coordinate, int64_t extent) {
  return (coordinate + 1) / 2 * static_cast<double>(extent - 1);
}

Tensor affine(AffineOp op, Inputs<AffineOp> in) {
  const Tensor &x = *in.getX(), &matrices = *in.getTransformMatrix();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getType()).getShape();
  auto toUnit = [](int64_t i, int64_t extent) {
    return extent == 1
               ? -1.0
               : 2 * static_cast<double>(i) / static_cast<double>(extent - 1) -
                     1;
  };
  return sampleImages(
      op, x, Padding::Constant, 0, /*nearest=*/false,
      [&](int64_t b, int64_t h, int64_t w) {
        const double *m = matrices.floats().data() +
                          (matrices.getDimSize(0) == 1 ? 0 : b * 6);
        double column = toUnit(w, shape[3]), row = toUnit(h, shape[2]);
        return std::pair(
            fromUnit(m[3] * column + m[4] * row + m[5], x.getDimSize(2)),
            fromUnit(m[0] * column + m[1] * row + m[2], x.getDimSize(3)));
      });
}

Tensor resample(ResampleOp op, Inputs<ResampleOp> in) {
  const Tensor &x = *in.getX();
  Tensor coordinates =
      convert(*in.getCoordinates(), Float64Type::get(op.getContext()));
  StringRef mode = getConstantString(op.getCoordinatesMode()).value_or("");
  StringRef paddingMode = getConstantString(op.getPaddingMode()).value_or("");
  bool align = in.getBool("align_corners");
  Padding padding = paddingMode == "border"       ? Padding::Border
                    : paddingMode == "reflection" ? Padding::Reflection
                    : paddingMode == "symmetric"  ? Padding::Symmetric
                                                  : Padding::Constant;
  auto place = [&](double v, int64_t extent) {
    if (mode == "unnormalized")
      return v;
    double part = mode == "normalized_zero_to_one" ? v : (v + 1) / 2;
    auto n = static_cast<double>(extent);
    return align ? part * (n - 1) : part * n - 0.5;
  };
  ArrayRef<int64_t> shape = coordinates.getShape();
  return sampleImages(op, x, padding, in.getFloat("padding_value"),
                      getConstantString(op.getSamplingMode()) == "nearest",
                      [&](int64_t b, int64_t h, int64_t w) {
                        const double *v =
                            coordinates.floats().data() +
                            ((b * shape[1] + h) * shape[2] + w) * 2;
                        return std::pair(place(v[1], x.getDimSize(2)),
                                         place(v[0], x.getDimSize(3)));
                      });
}

} // namespace

void ane::reference::registerImageOps(OpTable &table) {
  table.add<UpsampleNearestNeighborOp>(resizeImage<UpsampleNearestNeighborOp>);
  table.add<ResizeNearestNeighborOp>(resizeImage<ResizeNearestNeighborOp>);
  table.add<UpsampleBilinearOp>(resizeImage<UpsampleBilinearOp>);
  table.add<ResizeBilinearOp>(resizeImage<ResizeBilinearOp>);
  table.add<CropResizeOp>(cropResize);
  table.add<CropOp>(crop);
  table.add<AffineOp>(affine);
  table.add<ResampleOp>(resample);
  table.add<ResizeOp>(resize, OpTable::ShapeFrom::Values);
}
