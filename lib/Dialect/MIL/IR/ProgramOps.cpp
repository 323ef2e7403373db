//===- ProgramOps.cpp - Functions and constants ---------------------------===//

#include "ane/Dialect/MIL/IR/FlexibleShapes.h"
#include "ane/Support/Constraint.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ane::mil;

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, StringRef opset) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getOpsetAttrName(state.name),
                     builder.getStringAttr(opset));
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFuncType =
      [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildFuncType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

/// Whether a type that is no tensor has a `tensor_buffer` inside.
static bool hidesBuffer(Type type) {
  return !isa<RankedTensorType>(type) &&
         type.walk([](BufferLayoutAttr) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

/// The opset of read_state and write_state.
static constexpr unsigned firstOpsetOfStates = 18;

LogicalResult FuncOp::verify() {
  if (!parseOpset(getOpset()))
    return emitError() << "func '" << getName()
                       << "': " << describeUnknownOpset(getOpset())
                       << ConstraintId("mil-func-c1");
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (!getArgAttrOfType<StringAttr>(i, MILDialect::argNameAttrName))
      return emitError() << "func '" << getName() << "': parameter " << i
                         << " has no name; it is the attribute mil.name"
                         << ConstraintId("mil-func-c2");
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (isa<StateType>(getArgumentTypes()[i]) &&
        parseOpset(getOpset()) < firstOpsetOfStates)
      return emitError() << "func '" << getName() << "': parameter '"
                         << getParameterName(i) << "' is "
                         << formatType(getArgumentTypes()[i]) << " in "
                         << getOpset() << "; states exist from ios"
                         << firstOpsetOfStates << " on"
                         << ConstraintId("mil-func-c5");
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (hidesBuffer(getArgumentTypes()[i]))
      return emitError() << "func '" << getName() << "': parameter '"
                         << getParameterName(i) << "' is "
                         << formatType(getArgumentTypes()[i])
                         << "; a tensor_buffer is in nothing else"
                         << ConstraintId("mil-buffer-c4");
  FailureOr<FlexibleShapes> flexible = FlexibleShapes::readFrom(*this);
  return failed(flexible) ? failure() : flexible->verify(*this);
}

StringRef FuncOp::getParameterName(unsigned index) {
  return getArgAttrOfType<StringAttr>(index, MILDialect::argNameAttrName)
      .getValue();
}

SmallVector<unsigned> ane::mil::portsOf(ReturnOp op) {
  SmallVector<unsigned> places;
  llvm::SmallPtrSet<Value, 8> seen;
  for (auto [index, value] : llvm::enumerate(op.getOperands()))
    if (seen.insert(value).second)
      places.push_back(index);
  return places;
}

StringRef FuncOp::getOutputName(unsigned index) {
  Value output = getBody().front().getTerminator()->getOperand(index);
  if (auto argument = dyn_cast<BlockArgument>(output))
    return getParameterName(argument.getArgNumber());
  return getResultName(cast<OpResult>(output));
}

void FuncOp::updateFunctionType() {
  Block &block = getBody().front();
  setFunctionType(FunctionType::get(getContext(), block.getArgumentTypes(),
                                    block.getTerminator()->getOperandTypes()));
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (getOperandTypes() != func.getResultTypes())
    return emitError() << "func '" << func.getName()
                       << "': the returned types are not those of the "
                          "signature"
                       << ConstraintId("mil-func-c3");
  for (auto [index, type] : llvm::enumerate(getOperandTypes()))
    if (isa<StateType>(type))
      return emitError() << "func '" << func.getName() << "': output '"
                         << func.getOutputName(index) << "' is "
                         << formatType(type) << "; return what read_state gives"
                         << ConstraintId("mil-func-c4");
  return success();
}

//===----------------------------------------------------------------------===//
// ConstOp
//===----------------------------------------------------------------------===//

ParseResult ConstOp::parse(OpAsmParser &parser, OperationState &result) {
  Attribute value;
  if (parser.parseAttribute(value))
    return failure();
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(parser.getCurrentLocation())
           << "the value of a constant must have a type";
  result.addAttribute(getValueAttrName(result.name), value);
  result.addTypes(typed.getType());
  OpNames names;
  if (parseAttributes(parser, result, names))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setLabel(names.label);
  properties.setResultNames(names.results);
  return success();
}

void ConstOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getValue();
  printAttributes(printer, *this, {getValueAttrName()});
}

OpFoldResult ConstOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstOp::verify() {
  auto typed = dyn_cast<TypedAttr>(getValue());
  if (!typed || typed.getType() != getType())
    return refuse(*this, "mil-const-c1",
                  "the value is not of the declared type " +
                      formatType(getType()));
  if (failed(verifyNoBuffers(*this)))
    return failure();
  return verifyOwnOpset(*this);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILProgramOps.cpp.inc"

void MILDialect::registerProgramOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILProgramOps.cpp.inc"
      >();
}
