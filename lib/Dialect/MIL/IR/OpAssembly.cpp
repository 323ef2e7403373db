//===- OpAssembly.cpp - Assembly form of MIL ops --------------------------===//
//
//   %y = mil.conv(x = %x, weight = %w) {label = "y"} : (T0, T1) -> T2
//   %z = mil.concat(values = [%a, %b], axis = %c) : (T0, T1, T2) -> T3
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include <utility>

using namespace mlir;
using namespace ane::mil;

namespace {
constexpr llvm::StringLiteral segmentSizes = "operandSegmentSizes";
constexpr llvm::StringLiteral labelName = "label";
} // namespace

ParseResult ane::mil::parseAttributes(OpAsmParser &parser,
                                      OperationState &result,
                                      std::optional<std::string> &label) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  Attribute found = result.attributes.erase(labelName);
  if (!found)
    return success();
  auto text = dyn_cast<StringAttr>(found);
  if (!text)
    return parser.emitError(start)
           << "the label is " << found << ", not a string";
  label = text.str();
  return success();
}

void ane::mil::printAttributes(OpAsmPrinter &printer, Operation *op,
                               ArrayRef<StringRef> elided) {
  // The label is no attribute; to make one of it would leave one in the context
  // for each op that was ever printed.
  std::optional<StringRef> label = getLabel(op);
  StringRef separator = " {";
  auto printName = [&](StringRef name) {
    printer << std::exchange(separator, ", ");
    printer.printKeywordOrString(name);
  };
  auto printLabel = [&] {
    printName(labelName);
    printer << " = ";
    printer.printString(*label);
    label.reset();
  };
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (llvm::is_contained(elided, name))
      continue;
    if (label && labelName < name)
      printLabel();
    printName(name);
    if (!isa<UnitAttr>(attribute.getValue()))
      printer << " = " << attribute.getValue();
  }
  if (label)
    printLabel();
  if (separator != " {")
    printer << '}';
}

ParseResult ane::mil::parseNamedInputs(OpAsmParser &parser,
                                       OperationState &result,
                                       const OpSpec &spec) {
  using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 1>;
  SmallVector<Operands> inputs(spec.args.size());

  auto parseInput = [&]() -> ParseResult {
    StringRef name;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    const ArgSpec *arg =
        llvm::find_if(spec.args, [&](const ArgSpec &candidate) {
          return candidate.name == name;
        });
    if (arg == spec.args.end())
      return parser.emitError(location)
             << spec.name << " has no input '" << name << "'";
    Operands &operands = inputs[arg - spec.args.begin()];
    if (!operands.empty())
      return parser.emitError(location) << "input '" << name << "' twice";
    if (arg->variadic)
      return parser.parseOperandList(operands, OpAsmParser::Delimiter::Square);
    return parser.parseOperand(operands.emplace_back());
  };

  SMLoc start = parser.getCurrentLocation();
  FunctionType type;
  std::optional<std::string> label;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parseAttributes(parser, result, label) || parser.parseColonType(type))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<int32_t> sizes;
  for (auto [arg, bound] : llvm::zip_equal(spec.args, inputs)) {
    // What only some opsets require is checked where the opset is known.
    bool always = arg.existsIn(oldestOpset) && arg.existsIn(newestOpset);
    if (bound.empty() && always && arg.isRequiredIn(newestOpset))
      return parser.emitError(start)
             << spec.name << " lacks its input '" << arg.name << "'";
    llvm::append_range(operands, bound);
    sizes.push_back(bound.size());
  }
  result.name.getInterface<MILOp>()->initProperties(
      result, label, /*resultNames=*/nullptr, sizes);
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), start,
                                result.operands);
}

void ane::mil::printNamedInputs(OpAsmPrinter &printer, Operation *op) {
  auto milOp = cast<MILOp>(op);
  printer << '(';
  bool first = true;
  for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args)) {
    OperandRange operands = milOp.getInput(index);
    if (operands.empty() && !arg.variadic)
      continue;
    if (!first)
      printer << ", ";
    first = false;
    printer << arg.name << " = ";
    if (arg.variadic)
      printer << '[' << operands << ']';
    else
      printer << operands.front();
  }
  printer << ')';
  printAttributes(printer, op, {segmentSizes});
  printer << " : ";
  printer.printFunctionalType(op);
}
