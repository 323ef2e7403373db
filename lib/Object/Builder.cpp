//===- Builder.cpp - Checks of the emission model -------------------------===//

#include "ane/Object/Builder.h"
#include "CheckSpec.h"
#include "ane/Object/Check.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace ane::object;
using llvm::Error;
using llvm::Twine;

/// Sets the BARs of the ports of one procedure.
static Error assignBarsOf(unsigned procedure, llvm::ArrayRef<PortSpec> ports,
                          llvm::MutableArrayRef<unsigned> bars) {
  size_t count = llvm::count_if(
      ports, [&](const PortSpec &port) { return port.procedure == procedure; });
  if (count > maxPorts)
    return llvm::createStringError(
        "the program has " + Twine(count) +
        " inputs and outputs, but a container addresses at most " +
        Twine(maxPorts) +
        "; merge tensors or split the model into several programs");
  unsigned next = BarFirstPort;
  for (PortDirection direction : {PortDirection::Output, PortDirection::Input})
    for (auto [bar, port] : llvm::zip_equal(bars, ports))
      if (port.direction == direction && port.procedure == procedure)
        bar = next++;
  return Error::success();
}

llvm::Expected<llvm::SmallVector<unsigned, 8>>
ane::object::assignBars(llvm::ArrayRef<PortSpec> ports) {
  llvm::SmallVector<unsigned, 8> bars(ports.size());
  llvm::SmallVector<unsigned, 2> procedures;
  for (const PortSpec &port : ports)
    if (!llvm::is_contained(procedures, port.procedure))
      procedures.push_back(port.procedure);
  for (unsigned procedure : procedures)
    if (Error error = assignBarsOf(procedure, ports, bars))
      return error;
  return bars;
}

std::vector<unsigned>
ane::object::usualOperandOrder(llvm::ArrayRef<PortSpec> ports) {
  std::vector<unsigned> order;
  for (PortDirection direction : {PortDirection::Input, PortDirection::Output})
    for (auto [index, port] : llvm::enumerate(ports))
      if (port.direction == direction)
        order.push_back(index);
  return order;
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
  if (!isKnownInterleave(layout.interleave))
    return llvm::createStringError(what + ": interleave " +
                                   Twine(layout.interleave) +
                                   " is not known, use 1, 2, 3, 4 or 8");
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
    if (port.procedure > spec.otherProcedures.size())
      return llvm::createStringError("port '" + port.name +
                                     "' belongs to procedure " +
                                     Twine(port.procedure) + " of " +
                                     Twine(spec.otherProcedures.size() + 1));
    if (!names.insert(containerName(spec, port)).second)
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

static Error checkBars(const ContainerSpec &spec) {
  if (spec.bars.empty())
    return Error::success();
  if (!spec.otherProcedures.empty())
    return llvm::createStringError(
        "BAR indices are given, which goes with one procedure only");
  llvm::SmallBitVector seen(maxBars);
  for (unsigned bar : spec.bars)
    if (bar >= BarFirstPort && bar < maxBars)
      seen.set(bar);
  if (spec.bars.size() != spec.ports.size() ||
      seen.count() != spec.ports.size())
    return llvm::createStringError(
        "the BAR indices do not give each of the " + Twine(spec.ports.size()) +
        " ports one of its own from " + Twine(unsigned(BarFirstPort)) + " to " +
        Twine(maxBars - 1));
  return Error::success();
}

/// That each part of the program has one place.
static Error checkOrder(const ContainerSpec &spec) {
  auto hasPort = [&](PortDirection direction) {
    return llvm::any_of(spec.ports, [&](const PortSpec &port) {
      return port.direction == direction;
    });
  };
  bool isMixed = llvm::is_contained(spec.style.order, MemoryPart::Ports);
  struct {
    MemoryPart part;
    bool isNeeded;
    bool isAllowed;
    llvm::StringRef what;
  } parts[] = {
      {MemoryPart::Text, true, true, "the text"},
      {MemoryPart::Kernels, spec.style.kernelSegments,
       spec.style.kernelSegments, "kernel segments"},
      {MemoryPart::Scratch, spec.scratchBytes || spec.style.minScratchBytes,
       true, "scratch"},
      {MemoryPart::Spare, false, true, "the spare page"},
      {MemoryPart::Inputs, !isMixed && hasPort(PortDirection::Input), !isMixed,
       "inputs"},
      {MemoryPart::Outputs, !isMixed && hasPort(PortDirection::Output),
       !isMixed, "outputs"},
      {MemoryPart::Ports, false, true, "all ports"},
  };
  for (const auto &[part, isNeeded, isAllowed, what] : parts) {
    auto count = llvm::count(spec.style.order, part);
    if (count < isNeeded || count > isAllowed)
      return llvm::createStringError("the container style places " + what +
                                     " " + Twine(count) + " times; expected " +
                                     (isNeeded    ? "once"
                                      : isAllowed ? "at most once"
                                                  : "not at all"));
  }
  return Error::success();
}

static Error checkStyle(const ContainerSpec &spec) {
  const ContainerStyle &style = spec.style;
  if (Error error = checkOrder(spec))
    return error;
  if (style.portCommand != llvm::MachO::LC_LOADFVMLIB &&
      style.portCommand != portCommand)
    return llvm::createStringError("load command " + Twine(style.portCommand) +
                                   " does not name a port");
  if (style.maxKernelBytes == 0 ||
      (style.maxKernelBytes != UINT64_MAX && style.maxKernelBytes % pageBytes))
    return llvm::createStringError(
        "kernel sections of " + Twine(style.maxKernelBytes) +
        " bytes; expected a multiple of " + Twine(pageBytes));
  uint64_t before = 0;
  for (uint64_t start : spec.kernelStarts) {
    if (start <= before || start % pageBytes)
      return llvm::createStringError("a kernel section would begin at " +
                                     Twine(start) +
                                     "; expected a multiple of " +
                                     Twine(pageBytes) + " behind the last one");
    before = start;
  }
  // No real descriptor is longer.
  constexpr uint32_t mostWords = 0x10000;
  if (style.programWords < programStateWords ||
      style.programWords > mostWords ||
      style.operandWords < operandStateWords || style.operandWords > mostWords)
    return llvm::createStringError(
        "descriptors of " + Twine(style.programWords) + " and " +
        Twine(style.operandWords) + " words; expected at least " +
        Twine(programStateWords) + " and " + Twine(operandStateWords) +
        ", and at most " + Twine(mostWords));
  uint64_t needed = style.properties.empty() ? 0 : sizeof(ulittle64_t);
  for (const Property &property : style.properties)
    needed += sizeof(PropertyHead) + property.value.size();
  uint64_t room =
      uint64_t(style.programWords - programStateWords) * sizeof(uint32_t);
  if (needed > room || (room > 0 && room < sizeof(ulittle64_t)))
    return llvm::createStringError("the properties take " + Twine(needed) +
                                   " bytes, but the program descriptor has " +
                                   Twine(room) + " for them");
  return Error::success();
}

static Error checkText(const ContainerSpec &spec) {
  uint64_t words = spec.text.size() / sizeof(uint32_t);
  if (spec.text.empty() || spec.text.size() % sizeof(uint32_t) ||
      spec.text.size() > UINT32_MAX)
    return llvm::createStringError(
        "the task descriptors take " + Twine(spec.text.size()) +
        " bytes; expected a multiple of 4 from 4 to 2^32 - 4");
  llvm::StringSet<> names;
  for (const ProcedureSpec &procedure : procedures(spec)) {
    if (procedure.firstTaskWords == 0 || procedure.firstTaskWords > words)
      return llvm::createStringError(
          "the first task has " + Twine(procedure.firstTaskWords) +
          " words; expected 1 to the " + Twine(words) + " of all tasks");
    uint64_t firstBytes = uint64_t(procedure.firstTaskWords) * sizeof(uint32_t);
    if (procedure.entryOffset % sizeof(uint32_t) ||
        procedure.entryOffset > spec.text.size() - firstBytes)
      return llvm::createStringError(
          "the first task of " + Twine(procedure.firstTaskWords) +
          " words at text offset " + ane::hex(procedure.entryOffset) +
          " does not lie at a multiple of 4 in the text, which has " +
          ane::hex(spec.text.size()) + " bytes");
    if (procedure.taskCount == 0 || procedure.taskCount > words)
      return llvm::createStringError("a program of " +
                                     Twine(procedure.taskCount) + " tasks in " +
                                     Twine(words) + " words");
    if (procedure.name.empty() || hasNul(procedure.name))
      return llvm::createStringError("the procedure has no usable name");
    if (!names.insert(procedure.name).second)
      return llvm::createStringError("two procedures are named '" +
                                     procedure.name + "'; rename one");
  }
  return Error::success();
}

static Error checkRelocations(const ContainerSpec &spec) {
  for (auto [index, relocation] : llvm::enumerate(spec.relocations)) {
    std::string what = ("relocation " + Twine(index)).str();
    uint64_t offset = relocation.offset;
    if (offset % sizeof(uint32_t) ||
        offset + relocation.bytes() > spec.text.size())
      return llvm::createStringError(what + ": text offset " +
                                     ane::hex(offset) +
                                     " is not a word of the text, which has " +
                                     ane::hex(spec.text.size()) + " bytes");
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
                                     "': offset " + ane::hex(symbol.offset) +
                                     " passes the end of the coefficients, " +
                                     ane::hex(bytes));
  }
  if (llvm::any_of(spec.banner, hasNul))
    return llvm::createStringError("a line of the banner contains a NUL");
  if (llvm::any_of(spec.style.types, hasNul))
    return llvm::createStringError("the name of a type contains a NUL");
  for (const NoteSpec &note : spec.notes)
    if (hasNul(note.owner) ||
        note.owner.size() > sizeof(llvm::MachO::note_command::data_owner))
      return llvm::createStringError(
          "the owner of a note, '" + note.owner + "', has more than " +
          Twine(sizeof(llvm::MachO::note_command::data_owner)) +
          " characters or a NUL");
  return Error::success();
}

std::vector<ProcedureSpec> ane::object::procedures(const ContainerSpec &spec) {
  std::vector<ProcedureSpec> all = {
      {spec.procedure, spec.entryOffset, spec.firstTaskWords, spec.taskCount}};
  all.insert(all.end(), spec.otherProcedures.begin(),
             spec.otherProcedures.end());
  return all;
}

std::string ane::object::containerName(const ContainerSpec &spec,
                                       const PortSpec &port) {
  if (spec.otherProcedures.empty())
    return fullName(port);
  const std::string &procedure =
      port.procedure == 0 ? spec.procedure
                          : spec.otherProcedures[port.procedure - 1].name;
  return procedure + "/" + fullName(port);
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
  if (Error error = checkBars(spec))
    return error;
  if (Error error = checkStyle(spec))
    return error;
  if (Error error = checkText(spec))
    return error;
  if (Error error = checkRelocations(spec))
    return error;
  return checkSymbols(spec);
}
