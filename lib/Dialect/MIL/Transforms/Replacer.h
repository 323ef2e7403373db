//===- Replacer.h - Ops in the place of others ------------------*- C++ -*-===//
//
// What passes on MIL share that put ops in the place of others: how these are
// made, what the engine holds, and what is known of values.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_REPLACER_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_REPLACER_H

#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Half.h"
#include "ane/Target/H13.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::mil {

/// Makes the ops that take the place of one op, in front of it and at its
/// location. All values are static tensors.
class Replacer {
public:
  Replacer(mlir::PatternRewriter &rewriter, mlir::Operation *op)
      : rewriter(rewriter), op(op) {
    rewriter.setInsertionPoint(op);
  }

  /// A scalar of the element type of `like`, or of a type.
  mlir::Value scalar(double value, mlir::Value like);
  mlir::Value scalar(double value, mlir::Type elementType);
  /// A tensor of the element type of `like`, in row-major order.
  mlir::Value tensor(llvm::ArrayRef<double> values,
                     llvm::ArrayRef<int64_t> shape, mlir::Value like);
  mlir::Value tensor(llvm::ArrayRef<double> values,
                     llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  mlir::Value constant(mlir::ElementsAttr value);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  /// Integers `first`, `first + step`, ... along `axis`, with extents of 1 up
  /// to `rank` behind it.
  mlir::Value positions(int64_t axis, int64_t rank, int64_t count, double first,
                        double step);
  mlir::Value truths(llvm::ArrayRef<bool> values,
                     llvm::ArrayRef<int64_t> shape);
  mlir::Value integer(int64_t value);
  mlir::Value boolean(bool value);
  mlir::Value string(llvm::StringRef value);

  /// An op with one input, whose result has the type of that.
  template <typename Op> mlir::Value unary(mlir::Value x) {
    return Op::create(rewriter, op->getLoc(), x.getType(), x);
  }
  /// The same of an op with further inputs.
  template <typename Op, typename... Inputs>
  mlir::Value with(mlir::Value x, Inputs... inputs) {
    return Op::create(rewriter, op->getLoc(), x.getType(), x, inputs...);
  }
  /// The value with the element type of `like`; itself if it has it.
  mlir::Value convert(mlir::Value x, mlir::Value like);
  /// 1 where `x` and `y`, which broadcast, compare so, 0 elsewhere; of the
  /// element type of `x`.
  template <typename Op> mlir::Value compare(mlir::Value x, mlir::Value y) {
    auto type = llvm::cast<mlir::RankedTensorType>(broadcastType(x, y));
    return convert(Op::create(rewriter, op->getLoc(),
                              type.clone(rewriter.getI1Type()), x, y),
                   x);
  }
  /// An op on two values that broadcast.
  template <typename Op> mlir::Value binary(mlir::Value x, mlir::Value y) {
    return Op::create(rewriter, op->getLoc(), broadcastType(x, y), x, y);
  }
  /// The same with a number.
  template <typename Op> mlir::Value binary(mlir::Value x, double y) {
    return binary<Op>(x, scalar(y, x));
  }
  /// A reduction over axes from 0 to the rank.
  template <typename Op>
  mlir::Value reduce(mlir::Value x, llvm::ArrayRef<int64_t> axes,
                     bool keepDims) {
    return Op::create(rewriter, op->getLoc(), reducedType(x, axes, keepDims), x,
                      ints(axes), boolean(keepDims));
  }
  /// The same of the kind of another one.
  mlir::Value reduce(Reduction alike, mlir::Value x,
                     llvm::ArrayRef<int64_t> axes, bool keepDims);
  /// The product of the last two dimensions of values of one rank, with the
  /// larger batch of the two.
  mlir::Value product(mlir::Value x, mlir::Value y, bool transposeY = false);
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);
  /// The same of the value in another shape.
  mlir::Value transposeAs(mlir::Value x, llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<int64_t> permutation);
  /// `count` elements along an axis.
  mlir::Value slice(mlir::Value x, int64_t axis, int64_t begin, int64_t count,
                    int64_t stride = 1);
  /// Zeros around the last dimensions, in front and behind of each.
  mlir::Value pad(mlir::Value x, llvm::ArrayRef<int64_t> padding);
  /// Values joined along an axis, element by element in turn if they
  /// interleave; of one value itself.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t axis,
                     bool interleave = false);

  /// Replaces the op. The value takes over its names, which may be those of an
  /// output.
  llvm::LogicalResult replace(mlir::ValueRange values);

  mlir::PatternRewriter &rewriter;

private:
  static mlir::Type broadcastType(mlir::Value x, mlir::Value y);
  static mlir::Type reducedType(mlir::Value x, llvm::ArrayRef<int64_t> axes,
                                bool keepDims);

  mlir::Operation *op;
};

// Ops are taken apart for the one target there is. A second one makes the
// target an option of these passes, as it is of those on layers.

/// Of fp16, which all values of the engine are.
inline constexpr int64_t elementBytes = halfBytes;

/// The rows, and the columns, of an image (`h13-shape-c3`).
inline constexpr int64_t longestDim = h13.maxWidth;
static_assert(h13.maxHeight == longestDim);

/// The channels, and the batch (`h13-shape-c3`).
inline constexpr int64_t longestOuter = h13.maxChannels;
static_assert(h13.maxBatch == longestOuter);

/// The dimensions. What is cut or folded has one more than before.
inline constexpr int64_t mostDims = h13.maxRank;

/// What is made in the place of an op is also in that of others: it has their
/// locations behind that of the op, which names it. To be called before.
void takeLocations(mlir::Operation *op,
                   llvm::ArrayRef<mlir::Operation *> others);

/// Erases the ops of values that nothing reads, and what they alone read. If it
/// is known by which op this is computed now, that one has their locations.
void eraseUnread(mlir::ValueRange values, mlir::Operation *by = nullptr);

/// Erases the ops of a kind whose values nothing reads, and leaves what they
/// read.
template <typename Op> void eraseUnreadOps(FuncOp func) {
  for (auto op : llvm::make_early_inc_range(func.getBody().getOps<Op>()))
    if (op->use_empty())
      op->erase();
}

/// Whether a value is what the program writes out.
inline bool isConst(mlir::Value value) {
  return bool(value.getDefiningOp<ConstOp>());
}

/// Whether a value of this shape is one of the engine.
bool fitsEngine(llvm::ArrayRef<int64_t> shape);

/// The type of a value that is a static tensor and has elements; null for
/// another.
mlir::RankedTensorType staticType(mlir::Value value);
/// The shape of a value that is a tensor with a rank.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// The bytes of a value as the engine holds it.
inline int64_t bytesOf(mlir::Value value) {
  return llvm::product_of(shapeOf(value)) * elementBytes;
}

/// Whether a type has all integers below `extent`.
bool holdsBelow(mlir::IntegerType type, int64_t extent);

/// What a shape is among those of a rank that it broadcasts to: with dimensions
/// of one element in front.
llvm::SmallVector<int64_t> alignedShape(llvm::ArrayRef<int64_t> shape,
                                        size_t rank);

/// The elements of a constant in another shape, without a copy; null where they
/// are not at hand.
mlir::ElementsAttr reshaped(mlir::ElementsAttr elements,
                            llvm::ArrayRef<int64_t> shape);

/// The axes of a reduction in [0, rank), sorted; all of them where the input is
/// absent. Nothing if they are computed.
std::optional<llvm::SmallVector<int64_t>> reducedAxes(mlir::Value axes,
                                                      int64_t rank);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_REPLACER_H
