//===- ScatterExtremes.h - The largest or least update ---------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTEREXTREMES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTEREXTREMES_H

#include "Decompose/ScatterMode.h"

namespace ane::mil {

/// A scatter by "max" or "min" of any number of updates. An extreme does not
/// depend on an order, so that all updates of an element are compared at once:
/// those of other elements count as the worst number there is.
class ScatterExtremes {
public:
  /// Of a scatter or scatter_nd, whose tuples choose among extents that are one
  /// after the other from `axis` on; there are `count` of them.
  static std::optional<ScatterExtremes>
  ofTuples(mlir::Location location, mlir::Value data, mlir::Value tuples,
           llvm::StringRef mode, int64_t axis, int64_t length);
  /// Of a scatter_along_axis, which has an index for each update.
  static std::optional<ScatterExtremes>
  alongAxis(mlir::Location location, mlir::Value data, mlir::Value indices,
            llvm::StringRef mode, int64_t axis);

  mlir::Value join(Replacer &r, mlir::Value updates) const;

private:
  ScatterExtremes(mlir::Location location, mlir::Value data,
                  mlir::Value indices, llvm::StringRef mode,
                  llvm::ArrayRef<int64_t> chosen, int64_t axis);

  bool isLegal() const;
  /// Elements that are compared with all updates at a time.
  int64_t most() const;
  /// [outer, n, inner] elements of a value as [outer, inner, n].
  mlir::Value turn(Replacer &r, mlir::Value x, int64_t n) const;
  mlir::Value isUpdated(Replacer &r, int64_t first, int64_t n) const;
  mlir::Value isKnown(Replacer &r, int64_t first, int64_t n) const;
  mlir::Value isEqual(Replacer &r, int64_t dim, int64_t first, int64_t n) const;

  mlir::Location location;
  mlir::Value data, indices;
  bool isMax, perElement = false;
  /// The extents that indices choose in.
  llvm::SmallVector<int64_t> extents;
  /// What is beside them, and how many there are in all.
  int64_t outer, inner, extent, count = 0;
  /// Known places among these.
  std::optional<llvm::SmallVector<int64_t>> places;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTEREXTREMES_H
