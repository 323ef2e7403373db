//===- Decompose.h - Ops in terms of others ---------------------*- C++ -*-===//
//
// What the rules of mil-decompose share. A rule says in MIL what an op
// computes; the interpreter runs both sides, so each rule is tested against the
// op's own definition.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_DECOMPOSE_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_DECOMPOSE_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Slice.h"

namespace ane::mil {

/// What a cumulative sum is of each part of its input along its axis, in the
/// order of the input: a part goes on from the sum of those before it. Fails
/// where an attribute is computed.
llvm::LogicalResult sumOn(Replacer &r, CumsumOp op,
                          llvm::MutableArrayRef<mlir::Value> parts);

/// The logarithm of a sum over axes from 0 to the rank.
mlir::Value logSum(Replacer &r, mlir::Value x, llvm::ArrayRef<int64_t> axes,
                   bool keepDims);

/// Whether joining is how an update at steps comes into a slice of a value of
/// this shape: where columns alternate, a product may be as good.
bool canJoinSlice(llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<SliceDim> places);

/// The update in the place of a slice of `x`, and what of that is around it,
/// joined. Steps are positive; `canJoinSlice` holds.
mlir::Value joinSlice(Replacer &r, mlir::Value x, mlir::Value update,
                      llvm::ArrayRef<SliceDim> places);

/// Puts in the place of an update at known places what it says: the update and
/// what of `x` is around it, joined. Fails where a place is computed.
llvm::LogicalResult joinUpdate(Replacer &r, SliceUpdateOp op);

/// The places of tuples of known indices in data of some extents, as if that
/// had one dimension. Nothing where they are computed or one lies outside.
std::optional<llvm::SmallVector<int64_t>>
flatPlaces(mlir::Value indices, llvm::ArrayRef<int64_t> extents);

/// Whether what an op reads and makes are values of the engine. Where one is
/// not (`h13-shape-c3`), it is refused later on, and a rule that makes ops or
/// elements by extents would not come to an end before that.
bool isOfEngineValues(mlir::Operation *op);

// One function a family; see the file of that name.
void populateDecomposeActivation(mlir::RewritePatternSet &patterns);
void populateDecomposeComputedKernel(mlir::RewritePatternSet &patterns);
void populateDecomposeCumsum(mlir::RewritePatternSet &patterns);
void populateDecomposeElementwise(mlir::RewritePatternSet &patterns);
void populateDecomposeFrames(mlir::RewritePatternSet &patterns);
void populateDecomposeImage(mlir::RewritePatternSet &patterns);
void populateDecomposeIndexing(mlir::RewritePatternSet &patterns);
void populateDecomposeKnownIndices(mlir::RewritePatternSet &patterns);
void populateDecomposeLargePool(mlir::RewritePatternSet &patterns);
void populateDecomposeLayout(mlir::RewritePatternSet &patterns);
void populateDecomposeLinear(mlir::RewritePatternSet &patterns);
void populateDecomposeQuantization(mlir::RewritePatternSet &patterns);
void populateDecomposeReduction(mlir::RewritePatternSet &patterns);
void populateDecomposeSamples(mlir::RewritePatternSet &patterns);
void populateDecomposeScatter(mlir::RewritePatternSet &patterns);
void populateDecomposeSlice(mlir::RewritePatternSet &patterns);
void populateDecomposeSort(mlir::RewritePatternSet &patterns);
void populateDecomposeWindow(mlir::RewritePatternSet &patterns);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_DECOMPOSE_H
