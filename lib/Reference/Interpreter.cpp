//===- Interpreter.cpp - What a MIL program computes ----------------------===//

#include "ane/Reference/Interpreter.h"
#include "Evaluator.h"
#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Random.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;

namespace {

/// The parameters that are states, or those that are not.
SmallVector<unsigned> parameters(mil::FuncOp func, bool areStates) {
  SmallVector<unsigned> indices;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<mil::StateType>(type) == areStates)
      indices.push_back(index);
  return indices;
}

LogicalResult checkInputs(mil::FuncOp func, ArrayRef<Tensor> inputs,
                          bool areStates) {
  auto error = [&] {
    return func.emitError() << "func '" << func.getName() << "': ";
  };
  SmallVector<unsigned> indices = parameters(func, areStates);
  if (inputs.size() != indices.size())
    return error() << indices.size() << (areStates ? " states" : " inputs")
                   << " are needed, " << inputs.size() << " given";
  for (auto [index, input] : llvm::zip_equal(indices, inputs)) {
    Type type = func.getArgumentTypes()[index];
    if (auto state = dyn_cast<mil::StateType>(type))
      type = state.getTensorType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getElementType() != input.getElementType() ||
        failed(verifyCompatibleShape(tensor, input.getType())))
      return error() << "parameter '" << func.getParameterName(index) << "' is "
                     << mil::formatType(type) << ", but the input is "
                     << mil::formatType(input.getType());
  }
  return success();
}

/// That results can be held and have the types that the operands give. Whoever
/// replaced an operand by a constant since the op was verified may have told
/// more about them.
LogicalResult checkResultTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (llvm::Error error = Tensor::check(type))
      return report(op) << "the result cannot be computed: "
                        << llvm::toString(std::move(error));
  auto milOp = dyn_cast<mil::MILOp>(op);
  SmallVector<Type> types;
  if (!milOp)
    return success();
  if (failed(mil::inferResultTypes(milOp, types)))
    return failure();
  bool mustBeKnown =
      OpTable::get().getShapeFrom(op) == OpTable::ShapeFrom::Values;
  for (auto [declared, type] : llvm::zip_equal(op->getResultTypes(), types)) {
    if (failed(verifyCompatibleShape(declared, type)))
      return mil::refuseResultType(op, declared, type);
    if (mustBeKnown && declared != type)
      return report(op) << "a value that decides the shape of the result is "
                           "computed; fold constants first";
  }
  return success();
}

/// Outputs none of which is anything else.
FailureOr<SmallVector<Tensor>>
asTensors(mil::FuncOp func, FailureOr<SmallVector<Output>> outputs) {
  if (failed(outputs))
    return failure();
  SmallVector<Tensor> tensors;
  for (auto [index, output] : llvm::enumerate(*outputs)) {
    auto *tensor = std::get_if<Tensor>(&output);
    if (!tensor)
      return func.emitError()
             << "func '" << func.getName() << "': output "
             << func.getOutputName(index) << " is "
             << mil::formatType(func.getResultTypes()[index])
             << ", no tensor of numbers; return the probabilities instead";
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

} // namespace

FailureOr<States> ane::reference::makeStates(mil::FuncOp func) {
  States states;
  for (unsigned index : parameters(func, /*areStates=*/true)) {
    auto state = cast<mil::StateType>(func.getArgumentTypes()[index]);
    if (llvm::Error error = Tensor::check(state.getTensorType()))
      return func.emitError() << "func '" << func.getName() << "': state '"
                              << func.getParameterName(index)
                              << "': " << llvm::toString(std::move(error));
    states.emplace_back(cast<RankedTensorType>(state.getTensorType()));
  }
  return states;
}

FailureOr<SmallVector<Tensor>>
ane::reference::evaluate(mil::FuncOp func, SmallVector<Tensor> inputs,
                         States &states) {
  return asTensors(func, evaluateOutputs(func, std::move(inputs), states));
}

FailureOr<SmallVector<Tensor>>
ane::reference::evaluate(mil::FuncOp func, SmallVector<Tensor> inputs,
                         Revise revise) {
  FailureOr<States> states = makeStates(func);
  if (failed(states))
    return failure();
  return asTensors(func, evaluateOutputs(func, std::move(inputs), *states,
                                         /*numDone=*/nullptr, revise));
}

FailureOr<SmallVector<Output>>
ane::reference::evaluateOutputs(mil::FuncOp func, SmallVector<Tensor> inputs,
                                States &states, std::atomic<size_t> *numDone,
                                Revise revise) {
  if (failed(checkInputs(func, inputs, /*areStates=*/false)) ||
      failed(checkInputs(func, states, /*areStates=*/true)))
    return failure();
  if (isSpecialized(func))
    return Evaluator(func, states, /*specialize=*/false, numDone, revise)
        .run(std::move(inputs));
  OwningOpRef<mil::FuncOp> copy = func.clone();
  return Evaluator(*copy, states, /*specialize=*/true, numDone, revise)
      .run(std::move(inputs));
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
  if (!function && mil::isRandom(op))
    return report(op) << "the values are random, so there is no reference for "
                         "them; make them an input of the program";
  if (!function && isa<mil::ClassifyOp>(op))
    return report(op) << "the results are no tensors; they can only be "
                         "returned";
  if (!function)
    return report(op) << "the reference interpreter does not know this op";
  if (operands.size() != op->getNumOperands())
    return report(op) << op->getNumOperands() << " operands are needed, "
                      << operands.size() << " given";
  if (mil::hasComputedParameter(op))
    return report(op) << "an input that must be constant is computed; fold "
                         "constants first";
  auto hasTypeOf = [](const Tensor &tensor, Value operand) {
    return tensor.getType() ==
           mil::withoutLayout(cast<RankedTensorType>(operand.getType()));
  };
  for (auto [operand, tensor] : llvm::zip_equal(op->getOperands(), operands))
    if (isNumeric(operand) && (!tensor || !hasTypeOf(*tensor, operand)))
      return report(op) << "an operand of type "
                        << mil::formatType(operand.getType()) << " is given "
                        << (tensor ? "as " + mil::formatType(tensor->getType())
                                   : "no value");
  bool findsShape =
      OpTable::get().getShapeFrom(op) == OpTable::ShapeFrom::Function;
  if (!findsShape && failed(checkResultTypes(op)))
    return failure();

  FailureOr<SmallVector<Tensor>> results = (*function)(op, operands);
  if (failed(results))
    return failure();
  if (findsShape)
    for (auto [type, result] : llvm::zip_equal(op->getResultTypes(), *results))
      if (failed(verifyCompatibleShape(type, result.getType())))
        return report(op) << "the result is declared as "
                          << mil::formatType(type) << ", but it is "
                          << mil::formatType(result.getType());
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

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool ConstantValues::has(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && (isa<mil::ConstOp>(op) || deferred.contains(op));
}

bool ConstantValues::defer(Operation *op) {
  if (!mil::isConstexpr(op) ||
      !llvm::all_of(op->getOperands(), [&](Value value) { return has(value); }))
    return false;
  deferred.insert(op);
  return true;
}

FailureOr<const Tensor *> ConstantValues::get(Value value) {
  auto found = values.find(value);
  if (found != values.end())
    return found->second.get();
  Operation *op = value.getDefiningOp();
  SmallVector<const Tensor *> operands;
  for (Value operand : op->getOperands()) {
    if (!isNumeric(operand)) {
      operands.push_back(nullptr);
      continue;
    }
    FailureOr<const Tensor *> tensor = get(operand);
    if (failed(tensor))
      return failure();
    operands.push_back(*tensor);
  }
  FailureOr<SmallVector<Tensor>> results = evaluateOp(op, operands);
  if (failed(results))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), *results))
    values[result] = std::make_unique<Tensor>(std::move(tensor));
  return values[value].get();
}
