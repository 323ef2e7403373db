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
constexpr llvm::StringLiteral resultNamesName = "result_names";
} // namespace

ParseResult ane::mil::parseAttributes(OpAsmParser &parser,
                                      OperationState &result, OpNames &names) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (Attribute found = result.attributes.erase(labelName)) {
    auto text = dyn_cast<StringAttr>(found);
    if (!text)
      return parser.emitError(start)
             << "the label is " << found << ", not a string";
    names.label = text.str();
  }
  if (Attribute found = result.attributes.erase(resultNamesName)) {
    auto list = dyn_cast<ArrayAttr>(found);
    if (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>))
      return parser.emitError(start)
             << "the names of results are " << found << ", not strings";
    for (auto name : list.getAsRange<StringAttr>())
      names.results.push_back(name.str());
  }
  return success();
}

void ane::mil::printAttributes(OpAsmPrinter &printer, Operation *op,
                               ArrayRef<StringRef> elided) {
  // The names are no attributes; to make some of them would leave those in the
  // context for each op that was ever printed.
  std::optional<StringRef> label = getLabel(op);
  ArrayRef<std::string> results = getResultNames(op);
  StringRef separator = " {";
  auto printName = [&](StringRef name) {
    printer << std::exchange(separator, ", ");
    printer.printKeywordOrString(name);
  };
  auto isBefore = [](StringRef name, std::optional<StringRef> next) {
    return !next || name < *next;
  };
  // Both have their places among the attributes.
  auto printNames = [&](std::optional<StringRef> next) {
    if (label && isBefore(labelName, next)) {
      printName(labelName);
      printer << " = ";
      printer.printString(*label);
      label.reset();
    }
    if (!results.empty() && isBefore(resultNamesName, next)) {
      printName(resultNamesName);
      printer << " = [";
      llvm::interleaveComma(results, printer, [&](StringRef result) {
        printer.printString(result);
      });
      printer << ']';
      results = {};
    }
  };
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (llvm::is_contained(elided, name))
      continue;
    printNames(name);
    printName(name);
    if (!isa<UnitAttr>(attribute.getValue()))
      printer << " = " << attribute.getValue();
  }
  printNames(std::nullopt);
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
  OpNames names;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parseAttributes(parser, result, names) || parser.parseColonType(type))
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
  result.name.getInterface<MILOp>()->initProperties(result, names.label,
                                                    names.results, sizes);
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
