//===- Builder.cpp - Checks of the emission model -------------------------===//

#include "ane/Object/Builder.h"
#include "CheckSpec.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace ane::object;
using llvm::Error;
using llvm::Twine;

llvm::Expected<llvm::SmallVector<unsigned, 8>>
ane::object::assignBars(llvm::ArrayRef<PortSpec> ports) {
  if (ports.size() > maxPorts)
    return llvm::createStringError(
        "the program has " + Twine(ports.size()) +
        " inputs and outputs, but a container addresses at most " +
        Twine(maxPorts) +
        "; merge tensors or split the model into several programs");
  llvm::SmallVector<unsigned, 8> bars(ports.size());
  unsigned next = BarFirstPort;
  for (PortDirection direction : {PortDirection::Output, PortDirection::Input})
    for (auto [bar, port] : llvm::zip_equal(bars, ports))
      if (port.direction == direction)
        bar = next++;
  return bars;
}

static bool hasNul(llvm::StringRef text) { return text.contains('\0'); }

static Error checkPort(const PortSpec &port) {
  std::string what = "port '" + port.name + "'";
  // Names end up in NUL-terminated strings, and in stabs before a colon.
  if (port.name.empty() ||
      llvm::any_of(port.name, [](char c) { return !llvm::isPrint(c); }) ||
      llvm::StringRef(port.name).contains(':'))
    return llvm::createStringError(
        what + ": a name must be printable and without ':'; rename the tensor");
  const TensorLayout &layout = port.layout;
  if (layout.interleave != 1)
    return llvm::createStringError(what + ": interleave " +
                                   Twine(layout.interleave) +
                                   " is not supported, use 1");
  uint64_t exact = exactBytes(port);
  uint64_t bytes = surfaceBytes(port);
  if (exact == 0 || bytes == 0)
    return llvm::createStringError(
        what + ": an extent is 0 or the tensor passes 64 bits of bytes");
  if (exact > bytes)
    return llvm::createStringError(
        what + ": its elements need " + Twine(exact) +
        " bytes, but its surface has " + Twine(bytes));
  return Error::success();
}

static Error checkPorts(const ContainerSpec &spec) {
  if (auto bars = assignBars(spec.ports); !bars)
    return bars.takeError();
  llvm::StringSet<> names;
  for (const PortSpec &port : spec.ports) {
    if (Error error = checkPort(port))
      return error;
    if (!names.insert(fullName(port)).second)
      return llvm::createStringError("two ports are named '" + fullName(port) +
                                     "'; rename one");
  }
  if (spec.operandOrder.empty())
    return Error::success();
  llvm::SmallBitVector seen(spec.ports.size());
  for (unsigned index : spec.operandOrder)
    if (index < spec.ports.size())
      seen.set(index);
  if (spec.operandOrder.size() != spec.ports.size() || !seen.all())
    return llvm::createStringError(
        "the order of operand descriptors does not name each of the " +
        Twine(spec.ports.size()) + " ports once");
  return Error::success();
}

static Error checkText(const ContainerSpec &spec) {
  uint64_t words = spec.text.size() / sizeof(uint32_t);
  if (spec.text.empty() || spec.text.size() % sizeof(uint32_t) ||
      spec.text.size() > UINT32_MAX)
    return llvm::createStringError(
        "the task descriptors take " + Twine(spec.text.size()) +
        " bytes; expected a multiple of 4 from 4 to 2^32 - 4");
  if (spec.firstTaskWords == 0 || spec.firstTaskWords > words)
    return llvm::createStringError(
        "the first task has " + Twine(spec.firstTaskWords) +
        " words; expected 1 to the " + Twine(words) + " of all tasks");
  if (spec.taskCount == 0 || spec.taskCount > words)
    return llvm::createStringError("a program of " + Twine(spec.taskCount) +
                                   " tasks in " + Twine(words) + " words");
  if (spec.procedure.empty() || hasNul(spec.procedure))
    return llvm::createStringError("the procedure has no usable name");
  return Error::success();
}

static Error checkRelocations(const ContainerSpec &spec) {
  for (auto [index, relocation] : llvm::enumerate(spec.relocations)) {
    std::string what = ("relocation " + Twine(index)).str();
    uint64_t offset = relocation.offset;
    if (offset % sizeof(uint32_t) ||
        offset + relocation.bytes() > spec.text.size())
      return llvm::createStringError(
          what + ": text offset 0x" + llvm::utohexstr(offset, true) +
          " is not a word of the text, which has 0x" +
          llvm::utohexstr(spec.text.size(), true) + " bytes");
    if (relocation.target.kind == RelocationTarget::Scratch &&
        spec.scratchBytes == 0)
      return llvm::createStringError(
          what + " refers to scratch, but the program has none");
    if (relocation.target.kind == RelocationTarget::Port &&
        relocation.target.port >= spec.ports.size())
      return llvm::createStringError(what + " refers to port " +
                                     Twine(relocation.target.port) + " of " +
                                     Twine(spec.ports.size()));
  }
  return Error::success();
}

static Error checkSymbols(const ContainerSpec &spec) {
  uint64_t bytes = totalSize(spec.constants);
  for (const CoefficientSymbol &symbol : spec.symbols) {
    if (hasNul(symbol.name))
      return llvm::createStringError(
          "the name of a coefficient symbol contains a NUL");
    if (symbol.offset > bytes)
      return llvm::createStringError("coefficient symbol '" + symbol.name +
                                     "': offset 0x" +
                                     llvm::utohexstr(symbol.offset, true) +
                                     " passes the end of the coefficients, 0x" +
                                     llvm::utohexstr(bytes, true));
  }
  if (llvm::any_of(spec.banner, hasNul))
    return llvm::createStringError("a line of the banner contains a NUL");
  return Error::success();
}

std::string ane::object::fullName(const PortSpec &port) {
  return port.direction == PortDirection::Output ? port.name + outputSuffix
                                                 : port.name;
}

uint64_t ane::object::surfaceBytes(const PortSpec &port) {
  return port.byteSize ? port.byteSize : port.layout.totalBytes().value_or(0);
}

uint64_t ane::object::exactBytes(const PortSpec &port) {
  return port.layout.exactBytes().value_or(0);
}

Error ane::object::checkSpec(const ContainerSpec &spec) {
  if (Error error = checkPorts(spec))
    return error;
  if (Error error = checkText(spec))
    return error;
  if (Error error = checkRelocations(spec))
    return error;
  return checkSymbols(spec);
}
