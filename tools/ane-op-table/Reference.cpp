//===- Reference.cpp - The inputs of ops in the reference -----------------===//

#include "Reference.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ane;
using mil::newestOpset;

namespace {

/// `ios16`, `from ios17` or `up to ios16` for the opsets [first, last] of those
/// from `since` on; `all` for all of them.
std::string opsetRange(unsigned first, unsigned last, unsigned since) {
  std::string firstName = "ios" + std::to_string(first);
  std::string lastName = "ios" + std::to_string(last);
  if (first == since)
    return last == newestOpset ? "all"
           : first == last     ? lastName
                               : "up to " + lastName;
  if (first == last)
    return firstName + (last == newestOpset ? " on" : "");
  return last == newestOpset ? "from " + firstName
                             : firstName + " to " + lastName;
}

/// What an input may be in an opset: `T: fp16, fp32` for one whose element type
/// others of the op share.
std::string describeType(const mil::OpSpec &spec, const mil::ArgSpec &arg,
                         unsigned opset) {
  llvm::StringRef type = arg.typeIn(opset);
  uint32_t domain = spec.domainOf(type, opset);
  bool isVariable = llvm::any_of(
      spec.typeVars, [&](const auto &var) { return var.name == type; });
  std::string text = arg.variadic ? "several of " : "";
  if (isVariable)
    return text + type.str() + ": " +
           (domain == mil::dtype::All ? "any" : mil::formatDTypes(domain));
  return text + type.str();
}

/// The types of an input in all opsets that have it.
std::string describeTypes(const mil::OpSpec &spec, const mil::ArgSpec &arg,
                          unsigned first, unsigned last) {
  std::string text;
  for (unsigned opset = first; opset <= last;) {
    std::string type = describeType(spec, arg, opset);
    unsigned end = opset;
    while (end < last && describeType(spec, arg, end + 1) == type)
      ++end;
    if (!text.empty())
      text += "; ";
    text += type;
    if (opset != first || end != last)
      text += " (" + opsetRange(opset, end, first) + ")";
    opset = end + 1;
  }
  return text;
}

constexpr llvm::StringLiteral legend = R"(
The inputs of an op are listed with the types that their elements may have; those
with one letter, `T`, have the same. A constant input is known when the program is
compiled. The default is what an absent input stands for.
)";

void printInputs(llvm::raw_ostream &os, const mil::OpSpec &spec) {
  os << "#### Inputs:\n\n";
  if (spec.since != mil::oldestOpset)
    os << "The op exists from ios" << spec.since << " on.\n\n";
  os << "| Input | Element types | Constant | Default | Opsets |\n"
     << "| :---: | ------------- | -------- | ------- | ------ |\n";
  for (const mil::ArgSpec &arg : spec.args) {
    unsigned first = std::max(arg.since, spec.since);
    unsigned last = std::min(arg.before - 1, newestOpset);
    os << "| `" << arg.name << "` | " << describeTypes(spec, arg, first, last)
       << " | ";
    if (arg.isConstantIn(last))
      os << "yes";
    else if (arg.isConstantIn(first))
      os << "up to ios" << arg.constantBefore - 1;
    os << " | ";
    if (arg.optional)
      os << '`' << arg.defaultValue << '`';
    else
      os << "required";
    os << " | " << opsetRange(first, last, spec.since) << " |\n";
  }
  os << '\n';
}

} // namespace

bool ane::printReference(llvm::raw_ostream &os, MLIRContext *context,
                         llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << path << ":0:0: error: " << file.getError().message()
                 << '\n';
    return false;
  }
  const mil::OpSpec *spec = nullptr;
  bool isReplaced = false;
  for (llvm::line_iterator line(**file, /*SkipBlanks=*/false);
       !line.is_at_end(); ++line) {
    if (line->starts_with("#"))
      isReplaced = false;
    if (line->starts_with("## ") || line->starts_with("### ")) {
      llvm::StringRef name = line->split('`').second.split('`').first;
      auto op = RegisteredOperationName::lookup(name, context);
      auto *interface = op ? op->getInterface<mil::MILOp>() : nullptr;
      spec = interface ? &interface->getOpSpec() : nullptr;
    } else if (*line == "#### Operands:" && spec) {
      printInputs(os, *spec);
      isReplaced = true;
    }
    if (!isReplaced)
      os << *line << '\n';
    if (*line == "## Operations")
      os << legend;
  }
  return true;
}
