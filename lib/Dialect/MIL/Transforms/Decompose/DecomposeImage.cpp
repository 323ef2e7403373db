//===- DecomposeImage.cpp - Boxes of images -------------------------------===//

#include "Constants/Parameters.h"
#include "Decompose/Decompose.h"
#include "Decompose/ImagePlaces.h"
#include "ane/Dialect/MIL/IR/CropBoxes.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

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
    if (!type || !result || !numbers || !scale || !outside || !normalized ||
        !knowsParameters(op))
      return rewriter.notifyMatchFailure(op, "a box is computed");
    // The matrices would be as large.
    if (!fitsEngine(type.getShape()) || !fitsEngine(result.getShape()))
      return rewriter.notifyMatchFailure(op, "an extent is beyond its limit");
    CropBoxes boxes{*numbers, shapeOf(given)[0]};
    std::optional<SmallVector<double>> indices;
    if (op.getBoxIndices())
      indices = getConstantNumbers(op.getBoxIndices());
    if (op.getBoxIndices() && !indices)
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

} // namespace

void ane::mil::populateDecomposeImage(RewritePatternSet &patterns) {
  patterns.add<CropResizeRule>(patterns.getContext());
}
