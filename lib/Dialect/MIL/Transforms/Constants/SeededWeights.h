//===- SeededWeights.h - Values for weights that are missing ----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_SEEDEDWEIGHTS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_SEEDEDWEIGHTS_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include <optional>
#include <vector>

namespace ane::mil {

/// What a weight is for, as far as that decides its values.
struct SeededUse {
  /// Of a mask: how many of its places are in use, and how many of those, the
  /// nonzero elements that are stored, are 1.
  struct Mask {
    uint64_t places, ones;
  };
  std::optional<Mask> mask;
  /// Of the scales of blocks: the type of the integers they scale.
  mlir::RankedTensorType scaled;

  /// Of a constant, by the ops on it.
  static SeededUse of(ConstOp op);
};

/// The bytes that a weight takes in a weight file; nothing for a type that
/// weight files do not have. The shape must be known.
std::optional<uint64_t> seededSize(mlir::RankedTensorType type);

/// A stand-in for the weight at `offset` of the file that the text calls
/// `path`, as a weight file has it: little-endian, elements narrower than a
/// byte packed from the least significant bit on. It depends on the arguments
/// only. `type` must have a size. The scales are assigned:
///
/// * a mask: as many ones as it must have, at places drawn at random;
/// * the scales of blocks: uniform in [1/2, 3/2) of what gives the weight
///   variance 1 / fan-in;
/// * floating point, rank 2 and more: uniform around 0 with variance
///   1 / fan-in, the product of all extents but the first;
/// * floating point, rank 0 and 1: uniform in [1/32, 1/8). It is positive, as a
///   variance must be, and small, as a scale or table that multiplies whole
///   weights should be;
/// * signed integers of up to 8 bits: uniform in [-8, 7];
/// * unsigned integers of up to 8 bits: uniform over their range, for they
///   number the entries of a table;
/// * wider integers: 0, which is an index into anything.
std::vector<char> makeSeededWeight(mlir::RankedTensorType type,
                                   llvm::StringRef path, uint64_t offset,
                                   const SeededUse &use);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_SEEDEDWEIGHTS_H
