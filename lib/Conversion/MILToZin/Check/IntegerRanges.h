//===- IntegerRanges.h - What integers can be -------------------*- C++ -*-===//
//
// The engine holds an integer as fp16, which has every integer up to 2048 and
// fewer beyond. Moving, comparing and choosing keep a number that fp16 has;
// sums and products may leave the numbers it has. So each integer of a program
// gets an interval that it cannot leave, and arithmetic whose interval passes
// 2048 is a problem.
//
// The intervals start at the inputs. How far an input may go follows from the
// program: as far as everything computed from it stays exact, at most 2048. The
// container says so, and who runs it refuses what is beyond.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_CHECK_INTEGERRANGES_H
#define ANE_LIB_CONVERSION_MILTOZIN_CHECK_INTEGERRANGES_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Half.h"
#include "ane/Support/IntegerLimit.h"
#include "ane/Support/Interval.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace ane::lowering {

/// An integer type that fp16 can carry: 8, 16 or 32 bits, not bool.
bool isCarriedInteger(mlir::Type elementType);
/// Whether the elements of a value have such a type.
bool holdsIntegers(mlir::Value value);

/// Why an op that takes integers has no layers (`int-c1`).
inline constexpr llvm::StringLiteral notOnIntegers =
    "this op is not computed on integers; cast them to fp16 before it";

/// Unit attribute of a cast that takes off what passes the range of its result.
inline constexpr llvm::StringLiteral wrapsAttrName = "mil.wraps";

/// The integers that fp16 has all of.
inline constexpr Interval exactIntegers = {-largestExactInteger,
                                           largestExactInteger};
/// What a bool is as a number.
inline constexpr Interval truth = {0, 1};
/// The numbers of an integer type that fp16 carries.
Interval rangeOf(mlir::Type elementType);
/// Bounds for a message.
std::string rangeText(Interval range);

/// The bounds of a result that is rounded to fp16.
Interval rounded(Interval range);
/// The results of a function of floats in an interval, as the engine computes
/// them. Nothing where they are not known, or where there may be none.
std::optional<Interval> rangeOfFunction(mlir::Operation *op, Interval a);

/// Why an op is not exact: the constraint without its family, and a message.
struct RangeProblem {
  llvm::StringRef constraint;
  std::string message;
};

class IntegerRanges {
public:
  /// Looks at all ops of a function whose integer inputs are within limits().
  explicit IntegerRanges(mil::FuncOp func);

  /// What integer inputs may be, in order of the parameters and found from the
  /// first on: as large that the function has no problem, no cast that wraps
  /// and no index astray that it does not have with inputs up to 1, and not
  /// negative where that saves it from a problem. Other parameters have any
  /// limit there.
  llvm::ArrayRef<IntegerLimit> limits() const { return inputLimits; }

  const RangeProblem *problemOf(mlir::Operation *op) const {
    auto found = problems.find(op);
    return found == problems.end() ? nullptr : &found->second;
  }
  size_t numProblems() const { return problems.size(); }
  /// Casts between integers whose operand may pass the range of the result.
  /// What is in excess is taken off them, as MIL has it.
  const llvm::SmallPtrSetImpl<mlir::Operation *> &wrappingCasts() const {
    return wrapping;
  }
  /// Ops that choose by inputs that may be beyond their extents.
  size_t numStray() const { return stray; }

private:
  class Results; ///< infer(), a function for each kind of op

  IntegerRanges(mil::FuncOp func, llvm::ArrayRef<IntegerLimit> limits);

  static llvm::SmallVector<IntegerLimit> findLimits(mil::FuncOp func);
  void visit(mlir::Operation *op);
  void countStray(mlir::Operation *op);
  void visitFinite(mlir::Operation *op);
  Interval of(mlir::Value value) const;
  /// The same of an operand whose elements reach the engine: notes a constant
  /// with an element that fp16 does not have.
  Interval data(mlir::Operation *op, mlir::Value value);
  std::optional<Interval> infer(mlir::Operation *op);
  void note(mlir::Operation *op, llvm::StringRef constraint,
            const llvm::Twine &message);

  llvm::SmallVector<IntegerLimit> inputLimits;
  llvm::DenseMap<mlir::Value, Interval> intervals;
  /// Of floats, what those are that are not infinite, where that says more:
  /// an infinity has no integer.
  llvm::DenseMap<mlir::Value, Interval> finiteIntervals;
  bool areFinite = false; ///< whether of() is asked for those
  llvm::DenseMap<mlir::Operation *, RangeProblem> problems;
  llvm::SmallPtrSet<mlir::Operation *, 4> wrapping;
  size_t stray = 0;
};

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_CHECK_INTEGERRANGES_H
