//===- Interpreter.cpp - What a MIL program computes ----------------------===//

#include "ane/Reference/Interpreter.h"
#include "OpTable.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include <deque>

using namespace mlir;
using namespace ane;
using namespace ane::reference;

namespace {

/// Whether a value is a tensor of a type of numbers. Others, such as strings,
/// reach an op's function only as constants of the IR.
bool isNumeric(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getElementType().isIntOrFloat();
}

bool isStatic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.hasStaticShape();
}

/// Whether an input that chooses what the op does, such as axes or a flag, is
/// computed by another op. The dialect reads such inputs from constants only.
bool hasComputedParameter(Operation *op) {
  auto milOp = dyn_cast<mil::MILOp>(op);
  if (!milOp)
    return false;
  for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args))
    if (arg.constant && (arg.type == "int32" || arg.type == "bool"))
      for (Value value : milOp.getInput(index))
        if (!value.getDefiningOp<mil::ConstOp>())
          return true;
  return false;
}

/// Whether the types and parameters of all ops are known before the inputs are.
bool isSpecialized(mil::FuncOp func) {
  return llvm::all_of(func.getArgumentTypes(), isStatic) &&
         llvm::all_of(func.getBody().front(), [](Operation &op) {
           return llvm::all_of(op.getResultTypes(), isStatic) &&
                  !hasComputedParameter(&op);
         });
}

/// Walks a function. One that is not specialised yet is given as a copy, which
/// is rewritten on the way: each value gets the type it turns out to have, and
/// one of few integers becomes a constant. So type inference sees what it needs
/// to give the next op its type, and an op's function sees static types only.
class Interpreter {
public:
  Interpreter(mil::FuncOp func, bool specialize)
      : body(func.getBody().front()), specialize(specialize) {}

  FailureOr<SmallVector<Tensor>> run(SmallVector<Tensor> inputs) {
    for (auto [argument, input] : llvm::zip_equal(body.getArguments(), inputs))
      bind(argument, std::move(input));
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
      if (!isa<mil::ConstOp>(op) && failed(step(&op)))
        return failure();
    SmallVector<Tensor> outputs;
    for (Value output : body.getTerminator()->getOperands()) {
      FailureOr<const Tensor *> tensor = read(body.getTerminator(), output);
      if (failed(tensor))
        return failure();
      outputs.push_back(**tensor);
    }
    return outputs;
  }

private:
  LogicalResult step(Operation *op) {
    if (specialize && failed(inferResultTypes(op)))
      return failure();
    SmallVector<const Tensor *> operands;
    for (Value operand : op->getOperands()) {
      if (!isNumeric(operand)) {
        operands.push_back(nullptr);
        continue;
      }
      FailureOr<const Tensor *> tensor = read(op, operand);
      if (failed(tensor))
        return failure();
      operands.push_back(*tensor);
    }
    FailureOr<SmallVector<Tensor>> results = evaluateOp(op, operands);
    if (failed(results))
      return failure();

    constants.clear();
    for (Value operand : op->getOperands())
      release(operand);
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), *results))
      bind(value, std::move(tensor));
    return success();
  }

  LogicalResult inferResultTypes(Operation *op) {
    SmallVector<Type> types;
    auto milOp = dyn_cast<mil::MILOp>(op);
    if (!milOp)
      return success();
    if (failed(milOp.inferTypes(types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
      if (failed(verifyCompatibleShape(result.getType(), type)))
        return mil::refuse(
            op, "mil-result-c1",
            "the result is declared as " + mil::formatType(result.getType()) +
                ", but the inputs give " + mil::formatType(type));
      result.setType(type);
    }
    return success();
  }

  void bind(Value value, Tensor tensor) {
    // As many as the longest list that describes a shape.
    constexpr int64_t maxShapeElements = 64;
    if (specialize) {
      value.setType(tensor.getType());
      if (!tensor.isFloat() && tensor.getNumElements() <= maxShapeElements) {
        OpBuilder builder(value.getContext());
        builder.setInsertionPointAfterValue(value);
        auto constant = mil::ConstOp::create(
            builder, value.getLoc(), tensor.getType(), toElementsAttr(tensor),
            /*label=*/nullptr, /*result_names=*/nullptr,
            /*text_attrs=*/nullptr);
        value.replaceAllUsesWith(constant.getResult());
        return;
      }
    }
    if (!value.use_empty())
      live.try_emplace(value,
                       Live{std::move(tensor),
                            std::distance(value.use_begin(), value.use_end())});
  }

  /// A value at hand. A constant is widened anew for each op that reads it.
  FailureOr<const Tensor *> read(Operation *user, Value value) {
    if (auto constant = value.getDefiningOp<mil::ConstOp>()) {
      FailureOr<Tensor> tensor = readConstant(constant);
      if (failed(tensor))
        return failure();
      return &constants.emplace_back(std::move(*tensor));
    }
    auto found = live.find(value);
    if (found == live.end())
      return report(user) << "an operand is not defined before its use";
    return &found->second.tensor;
  }

  /// Counts one use of a value, and drops it after the last.
  void release(Value value) {
    auto found = live.find(value);
    if (found != live.end() && --found->second.usesLeft == 0)
      live.erase(found);
  }

  struct Live {
    Tensor tensor;
    std::ptrdiff_t usesLeft;
  };

  Block &body;
  bool specialize;
  DenseMap<Value, Live> live;
  std::deque<Tensor> constants;
};

LogicalResult checkInputs(mil::FuncOp func, ArrayRef<Tensor> inputs) {
  auto error = [&] {
    return func.emitError() << "func '" << func.getName() << "': ";
  };
  if (inputs.size() != func.getNumArguments())
    return error() << func.getNumArguments() << " inputs are needed, "
                   << inputs.size() << " given";
  for (auto [index, input] : llvm::enumerate(inputs)) {
    Type type = func.getArgumentTypes()[index];
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getElementType() != input.getElementType() ||
        failed(verifyCompatibleShape(tensor, input.getType())))
      return error() << "parameter '" << func.getParameterName(index) << "' is "
                     << mil::formatType(type) << ", but the input is "
                     << mil::formatType(input.getType());
  }
  return success();
}

} // namespace

FailureOr<SmallVector<Tensor>>
ane::reference::evaluate(mil::FuncOp func, SmallVector<Tensor> inputs) {
  if (failed(checkInputs(func, inputs)))
    return failure();
  if (isSpecialized(func))
    return Interpreter(func, /*specialize=*/false).run(std::move(inputs));
  OwningOpRef<mil::FuncOp> copy = func.clone();
  return Interpreter(*copy, /*specialize=*/true).run(std::move(inputs));
}

FailureOr<SmallVector<Tensor>>
ane::reference::evaluateOp(Operation *op, ArrayRef<const Tensor *> operands) {
  if (auto constant = dyn_cast<mil::ConstOp>(op)) {
    FailureOr<Tensor> value = readConstant(constant);
    if (failed(value))
      return failure();
    SmallVector<Tensor> results;
    results.push_back(std::move(*value));
    return results;
  }
  const OpTable::Function *function = OpTable::get().lookup(op);
  if (!function)
    return report(op) << "the reference interpreter does not know this op";
  if (operands.size() != op->getNumOperands())
    return report(op) << op->getNumOperands() << " operands are needed, "
                      << operands.size() << " given";
  if (hasComputedParameter(op))
    return report(op) << "an input that must be constant is computed; fold "
                         "constants first";
  for (auto [operand, tensor] : llvm::zip_equal(op->getOperands(), operands))
    if (isNumeric(operand) &&
        (!tensor || tensor->getType() != operand.getType()))
      return report(op) << "an operand of type "
                        << mil::formatType(operand.getType()) << " is given "
                        << (tensor ? "as " + mil::formatType(tensor->getType())
                                   : "no value");
  for (Type type : op->getResultTypes())
    if (llvm::Error error = Tensor::check(type))
      return report(op) << "the result cannot be computed: "
                        << llvm::toString(std::move(error));

  FailureOr<SmallVector<Tensor>> results = (*function)(op, operands);
  if (failed(results))
    return failure();
  for (Tensor &result : *results)
    result.roundToElementType();
  return results;
}

bool ane::reference::canEvaluate(Operation *op) {
  auto canHold = [](Type type) {
    if (llvm::Error error = Tensor::check(type)) {
      llvm::consumeError(std::move(error));
      return false;
    }
    return true;
  };
  return (isa<mil::ConstOp>(op) || OpTable::get().lookup(op)) &&
         llvm::all_of(op->getResultTypes(), canHold) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isNumeric(operand) || canHold(operand.getType());
         });
}

FailureOr<Tensor> ane::reference::readConstant(mil::ConstOp op) {
  if (auto blob = dyn_cast<mil::BlobFileAttr>(op.getValue()))
    return report(op) << "the value lies in weight file \"" << blob.getPath()
                      << "\" at offset " << blob.getOffset()
                      << " and is not loaded; run the pass mil-load-weights "
                         "first";
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements)
    return report(op) << mil::formatType(op.getType())
                      << " is not a tensor of numbers";
  llvm::Expected<Tensor> tensor = fromElementsAttr(elements);
  if (!tensor)
    return report(op) << llvm::toString(tensor.takeError());
  return std::move(*tensor);
}
