//===- Images.h - Values of L2 that have a place in memory ------*- C++ -*-===//
//
// Tasks between which something stays in L2 must not be interrupted. A value
// with an image may pass from one such group to the next: where the engine is
// interrupted in between, the value waits in memory, at the image.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_IMAGES_H
#define ANE_DIALECT_ZIN_TRANSFORMS_IMAGES_H

#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::zin {

/// Whether a task leaves its result in L2 alone.
bool staysInL2(TaskOp task);

/// By task: whether its result stays in L2, has an image, and is all that is
/// there when the task ends. It is then the first source of the next task.
///
/// Verified for products with a constant matrix, whose left matrix a transposed
/// copy puts into L2; it is not so behind other copies.
llvm::SmallVector<bool> findImages(llvm::ArrayRef<TaskOp> tasks);

/// By task: whether it ends a group. Either nothing of L2 is needed behind it,
/// or what is has an image; `images` are those of findImages.
llvm::SmallVector<bool> findGroupEnds(llvm::ArrayRef<TaskOp> tasks,
                                      llvm::ArrayRef<bool> images);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_IMAGES_H
