//===- ImagePlaces.h - Places of images -------------------------*- C++ -*-===//
//
// What rules of ops share that take images at places between their elements.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_IMAGEPLACES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_IMAGEPLACES_H

#include "Replacer.h"

namespace ane::mil {

enum class Padding { Constant, Border, Reflection, Symmetric };

/// A place moved to where the image has what lies there.
double foldPlace(double place, int64_t extent, Padding padding);

/// The numbers of a constant that are all finite. Others are as good as
/// computed ones.
std::optional<llvm::SmallVector<double>> finiteNumbersOf(mlir::Value value);

/// The type of a static tensor of floats; null for another value.
mlir::RankedTensorType floatType(mlir::Value value);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_IMAGEPLACES_H
