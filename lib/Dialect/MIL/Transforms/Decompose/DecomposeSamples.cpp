//===- DecomposeSamples.cpp - Images at places one by one -----------------===//
//
// A sample is a sum of elements with weights: images times a matrix. Where the
// places are known the matrix is a constant. Computed ones give weights
// 1 - |place - i|, or 0 where that is negative, for each row and each column i.
// With samples along the rows of what is computed nothing is transposed.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Decompose/ImagePlaces.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

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

/// What an op takes of images: the shape of its result, [N, C, rows, columns],
/// and where its coordinates lead.
struct Samples {
  Value x;
  ArrayRef<int64_t> result;
  PlaceMap rowMap, columnMap;
  Sampler sampler;
};

PlaceMap placeMap(StringRef mode, bool align, int64_t extent) {
  double n = double(extent), last = n - 1;
  if (mode == "unnormalized")
    return {1, 0};
  if (mode == "normalized_zero_to_one")
    return align ? PlaceMap{last, 0} : PlaceMap{n, -0.5};
  return align ? PlaceMap{last / 2, last / 2} : PlaceMap{n / 2, n / 2 - 0.5};
}

/// `y(first, count)`, joined along an axis, of up to `most` each.
template <typename PartFn>
Value inParts(Replacer &r, int64_t axis, int64_t all, int64_t most, PartFn y) {
  SmallVector<Value> parts;
  for (int64_t first = 0; first < all; first += most)
    parts.push_back(y(first, std::min(most, all - first)));
  return r.concat(parts, axis);
}

/// Images at known coordinates, column and row of each sample: x times a
/// matrix.
Value sampleKnown(Replacer &r, const Samples &of,
                  ArrayRef<double> coordinates) {
  auto [x, result, rowMap, columnMap, sampler] = of;
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
  // As many at a time as their weights allow.
  int64_t most = std::max<int64_t>(mostWeights / (shape[0] * elements), 1);
  return r.reshape(inParts(r, 2, samples, most, part), result);
}

/// Weights [batch, extent, samples] of the elements along one side, from
/// coordinates [batch, 1, samples].
Value computedWeights(Replacer &r, Value coordinates, PlaceMap map,
                      int64_t extent, const Sampler &sampler) {
  double last = double(extent - 1);
  auto clip = [&](Value value, double low, double high) {
    return r.binary<MinimumOp>(r.binary<MaximumOp>(value, r.scalar(low, value)),
                               r.scalar(high, value));
  };
  // All places: [extent, 1].
  auto along = [&](auto number) {
    SmallVector<double> numbers;
    for (int64_t i = 0; i < extent; ++i)
      numbers.push_back(number(double(i)));
    return r.tensor(numbers, {extent, 1}, coordinates);
  };
  bool isSymmetric = sampler.padding == Padding::Symmetric,
       folds =
           isSymmetric || (sampler.padding == Padding::Reflection && last > 0);
  // Mirrors what a place or coordinate, which `at` tells of a place, is outside
  // of the image. What is inside stays what it is, to the last bit.
  auto fold = [&](Value value, auto at) {
    double low = at(isSymmetric ? -0.5 : 0),
           high = at(isSymmetric ? last + 0.5 : last),
           period = 2 * (high - low);
    Value turns = r.unary<FloorOp>(
        r.binary<MulOp>(r.binary<AddOp>(value, -low), 1 / period));
    value = r.binary<SubOp>(value, r.binary<MulOp>(turns, period));
    return r.binary<MinimumOp>(
        value, r.binary<AddOp>(r.binary<MulOp>(value, -1), 2 * high));
  };
  if (!sampler.nearest && map.factor > 0) {
    // |coordinate - place of i|, where that is in two parts: their differences
    // are exact near 0.
    auto placeOf = [&](double i) { return (i - map.offset) / map.factor; };
    if (folds)
      coordinates = fold(coordinates, placeOf);
    if (sampler.padding != Padding::Constant)
      coordinates = clip(coordinates, placeOf(0), placeOf(last));
    auto high = [&](double i) { return roundToHalf(placeOf(i)); };
    auto low = [&](double i) { return placeOf(i) - high(i); };
    Value far = r.binary<SubOp>(coordinates, along(high));
    if (llvm::any_of(llvm::seq<int64_t>(0, extent),
                     [&](int64_t i) { return low(double(i)) != 0; }))
      far = r.binary<SubOp>(far, along(low));
    far = r.binary<MulOp>(r.unary<AbsOp>(far), -map.factor);
    return r.unary<ReluOp>(r.binary<AddOp>(far, 1));
  }
  Value place =
      r.binary<AddOp>(r.binary<MulOp>(coordinates, map.factor), map.offset);
  if (sampler.nearest)
    place = r.unary<RoundOp>(place);
  if (folds)
    place = fold(place, [](double i) { return i; });
  if (sampler.padding != Padding::Constant)
    place = clip(place, 0, last);
  Value far =
      r.unary<AbsOp>(r.binary<SubOp>(place, along([](double i) { return i; })));
  return r.unary<ReluOp>(r.binary<AddOp>(r.binary<MulOp>(far, -1), 1));
}

/// How many samples are a part, of about equal parts of up to `most`, where
/// their rows fill lines of memory.
int64_t evenly(int64_t samples, int64_t most) {
  constexpr int64_t lineElements = h13.rowStep();
  int64_t lines = std::max<int64_t>(most / lineElements, 1),
          parts = llvm::divideCeil(samples, lines * lineElements);
  return llvm::alignTo(llvm::divideCeil(samples, parts), lineElements);
}

Sampling samplingOf(ArrayRef<int64_t> x, ArrayRef<int64_t> result) {
  return {result[0], x[1], x[2], x[3], result[2] * result[3]};
}

/// Images at computed places: their samples, [batch, C, samples].
class ComputedSamples {
public:
  ComputedSamples(Replacer &r, const Samples &of)
      : r(r), x(of.x), rowMap(of.rowMap), columnMap(of.columnMap),
        sampling(samplingOf(shapeOf(of.x), of.result)), sampler(of.sampler) {}

  /// Of coordinates [batch, 2, samples], column and row.
  Value make(Value places) const;

private:
  /// How many channels are computed at a time, and how many samples of these.
  int64_t channelsAtOnce() const;
  int64_t mostAtOnce(int64_t channels) const;
  /// Samples of images that are computed at once.
  Value part(Value images, Value places) const;
  /// By weights of rows [batch, height, samples] and of columns [batch, width,
  /// samples], one side after the other: a product, and a sum of products with
  /// what it gives.
  Value bySides(Value images, Value byRow, Value byColumn) const;
  /// By weights of all elements, as a product.
  Value byElements(Value images, Value byRow, Value byColumn) const;

  bool areLarge() const {
    return int64_t(sampling.numbers()) / sampling.images > Sampling::mostKept;
  }

  Replacer &r;
  Value x;
  PlaceMap rowMap, columnMap;
  Sampling sampling;
  Sampler sampler;
};

Value ComputedSamples::make(Value places) const {
  // Small images are one op; others have their own, or several, and what is
  // between, weights too, stays in L2.
  if (!areLarge())
    return part(x, places);
  auto one = [&](Value all, int64_t image) {
    return shapeOf(all)[0] == 1 ? all : r.slice(all, 0, image, 1);
  };
  int64_t samples = shapeOf(places)[2];
  return inParts(r, 0, sampling.images, 1, [&](int64_t image, int64_t) {
    Value own = one(x, image), at = one(places, image);
    auto some = [&](int64_t channel, int64_t channels) {
      Value from = r.slice(own, 1, channel, channels);
      return inParts(r, 2, samples, evenly(samples, mostAtOnce(channels)),
                     [&](int64_t first, int64_t count) {
                       return part(from, r.slice(at, 2, first, count));
                     });
    };
    return inParts(r, 1, sampling.channels, channelsAtOnce(), some);
  });
}

int64_t ComputedSamples::channelsAtOnce() const {
  int64_t channels = sampling.channels;
  if (!sampling.isBySides())
    return channels;
  // Half of what L2 keeps is for what is made of them.
  int64_t most =
      std::max<int64_t>(Sampling::mostKept / 2 / sampling.elements(), 1);
  return llvm::divideCeil(channels, llvm::divideCeil(channels, most));
}

int64_t ComputedSamples::mostAtOnce(int64_t channels) const {
  if (sampling.isBySides())
    return h13.largeL2Bytes() / elementBytes / (channels * sampling.summed());
  // An image that L2 does not keep is better read less often.
  return (sampling.keepsImage() ? Sampling::mostKept : mostWeights) /
         sampling.elements();
}

Value ComputedSamples::part(Value images, Value places) const {
  Value byRow = computedWeights(r, r.slice(places, 1, 1, 1), rowMap,
                                sampling.height, sampler),
        byColumn = computedWeights(r, r.slice(places, 1, 0, 1), columnMap,
                                   sampling.width, sampler);
  Value y = sampling.isBySides() ? bySides(images, byRow, byColumn)
                                 : byElements(images, byRow, byColumn);
  if (sampler.padding != Padding::Constant || sampler.outside == 0)
    return y;
  auto inside = [&](Value weights) {
    return r.reduce<ReduceSumOp>(weights, 1, /*keepDims=*/true);
  };
  Value rest = r.binary<MulOp>(r.binary<MulOp>(inside(byRow), inside(byColumn)),
                               -sampler.outside);
  return r.binary<AddOp>(y, r.binary<AddOp>(rest, sampler.outside));
}

Value ComputedSamples::bySides(Value images, Value byRow,
                               Value byColumn) const {
  if (!sampling.contractsRows()) {
    images = r.transpose(images, {0, 1, 3, 2});
    std::swap(byRow, byColumn);
  }
  ArrayRef<int64_t> shape = shapeOf(images);
  int64_t rows = shape[2], samples = shapeOf(byRow)[2];
  byRow = r.reshape(byRow, {shapeOf(byRow)[0], 1, rows, samples});
  auto some = [&](int64_t first, int64_t count) {
    Value y = r.reshape(r.slice(images, 1, first, count),
                        {shape[0], count * rows, shape[3]});
    y = r.product(y, byColumn);
    y = r.reshape(y, {shapeOf(y)[0], count, rows, samples});
    return r.reduce<ReduceSumOp>(r.binary<MulOp>(y, byRow), 2,
                                 /*keepDims=*/false);
  };
  return inParts(r, 1, shape[1], longestDim / rows, some);
}

Value ComputedSamples::byElements(Value images, Value byRow,
                                  Value byColumn) const {
  int64_t weighted = shapeOf(byRow)[0], samples = shapeOf(byRow)[2],
          elements = sampling.elements();
  Value weights = r.binary<MulOp>(
      r.reshape(byRow, {weighted, sampling.height, 1, samples}),
      r.reshape(byColumn, {weighted, 1, sampling.width, samples}));
  return r.product(
      r.reshape(images, {shapeOf(images)[0], shapeOf(images)[1], elements}),
      r.reshape(weights, {weighted, elements, samples}));
}

/// Images at computed coordinates. `coordinates(first, count)` are those of
/// some rows of the result: [batch, 2, samples], column and row.
template <typename PlacesFn>
Value sampleComputed(Replacer &r, const Samples &of, PlacesFn coordinates) {
  ComputedSamples samples(r, of);
  ArrayRef<int64_t> result = of.result;
  // Samples are columns of a product.
  int64_t most = std::max<int64_t>(mostSamples / result[3], 1);
  return inParts(r, 2, result[2], most, [&](int64_t first, int64_t count) {
    return r.reshape(samples.make(coordinates(first, count)),
                     {result[0], result[1], count, result[3]});
  });
}

/// Whether known places need no more weights than they may.
bool isSmall(ArrayRef<int64_t> x, ArrayRef<int64_t> result) {
  Sampling sampling = samplingOf(x, result);
  return sampling.elements() <= mostSamples &&
         sampling.samples <= mostSamples &&
         x[0] * sampling.elements() * sampling.samples <= mostKnownWeights;
}

/// Whether the engine has the images and samples, and computed places need no
/// more numbers than they may.
bool isPossible(ArrayRef<int64_t> x, ArrayRef<int64_t> result) {
  return fitsEngine(x) && fitsEngine(result) &&
         samplingOf(x, result).numbers() <= uint64_t(mostAllWeights);
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
    std::optional<StringRef> padding = getConstantString(op.getPaddingMode()),
                             mode = getConstantString(op.getCoordinatesMode()),
                             sampling = getConstantString(op.getSamplingMode());
    if (!type || !places || !result || !align || !outside || !padding ||
        !mode || !sampling || !isPossible(type.getShape(), result.getShape()))
      return rewriter.notifyMatchFailure(op, "too large, or an extent unknown");
    Sampler sampler = {padding == "border"       ? Padding::Border
                       : padding == "reflection" ? Padding::Reflection
                       : padding == "symmetric"  ? Padding::Symmetric
                                                 : Padding::Constant,
                       sampling == "nearest", *outside};
    if (sampler.padding != Padding::Constant)
      sampler.outside = 0;
    Samples samples = {op.getX(), result.getShape(),
                       placeMap(*mode, *align, type.getDimSize(2)),
                       placeMap(*mode, *align, type.getDimSize(3)), sampler};
    Replacer r(rewriter, op);
    if (std::optional<SmallVector<double>> known =
            finiteNumbersOf(op.getCoordinates());
        known && isSmall(type.getShape(), result.getShape()))
      return r.replace(sampleKnown(r, samples, *known));
    Value coordinates = r.convert(op.getCoordinates(), op.getX());
    auto some = [&](int64_t first, int64_t count) {
      return r.transposeAs(
          r.slice(coordinates, 1, first, count),
          {places.getDimSize(0), count * places.getDimSize(2), 2}, {0, 2, 1});
    };
    return r.replace(sampleComputed(r, samples, some));
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
        !isPossible(type.getShape(), result.getShape()))
      return rewriter.notifyMatchFailure(op, "too large, or an extent unknown");
    constexpr int64_t entries = 6;
    Sampler sampler = {Padding::Constant, /*nearest=*/false, /*outside=*/0};
    auto unitMap = [&](int64_t extent) {
      return placeMap("normalized_minus_one_to_one", /*align=*/true, extent);
    };
    Samples images = {op.getX(), result.getShape(), unitMap(type.getDimSize(2)),
                      unitMap(type.getDimSize(3)), sampler};
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
        known && isSmall(type.getShape(), result.getShape())) {
      SmallVector<double> coordinates;
      for (int64_t b = 0; b < batch; ++b) {
        const double *m = known->data() + b * entries;
        for (int64_t i = 0; i < samples; ++i) {
          double column = grid[i], row = grid[samples + i];
          coordinates.push_back(m[0] * column + m[1] * row + m[2]);
          coordinates.push_back(m[3] * column + m[4] * row + m[5]);
        }
      }
      return r.replace(sampleKnown(r, images, coordinates));
    }
    Value transform =
        r.reshape(r.convert(op.getTransformMatrix(), op.getX()), {batch, 2, 3});
    auto some = [&](int64_t first, int64_t count) {
      SmallVector<double> part;
      for (int64_t i = 0; i < 3; ++i)
        llvm::append_range(
            part,
            ArrayRef(grid).slice(i * samples + first * width, count * width));
      return r.product(transform,
                       r.tensor(part, {1, 3, count * width}, op.getX()));
    };
    return r.replace(sampleComputed(r, images, some));
  }
};

} // namespace

void ane::mil::populateDecomposeSamples(RewritePatternSet &patterns) {
  patterns.add<ResampleRule, AffineRule>(patterns.getContext());
}
