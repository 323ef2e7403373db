//===- FlatImages.h - Images whose rows follow each other -------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FLATIMAGES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FLATIMAGES_H

#include "mlir/IR/Operation.h"

namespace ane::mil {

/// Whether an op makes the images that it takes, [N, C, H, W], one row each:
/// [N, C, H * W] or [N, C, 1, H * W].
bool flattensImages(mlir::Operation *op);

/// Whether ops compute what such an op gives, of each pixel by itself, and
/// their results become images of these extents again; or what a reshape to
/// images takes was computed so of the pixels of such images.
bool leadsToImages(mlir::Operation *flat);
bool isOfPixels(mlir::Operation *images);

/// Whether an op is such and what is between it and reshapes to images again
/// has been said of the images: where fewer elements move in reshapes then.
bool cancelFlatImages(mlir::Operation *entry);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FLATIMAGES_H
