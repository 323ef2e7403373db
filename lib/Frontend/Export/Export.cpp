//===- Export.cpp - mil dialect to MIL text -------------------------------===//
//
// Spacing and order are those of Apple's coremlc, verified by byte equality
// with the programs it wrote: 4 columns in front of a function, 12 in front of
// a statement, 8 in front of the outputs; functions, inputs and attributes
// sorted by name; no newline at the end, unless there was one. Parameters keep
// their order, which is the order of the ports: Apple's text, in which they are
// sorted, comes out the same.
//
//===----------------------------------------------------------------------===//

#include "ane/Frontend/Export.h"
#include "Export/ExportCheck.h"
#include "Export/TextPrinter.h"
#include "Export/ValueNames.h"
#include "Spelling.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

namespace {

/// A named piece of a list that is printed sorted by name.
struct Entry {
  llvm::StringRef name;
  Attribute value;
  bool isFlat = false;
};

class Exporter {
public:
  Exporter(llvm::raw_ostream &os, bool bareScalars)
      : os(os), printer(os, bareScalars) {}

  void printProgram(ModuleOp module);

private:
  void printFunction(mil::FuncOp func);
  void printStatement(Operation *op);
  void printArguments(mil::MILOp op);
  void printOperand(Value value);
  void printAttributes(SmallVectorImpl<Entry> &entries);

  llvm::raw_ostream &os;
  TextPrinter printer;
  const ValueNames *names = nullptr;
  /// Constants that stand where they are used instead of in a statement.
  llvm::DenseSet<Operation *> inlined;
};

void collect(DictionaryAttr attributes, SmallVectorImpl<Entry> &entries) {
  if (attributes)
    for (NamedAttribute attribute : attributes)
      entries.push_back({attribute.getName(), attribute.getValue()});
}

void sortByName(SmallVectorImpl<Entry> &entries) {
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.name < b.name; });
}

bool isFlat(mil::ConstOp op) { return op->hasAttr(flatAttrName); }

/// Whether the text of an op has empty parentheses and the inputs in the
/// attribute list. That is the form of the constexpr ops of ios16. Those with a
/// version of ios18 have another form from there on; an op without one keeps
/// its own.
bool hasAttributeForm(Operation *op) {
  return isa<mil::ConstexprAffineDequantizeOp>(op) ||
         (isa<mil::ConstexprCastOp, mil::ConstexprLutToDenseOp,
              mil::ConstexprSparseToDenseOp>(op) &&
          mil::getOpset(op) < 18);
}

/// Whether an op has that form and its operands, all constant, can stand in it.
bool hasOperandsInAttributes(Operation *op) {
  return hasAttributeForm(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return operand.getDefiningOp<mil::ConstOp>() != nullptr;
         });
}

bool isInlined(mil::ConstOp op) {
  bool marked = op->hasAttr(mil::MILDialect::inlineAttrName);
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    return (marked && isa<mil::MILOp>(user)) || hasOperandsInAttributes(user);
  });
}

} // namespace

void Exporter::printAttributes(SmallVectorImpl<Entry> &entries) {
  sortByName(entries);
  os << '[';
  llvm::interleaveComma(entries, os, [&](const Entry &entry) {
    os << entry.name << " = ";
    printer.printValue(entry.value, entry.isFlat);
  });
  os << ']';
}

void Exporter::printOperand(Value value) {
  auto constant = value.getDefiningOp<mil::ConstOp>();
  if (constant && inlined.contains(constant))
    printer.printValue(constant.getValue(), isFlat(constant));
  else
    os << (*names)[value];
}

void Exporter::printArguments(mil::MILOp op) {
  ArrayRef<mil::ArgSpec> args = op.getOpSpec().args;
  SmallVector<unsigned, 12> order;
  for (auto [index, arg] : llvm::enumerate(args))
    if (arg.variadic || !op.getInput(index).empty())
      order.push_back(index);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return llvm::StringRef(args[a].name) < llvm::StringRef(args[b].name);
  });
  llvm::interleaveComma(order, os, [&](unsigned index) {
    OperandRange operands = op.getInput(index);
    os << args[index].name << " = ";
    if (operands.size() == 1)
      return printOperand(operands.front());
    os << '(';
    llvm::interleaveComma(operands, os,
                          [&](Value operand) { printOperand(operand); });
    os << ')';
  });
}

void Exporter::printStatement(Operation *op) {
  if (inlined.contains(op))
    return;
  os.indent(12);
  llvm::interleaveComma(op->getResults(), os, [&](Value result) {
    printer.printType(result.getType());
    os << ' ' << (*names)[result];
  });
  if (op->getNumResults() != 0)
    os << " = ";
  os << op->getName().stripDialect();
  if (llvm::StringRef opset = mil::getOwnOpset(op); !opset.empty())
    os << '<' << opset << '>';
  os << '(';

  SmallVector<Entry, 4> attributes;
  if (auto constant = dyn_cast<mil::ConstOp>(op)) {
    attributes.push_back({"val", constant.getValue(), isFlat(constant)});
  } else if (hasOperandsInAttributes(op)) {
    auto milOp = cast<mil::MILOp>(op);
    for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args))
      for (Value operand : milOp.getInput(index)) {
        auto constant = operand.getDefiningOp<mil::ConstOp>();
        attributes.push_back({arg.name, constant.getValue(), isFlat(constant)});
      }
  } else {
    printArguments(cast<mil::MILOp>(op));
  }
  os << ')';
  if (std::optional<llvm::StringRef> label = mil::getLabel(op))
    attributes.push_back({"name", StringAttr::get(op->getContext(), *label)});
  collect(op->getAttrOfType<DictionaryAttr>(mil::MILDialect::textAttrsAttrName),
          attributes);
  if (!attributes.empty())
    printAttributes(attributes);
  os << ";\n";
}

void Exporter::printFunction(mil::FuncOp func) {
  ValueNames valueNames(func);
  names = &valueNames;
  Block &body = func.getBody().front();
  inlined.clear();
  for (auto constant : body.getOps<mil::ConstOp>())
    if (isInlined(constant))
      inlined.insert(constant);

  os.indent(4) << "func " << func.getName() << '<' << func.getOpset() << ">(";
  llvm::interleaveComma(body.getArguments(), os, [&](Value parameter) {
    printer.printType(parameter.getType());
    os << ' ' << valueNames[parameter];
  });
  os << ") ";
  SmallVector<Entry, 1> attributes;
  collect(func.getTextAttrsAttr(), attributes);
  if (!attributes.empty()) {
    printAttributes(attributes);
    os << ' ';
  }
  os << "{\n";
  for (Operation &op : body.without_terminator())
    printStatement(&op);
  os.indent(8) << "} -> (";
  llvm::interleaveComma(body.getTerminator()->getOperands(), os,
                        [&](Value output) { os << valueNames[output]; });
  os << ");\n";
}

void Exporter::printProgram(ModuleOp module) {
  os << "program(" << getVersion(module) << ")\n";
  SmallVector<Entry, 2> attributes;
  if (Attribute info = module->getAttr(mil::MILDialect::buildInfoAttrName))
    attributes.push_back({"buildInfo", info});
  collect(module->getAttrOfType<DictionaryAttr>(
              mil::MILDialect::programAttrsAttrName),
          attributes);
  if (!attributes.empty()) {
    printAttributes(attributes);
    os << '\n';
  }
  os << "{\n";
  auto functions = llvm::to_vector(module.getOps<mil::FuncOp>());
  llvm::sort(functions, [](mil::FuncOp a, mil::FuncOp b) {
    return a.getName() < b.getName();
  });
  for (mil::FuncOp func : functions)
    printFunction(func);
  os << '}';
  if (module->hasAttr(finalNewlineAttrName))
    os << '\n';
}

LogicalResult frontend::exportMIL(ModuleOp module, llvm::raw_ostream &os) {
  if (failed(checkExportable(module)))
    return failure();
  Exporter(os, hasBareScalars(getVersion(module))).printProgram(module);
  return success();
}
