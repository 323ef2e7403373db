//===- ReshapedRegion.h - Ops between reshapes ------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RESHAPEDREGION_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RESHAPEDREGION_H

#include "Replacer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace ane::mil {

/// Elements that move in a reshape: none where rows stay rows.
int64_t movedElements(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
int64_t movedElements(mlir::Operation *reshape);

/// Ops on values between reshapes, as ops on these in another shape, which has
/// the same dimensions in front. What shapes these are says each kind.
class ReshapedRegion {
public:
  virtual ~ReshapedRegion() = default;

  /// The ops on the ways from `entry` to reshapes of a kind; false if there are
  /// none, or no fewer elements would move in reshapes.
  bool find(mlir::Operation *entry);
  void rewrite();

protected:
  using Shape = llvm::SmallVector<int64_t>;

  /// Whether a value has the shape that another one takes the place of.
  virtual bool changes(mlir::Value value) const = 0;
  /// The other shape of such a value, or of an operand beside it.
  virtual Shape otherShape(mlir::Value value) const = 0;
  /// How many of so many dimensions are the same ones in the other shape.
  virtual int64_t keptDims(int64_t rank) const = 0;
  /// Whether an op can take a value element by element in the other shape.
  virtual bool canBeOperand(mlir::Value value) const = 0;
  /// What a value is a reshape of if ops read that in its place, or itself.
  virtual mlir::Value sourceOf(mlir::Value value) const = 0;
  /// Whether ops end at a reshape.
  virtual bool isExit(mlir::Operation *op) const = 0;
  /// Whether an op that reads a result is a reshape of the other shape then.
  virtual bool readsOther(mlir::Operation *user) const = 0;
  /// Whether there is such an op on the other shape.
  virtual bool goesAlong(mlir::Operation *op) const;
  /// Makes it, with results of the old types.
  virtual mlir::Operation *convert(Replacer &r, mlir::Operation *op);

  /// Whether all results have an other shape, and the engine has that.
  bool hasOtherResults(mlir::Operation *op) const;
  /// A value in its other shape.
  mlir::Value other(Replacer &r, mlir::Value value);

private:
  bool contains(mlir::Operation *op) const { return op && ops.contains(op); }
  bool isWorthIt() const;
  void leave(mlir::OpResult result);

  llvm::SetVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Value, mlir::Value> made; ///< values in the other shape
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RESHAPEDREGION_H
