//===- CropBoxes.h - What the boxes of crop_resize say ----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_CROPBOXES_H
#define ANE_DIALECT_MIL_IR_CROPBOXES_H

#include "ane/Dialect/MIL/IR/Resampling.h"
#include <string>

namespace ane::mil {

/// The numbers of `boxes` or `roi`.
struct CropBoxes {
  llvm::ArrayRef<double> numbers;
  int64_t count;

  /// The four coordinates of a box; the number of its image may be in front.
  llvm::ArrayRef<double> coordinates(int64_t box) const {
    return numbers.slice(box * entries() + entries() - 4, 4);
  }
  int64_t entries() const {
    return count ? int64_t(numbers.size()) / count : 4;
  }
};

/// The image of each box; nothing where each box is for all images. `indices`
/// are the numbers of `box_indices`, if the op has them.
std::optional<llvm::SmallVector<double>>
imagesOfBoxes(CropResizeOp op, const CropBoxes &boxes,
              llvm::ArrayRef<double> indices);

/// Says which box is for none of `batch` images; empty if there is none.
std::string findBoxWithoutImage(llvm::ArrayRef<double> images, int64_t batch);

/// How coordinates of boxes are read.
struct BoxConvention {
  bool centers;      ///< a centre and a size, not two ends
  bool widthFirst;   ///< columns before rows
  bool normalized;   ///< to the last row or column
  double scale;      ///< of coordinates
  SamplingMode mode; ///< how samples are spread

  /// Where `count` samples along the rows or columns lie, from the start of the
  /// box to its end, in an image with `extent` of them. Computed in fp32: in a
  /// wider type what 0.6666667 says of the edge of an image lies outside of it.
  std::vector<double> places(llvm::ArrayRef<double> box, bool isWidth,
                             int64_t extent, int64_t count) const;
};

/// Of an op whose modes are known.
BoxConvention getBoxConvention(CropResizeOp op, bool normalized, double scale);

/// Whether a place is on the image and not beside it.
inline bool liesInside(double place, int64_t extent) {
  return place >= 0 && place <= static_cast<double>(extent - 1);
}

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_CROPBOXES_H
