//===- LayoutCommands.cpp - Load commands of what is placed in memory -----===//

#include "CheckSpec.h"
#include "LayoutBuilder.h"
#include "ane/Object/HashName.h"
#include "ane/Object/Stabs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm::MachO;

namespace ane::object {

//===----------------------------------------------------------------------===//
// Segments
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

void LayoutBuilder::addSegments() {
  add(makeSegment(segPageZero, 0, pageBytes, 0, SG_NORELOC));
  for (MemoryPart part : spec.style.order)
    addSegment(part);
}

void LayoutBuilder::addSegment(MemoryPart part) {
  switch (part) {
  case MemoryPart::Text:
    return addText();
  case MemoryPart::Kernels:
    return addKernels();
  case MemoryPart::Scratch:
    if (scratch.size) {
      Segment &segment =
          add(makeSegment(segData, scratch.address, scratch.segmentSize,
                          VM_PROT_READ | VM_PROT_WRITE, SG_NORELOC));
      segment.sections = {makeSection(sectBss, segment, scratch.address,
                                      scratch.size, granuleBytes,
                                      SectionType::Scratch)};
    }
    return;
  case MemoryPart::Spare:
    add(makeSegment(segData, spare.address, spare.segmentSize,
                    VM_PROT_READ | VM_PROT_WRITE, SG_NORELOC));
    return;
  case MemoryPart::Inputs:
    return addPortSegments(PortDirection::Input);
  case MemoryPart::Outputs:
    return addPortSegments(PortDirection::Output);
  case MemoryPart::Ports:
    return addPortSegments(std::nullopt);
  }
}

void LayoutBuilder::addText() {
  Segment &segment = add(makeSegment(
      segText, text.address, text.segmentSize, VM_PROT_READ | VM_PROT_EXECUTE,
      spec.relocations.empty() ? uint32_t(SG_NORELOC) : 0));
  Section textSection = makeSection(sectText, segment, text.address, text.size,
                                    pageBytes, SectionType::Text);
  for (auto [relocation, ordinal] :
       llvm::zip_equal(spec.relocations, relocationOrdinals))
    textSection.relocations.push_back(
        {relocation.offset, ordinal, /*pcRelative=*/!relocation.isAddress,
         uint8_t(llvm::Log2_32(relocation.bytes())),
         /*isExtern=*/false, /*type=*/0});
  if (!spec.relocations.empty())
    textSection.flags |= S_ATTR_LOC_RELOC;
  textSection.contents.push_back(
      Chunk::bytes(object.storage.emplace_back(std::move(spec.text))));
  KernelPlace &constants = spec.style.kernelSegments ? dummy : kernels.front();
  Section constSection =
      makeSection(sectConst, segment, constants.address, constants.size,
                  granuleBytes, SectionType::Coefficients);
  constSection.contents = constants.contents;
  segment.sections = {std::move(textSection), std::move(constSection)};
}

void LayoutBuilder::addKernels() {
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    std::string number = std::to_string(index);
    Segment &segment =
        add(makeSegment(segKernelPrefix + number, kernel.address,
                        kernel.segmentSize, VM_PROT_READ, SG_NORELOC));
    Section section =
        makeSection(sectKernelPrefix + number, segment, kernel.address,
                    kernel.size, granuleBytes, SectionType::Coefficients);
    section.contents = kernel.contents;
    segment.sections = {std::move(section)};
  }
}

void LayoutBuilder::addPortSegments(std::optional<PortDirection> direction) {
  for (unsigned index : memoryOrder) {
    if (direction && spec.ports[index].direction != *direction)
      continue;
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

//===----------------------------------------------------------------------===//
// Ports and descriptors
//===----------------------------------------------------------------------===//

std::string LayoutBuilder::portName(const PortSpec &port) const {
  // An output may have the name of an input, which it then must not repeat.
  bool isSuffixed = spec.style.suffixedPorts ||
                    llvm::any_of(spec.ports, [&](const PortSpec &other) {
                      return &other != &port && other.name == port.name &&
                             other.procedure == port.procedure;
                    });
  std::string name = containerName(spec, port);
  if (!isSuffixed)
    name.resize(name.size() - (fullName(port).size() - port.name.size()));
  return name;
}

void LayoutBuilder::addPorts() {
  for (unsigned index : memoryOrder)
    add(Port{spec.style.portCommand, portName(spec.ports[index]),
             ports[index].address, /*minorVersion=*/0});
}

void LayoutBuilder::addPrograms() {
  for (auto [index, procedure] : llvm::enumerate(procedures(spec)))
    addProgram(index, procedure);
}

void LayoutBuilder::addProgram(unsigned index, const ProcedureSpec &procedure) {
  ProgramDescriptor program;
  program.stateWords = spec.style.programWords;
  program.properties = spec.style.properties;
  program.bars[BarText] = text.address;
  program.bars[BarConstants] = kernelAt(0).address;
  program.bars[BarScratch] = scratch.address;
  llvm::SmallVector<unsigned, 8> assigned =
      llvm::cantFail(assignBars(spec.ports));
  llvm::ArrayRef<unsigned> bars = assigned;
  if (!spec.bars.empty())
    bars = spec.bars;
  for (auto [bar, port, place] : llvm::zip_equal(bars, spec.ports, ports))
    if (port.procedure == index)
      program.bars[bar] = place.address;
  program.entry = text.address + procedure.entryOffset;
  program.firstTaskWordsLessOne = procedure.firstTaskWords - 1;
  program.taskCount = procedure.taskCount;
  program.opaque850 = spec.opaque850;
  program.opaque858 = uint64_t(procedure.taskCount) + spec.style.opaque858;
  if (spec.opaque858 && index == 0)
    program.opaque858 = *spec.opaque858;
  program.procedure = procedure.name;
  add(std::move(program));
}

void LayoutBuilder::addOperands() {
  std::vector<unsigned> order = spec.operandOrder.empty()
                                    ? usualOperandOrder(spec.ports)
                                    : spec.operandOrder;
  std::vector<ProcedureSpec> all = procedures(spec);
  for (unsigned index : order) {
    const PortSpec &port = spec.ports[index];
    bool isExact =
        spec.style.exactOutputBytes && port.direction == PortDirection::Output;
    OperandDescriptor operand;
    operand.stateWords = spec.style.operandWords;
    operand.direction = port.direction;
    operand.layout = port.layout;
    operand.byteSize = isExact ? exactBytes(port) : ports[index].size;
    operand.procedure = all[port.procedure].name;
    operand.symbol = fullName(port);
    operand.port = portName(port);
    add(std::move(operand));
  }
}

void LayoutBuilder::addIdent() {
  Ident ident;
  for (const std::string &line : spec.banner)
    ident.text += line + "\n";
  add(std::move(ident));
}

void LayoutBuilder::addNotes() {
  for (NoteSpec &note : spec.notes) {
    uint64_t size = note.bytes.size();
    std::vector<uint8_t> &bytes =
        object.storage.emplace_back(std::move(note.bytes));
    bytes.resize(llvm::alignTo(size, commandAlign));
    add(Note{note.owner, sizeof(note_command), size, bytes});
  }
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static void addName(SymbolTable &table, Symbol symbol, llvm::StringRef name) {
  symbol.nameOffset = table.strings.size();
  table.strings += name;
  table.strings.push_back('\0');
  table.symbols.push_back(symbol);
}

static ShapeStab shapeStab(llvm::StringRef name, const TensorLayout &layout,
                           unsigned number) {
  ShapeStab stab;
  stab.name = name.str();
  stab.number = number;
  stab.axes.push_back({layout.n, layout.batchStride, 'n'});
  if (layout.d > 1)
    stab.axes.push_back({layout.d, layout.depthStride, 'd'});
  stab.axes.push_back({layout.c, layout.planeStride, 'c'});
  stab.axes.push_back({layout.h, layout.rowStride, 'h'});
  stab.axes.push_back({layout.w, layout.elementStride, 'w'});
  stab.elementType = llvm::to_underlying(layout.elementType);
  return stab;
}

void LayoutBuilder::addCoefficientSymbols(SymbolTable &table) {
  auto addLanes = [&](llvm::StringRef block, unsigned first,
                      const KernelPlace &kernel) {
    for (unsigned lane = first; lane < maxLanes; ++lane)
      addName(table,
              {0, definedSymbol, uint8_t(kernel.ordinal),
               REFERENCE_FLAG_UNDEFINED_NON_LAZY, kernel.end()},
              laneName(block, lane));
  };
  for (auto [index, symbol] : llvm::enumerate(spec.symbols)) {
    const KernelPlace &kernel = kernelAt(symbol.offset);
    addName(table,
            {0, definedSymbol, uint8_t(kernel.ordinal), REFERENCE_FLAG_DEFINED,
             kernel.address + (symbol.offset - kernel.begin)},
            symbol.name);
    std::optional<LaneName> lane = parseLaneName(symbol.name);
    if (!spec.style.laneSentinels || !lane)
      continue;
    // Behind the last lane of a block.
    bool isLast = true;
    if (index + 1 < spec.symbols.size())
      if (auto next = parseLaneName(spec.symbols[index + 1].name))
        isLast = next->block != lane->block || next->lane <= lane->lane;
    if (isLast)
      addLanes(lane->block, lane->lane + 1, kernel);
  }
}

void LayoutBuilder::addSymbolTable() {
  SymbolTable table;
  table.strings.push_back('\0');
  addCoefficientSymbols(table);
  for (unsigned index : memoryOrder) {
    const PortSpec &port = spec.ports[index];
    uint16_t desc = port.direction == PortDirection::Input
                        ? REFERENCE_FLAG_DEFINED
                        : REFERENCE_FLAG_UNDEFINED_NON_LAZY;
    addName(table,
            {0, definedSymbol, uint8_t(ports[index].ordinal), desc,
             ports[index].address},
            portName(port));
  }
  for (llvm::StringRef type : spec.style.types)
    addName(table, {0, N_LSYM, 0, 0, 0}, type);
  unsigned number = spec.style.types.size() + 1;
  for (unsigned index : memoryOrder) {
    const PortSpec &port = spec.ports[index];
    ShapeStab stab = shapeStab(portName(port), port.layout, number);
    addName(table, {0, N_GSYM, 0, uint16_t(number), 0}, stab.str());
    number += stab.axes.size() + 1;
  }
  add(std::move(table));
}

} // namespace ane::object
