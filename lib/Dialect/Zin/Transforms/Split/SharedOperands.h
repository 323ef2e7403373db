//===- SharedOperands.h - What several blocks of attention read -*- C++ -*-===//
//
// A mask is added to the scores of all heads. From memory each block of each
// head reads its rows; a copy in L2 they read together. Where L2 has no room
// for all of its rows, some rows of several heads come before the next rows.
//
// Layers often share a mask. One that is computed lies in L2 from the first of
// them to the last if there is room beside what lies between; if not, it is in
// memory, and each layer has a copy of its own for as long as it takes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_SHAREDOPERANDS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_SHAREDOPERANDS_H

#include "Split/Attention.h"
#include "Split/BatchParts.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/DenseSet.h"

namespace ane::zin {

/// How many matrices, and of each how many rows, a block has.
struct BlockSize {
  int64_t matrices, rows;
};

/// Where neighbours of a batch are in a value that broadcasts along it to
/// `whole`, in which they are neighbours, too.
std::array<IndexRange, 3> placeInOperand(mlir::Value value,
                                         llvm::ArrayRef<int64_t> whole,
                                         IndexRange matrices);

/// Operands of steps that blocks read from copies.
struct SharedOperands {
  llvm::SmallVector<mlir::OpOperand *, 1> operands;
  /// Matrices whose blocks of some rows come before those of the next rows.
  int64_t matrices;
  /// Whether copies have all rows.
  bool haveAllRows = false;
};

class SharedFinder {
public:
  /// `attentions` are those that may be split.
  SharedFinder(mlir::Block &body, llvm::ArrayRef<Attention> attentions,
               const TargetDescription &target);

  /// What blocks of this size share. A copy for several layers is made here, in
  /// front of the first.
  SharedOperands find(Attention &attention, BlockSize size);

private:
  void copyForLayers(mlir::Value value);

  const TargetDescription &target;
  /// What several layers read and L2 has room for from the first to the last.
  llvm::DenseSet<mlir::Value> staying;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_SHAREDOPERANDS_H
