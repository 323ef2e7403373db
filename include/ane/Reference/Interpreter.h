//===- Interpreter.h - What a MIL program computes --------------*- C++ -*-===//
//
// The oracle: every op is computed from its definition in wide precision and
// its result rounded once to the declared element type. Nothing here is shared
// with code generation or with the executor.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_REFERENCE_INTERPRETER_H
#define ANE_REFERENCE_INTERPRETER_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Reference/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ane::reference {

/// What the states of a function hold, in the order of its parameters.
using States = llvm::SmallVector<Tensor>;

/// Zeros for each state of a function, which is what they start as. Reports at
/// the function and fails if one has unknown extents or cannot be held.
llvm::FailureOr<States> makeStates(mil::FuncOp func);

/// Evaluates a function on one tensor for each parameter that is no state, and
/// gives the returned values in order. The function may have unknown extents;
/// those of the inputs then decide them. `states` is what the states hold
/// before the run and, if it succeeds, after it; without it they start as zeros
/// and are lost.
///
/// Reports at the location of the function or of an op, and fails, if an input
/// does not fit its parameter, a weight is not loaded, an op has no reference
/// or the shape of a result follows from nothing. The result does not depend on
/// the number of threads.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mil::FuncOp func, llvm::SmallVector<Tensor> inputs, States &states);

/// Sees an op of the body of a function, the tensors that it reads, null for
/// other operands, and what it made of them, which it may change. The op may be
/// that of a copy of the function; names are the same.
using Revise =
    llvm::function_ref<void(mlir::Operation *, llvm::ArrayRef<const Tensor *>,
                            llvm::MutableArrayRef<Tensor>)>;

/// The same without states. Each op that gives tensors is shown to `revise`, if
/// there is one, before others read them.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mil::FuncOp func, llvm::SmallVector<Tensor> inputs,
         Revise revise = nullptr);

/// A class that a classifier knows.
using Label = std::variant<std::string, int64_t>;

/// The dictionary that `classify` gives: the probability of each class, in the
/// order of its list of classes. Labels are different from each other.
struct Dictionary {
  std::vector<std::pair<Label, double>> entries;
};

/// A returned value. The label that `classify` gives is a string, or where the
/// classes are int64 a tensor without dimensions.
using Output = std::variant<Tensor, std::string, Dictionary>;

/// The same for a function that may return more than tensors: a classifier.
/// `evaluate` refuses to give such values back. Where `numDone` is
/// given, it counts the ops of the body that are done, but for constants;
/// another thread may look at it. `revise` may be null, too.
llvm::FailureOr<llvm::SmallVector<Output>>
evaluateOutputs(mil::FuncOp func, llvm::SmallVector<Tensor> inputs,
                States &states, std::atomic<size_t> *numDone = nullptr,
                Revise revise = nullptr);

/// Whether `evaluateOutputs` computes ops of this kind.
bool isInterpreted(mlir::Operation *op);

/// Evaluates one op, whose types must be static, but for results of which only
/// the values tell how many there are, as of `non_zero`. `operands` has one
/// entry for each operand; null for one that is no tensor of numbers, such as
/// the string `pad_type`. Reports at the op and fails as above.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluateOp(mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands);

/// Whether `evaluateOp` can be asked: the op has a reference, and its operand
/// and result types are such as a Tensor can hold, but for operands that are no
/// tensors of numbers.
bool canEvaluate(mlir::Operation *op);

/// The value of a constant. Reports at the op and fails if it cannot be had,
/// for instance because it lies in a weight file that is not loaded.
llvm::FailureOr<Tensor> readConstant(mil::ConstOp op);

/// The values that are known before a program runs: those of constants, and of
/// the constexpr ops on them. A weight that is stored as a palette is many
/// times larger as a tensor, so each is made when it is asked for, and kept
/// only until `clear`.
class ConstantValues {
public:
  /// Takes note of a constexpr op whose operands are known. False for any other
  /// op. The ops on the way to a value must be deferred before it, in order.
  bool defer(mlir::Operation *op);
  /// Takes the note back, before an op is erased.
  void forget(mlir::Operation *op) { deferred.erase(op); }

  /// Whether a value is a constant or the result of a deferred op.
  bool has(mlir::Value value) const;

  /// Such a value; it lives until `clear`. Reports at an op and fails where it
  /// cannot be had.
  llvm::FailureOr<const Tensor *> get(mlir::Value value);

  /// Drops the values that were made; the notes stay.
  void clear() { values.clear(); }

private:
  llvm::DenseSet<mlir::Operation *> deferred;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Tensor>> values;
};

} // namespace ane::reference

#endif // ANE_REFERENCE_INTERPRETER_H
