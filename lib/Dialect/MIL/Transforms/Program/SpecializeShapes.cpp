//===- SpecializeShapes.cpp - Known shapes for dynamic inputs -------------===//

#include "Constants/ConstantFolder.h"
#include "ane/Dialect/MIL/IR/FlexibleShapes.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/MIL/Transforms/ShapeRequests.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
#include "ane/Support/Inventory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_SPECIALIZESHAPES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// No shape that is read depends on what inputs hold.
constexpr StringLiteral valuesDecide = "mil-shape-c1";

/// A shape that the user asks for.
struct Request {
  StringRef name;
  SmallVector<int64_t> shape;
};

/// `x=1x129x4`, or `x=` for a scalar.
std::optional<Request> parseRequest(StringRef text) {
  auto [name, extents] = text.split('=');
  if (name.empty() || !text.contains('='))
    return std::nullopt;
  Request request{name, {}};
  while (!extents.empty()) {
    auto [extent, rest] = extents.split('x');
    int64_t value;
    if (extent.getAsInteger(10, value) || value < 0 || value > maxExtent ||
        extents.ends_with("x"))
      return std::nullopt;
    request.shape.push_back(value);
    extents = rest;
  }
  return request;
}

/// `x=1xNx4`: the flag that binds an input of this type.
std::string formatFlag(StringRef name, RankedTensorType type) {
  std::string flag = "--shape " + name.str() + "=";
  for (auto [index, extent] : llvm::enumerate(type.getShape()))
    flag += (index == 0 ? "" : "x") + (ShapedType::isDynamic(extent)
                                           ? std::string("N")
                                           : std::to_string(extent));
  return flag;
}

/// The flags that bind an input to shapes which the text states.
std::string otherWays(const FlexibleShapes &flexible, StringRef name) {
  auto states = [&](ArrayRef<NamedShape> shapes) {
    return findShape(shapes, name) != nullptr;
  };
  std::string ways;
  if (states(flexible.defaults))
    ways += ", or with --default-shapes to the one that the text states";
  if (llvm::any_of(flexible.enumerated,
                   [&](const auto &set) { return states(set.shapes); }))
    ways += ", or with --enumerated-shapes to each that it lists";
  return ways;
}

class SpecializeShapes
    : public mil::impl::SpecializeShapesBase<SpecializeShapes> {
public:
  using SpecializeShapesBase::SpecializeShapesBase;

  void runOnOperation() override;

private:
  LogicalResult readRequests();
  LogicalResult specialize(FuncOp func);
  LogicalResult specializeTo(FuncOp func, const FlexibleShapes &flexible,
                             ArrayRef<NamedShape> fallback);
  LogicalResult specializeToEach(FuncOp func, const FlexibleShapes &flexible);
  LogicalResult bindInput(FuncOp func, const FlexibleShapes &flexible,
                          unsigned index, ArrayRef<NamedShape> fallback,
                          SmallVectorImpl<NamedShape> &bound);
  LogicalResult checkAgrees(FuncOp func, const FlexibleShapes::ShapeSet &set);
  /// Gives a result the extents that its op is found to give it now; where
  /// those are unknown the declared ones stay. Reports at the op.
  LogicalResult narrow(Operation *op, Value result, Type found);
  /// Whether inputs get shapes that the program does not state.
  bool bindsShapes() const {
    return !requests.empty() || defaultShapes || enumerated;
  }
  LogicalResult inferAgain(Block &block);
  LogicalResult inferAgain(MILOp op);
  LogicalResult foldIfShape(MILOp op);
  LogicalResult inferAgain(CondOp op);
  LogicalResult inferAgain(WhileLoopOp op);
  LogicalResult checkNames();

  SmallVector<Request> requests;
  bool foldsShapes = false;
  /// Whether all ops are as they were.
  bool keepsTypes = true;
  /// Whether a function lists sets of shapes.
  bool foundSets = false;
};

LogicalResult SpecializeShapes::narrow(Operation *op, Value result,
                                       Type found) {
  auto declared = dyn_cast<RankedTensorType>(result.getType());
  auto known = dyn_cast<RankedTensorType>(found);
  if (!declared || !known)
    return success();
  if (declared.getElementType() != known.getElementType() ||
      failed(verifyCompatibleShape(declared.getShape(), known.getShape())))
    return refuseResultType(op, declared, known);
  SmallVector<int64_t> shape(known.getShape());
  for (auto [extent, fallback] : llvm::zip_equal(shape, declared.getShape()))
    if (ShapedType::isDynamic(extent))
      extent = fallback;
  auto merged = known.clone(shape);
  if (isDynamic(merged))
    return refuse(
        op, valuesDecide,
        "the result stays " + formatType(merged) +
            " with all inputs bound; a shape that depends on values cannot be "
            "compiled ahead of time: " +
            (bindsShapes()
                 ? "make its result an input; --partition leaves the op to the "
                   "processor only where the program states all shapes of "
                   "inputs, and none is given"
                 : "leave the op to the processor with --partition, or make "
                   "its result an input"));
  if (!hasSaneSize(shape))
    return op->emitError() << op->getName().stripDialect() << ": the result is "
                           << formatType(merged) << ", more than 2^48 elements";
  result.setType(merged);
  return success();
}

LogicalResult SpecializeShapes::readRequests() {
  requests.clear();
  for (StringRef text : shapes) {
    std::optional<Request> request = parseRequest(text);
    if (!request)
      return getOperation()->emitError() << checkShapeRequest(text);
    if (llvm::any_of(requests, [&](const Request &other) {
          return other.name == request->name;
        }))
      return getOperation()->emitError()
             << "input '" << request->name << "' is given two shapes";
    requests.push_back(*request);
  }
  return success();
}

LogicalResult SpecializeShapes::bindInput(FuncOp func,
                                          const FlexibleShapes &flexible,
                                          unsigned index,
                                          ArrayRef<NamedShape> fallback,
                                          SmallVectorImpl<NamedShape> &bound) {
  BlockArgument argument = func.getBody().getArgument(index);
  StringRef name = func.getParameterName(index);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  auto error = [&]() -> InFlightDiagnostic {
    return emitError(argument.getLoc())
           << "input '" << name << "' is " << formatType(argument.getType());
  };
  const Request *request = llvm::find_if(
      requests, [&](const Request &entry) { return entry.name == name; });
  ArrayRef<int64_t> shape;
  if (request != requests.end()) {
    shape = request->shape;
  } else {
    if (!isDynamic(argument.getType()))
      return success();
    if (!type)
      return error() << "; a state needs known extents";
    const NamedShape *listed = findShape(fallback, name);
    if (!listed)
      return error() << "; bind its unknown extents with "
                     << formatFlag(name, type) << otherWays(flexible, name);
    shape = listed->second;
  }
  if (!type)
    return error() << "; only a tensor can be given a shape";
  if (type.getRank() != static_cast<int64_t>(shape.size()))
    return error() << "; shape " << formatShape(shape) << " has "
                   << counted(shape.size(), "dimension") << ", not "
                   << type.getRank();
  if (failed(verifyCompatibleShape(type.getShape(), shape)))
    return error() << "; shape " << formatShape(shape)
                   << " contradicts its known extents";
  if (!hasSaneSize(shape))
    return error() << "; shape " << formatShape(shape)
                   << " has more than 2^48 elements";
  argument.setType(type.clone(shape));
  bound.push_back({name, SmallVector<int64_t>(shape)});
  numInputs += !type.hasStaticShape();
  return success();
}

LogicalResult SpecializeShapes::inferAgain(MILOp op) {
  SmallVector<Type, 1> inferred;
  if (failed(inferResultTypes(op, inferred)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), inferred))
    if (failed(narrow(op, result, type)))
      return failure();
  return foldIfShape(op);
}

/// Extents that a program computes decide the shapes of ops further down, once
/// they are constants.
LogicalResult SpecializeShapes::foldIfShape(MILOp op) {
  if (!foldsShapes)
    return success();
  FailureOr<bool> isFolded = ConstantFolder().foldIfSmall(op);
  if (failed(isFolded) || !*isFolded)
    return isFolded;
  llvm::SmallSetVector<Operation *, 4> sources;
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<ConstOp>())
      sources.insert(constant);
  op->erase();
  for (Operation *source : sources)
    if (source->use_empty())
      source->erase();
  ++numFolded;
  return success();
}

LogicalResult SpecializeShapes::inferAgain(CondOp op) {
  Block &trueBlock = op.getTrueBlock().front();
  Block &falseBlock = op.getFalseBlock().front();
  if (failed(inferAgain(trueBlock)) || failed(inferAgain(falseBlock)))
    return failure();
  for (auto [result, a, b] : llvm::zip_equal(
           op.getResults(), trueBlock.getTerminator()->getOperandTypes(),
           falseBlock.getTerminator()->getOperandTypes())) {
    if (a != b)
      return refuse(op, valuesDecide,
                    "the blocks yield " + formatType(a) + " and " +
                        formatType(b) +
                        " with all inputs bound; a shape that depends on "
                        "'pred' cannot be compiled ahead of time: let both "
                        "yield one shape, or 'pred' follow from constants");
    if (failed(narrow(op, result, a)))
      return failure();
  }
  return success();
}

LogicalResult SpecializeShapes::inferAgain(WhileLoopOp op) {
  Block &condition = op.getCondition().front(), &body = op.getBody().front();
  for (auto [index, variable] : llvm::enumerate(op.getLoopVars())) {
    Type type = variable.getType();
    if (failed(narrow(op, op.getResult(index), type)))
      return failure();
    for (Block *block : {&condition, &body}) {
      BlockArgument argument = block->getArgument(index);
      if (failed(verifyCompatibleShape(argument.getType(), type)))
        return refuseResultType(op, argument.getType(), type);
      argument.setType(type);
    }
  }
  if (failed(inferAgain(condition)) || failed(inferAgain(body)))
    return failure();
  for (auto [index, before, after] :
       llvm::enumerate(op.getLoopVars().getTypes(),
                       body.getTerminator()->getOperandTypes()))
    if (before != after)
      return refuse(op, valuesDecide,
                    "loop variable " + Twine(index) + " starts as " +
                        formatType(before) + ", but the body yields " +
                        formatType(after) +
                        "; a shape that changes from turn to turn cannot be "
                        "compiled ahead of time: let the body keep it");
  return success();
}

LogicalResult SpecializeShapes::inferAgain(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    LogicalResult result = llvm::TypeSwitch<Operation *, LogicalResult>(&op)
                               .Case<MILOp, CondOp, WhileLoopOp>(
                                   [&](auto op) { return inferAgain(op); })
                               .Default(success());
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult SpecializeShapes::specializeTo(FuncOp func,
                                             const FlexibleShapes &flexible,
                                             ArrayRef<NamedShape> fallback) {
  SmallVector<NamedShape> bound;
  bool isBound = true;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    isBound &= succeeded(bindInput(func, flexible, i, fallback, bound));
  if (!isBound || failed(flexible.check(func, bound)))
    return failure();
  const auto &inventory = getChildAnalysis<Inventory>(func);
  foldsShapes = llvm::any_of(inventory.getTypes(), isDynamic);
  // Types that say everything were inferred when they were verified; the
  // arguments of blocks inside have types of their own.
  if (!bound.empty() || foldsShapes || inventory.hasBlocks()) {
    keepsTypes = false;
    // What nobody reads may have any shape.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
    if (failed(inferAgain(func.getBody().front())))
      return failure();
  }
  func.updateFunctionType();

  if (DictionaryAttr attributes = func.getTextAttrsAttr()) {
    NamedAttrList rest(attributes);
    rest.erase(flexibleShapesName);
    if (rest.empty())
      func.removeTextAttrsAttr();
    else
      func.setTextAttrsAttr(rest.getDictionary(&getContext()));
  }
  return success();
}

/// That no shape which is asked for is another than that of a set, all of which
/// become functions.
LogicalResult
SpecializeShapes::checkAgrees(FuncOp func,
                              const FlexibleShapes::ShapeSet &set) {
  for (const Request &request : requests) {
    const NamedShape *listed = findShape(set.shapes, request.name);
    if (listed && listed->second != request.shape)
      return func->emitError()
             << "input '" << request.name << "' is asked to be "
             << formatShape(request.shape) << ", but it is "
             << formatShape(listed->second) << " in shape set '" << set.key
             << "' of '" << func.getName()
             << "'; ask for one shape or for all enumerated ones";
  }
  return success();
}

/// One function for each set of shapes, `<name>_<key>`, in the place of `func`.
LogicalResult
SpecializeShapes::specializeToEach(FuncOp func,
                                   const FlexibleShapes &flexible) {
  SymbolTable symbols(getOperation());
  OpBuilder builder(func);
  for (const FlexibleShapes::ShapeSet &set : flexible.enumerated) {
    if (failed(checkAgrees(func, set)))
      return failure();
    FuncOp copy = func.clone();
    std::string name = (func.getName() + "_" + set.key).str();
    if (symbols.lookup(name)) {
      copy.erase();
      return func->emitError() << "the program has a function '" << name
                               << "' already; the one for shape set '"
                               << set.key << "' would have its name";
    }
    copy.setName(name);
    builder.insert(copy);
    symbols.insert(copy);
    if (failed(specializeTo(copy, flexible, set.shapes)))
      return failure();
  }
  func.erase();
  return success();
}

LogicalResult SpecializeShapes::specialize(FuncOp func) {
  // The names in it live in the attribute, which goes when shapes are bound;
  // attributes stay as long as the context.
  FailureOr<FlexibleShapes> flexible = FlexibleShapes::readFrom(func);
  if (failed(flexible))
    return failure();
  if (enumerated && !flexible->enumerated.empty()) {
    keepsTypes = false;
    foundSets = true;
    return specializeToEach(func, *flexible);
  }
  return specializeTo(func, *flexible,
                      defaultShapes ? ArrayRef(flexible->defaults)
                                    : ArrayRef<NamedShape>());
}

LogicalResult SpecializeShapes::checkNames() {
  // Also those of functions that were not bound because of another error.
  SmallVector<StringRef> inputs;
  for (auto func : getOperation().getOps<FuncOp>())
    for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
      inputs.push_back(func.getParameterName(i));
  for (const Request &request : requests)
    if (!llvm::is_contained(inputs, request.name))
      return getOperation()->emitError()
             << "there is no input '" << request.name
             << "' to give a shape; the inputs are "
             << llvm::join(inputs, ", ");
  return success();
}

void SpecializeShapes::runOnOperation() {
  if (failed(readRequests()))
    return signalPassFailure();
  bool valid = true;
  keepsTypes = true;
  foundSets = false;
  for (auto func : llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
    valid &= succeeded(specialize(func));
  valid &= succeeded(checkNames());
  if (valid && enumerated && !foundSets) {
    getOperation()->emitError()
        << "no function lists shapes for --enumerated-shapes; leave it out, or "
           "give inputs theirs with --shape";
    valid = false;
  }
  if (!valid)
    return signalPassFailure();
  if (keepsTypes)
    markAnalysesPreserved<Inventory>();
}

} // namespace

std::string ane::mil::checkShapeRequest(StringRef text) {
  if (parseRequest(text))
    return "";
  return ("'" + text +
          "' is no shape of an input; it should look like x=1x129x4")
      .str();
}
