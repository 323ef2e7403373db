//===- OpTable.h - The reference of each op ---------------------*- C++ -*-===//
//
// One function per op, registered by family. A function gets the op and its
// operands as tensors by name, as `fold` gets attributes:
//
//   Tensor softmax(SoftmaxOp op, Inputs<SoftmaxOp> in);
//   table.add<SoftmaxOp>(softmax);
//
// It may rely on the op's constraints, on static types and on operands of the
// declared types. An absent input is null, and so is one that is no tensor of
// numbers. It returns wide values; the caller rounds them to the element type.
// What the shape of a result depends on is told to `add`, unless it is the
// types of the operands. A function that can fail returns FailureOr and reports
// at the op, and one of an op with several results returns a vector.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_REFERENCE_OPTABLE_H
#define ANE_LIB_REFERENCE_OPTABLE_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Reference/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace ane::reference {

/// The operands of an op by name: `in.getX()` is a `const Tensor *`.
template <typename Op>
struct Inputs : Op::template GenericAdaptor<llvm::ArrayRef<const Tensor *>> {
  using Base =
      typename Op::template GenericAdaptor<llvm::ArrayRef<const Tensor *>>;
  using Base::Base;

  /// The one element of an input, or of an absent one the default that its
  /// definition gives.
  double getFloat(llvm::StringRef name) {
    const Tensor *tensor = find(name);
    return tensor ? tensor->floats().front() : getDefault(name);
  }
  int64_t getInt(llvm::StringRef name) {
    const Tensor *tensor = find(name);
    return tensor ? tensor->ints().front() : getDefault(name);
  }
  bool getBool(llvm::StringRef name) { return getInt(name) != 0; }

private:
  const Tensor *find(llvm::StringRef name) {
    auto operands = this->getODSOperands(Op::getOpSpec().indexOf(name));
    return operands.empty() ? nullptr : operands.front();
  }
  static double getDefault(llvm::StringRef name) {
    const mil::OpSpec &spec = Op::getOpSpec();
    return spec.args[spec.indexOf(name)].getDefaultNumber();
  }
};

/// What a string input says, or of an absent one its default.
llvm::StringRef getString(mil::MILOp op, llvm::StringRef name);

using Results = llvm::FailureOr<llvm::SmallVector<Tensor>>;

class OpTable {
public:
  using Function =
      std::function<Results(mlir::Operation *, llvm::ArrayRef<const Tensor *>)>;

  /// What the shape of a result follows from.
  enum class ShapeFrom {
    Types,    ///< types of operands, and inputs that must be constant
    Values,   ///< values of integer operands, which inference reads
    Function, ///< what the function finds; the declared type bounds it
  };

  template <typename Op, typename Fn>
  void add(Fn fn, ShapeFrom shapeFrom = ShapeFrom::Types) {
    shapes[mlir::TypeID::get<Op>()] = shapeFrom;
    functions[mlir::TypeID::get<Op>()] =
        [fn](mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands) {
          auto typed = llvm::cast<Op>(op);
          return toResults(fn(typed, Inputs<Op>(operands, typed)));
        };
  }

  /// Null for an op without a reference.
  const Function *lookup(mlir::Operation *op) const;

  ShapeFrom getShapeFrom(mlir::Operation *op) const;

  /// All families.
  static const OpTable &get();

private:
  static Results toResults(llvm::SmallVector<Tensor> tensors) {
    return tensors;
  }
  static Results toResults(Tensor tensor) {
    llvm::SmallVector<Tensor> results;
    results.push_back(std::move(tensor));
    return results;
  }
  template <typename T> static Results toResults(llvm::FailureOr<T> result) {
    if (llvm::failed(result))
      return llvm::failure();
    return toResults(std::move(*result));
  }

  llvm::DenseMap<mlir::TypeID, Function> functions;
  llvm::DenseMap<mlir::TypeID, ShapeFrom> shapes;
};

void registerActivationOps(OpTable &table);
void registerControlFlowOps(OpTable &table);
void registerConvOps(OpTable &table);
void registerElementwiseOps(OpTable &table);
void registerFillOps(OpTable &table);
void registerImageOps(OpTable &table);
void registerIndexingOps(OpTable &table);
void registerLinearOps(OpTable &table);
void registerNormalizationOps(OpTable &table);
void registerPoolOps(OpTable &table);
void registerQuantizationOps(OpTable &table);
void registerRecurrentOps(OpTable &table);
void registerReductionOps(OpTable &table);
void registerSliceOps(OpTable &table);
void registerSortOps(OpTable &table);
void registerTensorOps(OpTable &table);
void registerTransformOps(OpTable &table);
void registerUnaryOps(OpTable &table);

/// Zeros of the type of a result.
inline Tensor resultOf(mlir::Operation *op, unsigned index = 0) {
  return Tensor(
      llvm::cast<mlir::RankedTensorType>(op->getResult(index).getType()));
}

/// The one element of an input, or what else counts where it is absent.
inline double floatOr(const Tensor *tensor, double otherwise) {
  return tensor ? tensor->floats().front() : otherwise;
}

/// Reports `conv: message` at an op.
mlir::InFlightDiagnostic report(mlir::Operation *op);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_OPTABLE_H
