//===- Evaluator.cpp - Walks a function op by op --------------------------===//

#include "Evaluator.h"
#include "Classify.h"
#include "OpTable.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;

using Data = SmallVector<Datum>;

namespace {

bool isStatic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.hasStaticShape();
}

/// Whether the shape of a result depends on a value that another op computes.
bool hasComputedShape(Operation *op) {
  return OpTable::get().getShapeFrom(op) == OpTable::ShapeFrom::Values &&
         llvm::any_of(op->getOperands(), [](mlir::Value operand) {
           return getElementTypeOrSelf(operand).isInteger() &&
                  !operand.getDefiningOp<mil::ConstOp>();
         });
}

/// The inferred type with the extents that only the declared one knows.
Type narrow(Type declared, Type inferred) {
  auto known = dyn_cast<RankedTensorType>(declared);
  auto tensor = dyn_cast<RankedTensorType>(inferred);
  if (!known || !tensor)
    return inferred;
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [extent, other] : llvm::zip_equal(shape, known.getShape()))
    if (ShapedType::isDynamic(extent))
      extent = other;
  return tensor.clone(shape);
}

bool isState(mlir::Value value) { return isa<mil::StateType>(value.getType()); }

} // namespace

bool ane::reference::isNumeric(mlir::Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getElementType().isIntOrFloat();
}

bool ane::reference::isSpecialized(mil::FuncOp func) {
  bool isOpen =
      func.walk([](Operation *op) {
            bool isKnown = llvm::all_of(op->getResultTypes(), isStatic) &&
                           !mil::hasComputedParameter(op) &&
                           !hasComputedShape(op);
            for (Region &region : op->getRegions())
              for (Block &block : region)
                isKnown &= llvm::all_of(block.getArgumentTypes(), isStatic);
            return isKnown ? WalkResult::advance() : WalkResult::interrupt();
          })
          .wasInterrupted();
  return !isOpen;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Evaluator::Evaluator(mil::FuncOp func, States &states, bool specialize,
                     std::atomic<size_t> *numDone, Revise revise)
    : func(func), specialize(specialize), numDone(numDone), revise(revise) {
  Tensor *next = states.begin();
  for (BlockArgument argument : func.getArguments())
    if (isState(argument))
      this->states[argument] = next++;
}

FailureOr<SmallVector<Output>> Evaluator::run(SmallVector<Tensor> inputs) {
  Tensor *next = inputs.begin();
  for (BlockArgument argument : func.getArguments())
    if (!isState(argument))
      bind(argument, std::move(*next++));
  FailureOr<Data> results = runBlock(func.getBody().front());
  if (failed(results))
    return failure();
  SmallVector<Output> outputs;
  for (Datum &value : *results) {
    if (auto *tensor = std::get_if<Tensor>(&value))
      outputs.push_back(std::move(*tensor));
    else if (auto *text = std::get_if<std::string>(&value))
      outputs.push_back(std::move(*text));
    else if (auto *dictionary = std::get_if<Dictionary>(&value))
      outputs.push_back(std::move(*dictionary));
    else
      return func.emitError() << "func '" << func.getName()
                              << "': an output is a list, which the reference "
                                 "cannot give back";
  }
  return outputs;
}

FailureOr<Data> Evaluator::runBlock(Block &block) {
  bool isBody = &block == &func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (isa<mil::ConstOp>(op))
      continue;
    if (failed(step(&op)))
      return failure();
    if (isBody && numDone)
      numDone->fetch_add(1, std::memory_order_relaxed);
  }
  Operation *terminator = block.getTerminator();
  FailureOr<Data> results = takeAll(terminator, terminator->getOperands());
  constants.clear();
  forget(block);
  return results;
}

FailureOr<Data> Evaluator::runRegion(Region &region, Data arguments) {
  Region copy(region.getParentOp());
  Region *body = &region;
  if (specialize) {
    IRMapping mapping;
    region.cloneInto(&copy, mapping);
    body = &copy;
  }
  for (auto [argument, value] :
       llvm::zip_equal(body->getArguments(), arguments))
    bind(argument, std::move(value));
  return runBlock(body->front());
}

FailureOr<bool> Evaluator::isTrue(Operation *op, const Datum &value) {
  auto *tensor = std::get_if<Tensor>(&value);
  if (!tensor || tensor->isFloat() || tensor->getNumElements() != 1)
    return report(op) << "the condition must be one bool";
  return tensor->ints().front() != 0;
}

FailureOr<Data> Evaluator::runCond(mil::CondOp op) {
  FailureOr<Datum> pred = take(op, op.getPred());
  if (failed(pred))
    return failure();
  FailureOr<bool> chosen = isTrue(op, *pred);
  if (failed(chosen))
    return failure();
  return runRegion(*chosen ? op.getTrueBlock() : op.getFalseBlock(), {});
}

FailureOr<Data> Evaluator::runLoop(mil::WhileLoopOp op) {
  // A loop that does not end is an error in the program, not a wait (assigned).
  constexpr int64_t maxIterations = 1'000'000;
  FailureOr<Data> variables = takeAll(op, op.getLoopVars());
  for (int64_t i = 0; succeeded(variables); ++i) {
    FailureOr<Data> condition = runRegion(op.getCondition(), *variables);
    if (failed(condition))
      return failure();
    FailureOr<bool> goesOn = isTrue(op, condition->front());
    if (failed(goesOn))
      return failure();
    if (!*goesOn)
      return variables;
    if (i == maxIterations)
      return report(op) << "the loop has run " << maxIterations
                        << " times and its condition still holds";
    variables = runRegion(op.getBody(), std::move(*variables));
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::step(Operation *op) {
  if (specialize && failed(inferResultTypes(op)))
    return failure();
  // How a weight is stored is looked at when an op reads the weight.
  if (constants.defer(op))
    return success();
  FailureOr<Data> results = evaluateStep(op);
  if (failed(results))
    return failure();
  constants.clear();
  for (mlir::Value operand : op->getOperands())
    release(op, operand);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
    bind(result, std::move(value));
  return success();
}

bool ane::reference::isInterpreted(Operation *op) {
  return isa<mil::ConstOp, mil::CondOp, mil::WhileLoopOp, mil::ReadStateOp,
             mil::WriteStateOp, mil::CoremlUpdateStateOp, mil::ClassifyOp>(
             op) ||
         isListOp(op) || OpTable::get().lookup(op);
}

FailureOr<Data> Evaluator::evaluateStep(Operation *op) {
  if (auto cond = dyn_cast<mil::CondOp>(op))
    return runCond(cond);
  if (auto loop = dyn_cast<mil::WhileLoopOp>(op))
    return runLoop(loop);
  if (isListOp(op))
    return runOnList(op);
  if (isa<mil::ReadStateOp, mil::WriteStateOp, mil::CoremlUpdateStateOp>(op))
    return runOnState(op);
  if (auto classifier = dyn_cast<mil::ClassifyOp>(op))
    return runClassify(classifier);
  return runOnTensors(op);
}

FailureOr<Data> Evaluator::runOnTensors(Operation *op) {
  auto operands = readTensors(op);
  if (failed(operands))
    return failure();
  FailureOr<SmallVector<Tensor>> results = evaluateOp(op, *operands);
  if (failed(results))
    return failure();
  if (revise && op->getParentOp() == func)
    revise(op, *operands, *results);
  Data values;
  for (Tensor &tensor : *results)
    values.push_back(std::move(tensor));
  return values;
}

FailureOr<Data> Evaluator::runOnList(Operation *op) {
  auto operands = readTensors(op);
  if (failed(operands))
    return failure();
  List list;
  for (mlir::Value operand : op->getOperands()) {
    if (!isa<mil::ListType>(operand.getType()))
      continue;
    FailureOr<Datum> value = take(op, operand);
    if (failed(value))
      return failure();
    list = std::move(std::get<List>(*value));
  }
  FailureOr<Datum> result = evaluateListOp(op, std::move(list), *operands);
  if (failed(result))
    return failure();
  Data values;
  values.push_back(std::move(*result));
  return values;
}

FailureOr<Data> Evaluator::runClassify(mil::ClassifyOp op) {
  FailureOr<const Tensor *> probabilities = read(op, op.getProbabilities());
  if (failed(probabilities))
    return failure();
  return classify(op, **probabilities);
}

FailureOr<Data> Evaluator::runOnState(Operation *op) {
  auto found = states.find(op->getOperand(0));
  if (found == states.end())
    return report(op) << "the state is no parameter of the function";
  if (op->getNumOperands() > 1) {
    FailureOr<const Tensor *> data = read(op, op->getOperand(1));
    if (failed(data))
      return failure();
    *found->second = **data;
  }
  Data values;
  if (op->getNumResults() == 1)
    values.push_back(*found->second);
  return values;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::inferResultTypes(Operation *op) {
  SmallVector<Type> types;
  auto milOp = dyn_cast<mil::MILOp>(op);
  if (!milOp)
    return success();
  if (failed(mil::inferResultTypes(milOp, types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    if (failed(verifyCompatibleShape(result.getType(), type)))
      return mil::refuseResultType(op, result.getType(), type);
    result.setType(narrow(result.getType(), type));
  }
  return success();
}

void Evaluator::bind(mlir::Value value, Datum content) {
  // As many as the longest list that describes a shape.
  constexpr int64_t maxShapeElements = 64;
  auto *tensor = std::get_if<Tensor>(&content);
  // Of a buffer everything is known; only one op reads it, and no constant.
  if (specialize && tensor && !mil::getBufferLayout(value.getType())) {
    value.setType(tensor->getType());
    // Single floats scale extents.
    bool mayDescribe = !tensor->isFloat() || tensor->getShape().empty();
    if (mayDescribe && tensor->getNumElements() <= maxShapeElements) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      auto constant = mil::ConstOp::create(
          builder, value.getLoc(), tensor->getType(), toElementsAttr(*tensor),
          /*label=*/std::nullopt, /*result_names=*/{},
          /*text_attrs=*/nullptr);
      value.replaceAllUsesWith(constant.getResult());
      return;
    }
  }
  if (!value.use_empty())
    live.try_emplace(value,
                     Live{std::move(content),
                          std::distance(value.use_begin(), value.use_end())});
}

FailureOr<const Tensor *> Evaluator::read(Operation *user, mlir::Value value) {
  if (constants.has(value))
    return constants.get(value);
  auto found = live.find(value);
  if (found == live.end())
    return report(user) << "an operand is not defined before its use";
  auto *tensor = std::get_if<Tensor>(&found->second.content);
  if (!tensor)
    return report(user) << "an operand is no tensor";
  return tensor;
}

FailureOr<SmallVector<const Tensor *>> Evaluator::readTensors(Operation *op) {
  SmallVector<const Tensor *> operands;
  for (mlir::Value operand : op->getOperands()) {
    if (!isNumeric(operand)) {
      operands.push_back(nullptr);
      continue;
    }
    FailureOr<const Tensor *> tensor = read(op, operand);
    if (failed(tensor))
      return failure();
    operands.push_back(*tensor);
  }
  return operands;
}

FailureOr<Datum> Evaluator::take(Operation *user, mlir::Value value) {
  auto found = live.find(value);
  if (found == live.end()) {
    FailureOr<const Tensor *> tensor = read(user, value);
    if (failed(tensor))
      return failure();
    return Datum(**tensor);
  }
  Live &entry = found->second;
  bool isLastUse =
      entry.usesLeft == 1 && value.getParentBlock() == user->getBlock();
  return isLastUse ? std::move(entry.content) : entry.content;
}

FailureOr<Data> Evaluator::takeAll(Operation *user, ValueRange values) {
  Data taken;
  for (mlir::Value value : values) {
    FailureOr<Datum> one = take(user, value);
    if (failed(one))
      return failure();
    taken.push_back(std::move(*one));
  }
  return taken;
}

void Evaluator::release(Operation *user, mlir::Value value) {
  // A block inside may run again, so its uses do not count.
  auto found = live.find(value);
  if (found != live.end() && value.getParentBlock() == user->getBlock() &&
      --found->second.usesLeft == 0)
    live.erase(found);
}

void Evaluator::forget(Block &block) {
  for (BlockArgument argument : block.getArguments())
    live.erase(argument);
  for (Operation &op : block) {
    constants.forget(&op);
    for (mlir::Value result : op.getResults())
      live.erase(result);
  }
}
