//===- Evaluator.h - Walks a function op by op ------------------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_EVALUATOR_H
#define ANE_LIB_REFERENCE_EVALUATOR_H

#include "List.h"
#include "ane/Reference/Interpreter.h"

namespace ane::reference {

/// Whether a value is a tensor of a type of numbers. Others, such as strings,
/// reach an op's function only as constants of the IR.
bool isNumeric(mlir::Value value);

/// Whether the types and parameters of all ops are known before the inputs are.
bool isSpecialized(mil::FuncOp func);

/// Walks a function. One that is not specialised yet is given as a copy, which
/// is rewritten on the way: each value gets the type it turns out to have, and
/// one of few integers becomes a constant. So type inference sees what it needs
/// to give the next op its type, and an op's function sees static types only.
/// A block that may run again is copied before, for the same reason.
class Evaluator {
public:
  Evaluator(mil::FuncOp func, States &states, bool specialize,
            std::atomic<size_t> *numDone, Revise revise);

  /// Takes one tensor for each parameter that is no state.
  llvm::FailureOr<llvm::SmallVector<Output>>
  run(llvm::SmallVector<Tensor> inputs);

private:
  using Data = llvm::SmallVector<Datum>;

  llvm::FailureOr<Data> runBlock(mlir::Block &block);
  llvm::FailureOr<Data> runRegion(mlir::Region &region, Data arguments);
  llvm::LogicalResult step(mlir::Operation *op);
  llvm::FailureOr<Data> evaluateStep(mlir::Operation *op);
  llvm::FailureOr<Data> runOnTensors(mlir::Operation *op);
  llvm::FailureOr<Data> runOnList(mlir::Operation *op);
  llvm::FailureOr<Data> runOnState(mlir::Operation *op);
  llvm::FailureOr<Data> runClassify(mil::ClassifyOp op);
  llvm::FailureOr<Data> runCond(mil::CondOp op);
  llvm::FailureOr<Data> runLoop(mil::WhileLoopOp op);
  llvm::FailureOr<bool> isTrue(mlir::Operation *op, const Datum &value);

  llvm::LogicalResult inferResultTypes(mlir::Operation *op);
  void bind(mlir::Value value, Datum content);

  /// A tensor at hand. A weight is widened anew for each op that reads it.
  llvm::FailureOr<const Tensor *> read(mlir::Operation *user,
                                       mlir::Value value);
  /// The tensors that an op reads; null for operands of another kind.
  llvm::FailureOr<llvm::SmallVector<const Tensor *>>
  readTensors(mlir::Operation *op);
  /// A value of any kind, moved out if nobody else needs it.
  llvm::FailureOr<Datum> take(mlir::Operation *user, mlir::Value value);
  llvm::FailureOr<Data> takeAll(mlir::Operation *user, mlir::ValueRange values);

  /// Counts one use of a value, and drops it after the last.
  void release(mlir::Operation *user, mlir::Value value);
  /// Drops what a block defines.
  void forget(mlir::Block &block);

  struct Live {
    Datum content;
    std::ptrdiff_t usesLeft;
  };

  mil::FuncOp func;
  bool specialize;
  std::atomic<size_t> *numDone; ///< may be null
  Revise revise;                ///< may be null
  llvm::DenseMap<mlir::Value, Live> live;
  llvm::DenseMap<mlir::Value, Tensor *> states;
  ConstantValues constants;
};

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_EVALUATOR_H
