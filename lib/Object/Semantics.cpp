//===- Semantics.cpp - What a container says, without its layout ----------===//

#include "ane/Object/Semantics.h"
#include "CheckSpec.h"
#include "ane/Object/Check.h"
#include "ane/Object/Contents.h"
#include "ane/Object/HashName.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm::MachO;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace ane::object {

namespace {

class ModelBuilder {
public:
  explicit ModelBuilder(const Object &object)
      : object(object), sections(object.sections()) {}

  Expected<ContainerSpec> build() {
    for (auto step : {&ModelBuilder::checkContents, &ModelBuilder::readSegments,
                      &ModelBuilder::readProgram, &ModelBuilder::readPorts,
                      &ModelBuilder::readRelocations,
                      &ModelBuilder::readSymbols, &ModelBuilder::readNotes})
      if (Error error = (this->*step)())
        return error;
    return std::move(spec);
  }

private:
  /// At an offset of the file, if the object was read from one.
  Error refuse(const Twine &what, uint64_t offset = 0) const {
    std::string message =
        (what + "; the container can be copied, but not laid out anew").str();
    if (!object.buffer)
      return llvm::createStringError(message);
    return makeFileError(object.buffer->getBufferIdentifier(), offset, message);
  }

  Error checkContents();
  Error readSegments();
  Error readData(const Section &section);
  Error readKernels();
  Error readTextSegment(const Segment &segment);
  Error readProgram();
  Error readPorts();
  void joinPortParts();
  Error readRelocations();
  Error readSymbols();
  Error readNotes();

  /// Where byte 0 of a coefficient section is in all coefficients; nothing for
  /// another section.
  std::optional<uint64_t> beginOf(const Section *section) const {
    uint64_t begin = 0;
    for (const Section *kernel : kernels) {
      if (kernel == section)
        return begin;
      begin += kernel->size;
    }
    return std::nullopt;
  }

  const Object &object;
  llvm::SmallVector<const Section *, 16> sections;
  const Section *text = nullptr;
  const Section *scratch = nullptr;
  /// All coefficients, in order; with `dummy` that stands for none.
  llvm::SmallVector<const Section *, 1> kernels;
  bool isDummy = false;
  ContainerSpec spec;
};

bool isZero(llvm::ArrayRef<uint8_t> bytes) {
  return llvm::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

} // namespace

Error ModelBuilder::checkContents() {
  if (object.cpuSubtype != cpuSubtypeH13)
    return refuse("cpusubtype " + Twine(object.cpuSubtype) + " is not H13");
  if (!object.unclaimed.empty())
    return refuse("there are bytes between the tables at " +
                      hex(object.unclaimed.front().offset),
                  object.unclaimed.front().offset);
  for (const LoadCommand &command : object.commands) {
    std::string what = "the load command at " + hex(command.fileOffset);
    if (const auto *opaque = std::get_if<OpaqueCommand>(&command.body))
      return refuse(what + " has contents of unknown meaning: it is " +
                        opaque->reason,
                    command.fileOffset);
    std::vector<FileRange> unknown = bytesOfNoField(command);
    if (!unknown.empty())
      return refuse(what + " has contents of unknown meaning at " +
                        hex(unknown.front().offset),
                    unknown.front().offset);
  }
  if (Error error = checkObject(
          object, object.buffer ? object.buffer->getBufferIdentifier()
                                : "the container"))
    return error;
  size_t procedures = object.all<ProgramDescriptor>().size();
  if (procedures > 1)
    return refuse("it has " + llvm::Twine(procedures) +
                  " procedures, the limit is 1; compile each function by "
                  "itself, with --function");
  if (procedures == 0 || object.all<SymbolTable>().size() != 1 ||
      object.all<Ident>().size() != 1)
    return refuse("there is not one program descriptor, one symbol table and "
                  "one LC_IDENT");
  return Error::success();
}

/// The part of memory that a section is, if that needs no segment of several.
static std::optional<MemoryPart> partOf(SectionType type) {
  switch (type) {
  case SectionType::Input:
    return MemoryPart::Inputs;
  case SectionType::Output:
    return MemoryPart::Outputs;
  case SectionType::Scratch:
    return MemoryPart::Scratch;
  case SectionType::Coefficients:
    return MemoryPart::Kernels;
  default:
    return std::nullopt;
  }
}

Error ModelBuilder::readData(const Section &section) {
  if (section.type() == SectionType::Scratch) {
    if (scratch)
      return refuse("there are two sections of scratch");
    scratch = &section;
    spec.scratchBytes = section.size;
  } else if (section.type() == SectionType::Coefficients) {
    spec.style.kernelSegments = true;
    kernels.push_back(&section);
  }
  return Error::success();
}

Error ModelBuilder::readSegments() {
  spec.style = {};
  auto segments = object.all<Segment>();
  if (segments.empty() || !segments.front()->sections.empty())
    return refuse("the first segment is not a guard page");
  auto addPart = [&](MemoryPart part) {
    if (spec.style.order.empty() || spec.style.order.back() != part)
      spec.style.order.push_back(part);
  };
  for (const Segment *segment : llvm::drop_begin(segments)) {
    if (segment->sections.empty()) {
      addPart(MemoryPart::Spare);
      continue;
    }
    const Section &section = segment->sections.front();
    if (section.type() == SectionType::Text) {
      addPart(MemoryPart::Text);
      if (Error error = readTextSegment(*segment))
        return error;
      continue;
    }
    if (segment->sections.size() != 1)
      return refuse("segment '" + segment->name + "' has several sections");
    std::optional<MemoryPart> part = partOf(section.type());
    if (!part)
      return refuse("section '" + section.segmentName + "," + section.name +
                    "' is of unknown type");
    addPart(*part);
    if (Error error = readData(section))
      return error;
  }
  if (!text)
    return refuse("there are no task descriptors");
  return readKernels();
}

Error ModelBuilder::readKernels() {
  // Mostly all but the last kernel section have the most bytes that one may
  // have.
  if (kernels.size() > 1 && spec.style.kernelSegments) {
    uint64_t start = 0, most = 0;
    for (const Section *kernel : llvm::ArrayRef(kernels).drop_back()) {
      most = std::max(most, kernel->size);
      spec.kernelStarts.push_back(start += kernel->size);
    }
    bool isEven = spec.kernelStarts.back() == most * (kernels.size() - 1) &&
                  kernels.back()->size <= most;
    if (isEven) {
      spec.style.maxKernelBytes = most;
      spec.kernelStarts.clear();
    }
  }
  for (const Section *kernel : kernels)
    if (kernel->bytes().size() != kernel->size)
      return refuse("section '" + kernel->segmentName + "," + kernel->name +
                    "' has no contents");
  for (const Section *kernel : kernels)
    if (!isDummy)
      spec.constants.push_back(Chunk::bytes(kernel->bytes()));
  return Error::success();
}

Error ModelBuilder::readTextSegment(const Segment &segment) {
  if (text || segment.sections.size() != 2 ||
      segment.sections[1].type() != SectionType::Coefficients)
    return refuse("segment '" + segment.name +
                  "' is not one of descriptors and coefficients");
  text = &segment.sections[0];
  if (text->bytes().size() != text->size)
    return refuse("the text has no contents");
  spec.text = text->bytes().vec();

  const Section *constants = &segment.sections[1];
  bool isNamed = false;
  for (const SymbolTable *table : object.all<SymbolTable>())
    for (const Symbol &symbol : table->symbols)
      isNamed |=
          symbol.section != 0 && sections[symbol.section - 1] == constants;
  // A page of zeros that nothing names is what the layout adds by itself.
  isDummy =
      !isNamed && constants->size == pageBytes && isZero(constants->bytes());
  bool hasSegments =
      llvm::any_of(object.all<Segment>(), [&](const Segment *other) {
        return other != &segment && !other->sections.empty() &&
               other->sections.front().type() == SectionType::Coefficients;
      });
  if (!hasSegments) {
    kernels.push_back(constants);
    return Error::success();
  }
  if (!isDummy)
    return refuse("there are coefficients in '" + segment.name +
                  "' and in segments of their own");
  isDummy = false;
  return Error::success();
}

Error ModelBuilder::readProgram() {
  const auto &program = *object.first<ProgramDescriptor>();
  if (program.entry < text->address ||
      program.entry - text->address >= text->size)
    return refuse("the first task is not in the text");
  spec.style.programWords = program.stateWords;
  spec.style.properties = program.properties;
  spec.entryOffset = program.entry - text->address;
  spec.firstTaskWords = program.firstTaskWordsLessOne + 1;
  spec.taskCount = program.taskCount;
  spec.procedure = program.procedure;
  spec.opaque850 = program.opaque850;
  spec.opaque858 = program.opaque858;

  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef banner = object.first<Ident>()->text;
  if (banner.consume_back("\n"))
    banner.split(lines, '\n');
  else if (!banner.empty())
    return refuse("the last line of the banner has no end");
  spec.banner.assign(lines.begin(), lines.end());
  return Error::success();
}

/// Where inputs and outputs take turns in memory, as newer compilers have them,
/// they are one part, if it is in the order of the ports.
void ModelBuilder::joinPortParts() {
  auto isPort = [](MemoryPart part) {
    return part == MemoryPart::Inputs || part == MemoryPart::Outputs;
  };
  std::vector<MemoryPart> &order = spec.style.order;
  auto begin = llvm::find_if(order, isPort);
  auto end = std::find_if_not(begin, order.end(), isPort);
  bool isTwice =
      llvm::any_of(llvm::make_range(begin, end), [&](MemoryPart part) {
        return std::count(begin, end, part) > 1;
      });
  bool isInOrder =
      llvm::is_sorted(object.all<Port>(), [](const Port *a, const Port *b) {
        return a->address < b->address;
      });
  if (!isTwice || !isInOrder || std::any_of(end, order.end(), isPort))
    return;
  *begin = MemoryPart::Ports;
  order.erase(begin + 1, end);
}

Error ModelBuilder::readPorts() {
  auto ports = object.all<Port>();
  if (!ports.empty())
    spec.style.portCommand = ports.front()->command;
  spec.style.exactOutputBytes = true;
  for (const Port *port : ports) {
    const OperandDescriptor *operand = object.findOperand(port->name);
    if (!operand || port->command != spec.style.portCommand)
      return refuse("port '" + port->name +
                    "' has no operand descriptor or another command");
    PortSpec result{operand->symbol, operand->direction, operand->layout, 0};
    spec.style.operandWords = operand->stateWords;
    const auto *section = llvm::find_if(sections, [&](const Section *s) {
      return s->address == port->address && s->size != 0;
    });
    if (section == sections.end())
      return refuse("port '" + port->name + "' has no memory");
    if (operand->direction == PortDirection::Output) {
      llvm::StringRef name = operand->symbol;
      if (!name.consume_back(outputSuffix))
        return refuse("the symbol of output '" + port->name +
                      "' does not end in " + outputSuffix);
      result.name = name.str();
      spec.style.suffixedPorts &= port->name == operand->symbol;
      spec.style.exactOutputBytes &= operand->byteSize == exactBytes(result);
    }
    if (result.layout.totalBytes() != (*section)->size)
      result.byteSize = (*section)->size;
    std::optional<unsigned> bar = object.barOfAddress(port->address);
    if (!bar)
      return refuse("port '" + port->name + "' has no BAR");
    spec.bars.push_back(*bar);
    spec.ports.push_back(std::move(result));
  }
  joinPortParts();
  for (const OperandDescriptor *operand : object.all<OperandDescriptor>())
    spec.operandOrder.push_back(llvm::find_if(ports,
                                              [&](const Port *port) {
                                                return port->name ==
                                                       operand->port;
                                              }) -
                                ports.begin());
  return Error::success();
}

Error ModelBuilder::readRelocations() {
  auto ports = object.all<Port>();
  for (const Section *section : sections)
    if (section != text && !section->relocations.empty())
      return refuse("section '" + section->segmentName + "," + section->name +
                    "' has relocations");
  for (const Relocation &relocation : text->relocations) {
    if (relocation.isExtern || relocation.type != 0 ||
        relocation.lengthLog2 != (relocation.pcRelative ? 2 : 3))
      return refuse("there is a relocation of unknown kind");
    TextRelocation result;
    result.offset = relocation.address;
    result.isAddress = !relocation.pcRelative;
    const Section *target = sections[relocation.target - 1];
    if (std::optional<uint64_t> begin = beginOf(target)) {
      uint8_t *word = spec.text.data() + relocation.address;
      if (*begin != 0 && result.isAddress)
        llvm::support::endian::write64le(
            word, llvm::support::endian::read64le(word) + *begin);
      else if (*begin != 0)
        llvm::support::endian::write32le(
            word, llvm::support::endian::read32le(word) + *begin);
    } else if (target == scratch) {
      result.target.kind = RelocationTarget::Scratch;
    } else {
      const auto *port = llvm::find_if(ports, [&](const Port *candidate) {
        return candidate->address == target->address;
      });
      if (port == ports.end())
        return refuse("there is a relocation against section '" +
                      target->segmentName + "," + target->name + "'");
      result.target = {RelocationTarget::Port, unsigned(port - ports.begin())};
    }
    spec.relocations.push_back(result);
  }
  return Error::success();
}

Error ModelBuilder::readSymbols() {
  const auto &table = *object.first<SymbolTable>();
  for (const Symbol &symbol : table.symbols) {
    llvm::StringRef name = table.name(symbol);
    if (symbol.type == N_LSYM) {
      spec.style.types.push_back(name.str());
      continue;
    }
    // Those of ports follow from the ports.
    if (symbol.type == N_GSYM)
      continue;
    const Section *section =
        symbol.section ? sections[symbol.section - 1] : nullptr;
    if (symbol.type != definedSymbol || !section)
      return refuse("symbol '" + name + "' is of unknown kind");
    std::optional<uint64_t> begin = beginOf(section);
    if (!begin)
      continue;
    if (symbol.value < section->address ||
        symbol.value - section->address > section->size)
      return refuse("symbol '" + name + "' lies outside its section");
    uint64_t offset = symbol.value - section->address;
    if (symbol.desc == REFERENCE_FLAG_UNDEFINED_NON_LAZY &&
        offset == section->size && parseLaneName(name))
      spec.style.laneSentinels = true;
    else
      spec.symbols.push_back({name.str(), *begin + offset});
  }
  return Error::success();
}

Error ModelBuilder::readNotes() {
  for (const Note *note : object.all<Note>()) {
    if (note->offset != sizeof(note_command) ||
        note->size > note->trailing.size())
      return refuse("the note of '" + note->owner + "' lies elsewhere");
    llvm::ArrayRef<uint8_t> bytes = note->trailing.take_front(note->size);
    spec.notes.push_back({note->owner, bytes.vec()});
  }
  return Error::success();
}

Expected<ContainerSpec> semanticModel(const Object &object) {
  return ModelBuilder(object).build();
}

} // namespace ane::object
