//===- Layout.cpp - Decides every address and file offset -----------------===//

#include "ane/Object/Layout.h"
#include "CheckSpec.h"
#include "Encode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm::MachO;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace ane::object {
namespace {

class LayoutBuilder {
public:
  LayoutBuilder(ContainerSpec spec, uint32_t cpuSubtype)
      : spec(std::move(spec)) {
    object.cpuSubtype = cpuSubtype;
  }

  Expected<Object> build() {
    if (Error error = placeInMemory())
      return error;
    addSegments();
    addPorts();
    addProgram();
    addOperands();
    addIdent();
    addSymbolTable();
    if (Error error = placeInFile())
      return error;
    return std::move(object);
  }

private:
  /// The device memory of one part of the program.
  struct Place {
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t segmentSize = 0;
    unsigned ordinal = 0;

    uint64_t end() const { return address + size; }
  };

  /// Device memory.
  Error placeInMemory();
  Error placeSegment(Place &place, uint64_t size, const Twine &what);

  /// Load commands in file order.
  void addSegments();
  void addPorts();
  void addProgram();
  void addOperands();
  void addIdent();
  void addSymbolTable();

  template <typename T> T &add(T body) {
    return std::get<T>(
        object.commands.emplace_back(LoadCommand{std::move(body), 0, 0, {}})
            .body);
  }
  void addName(SymbolTable &table, Symbol symbol, llvm::StringRef name);
  std::string shapeStab(const PortSpec &port, unsigned firstType) const;
  const Place &target(const RelocationTarget &target) const;

  /// The file.
  Error placeInFile();

  ContainerSpec spec;
  Object object;
  Place text, constants, scratch;
  /// Where each port of `spec` is, and the order they are in memory.
  std::vector<Place> ports;
  std::vector<unsigned> memoryOrder;
  uint64_t nextAddress = deviceBase;
  unsigned nextOrdinal = 1;
};

} // namespace

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

Error LayoutBuilder::placeSegment(Place &place, uint64_t size,
                                  const Twine &what) {
  if (size > deviceLimit - nextAddress)
    return llvm::createStringError(
        what + " of " + Twine(size) + " bytes at device address 0x" +
        llvm::utohexstr(nextAddress, true) + " passes the last one, 0x" +
        llvm::utohexstr(deviceLimit - 1, true));
  place.address = nextAddress;
  place.size = size;
  place.segmentSize = llvm::alignTo(size, pageBytes);
  place.ordinal = nextOrdinal++;
  nextAddress += place.segmentSize;
  return Error::success();
}

Error LayoutBuilder::placeInMemory() {
  if (totalSize(spec.constants) == 0)
    spec.constants.assign(1, Chunk::zeros(pageBytes));
  text = {deviceBase, spec.text.size(), 0, nextOrdinal++};
  constants = {llvm::alignTo(text.end(), granuleBytes),
               totalSize(spec.constants), 0, nextOrdinal++};
  if (constants.size > deviceLimit - constants.address)
    return llvm::createStringError("coefficients of " + Twine(constants.size) +
                                   " bytes pass the last device address");
  text.segmentSize = llvm::alignTo(constants.end() - text.address, pageBytes);
  nextAddress += text.segmentSize;

  if (spec.scratchBytes)
    if (Error error = placeSegment(scratch, spec.scratchBytes, "scratch"))
      return error;

  ports.resize(spec.ports.size());
  for (PortDirection direction : {PortDirection::Input, PortDirection::Output})
    for (auto [index, port] : llvm::enumerate(spec.ports)) {
      if (port.direction != direction)
        continue;
      memoryOrder.push_back(index);
      if (Error error = placeSegment(ports[index], surfaceBytes(port),
                                     "port '" + port.name + "'"))
        return error;
      if (ports[index].address > UINT32_MAX)
        return llvm::createStringError(
            "port '" + port.name + "' would lie at device address 0x" +
            llvm::utohexstr(ports[index].address, true) +
            ", but LC_LOADFVMLIB holds 32 bits; make coefficients, scratch or "
            "tensors smaller");
    }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Load commands
//===----------------------------------------------------------------------===//

static Segment makeSegment(llvm::StringRef name, uint64_t address,
                           uint64_t size, uint32_t protection, uint32_t flags) {
  Segment segment;
  segment.name = name.str();
  segment.address = address;
  segment.memorySize = size;
  segment.maxProtection = protection;
  segment.initialProtection = protection;
  segment.flags = flags;
  return segment;
}

static Section makeSection(llvm::StringRef name, const Segment &segment,
                           uint64_t address, uint64_t size, uint64_t alignment,
                           SectionType type) {
  Section section;
  section.name = name.str();
  section.segmentName = segment.name;
  section.address = address;
  section.size = size;
  section.alignLog2 = llvm::Log2_64(alignment);
  section.flags = llvm::to_underlying(type);
  return section;
}

const LayoutBuilder::Place &
LayoutBuilder::target(const RelocationTarget &target) const {
  switch (target.kind) {
  case RelocationTarget::Constants:
    return constants;
  case RelocationTarget::Scratch:
    return scratch;
  case RelocationTarget::Port:
    return ports[target.port];
  }
  llvm_unreachable("unknown kind of relocation target");
}

void LayoutBuilder::addSegments() {
  add(makeSegment(segPageZero, 0, pageBytes, 0, SG_NORELOC));

  Segment &textSegment = add(makeSegment(
      segText, text.address, text.segmentSize, VM_PROT_READ | VM_PROT_EXECUTE,
      spec.relocations.empty() ? uint32_t(SG_NORELOC) : 0));
  Section textSection = makeSection(sectText, textSegment, text.address,
                                    text.size, pageBytes, SectionType::Text);
  for (const TextRelocation &relocation : spec.relocations)
    textSection.relocations.push_back(
        {relocation.offset, target(relocation.target).ordinal,
         /*pcRelative=*/!relocation.isAddress,
         uint8_t(llvm::Log2_32(relocation.bytes())),
         /*isExtern=*/false, /*type=*/0});
  if (!spec.relocations.empty())
    textSection.flags |= S_ATTR_LOC_RELOC;
  textSection.contents.push_back(
      Chunk::bytes(object.storage.emplace_back(std::move(spec.text))));
  Section constSection =
      makeSection(sectConst, textSegment, constants.address, constants.size,
                  granuleBytes, SectionType::Coefficients);
  constSection.contents.append(spec.constants.begin(), spec.constants.end());
  textSegment.sections = {std::move(textSection), std::move(constSection)};

  if (scratch.size) {
    Segment &segment =
        add(makeSegment(segData, scratch.address, scratch.segmentSize,
                        VM_PROT_READ | VM_PROT_WRITE, SG_NORELOC));
    segment.sections = {makeSection(sectBss, segment, scratch.address,
                                    scratch.size, granuleBytes,
                                    SectionType::Scratch)};
  }

  for (unsigned index : memoryOrder) {
    bool isInput = spec.ports[index].direction == PortDirection::Input;
    const Place &place = ports[index];
    Segment &segment = add(makeSegment(
        segPort, place.address, place.segmentSize,
        isInput ? VM_PROT_READ : VM_PROT_WRITE, SG_FVMLIB | SG_NORELOC));
    segment.sections = {makeSection(
        isInput ? sectConst : sectData, segment, place.address, place.size,
        pageBytes, isInput ? SectionType::Input : SectionType::Output)};
  }
}

void LayoutBuilder::addPorts() {
  for (unsigned index : memoryOrder)
    add(Port{LC_LOADFVMLIB, fullName(spec.ports[index]), ports[index].address,
             /*minorVersion=*/0});
}

void LayoutBuilder::addProgram() {
  ProgramDescriptor program;
  program.bars[BarText] = text.address;
  program.bars[BarConstants] = constants.address;
  program.bars[BarScratch] = scratch.address;
  auto bars = llvm::cantFail(assignBars(spec.ports));
  for (auto [bar, place] : llvm::zip_equal(bars, ports))
    program.bars[bar] = place.address;
  program.entry = text.address + spec.entryOffset;
  program.firstTaskWordsLessOne = spec.firstTaskWords - 1;
  program.taskCount = spec.taskCount;
  program.opaque850 = spec.opaque850;
  program.opaque858 = spec.opaque858.value_or(uint64_t(spec.taskCount) + 2);
  program.procedure = spec.procedure;
  add(std::move(program));
}

void LayoutBuilder::addOperands() {
  std::vector<unsigned> order =
      spec.operandOrder.empty() ? memoryOrder : spec.operandOrder;
  for (unsigned index : order) {
    const PortSpec &port = spec.ports[index];
    OperandDescriptor operand;
    operand.direction = port.direction;
    operand.layout = port.layout;
    operand.byteSize = port.direction == PortDirection::Input
                           ? ports[index].size
                           : exactBytes(port);
    operand.procedure = spec.procedure;
    operand.symbol = fullName(port);
    operand.port = fullName(port);
    add(std::move(operand));
  }
}

void LayoutBuilder::addIdent() {
  Ident ident;
  for (const std::string &line : spec.banner)
    ident.text += line + "\n";
  add(std::move(ident));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

void LayoutBuilder::addName(SymbolTable &table, Symbol symbol,
                            llvm::StringRef name) {
  symbol.nameOffset = table.strings.size();
  table.strings += name;
  table.strings.push_back('\0');
  table.symbols.push_back(symbol);
}

/// The array type of a tensor: per dimension its index range and stride. The
/// dimensions are numbered from `firstType` on.
std::string LayoutBuilder::shapeStab(const PortSpec &port,
                                     unsigned firstType) const {
  const TensorLayout &layout = port.layout;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << fullName(port) << ":t" << firstType << "=";
  auto addAxis = [&, type = firstType](uint32_t extent, uint64_t stride,
                                       char axis) mutable {
    os << "ar1;0;" << extent << ';' << ++type << "=s" << stride << axis << ':';
  };
  addAxis(layout.n, layout.batchStride, 'n');
  if (layout.d > 1)
    addAxis(layout.d, layout.depthStride, 'd');
  addAxis(layout.c, layout.planeStride, 'c');
  addAxis(layout.h, layout.rowStride, 'h');
  addAxis(layout.w, layout.elementStride, 'w');
  os << llvm::to_underlying(layout.elementType);
  return text;
}

void LayoutBuilder::addSymbolTable() {
  SymbolTable table;
  table.strings.push_back('\0');
  for (const CoefficientSymbol &symbol : spec.symbols)
    addName(table,
            {0, definedSymbol, uint8_t(constants.ordinal),
             REFERENCE_FLAG_DEFINED, constants.address + symbol.offset},
            symbol.name);
  for (unsigned index : memoryOrder) {
    const PortSpec &port = spec.ports[index];
    uint16_t desc = port.direction == PortDirection::Input
                        ? REFERENCE_FLAG_DEFINED
                        : REFERENCE_FLAG_UNDEFINED_NON_LAZY;
    addName(table,
            {0, definedSymbol, uint8_t(ports[index].ordinal), desc,
             ports[index].address},
            fullName(port));
  }
  for (llvm::StringRef stab : typeStabs)
    addName(table, {0, N_LSYM, 0, 0, 0}, stab);
  unsigned type = std::size(typeStabs) + 1;
  for (unsigned index : memoryOrder) {
    const PortSpec &port = spec.ports[index];
    addName(table, {0, N_GSYM, 0, uint16_t(type), 0}, shapeStab(port, type));
    type += port.layout.d > 1 ? 6 : 5;
  }
  add(std::move(table));
}

//===----------------------------------------------------------------------===//
// File
//===----------------------------------------------------------------------===//

Error LayoutBuilder::placeInFile() {
  uint64_t offset = sizeof(mach_header_64);
  for (LoadCommand &command : object.commands) {
    command.fileOffset = offset;
    command.size = naturalSize(command.body);
    offset += command.size;
  }

  auto &table = std::get<SymbolTable>(object.commands.back().body);
  table.symbolOffset = offset;
  offset += table.symbols.size() * sizeof(nlist_64);
  table.stringOffset = offset;
  offset += table.strings.size();

  // __TEXT is the second command, after __PAGEZERO.
  auto &segment = std::get<Segment>(object.commands[1].body);
  Section &textSection = segment.sections[0];
  Section &constSection = segment.sections[1];
  if (!textSection.relocations.empty()) {
    offset = llvm::alignTo(offset, commandAlign);
    textSection.relocationOffset = offset;
    offset += textSection.relocations.size() * sizeof(any_relocation_info);
  }

  segment.fileOffset = llvm::alignTo(offset, pageBytes);
  segment.fileSize = segment.memorySize;
  object.fileSize = segment.fileOffset + segment.fileSize;
  uint64_t constOffset =
      segment.fileOffset + (constants.address - text.address);
  if (constOffset > UINT32_MAX)
    return llvm::createStringError(
        "the coefficients would start at file offset 0x" +
        llvm::utohexstr(constOffset, true) +
        ", but the format holds 32 bits; the program has too many tasks");
  textSection.fileOffset = segment.fileOffset;
  constSection.fileOffset = constOffset;
  return Error::success();
}

Expected<Object> layoutObject(ContainerSpec spec) {
  // Both names mean the same chip (documented).
  auto subtype = llvm::StringSwitch<std::optional<uint32_t>>(spec.target)
                     .Cases({"h13", "h13g"}, cpuSubtypeH13)
                     .Default(std::nullopt);
  if (!subtype)
    return llvm::createStringError("no container is known for target '" +
                                   spec.target + "'; use h13");
  if (Error error = checkSpec(spec))
    return error;
  return LayoutBuilder(std::move(spec), *subtype).build();
}

} // namespace ane::object
