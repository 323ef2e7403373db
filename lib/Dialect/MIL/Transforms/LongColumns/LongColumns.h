//===- LongColumns.h - Values whose rows are too many -----------*- C++ -*-===//
//
// A value of more rows than a plane of the engine has is one of several planes:
// [..., rows, columns] as [..., planes, rows / planes, columns]. The rows lie
// one behind the other either way, so no element moves.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGCOLUMNS_LONGCOLUMNS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGCOLUMNS_LONGCOLUMNS_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace ane::mil {

using Shape = llvm::SmallVector<int64_t>;

/// The two extents that take the place of one.
struct ExtentSplit {
  int64_t planes, rows;
};

/// An image [N, C, H, W] that is made some rows at a time.
struct RowBlocks {
  static constexpr int64_t axis = 2;
  int64_t most; ///< rows of a block
  /// `count` rows from `first` on, in front of the op that wants them.
  std::function<mlir::Value(Replacer &r, int64_t first, int64_t count)> make;
};

/// Where a dimension is when `axis` is two.
inline int64_t foldedDim(int64_t dim, int64_t axis) {
  return dim + (dim > axis);
}

/// Two extents within the limit whose product is `extent`: the second divides
/// `grid` where it can, and is one of `wanted`, or else as large as it gets.
/// Nothing for an extent without such factors.
std::optional<ExtentSplit> splitExtent(int64_t extent, int64_t limit,
                                       int64_t grid = 0,
                                       llvm::ArrayRef<int64_t> wanted = {});

class LongColumns {
public:
  /// `limit`: the most rows of a plane.
  explicit LongColumns(int64_t limit) : limit(limit) {}

  /// Chooses how the dimensions of a function are split, all of one extent in
  /// the same way. What has one that cannot be is never folded.
  void chooseSplits(FuncOp func);

  /// Whether a value has too many rows.
  bool isLong(mlir::Value value) const;
  /// The dimension of a value that is two where it is folded.
  std::optional<int64_t> axisOf(mlir::Value value) const;
  /// The extents that a dimension of this extent is folded to.
  std::optional<ExtentSplit> splitOf(int64_t extent) const;
  /// A shape with the dimension as two; of extent 1 as two of that.
  Shape foldedShape(llvm::ArrayRef<int64_t> shape, int64_t axis) const;

  bool isFolded(mlir::Value value) const { return folded.contains(value); }
  void setFolded(mlir::Value value, mlir::Value as, int64_t axis) {
    folded[value] = {as, axis, mlir::Value()};
  }
  /// A value with a dimension of it as two.
  mlir::Value get(Replacer &r, mlir::Value value, int64_t axis) const;
  /// A value that is folded, in the shape that it had.
  mlir::Value plain(Replacer &r, mlir::Value value);

  /// `count` elements of an axis from `begin` on, of values joined along it.
  mlir::Value take(Replacer &r, mlir::ValueRange values, int64_t axis,
                   int64_t begin, int64_t count) const;
  /// What values joined along an axis have from `begin` on: `count` elements,
  /// as two dimensions where those are folded.
  mlir::Value join(Replacer &r, mlir::ValueRange values, int64_t axis,
                   int64_t begin, int64_t count) const;

  /// What a result is: a value of as many elements in the same order. Fails
  /// where the engine does not have them in any shape.
  llvm::LogicalResult become(Replacer &r, mlir::OpResult result,
                             mlir::Value made);

  /// The same of blocks. A value that one op alone reads waits for that.
  llvm::LogicalResult becomeBlocks(Replacer &r, mlir::OpResult result,
                                   RowBlocks blocks);
  /// The same of all blocks, joined.
  llvm::LogicalResult becomeJoined(Replacer &r, mlir::OpResult result,
                                   const RowBlocks &blocks);
  /// Whether blocks of a value wait for the op that reads it.
  bool isWaiting(mlir::Value value) const { return waiting.contains(value); }
  /// Joins the blocks of a value, which must wait.
  llvm::LogicalResult joinWaiting(Replacer &r, mlir::OpResult value);
  /// The most rows of a value that may be taken at once.
  int64_t rowsAtOnce(mlir::Value value) const {
    auto found = waiting.find(value);
    return found == waiting.end() ? limit : found->second.most;
  }

  const int64_t limit;

private:
  struct Folded {
    mlir::Value value;
    int64_t axis;
    mlir::Value plain; ///< null until somebody asks for it
  };

  mlir::Value takeOf(Replacer &r, mlir::Value value, int64_t axis,
                     int64_t begin, int64_t count) const;

  llvm::DenseMap<int64_t, ExtentSplit> splits;
  llvm::DenseMap<mlir::Value, Folded> folded;
  llvm::DenseMap<mlir::Value, RowBlocks> waiting;
};

/// A copy of an op on other operands, without its names.
mlir::Operation *copyOf(Replacer &r, mlir::Operation *op,
                        llvm::ArrayRef<mlir::Value> operands);

/// Ops that reorder, cut or join long columns; see LongColumnMoves.cpp.
llvm::LogicalResult foldMove(LongColumns &columns, Replacer &r,
                             mlir::Operation *op);
/// Products with long columns; see LongColumnProducts.cpp.
llvm::LogicalResult foldProduct(LongColumns &columns, Replacer &r, LinearOp op);
llvm::LogicalResult foldProduct(LongColumns &columns, Replacer &r, MatmulOp op);
/// Images that are one row or one column; see LongColumnImages.cpp.
llvm::LogicalResult foldImage(LongColumns &columns, Replacer &r,
                              mlir::Operation *op);
/// Images of several columns, some rows at a time; see LongColumnWindows.cpp.
llvm::LogicalResult foldBlocks(LongColumns &columns, Replacer &r,
                               mlir::Operation *op);
/// Makes an op on long columns one on folded values. Fails where there is no
/// rule.
llvm::LogicalResult foldColumns(LongColumns &columns, mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGCOLUMNS_LONGCOLUMNS_H
