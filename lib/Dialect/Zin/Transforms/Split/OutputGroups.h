//===- OutputGroups.h - Products in parts of outputs ------------*- C++ -*-===//
//
// A block of a feed-forward layer is mostly what its first product computes,
// and that again for functions of it. What is behind wants all outputs at a
// time, but the product and the functions do not: they run for some outputs
// after others, and L2 has room for larger blocks.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_OUTPUTGROUPS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_OUTPUTGROUPS_H

#include "llvm/ADT/SmallVector.h"
#include <cstddef>
#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace ane::zin {

struct LayerRegion;

/// Layers [first, last] of a region: products of columns with constant
/// coefficients, whose outputs are rows or channels, and functions of these.
/// All but the last give values that the others alone read.
struct OutputGroup {
  size_t first, last;

  size_t size() const { return last + 1 - first; }
  bool contains(size_t layer) const { return first <= layer && layer <= last; }
};

/// Parts of the outputs of a group. Assigned.
constexpr int64_t partsOfGroup = 16;
/// Outputs that a part has a multiple of: four for each engine. Assigned.
constexpr int64_t outputsOfPart = 64;

/// The groups of a region whose blocks are columns.
llvm::SmallVector<OutputGroup> findOutputGroups(const LayerRegion &region);

/// The parts of a group, as a region of the layers that a block has for it.
LayerRegion partsOf(llvm::ArrayRef<mlir::Operation *> group);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_OUTPUTGROUPS_H
