//===- Factors.h - Values as products of others -----------------*- C++ -*-===//
//
// A kernel that is computed for each image is often a constant times numbers
// for each input or output. Products, quotients and what only gives them
// another shape are looked through; dimensions are followed part by part, since
// reshapes join them and take them apart.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FACTORS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FACTORS_H

#include "Replacer.h"

namespace ane::mil {

/// The parts of a dimension, by number, from the outermost one on. A dimension
/// of one element has none.
using DimParts = llvm::SmallVector<unsigned, 2>;

/// A set of parts: bit n is part n.
using PartSet = unsigned;
constexpr PartSet setOf(unsigned part) { return 1u << part; }
PartSet setOf(llvm::ArrayRef<DimParts> dims);

struct Factor {
  mlir::Value value;
  llvm::SmallVector<DimParts> dims; ///< of the value
  bool divides;

  PartSet parts() const { return setOf(dims); }
};

/// A value as constants and computed factors.
class Factors {
public:
  /// `extents` of each part. Computed factors have parts of one of these sets
  /// alone, in the order of their numbers.
  Factors(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<PartSet> sets)
      : extents(extents), sets(sets) {}

  /// Whether the value is such a product.
  bool find(mlir::Value value, llvm::ArrayRef<DimParts> dims) {
    return find(value, dims, /*divides=*/false);
  }

  llvm::ArrayRef<Factor> computed() const { return computedFactors; }
  llvm::ArrayRef<Factor> constants() const { return constantFactors; }
  /// Those of all dimensions of the constants.
  PartSet constantParts() const;
  /// The dimensions of each value that was looked through.
  const llvm::DenseMap<mlir::Value, llvm::SmallVector<DimParts>> &
  lookedThrough() const {
    return visited;
  }

  /// The product of the constants, with these parts as dimensions.
  llvm::SmallVector<double> constant(llvm::ArrayRef<unsigned> order) const;

private:
  bool find(mlir::Value value, llvm::ArrayRef<DimParts> dims, bool divides);
  bool findOperand(mlir::Value operand, llvm::ArrayRef<DimParts> dims,
                   bool divides);
  /// What the parts are of the dimensions that a reshape makes of others.
  std::optional<llvm::SmallVector<DimParts>>
  regroup(llvm::ArrayRef<DimParts> dims, llvm::ArrayRef<int64_t> shape) const;

  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<PartSet> sets;
  llvm::SmallVector<Factor> constantFactors, computedFactors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<DimParts>> visited;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_FACTORS_H
