//===- PartOps.h - Ops on parts of a joined value ---------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_PARTOPS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_PARTOPS_H

#include "Replacer.h"
#include "llvm/ADT/DenseMap.h"

namespace ane::mil {

/// One of several values that are joined along a dimension. It has some places
/// of that dimension, maybe as the rows and columns of an image.
struct JoinedPart {
  mlir::Value value;
  llvm::SmallVector<int64_t, 3> extents; ///< in the place of the dimension
  int64_t begin = 0;                     ///< of its places among those of all

  int64_t places() const { return llvm::product_of(extents); }
};

/// The same ops on each part of a value that is joined of parts, if they
/// compute each place along the joined dimension by itself.
class PartOps {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit PartOps(int64_t places) : places(places) {}

  /// The dimension of a value that lists the places.
  void setDim(mlir::Value value, int64_t dim) { dims[value] = dim; }
  int64_t dimOf(mlir::Value value) const { return dims.lookup(value); }
  /// Whether an op computes each place by itself. Notes the dimension of its
  /// results; those of what it reads are known.
  bool follow(mlir::Operation *op);
  /// Takes that back.
  void forget(mlir::Operation *op);
  /// A shape with the extents of a part in the place of a dimension.
  static llvm::SmallVector<int64_t>
  shapeOfPart(llvm::ArrayRef<int64_t> shape, int64_t dim,
              llvm::ArrayRef<int64_t> extents);
  /// The results of an op for one part; `made` has what it reads of it.
  Values make(Replacer &r, mlir::Operation *op, const JoinedPart &part,
              const llvm::DenseMap<mlir::Value, mlir::Value> &made) const;

private:
  class Maker;

  bool isJoined(mlir::Value value) const { return dims.contains(value); }
  std::optional<int64_t> dimBehind(mlir::Operation *op) const;
  std::optional<int64_t> dimOfElements(mlir::Operation *op) const;
  /// The dimension of all places with so many elements in front of it.
  std::optional<int64_t> dimBehindElements(llvm::ArrayRef<int64_t> shape,
                                           int64_t before) const;
  std::optional<int64_t> dimBehindReshape(mlir::Operation *op) const;

  int64_t places;
  llvm::DenseMap<mlir::Value, int64_t> dims;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_PARTOPS_H
