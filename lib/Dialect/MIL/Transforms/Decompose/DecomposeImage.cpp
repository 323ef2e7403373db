//===- DecomposeImage.cpp - Images at places between their elements -------===//
//
// A sample is a sum of elements with weights: images times a matrix. Where the
// places are known the matrix is a constant. Computed ones give weights
// 1 - |place - i|, or 0 where that is negative, for each row and each column i.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/CropBoxes.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Those of one that are all finite. Others are as good as computed ones.
std::optional<SmallVector<double>> finiteNumbersOf(Value value) {
  std::optional<SmallVector<double>> numbers = getConstantNumbers(value);
  if (numbers &&
      !llvm::all_of(*numbers, [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  return numbers;
}

RankedTensorType floatType(Value value) {
  RankedTensorType type = staticType(value);
  return type && isa<FloatType>(type.getElementType()) ? type
                                                       : RankedTensorType();
}

enum class Padding { Constant, Border, Reflection, Symmetric };

/// A place moved to where the image has what lies there.
double foldPlace(double place, int64_t extent, Padding padding) {
  double last = double(extent - 1);
  if (padding == Padding::Reflection && last > 0)
    place -= 2 * last * std::floor(place / (2 * last));
  if (padding == Padding::Reflection && place > last)
    place = 2 * last - place;
  if (padding == Padding::Symmetric) {
    double period = 2 * last + 2;
    place -= period * std::floor(place / period);
    place = std::min(place, period - 1 - place);
  }
  return padding == Padding::Constant ? place : std::clamp(place, 0.0, last);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Weights [places, extent] of the two elements around each place; none for a
/// place outside.
SmallVector<double> weightsAt(ArrayRef<double> places, int64_t extent) {
  SmallVector<double> weights(places.size() * extent, 0);
  for (auto [row, place] : llvm::enumerate(places)) {
    if (!liesInside(place, extent))
      continue;
    auto first = static_cast<int64_t>(place);
    double part = place - double(first);
    weights[row * extent + first] = 1 - part;
    if (part > 0)
      weights[row * extent + first + 1] = part;
  }
  return weights;
}

/// Rows or columns of an image where a box has samples.
struct BoxSide {
  int64_t extent; ///< of the image
  SmallVector<double> places;
};

struct CropResizeRule : OpRewritePattern<CropResizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CropResizeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = floatType(op.getX()),
                     result = staticType(op.getResult());
    Value given = op.getBoxes() ? op.getBoxes() : op.getRoi();
    bool mirrors = mirrorsOutside(op);
    std::optional<SmallVector<double>> numbers;
    if (given)
      numbers = mirrors ? finiteNumbersOf(given) : getConstantNumbers(given);
    std::optional<double> scale = op.getSpatialScaleOrDefault(),
                          outside = op.getPadValueOrDefault();
    std::optional<bool> normalized = op.getNormalizedCoordinatesOrDefault();
    if (!type || !result || !numbers || !scale || !outside || !normalized)
      return rewriter.notifyMatchFailure(op, "a box is computed");
    // The matrices would be as large.
    if (!fitsEngine(type.getShape()) || !fitsEngine(result.getShape()))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    CropBoxes boxes{*numbers, shapeOf(given)[0]};
    std::optional<SmallVector<double>> indices;
    if (op.getBoxIndices() &&
        !(indices = getConstantNumbers(op.getBoxIndices())))
      return rewriter.notifyMatchFailure(op, "boxes of computed images");
    std::optional<SmallVector<double>> images = imagesOfBoxes(
        op, boxes, indices ? ArrayRef<double>(*indices) : ArrayRef<double>());
    if (boxes.count > mostBoxes ||
        (images && !findBoxWithoutImage(*images, type.getDimSize(0)).empty()))
      return rewriter.notifyMatchFailure(op, "many boxes, or of no image");

    Replacer r(rewriter, op);
    BoxConvention convention = getBoxConvention(op, *normalized, *scale);
    ArrayRef<int64_t> target = result.getShape().take_back(2);
    auto side = [&](int64_t box, bool isWidth) {
      BoxSide along{type.getDimSize(isWidth ? 3 : 2), {}};
      for (double place : convention.places(boxes.coordinates(box), isWidth,
                                            along.extent, target[isWidth]))
        along.places.push_back(
            mirrors ? foldPlace(place, along.extent, Padding::Reflection)
                    : place);
      return along;
    };
    SmallVector<Value> crops;
    for (int64_t n = 0; n < boxes.count; ++n) {
      Value image =
          images ? r.slice(op.getX(), 0, static_cast<int64_t>((*images)[n]), 1)
                 : op.getX();
      crops.push_back(crop(r, image, side(n, /*isWidth=*/false),
                           side(n, /*isWidth=*/true), *outside));
    }
    return r.replace(r.reshape(r.concat(crops, 0), result.getShape()));
  }

private:
  /// rows * image * columns, and `outside` for what lies there.
  static Value crop(Replacer &r, Value image, const BoxSide &rows,
                    const BoxSide &columns, double outside) {
    auto matrix = [&](const BoxSide &side) {
      return r.tensor(weightsAt(side.places, side.extent),
                      {1, 1, int64_t(side.places.size()), side.extent}, image);
    };
    Value y = r.product(matrix(rows),
                        r.product(image, matrix(columns), /*transposeY=*/true));
    SmallVector<double> rest;
    for (double row : rows.places)
      for (double column : columns.places)
        rest.push_back(liesInside(row, rows.extent) &&
                               liesInside(column, columns.extent)
                           ? 0
                           : outside);
    if (llvm::all_of(rest, [](double value) { return value == 0; }))
      return y;
    return r.binary<AddOp>(y, r.tensor(rest,
                                       {1, 1, int64_t(rows.places.size()),
                                        int64_t(columns.places.size())},
                                       image));
  }
};

//===----------------------------------------------------------------------===//
// Places one by one
//===----------------------------------------------------------------------===//

/// How places are told and read.
struct Sampler {
  Padding padding;
  bool nearest;
  double outside; ///< what lies outside, of Padding::Constant
};

/// place = coordinate * factor + offset.
struct PlaceMap {
  double factor, offset;

  double operator()(double coordinate) const {
    return coordinate * factor + offset;
  }
};

PlaceMap placeMap(StringRef mode, bool align, int64_t extent) {
  double n = double(extent), last = n - 1;
  if (mode == "unnormalized")
    return {1, 0};
  if (mode == "normalized_zero_to_one")
    return align ? PlaceMap{last, 0} : PlaceMap{n, -0.5};
  return align ? PlaceMap{last / 2, last / 2} : PlaceMap{n / 2, n / 2 - 0.5};
}

/// `y(first, count)`, [N, C, count], for as many of the samples of an image at
/// a time as their weights allow, joined.
template <typename PartFn>
Value inParts(Replacer &r, ArrayRef<int64_t> x, int64_t samples, PartFn y) {
  int64_t most =
      std::max<int64_t>(mostWeights / (llvm::product_of(x) / x[1]), 1);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < samples; first += most)
    parts.push_back(y(first, std::min(most, samples - first)));
  return r.concat(parts, 2);
}

/// Images at known coordinates, column and row of each sample: x times a
/// matrix.
Value sampleKnown(Replacer &r, Value x, ArrayRef<double> coordinates,
                  PlaceMap rowMap, PlaceMap columnMap, ArrayRef<int64_t> result,
                  const Sampler &sampler) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t height = shape[2], width = shape[3], elements = height * width;
  int64_t samples = result[2] * result[3],
          batch = int64_t(coordinates.size()) / 2 / samples;
  Value images = r.reshape(x, {shape[0], shape[1], elements});
  auto part = [&](int64_t first, int64_t count) {
    SmallVector<double> matrix(batch * count * elements, 0),
        rest(batch * count, sampler.outside);
    for (int64_t i = 0; i < batch * count; ++i) {
      int64_t sample = i / count * samples + first + i % count;
      double column = columnMap(coordinates[2 * sample]),
             row = rowMap(coordinates[2 * sample + 1]);
      // Two elements each way; the second one of a whole number has no weight.
      double top = sampler.nearest ? std::nearbyint(row) : std::floor(row),
             left =
                 sampler.nearest ? std::nearbyint(column) : std::floor(column);
      for (int64_t dy : {0, 1})
        for (int64_t dx : {0, 1}) {
          double below = sampler.nearest ? 0 : row - top,
                 right = sampler.nearest ? 0 : column - left;
          double weight = (dy ? below : 1 - below) * (dx ? right : 1 - right);
          double y = foldPlace(top + double(dy), height, sampler.padding),
                 z = foldPlace(left + double(dx), width, sampler.padding);
          if (weight == 0 || y < 0 || y >= double(height) || z < 0 ||
              z >= double(width))
            continue;
          auto at = static_cast<int64_t>(y) * width + static_cast<int64_t>(z);
          matrix[i * elements + at] += weight;
          rest[i] -= weight * sampler.outside;
        }
    }
    Value y = r.product(images, r.tensor(matrix, {batch, count, elements}, x),
                        /*transposeY=*/true);
    if (llvm::any_of(rest, [](double value) { return value != 0; }))
      y = r.binary<AddOp>(y, r.tensor(rest, {batch, 1, count}, x));
    return y;
  };
  return r.reshape(inParts(r, shape, samples, part), result);
}

/// Weights [batch, samples, extent] of the elements along one side, from
/// coordinates [batch, samples, 1].
Value computedWeights(Replacer &r, Value coordinates, PlaceMap map,
                      int64_t extent, const Sampler &sampler) {
  double last = double(extent - 1);
  auto clip = [&](Value value, double low, double high) {
    return r.binary<MinimumOp>(r.binary<MaximumOp>(value, r.scalar(low, value)),
                               r.scalar(high, value));
  };
  // All places: [extent].
  auto along = [&](auto number) {
    SmallVector<double> numbers;
    for (int64_t i = 0; i < extent; ++i)
      numbers.push_back(number(double(i)));
    return r.tensor(numbers, extent, coordinates);
  };
  bool folds = sampler.padding == Padding::Reflection ||
               sampler.padding == Padding::Symmetric;
  if (!sampler.nearest && !folds && map.factor > 0) {
    // |coordinate - place of i|, where that is in two parts: their differences
    // are exact near 0.
    if (sampler.padding == Padding::Border)
      coordinates = clip(coordinates, -map.offset / map.factor,
                         (last - map.offset) / map.factor);
    auto placeOf = [&](double i) { return (i - map.offset) / map.factor; };
    auto high = [&](double i) {
      return halfToDouble(halfFromDouble(placeOf(i)));
    };
    Value far = r.binary<SubOp>(coordinates, along(high));
    far = r.binary<SubOp>(
        far, along([&](double i) { return placeOf(i) - high(i); }));
    far = r.binary<MulOp>(r.unary<AbsOp>(far), -map.factor);
    return r.unary<ReluOp>(r.binary<AddOp>(far, 1));
  }
  Value place =
      r.binary<AddOp>(r.binary<MulOp>(coordinates, map.factor), map.offset);
  if (sampler.nearest)
    place = r.unary<RoundOp>(place);
  if (folds && (last > 0 || sampler.padding == Padding::Symmetric)) {
    double period = 2 * last + (sampler.padding == Padding::Symmetric ? 2 : 0);
    Value turns = r.unary<FloorOp>(r.binary<MulOp>(place, 1 / period));
    place = r.binary<SubOp>(place, r.binary<MulOp>(turns, period));
    double edge = sampler.padding == Padding::Symmetric ? period - 1 : period;
    Value mirrored = r.binary<AddOp>(r.binary<MulOp>(place, -1), edge);
    place = r.binary<MinimumOp>(place, mirrored);
  }
  if (sampler.padding != Padding::Constant)
    place = clip(place, 0, last);
  Value far =
      r.unary<AbsOp>(r.binary<SubOp>(place, along([](double i) { return i; })));
  return r.unary<ReluOp>(r.binary<AddOp>(r.binary<MulOp>(far, -1), 1));
}

/// Images at places that are computed from coordinates [batch, samples, 1].
Value sampleComputed(Replacer &r, Value x, Value rows, PlaceMap rowMap,
                     Value columns, PlaceMap columnMap,
                     ArrayRef<int64_t> result, const Sampler &sampler) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t batch = shapeOf(rows)[0], samples = shapeOf(rows)[1],
          height = shape[2], width = shape[3];
  Value images = r.reshape(x, {shape[0], shape[1], height * width});
  auto part = [&](int64_t first, int64_t count) {
    auto ofPart = [&](Value places) {
      return r.slice(places, 1, first, count);
    };
    Value byRow = computedWeights(r, ofPart(rows), rowMap, height, sampler);
    Value byColumn =
        computedWeights(r, ofPart(columns), columnMap, width, sampler);
    Value weights =
        r.binary<MulOp>(r.reshape(byRow, {batch, count, height, 1}),
                        r.reshape(byColumn, {batch, count, 1, width}));
    Value y =
        r.product(images, r.reshape(weights, {batch, count, height * width}),
                  /*transposeY=*/true);
    if (sampler.padding == Padding::Constant && sampler.outside != 0) {
      Value inside = r.binary<MulOp>(
          r.reduce<ReduceSumOp>(byRow, 2, /*keepDims=*/false),
          r.reduce<ReduceSumOp>(byColumn, 2, /*keepDims=*/false));
      Value rest = r.binary<AddOp>(r.binary<MulOp>(inside, -sampler.outside),
                                   sampler.outside);
      y = r.binary<AddOp>(y, r.reshape(rest, {batch, 1, count}));
    }
    return y;
  };
  return r.reshape(inParts(r, shape, samples, part), result);
}

/// Whether there are as few weights as this.
bool isSmall(ArrayRef<int64_t> x, ArrayRef<int64_t> result, int64_t weights) {
  int64_t elements = x[2] * x[3], samples = result[2] * result[3];
  return elements > 0 && samples > 0 && elements <= mostSamples &&
         samples <= mostSamples && x[0] * elements * samples <= weights;
}

struct ResampleRule : OpRewritePattern<ResampleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ResampleOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = floatType(op.getX()),
                     places = staticType(op.getCoordinates()),
                     result = staticType(op.getResult());
    std::optional<bool> align = getConstantBool(op.getAlignCorners());
    std::optional<double> outside = getConstantFloat(op.getPaddingValue());
    if (!type || !places || !result || !align || !outside ||
        !isSmall(type.getShape(), result.getShape(), mostAllWeights))
      return rewriter.notifyMatchFailure(op, "too large, or an extent unknown");
    StringRef padding = getConstantString(op.getPaddingMode()).value_or(""),
              mode = getConstantString(op.getCoordinatesMode()).value_or("");
    Sampler sampler = {padding == "border"       ? Padding::Border
                       : padding == "reflection" ? Padding::Reflection
                       : padding == "symmetric"  ? Padding::Symmetric
                                                 : Padding::Constant,
                       getConstantString(op.getSamplingMode()) == "nearest",
                       *outside};
    if (sampler.padding != Padding::Constant)
      sampler.outside = 0;
    PlaceMap rowMap = placeMap(mode, *align, type.getDimSize(2)),
             columnMap = placeMap(mode, *align, type.getDimSize(3));
    Replacer r(rewriter, op);
    if (std::optional<SmallVector<double>> known =
            finiteNumbersOf(op.getCoordinates());
        known && isSmall(type.getShape(), result.getShape(), mostKnownWeights))
      return r.replace(sampleKnown(r, op.getX(), *known, rowMap, columnMap,
                                   result.getShape(), sampler));
    Value coordinates = r.reshape(
        r.convert(op.getCoordinates(), op.getX()),
        {places.getDimSize(0), places.getDimSize(1) * places.getDimSize(2), 2});
    return r.replace(sampleComputed(r, op.getX(), r.slice(coordinates, 2, 1, 1),
                                    rowMap, r.slice(coordinates, 2, 0, 1),
                                    columnMap, result.getShape(), sampler));
  }
};

struct AffineRule : OpRewritePattern<AffineOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AffineOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = floatType(op.getX()),
                     transforms = staticType(op.getTransformMatrix()),
                     result = staticType(op.getResult());
    if (!type || !transforms || !result ||
        !isSmall(type.getShape(), result.getShape(), mostAllWeights))
      return rewriter.notifyMatchFailure(op, "too large, or an extent unknown");
    constexpr int64_t entries = 6;
    Sampler sampler = {Padding::Constant, /*nearest=*/false, /*outside=*/0};
    auto unitMap = [&](int64_t extent) {
      return placeMap("normalized_minus_one_to_one", /*align=*/true, extent);
    };
    PlaceMap rowMap = unitMap(type.getDimSize(2)),
             columnMap = unitMap(type.getDimSize(3));
    int64_t batch = transforms.getDimSize(0), height = result.getDimSize(2),
            width = result.getDimSize(3), samples = height * width;
    // Column, row and 1 of each sample: [3, samples].
    SmallVector<double> grid(3 * samples, 1);
    auto toUnit = [](int64_t i, int64_t extent) {
      return extent == 1 ? -1.0 : 2 * double(i) / double(extent - 1) - 1;
    };
    for (int64_t i = 0; i < samples; ++i) {
      grid[i] = toUnit(i % width, width);
      grid[samples + i] = toUnit(i / width, height);
    }
    Replacer r(rewriter, op);
    if (std::optional<SmallVector<double>> known =
            finiteNumbersOf(op.getTransformMatrix());
        known &&
        isSmall(type.getShape(), result.getShape(), mostKnownWeights)) {
      SmallVector<double> coordinates;
      for (int64_t b = 0; b < batch; ++b) {
        const double *m = known->data() + b * entries;
        for (int64_t i = 0; i < samples; ++i) {
          double column = grid[i], row = grid[samples + i];
          coordinates.push_back(m[0] * column + m[1] * row + m[2]);
          coordinates.push_back(m[3] * column + m[4] * row + m[5]);
        }
      }
      return r.replace(sampleKnown(r, op.getX(), coordinates, rowMap, columnMap,
                                   result.getShape(), sampler));
    }
    Value transform =
        r.reshape(r.convert(op.getTransformMatrix(), op.getX()), {batch, 2, 3});
    Value places =
        r.product(transform, r.tensor(grid, {1, 3, samples}, op.getX()));
    auto side = [&](int64_t i) {
      return r.reshape(r.slice(places, 1, i, 1), {batch, samples, 1});
    };
    return r.replace(sampleComputed(r, op.getX(), side(1), rowMap, side(0),
                                    columnMap, result.getShape(), sampler));
  }
};

} // namespace

void ane::mil::populateDecomposeImage(RewritePatternSet &patterns) {
  patterns.add<CropResizeRule, ResampleRule, AffineRule>(patterns.getContext());
}
