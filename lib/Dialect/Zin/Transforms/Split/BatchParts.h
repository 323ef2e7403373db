//===- BatchParts.h - Some matrices of a batch ------------------*- C++ -*-===//
//
// The matrices of a product lie along channels. Where they are those of several
// images, as the heads of each, a reshape has put them there, which is a copy
// if images and heads are not one distance apart. Those of one image are, in
// front of the reshape, and so are their results behind the one that parts them
// again.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_BATCHPARTS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_BATCHPARTS_H

#include "Split/LayerBlocks.h"

namespace ane::zin {

/// Where neighbours are in a batch along the first dimensions of `whole`: some
/// along one of them, all along those behind it; nothing where they are not so.
std::optional<std::array<IndexRange, 3>>
placeInBatch(llvm::ArrayRef<int64_t> whole, IndexRange matrices);

/// A part of a value as `viewOf` has it. What is joined of several values of
/// which some come from memory, as a cache and what is new, is joined in the
/// part, so that L2 may hold it, if each of them has a part there.
mlir::Value partOfJoined(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Value value, llvm::ArrayRef<int64_t> begin,
                         llvm::ArrayRef<int64_t> shape);

/// What a reshape moves without a change of its matrices; null of other layers.
mlir::Value keptBy(mlir::Operation *layer);

/// The images that the matrices of a value are of, in front of reshapes; 1
/// where nothing tells.
int64_t imagesOf(mlir::Value value);

/// Neighbours of the matrices of a value, [1, 1, matrices, rows, columns], from
/// in front of reshapes if they are of one image there.
mlir::Value matricesOf(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Value value, IndexRange matrices);

/// Puts parts, `perPart` matrices each, in the place of a value that has all of
/// them, or image by image in that of a reshape behind it which parts these.
void joinMatrices(mlir::OpBuilder &builder, mlir::Value value,
                  llvm::ArrayRef<mlir::Value> parts, int64_t perPart,
                  bool byImages);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_BATCHPARTS_H
