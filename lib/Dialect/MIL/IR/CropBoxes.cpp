//===- CropBoxes.cpp - What the boxes of crop_resize say ------------------===//

#include "ane/Dialect/MIL/IR/CropBoxes.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ane::mil;

std::optional<SmallVector<double>>
ane::mil::imagesOfBoxes(CropResizeOp op, const CropBoxes &boxes,
                        ArrayRef<double> indices) {
  if (op.getBoxIndices())
    return SmallVector<double>(indices);
  constexpr int64_t withImage = 5;
  bool isNamed = boxes.entries() == withImage;
  if (!op.getBoxes() && !isNamed)
    return std::nullopt;
  SmallVector<double> images;
  for (int64_t n = 0; n < boxes.count; ++n)
    images.push_back(isNamed ? boxes.numbers[n * withImage] : double(n));
  return images;
}

std::string ane::mil::findBoxWithoutImage(ArrayRef<double> images,
                                          int64_t batch) {
  for (auto [box, image] : llvm::enumerate(images))
    if (!(image >= 0 && image < static_cast<double>(batch)))
      return llvm::formatv("box {0} is for image {1}, but there are {2}", box,
                           image, batch);
  return "";
}

BoxConvention ane::mil::getBoxConvention(CropResizeOp op, bool normalized,
                                         double scale) {
  StringRef mode = op.getBoxCoordinateMode()
                       ? *getConstantString(op.getBoxCoordinateMode())
                       : "CORNERS_HEIGHT_FIRST";
  return {mode.starts_with("CENTER_SIZE"), mode.ends_with("WIDTH_FIRST"),
          normalized, scale, *getSamplingMode(op.getSamplingMode())};
}

std::vector<double> BoxConvention::places(ArrayRef<double> box, bool isWidth,
                                          int64_t extent, int64_t count) const {
  auto factor = static_cast<float>(scale);
  if (normalized)
    factor *= static_cast<float>(extent - 1);
  size_t first = isWidth == widthFirst ? 0 : 1;
  float start = static_cast<float>(box[first]) * factor,
        end = static_cast<float>(box[first + 2]) * factor;
  if (centers) {
    float size = end;
    end = start + size / 2;
    start -= size / 2;
  }
  float low = std::min(start, end), high = std::max(start, end);
  std::vector<double> result =
      samplePlaces(mode, double(high - low) + 1, count);
  for (double &place : result) {
    auto far = static_cast<float>(place);
    // The sum may round past the end.
    place = std::clamp(start + (end < start ? -far : far), low, high);
  }
  return result;
}
