//===- LongRows.h - Values whose rows are cut -------------------*- C++ -*-===//
//
// A value whose last dimension is longer than a row of the engine is a list of
// parts: the row cut at multiples of one length. Its surface at the border of
// the program is [..., parts, length], where the rows lie one behind the other,
// so that the bytes are those of one long row.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGROWS_LONGROWS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGROWS_LONGROWS_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "llvm/ADT/DenseMap.h"

namespace ane::mil {

using Parts = llvm::SmallVector<mlir::Value>;

/// Rows of a multiple of it leave no gap in memory.
inline constexpr int64_t denseElements = h13.rowStep();

class LongRows {
public:
  /// `limit`: the longest row, in elements.
  explicit LongRows(int64_t limit) : limit(limit) {}

  /// Whether the last dimension of a value, or of a type, is too long.
  bool isLong(mlir::Type type) const;
  bool isLong(mlir::Value value) const { return isLong(value.getType()); }

  /// The length of all parts but the last of a row of `extent`. It leaves room
  /// beside a part for what windows reach, and is a multiple of 64 bytes, of
  /// which the row is one, if there is such a length of half of that or more.
  int64_t partLength(int64_t extent) const;
  /// A length of which both `extent` and `other` are multiples, and the first
  /// of not too many: `other` itself, whose rows then stay, or the longest one.
  /// 0 where there is none.
  int64_t commonRow(int64_t extent, int64_t other) const;
  /// [..., parts, length] of a type.
  mlir::RankedTensorType foldedType(mlir::RankedTensorType type) const;

  void setParts(mlir::Value value, Parts list) {
    parts[value] = std::move(list);
  }
  bool hasParts(mlir::Value value) const { return parts.contains(value); }
  /// Gives a long value its parts out of a value of its folded type.
  void cut(Replacer &r, mlir::Value value, mlir::Value folded);
  /// A value with the folded type of a long one. Behind its end are zeros.
  mlir::Value fold(Replacer &r, mlir::Value value) const;
  /// The same of its parts.
  static mlir::Value fold(Replacer &r, llvm::ArrayRef<mlir::Value> list);
  /// What `fold` makes of a value without a new op; null where there is none.
  mlir::Value foldedAlready(mlir::Value value) const {
    return wholes.lookup(value);
  }
  /// Gives a long value its parts out of what `fold` is to make of it.
  void setFolded(Replacer &r, mlir::Value value, mlir::Value folded) {
    cut(r, value, folded);
    wholes[value] = folded;
  }

  /// `count` elements of each row from `begin` on, of values joined along the
  /// last dimension. `count` is at most the limit.
  mlir::Value take(Replacer &r, mlir::ValueRange values, int64_t begin,
                   int64_t count) const;

  /// Makes a value of `extent` elements a row from pieces that `make` makes, of
  /// at most `most` elements from a place on.
  Parts assemble(
      Replacer &r, int64_t extent, int64_t most,
      llvm::function_ref<mlir::Value(int64_t begin, int64_t count)> make) const;

  /// What the only result of an op is, in parts, or if it is short as a whole.
  llvm::LogicalResult become(Replacer &r, mlir::Operation *op, Parts list);

  const int64_t limit;

private:
  llvm::DenseMap<mlir::Value, Parts> parts;
  llvm::DenseMap<mlir::Value, mlir::Value> wholes;
};

/// A tensor of one number, however many elements.
mlir::Value filled(Replacer &r, double value, llvm::ArrayRef<int64_t> shape,
                   mlir::Value like);

/// The type of a value with rows of `count` elements.
mlir::RankedTensorType withRow(mlir::Value value, int64_t count);
inline int64_t lastAxis(mlir::Value value) {
  return int64_t(shapeOf(value).size()) - 1;
}

/// Makes convolutions of one window with too many channels products, whose
/// results are long rows, where they are moved and returned only; see
/// LongChannels.cpp. Gives their number.
int64_t foldLongChannels(FuncOp func);

/// Products of a matrix with long rows, or that give them; see
/// LongRowProducts.cpp.
llvm::LogicalResult splitProduct(LongRows &rows, Replacer &r, LinearOp op);
llvm::LogicalResult splitProduct(LongRows &rows, Replacer &r, MatmulOp op);

/// Windows over long rows, or that give them; see LongRowWindows.cpp.
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r, ConvOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r,
                                ConvTransposeOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r, MaxPoolOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r, AvgPoolOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r, L2PoolOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r,
                                UpsampleNearestNeighborOp op);
llvm::LogicalResult splitWindow(LongRows &rows, Replacer &r,
                                SlidingWindowsOp op);

/// Columns that a window covers.
inline int64_t reachOf(const Window &window) {
  return window.reach(window.kernel.size() - 1);
}

/// The elements of `x` that some results along a dimension are made of, and the
/// padding that a part of the op on these alone has.
struct Seen {
  int64_t begin, count, before, after;
};
/// Of `count` windows from `first` on.
Seen seenBy(const Window &window, size_t dim, int64_t first, int64_t count);
/// Of `count` results of a transposed convolution from `first` on.
Seen addedTo(const Window &window, size_t dim, int64_t first, int64_t count);

/// Whether the last window covers elements behind the padding, which do not
/// count for an average, but would as padding of a part.
inline bool passesPadding(const Window &window, size_t dim) {
  return window.reachBehind(dim) > window.padAfter[dim];
}
/// Whether each window sees something of the input along a dimension.
bool seesInput(const Window &window, size_t dim);
/// Whether each result of a transposed convolution comes from an element.
bool comesFromInput(const Window &window, size_t dim);
/// Has an average count alike in all of its parts. Fails where padding counts,
/// but not what is behind it.
llvm::LogicalResult countInside(Replacer &r, AvgPoolOp op, const Window &window,
                                size_t dim);

/// A window with other padding along a dimension.
Window padded(Window window, size_t dim, int64_t before, int64_t after);
/// The same op on a part of `x`, with the padding of `window`; `type` is that
/// of the result.
mlir::Value windowOn(Replacer &r, ConvOp op, const Window &window,
                     mlir::Type type, mlir::Value x);
mlir::Value windowOn(Replacer &r, ConvTransposeOp op, const Window &window,
                     mlir::Type type, mlir::Value x);
mlir::Value windowOn(Replacer &r, MaxPoolOp op, const Window &window,
                     mlir::Type type, mlir::Value x);
mlir::Value windowOn(Replacer &r, AvgPoolOp op, const Window &window,
                     mlir::Type type, mlir::Value x);
mlir::Value windowOn(Replacer &r, L2PoolOp op, const Window &window,
                     mlir::Type type, mlir::Value x);

/// Elements [first, first + count) along an axis of what an op makes `factor`
/// times as long there: `take(from, count)` repeated, with what is too much cut
/// off.
mlir::Value repeatedOn(Replacer &r, UpsampleNearestNeighborOp op, int64_t axis,
                       int64_t factor, int64_t first, int64_t count,
                       llvm::function_ref<mlir::Value(int64_t, int64_t)> take);

/// An image in another size, some elements along its columns or its rows at a
/// time; see LongRowResizes.cpp.
class ResizedPieces {
public:
  /// Of an op that resizes the last two dimensions along one of them, of pieces
  /// that are made of up to `limit` elements. Nothing where there is no rule.
  static std::optional<ResizedPieces> get(mlir::Operation *op, int64_t axis,
                                          int64_t limit);

  /// The elements of the result in a piece.
  int64_t most = 0;
  /// `count` of them from `begin` on. `take(from, count)` is a part of what is
  /// resized.
  mlir::Value
  make(Replacer &r, int64_t begin, int64_t count,
       llvm::function_ref<mlir::Value(int64_t, int64_t)> take) const;

private:
  int64_t axis = 0, otherAxis = 0;
  int64_t extent = 0; ///< of what is resized
  bool nearest = false;
  /// Where elements of the result lie; none for the other axis of a vector.
  std::vector<double> places, otherPlaces;
  /// Whether the other axis does not grow, and so is resized first.
  bool shrinks = false;
};
llvm::LogicalResult splitResize(LongRows &rows, Replacer &r,
                                mlir::Operation *op);

/// Whether an op resizes rows or columns that may be short, but need more
/// weights than it has room for where all of them are made at once.
bool needsPieces(mlir::Operation *op);

/// Normalisation over long rows; see LongRowNorms.cpp.
llvm::LogicalResult splitNorm(LongRows &rows, Replacer &r, InstanceNormOp op);
llvm::LogicalResult splitNorm(LongRows &rows, Replacer &r, LayerNormOp op);
llvm::LogicalResult splitNorm(LongRows &rows, Replacer &r, L2NormOp op);

/// Moves of long rows; see LongRowReshapes.cpp.
llvm::LogicalResult splitReshape(LongRows &rows, Replacer &r,
                                 mlir::Operation *op);
llvm::LogicalResult splitTranspose(LongRows &rows, Replacer &r, TransposeOp op);

/// Slices and gathers of long rows; see LongRowSlices.cpp.
llvm::LogicalResult splitSlice(LongRows &rows, Replacer &r, mlir::Operation *op,
                               std::optional<llvm::SmallVector<SliceDim>> dims);
llvm::LogicalResult splitUpdate(LongRows &rows, Replacer &r, SliceUpdateOp op);
llvm::LogicalResult splitGather(LongRows &rows, Replacer &r, GatherOp op);
/// What a slice takes along one dimension, backwards as well.
mlir::Value sliceDim(Replacer &r, mlir::Value x, int64_t axis,
                     const SliceDim &dim);

/// Whether an op works on other dimensions than the last, which its results
/// have as its operands do.
bool leavesRows(mlir::Operation *op);

/// Cuts an op on long rows: parts for its results that are long, another value
/// for the others. Fails where there is no rule.
llvm::LogicalResult splitRows(LongRows &rows, mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGROWS_LONGROWS_H
