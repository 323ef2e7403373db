//===- SignalRules.h - Columns of signals and the ops on them ---*- C++ -*-===//
//
// A signal is a value with one row for each channel, such as sound. Most ops on
// one compute some columns of their result, which lie along its last dimension,
// from the columns of their operands at the same place and near it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALRULES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALRULES_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Target/H13.h"

namespace ane::mil {

/// Columns from `begin` up to before `end`.
struct ColumnRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t count() const { return end - begin; }
  /// What of it lies in a row of `extent` columns.
  ColumnRange within(int64_t extent) const {
    return {std::clamp<int64_t>(begin, 0, extent),
            std::clamp<int64_t>(end, 0, extent)};
  }
};

/// Columns that lie in a line of memory together. A part of a row that begins
/// with one of them is a view.
inline constexpr int64_t lineColumns = h13.rowStep();

/// What an op needs for some columns of its results, and how it makes them.
class SignalRule {
public:
  /// Nothing for an op whose results are no signals, or which does not leave
  /// columns at their places.
  static std::optional<SignalRule> get(mlir::Operation *op);

  /// Whether an operand has columns that go with those of the results.
  bool isSignal(unsigned operand) const {
    return llvm::is_contained(signals, operand);
  }
  /// Whether the results are no more than another look at the operand.
  bool isView() const { return looksOn; }
  /// Whether a result is made from several columns.
  bool seesBeside() const { return reach > 1; }
  /// Columns of the results for `getDown()` of an operand.
  int64_t getUp() const { return up; }
  int64_t getDown() const { return down; }
  /// What results may begin with are multiples of this.
  int64_t getStep() const { return up * lineColumns; }
  /// Products of a column of the results.
  int64_t getProducts() const { return products; }

  /// The columns that results are made from; some may lie beside the operand,
  /// where it is padded.
  ColumnRange needs(ColumnRange results) const;
  /// The part of an operand that `apply` takes for results, whose begin is a
  /// multiple of the step. Where it begins behind what the first results need,
  /// these are not those of the op.
  ColumnRange partFor(ColumnRange results) const;
  /// The last begin with which results from `first` on are those of the op.
  int64_t latestBegin(int64_t first) const;

  /// Columns of the results. `operands` are those of the op, of signals the
  /// part that `partFor` gives.
  llvm::SmallVector<mlir::Value> apply(Replacer &r, mlir::Operation *op,
                                       mlir::ValueRange operands,
                                       ColumnRange results) const;

private:
  enum class Kind { Alike, Window, Transposed, Nearest, Slice, Pad };

  SignalRule(Kind kind, mlir::Value operand)
      : kind(kind), extent(shapeOf(operand).back()) {}

  static std::optional<SignalRule> getAlike(mlir::Operation *op);
  static std::optional<SignalRule>
  getSlice(mlir::Operation *op,
           std::optional<llvm::SmallVector<SliceDim>> dims);
  static std::optional<SignalRule> getPad(PadOp op);
  template <typename Op> static std::optional<SignalRule> getWindow(Op op);
  static std::optional<SignalRule> getTransposed(ConvTransposeOp op);
  static std::optional<SignalRule> getNearest(UpsampleNearestNeighborOp op);

  Kind kind;
  int64_t extent; ///< columns of an operand
  llvm::SmallVector<unsigned, 3> signals = {0};
  bool looksOn = false;
  int64_t up = 1, down = 1;
  /// Columns that a window has in front of the place of its result, or that a
  /// pad adds there; for a slice those that it leaves out, with a minus.
  int64_t before = 0;
  int64_t reach = 1; ///< columns that a window covers
  bool reflects = false;
  int64_t products = 0;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALRULES_H
