//===- Resampling.h - Where resized images take their elements --*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_RESAMPLING_H
#define ANE_DIALECT_MIL_IR_RESAMPLING_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Inventory.h"
#include <vector>

namespace ane::mil {

/// How samples are spread over a dimension; the formulas are those of
/// resize_bilinear.
enum class SamplingMode {
  StrictAlignCorners,
  AlignCorners,
  Default,
  OffsetCorners,
  UnalignCorners,
};

/// The mode that a constant input names; Default where it is absent, nothing
/// where it is not known.
std::optional<SamplingMode> getSamplingMode(mlir::Value name);

/// Where `count` samples of a dimension of `extent` elements lie, each in
/// [0, extent - 1]. The extent of a box need not be whole.
std::vector<double> samplePlaces(SamplingMode mode, double extent,
                                 int64_t count);

/// Whether a box sees the image mirrored at its edges where it leaves it:
/// before ios16, which has padding (inferred from one published result).
bool mirrorsOutside(CropResizeOp op);

/// The weights of a dimension of `extent` elements in samples at places inside
/// it, [samples, extent]: each lies between two elements.
std::vector<double> sampleWeights(llvm::ArrayRef<double> places,
                                  int64_t extent);

/// What an op that resizes the last dimensions does to each of them.
struct Resampling {
  /// Nothing where sample i of n is element floor(i * extent / n).
  std::optional<SamplingMode> mode;
  /// The nearest element, of two the first (assigned: so a factor of two by
  /// DEFAULT gives each element twice); otherwise the two around a place, each
  /// weighted by how near it is.
  bool nearest;
  /// How many dimensions, the last ones. One whose extent stays is resampled
  /// too: OffsetCorners moves its elements.
  int64_t dims = 2;

  /// The places of the samples; whole numbers for the nearest element.
  std::vector<double> places(int64_t extent, int64_t count) const;
};

/// Nothing where a parameter of the op is not known.
std::optional<Resampling> getResampling(UpsampleNearestNeighborOp op);
std::optional<Resampling> getResampling(ResizeNearestNeighborOp op);
std::optional<Resampling> getResampling(UpsampleBilinearOp op);
std::optional<Resampling> getResampling(ResizeBilinearOp op);
std::optional<Resampling> getResampling(ResizeOp op);
/// The same of any of them, whose first operand is what is resized; nothing for
/// another op.
std::optional<Resampling> getResampling(mlir::Operation *op);
/// Whether a function has one of them.
bool hasResize(const Inventory &inventory);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_RESAMPLING_H
