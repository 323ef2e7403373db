//===- CommandsPart.cpp - The load commands of a container ----------------===//

#include "Parts.h"
#include "ane/Object/Contents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

StringRef objdump::sectionTypeName(SectionType type) {
  switch (type) {
  case SectionType::Input:
    return "input";
  case SectionType::Output:
    return "output";
  case SectionType::Scratch:
    return "scratch";
  case SectionType::Coefficients:
    return "coefficients";
  case SectionType::Text:
    return "task descriptors";
  }
  return "unknown";
}

std::string objdump::elementName(ElementCode code) {
  // The names are those of the type definitions in the symbol table.
  auto index = static_cast<uint32_t>(code) - 1;
  if (index >= std::size(typeStabs))
    return "type " + llvm::utostr(uint64_t(index) + 1);
  return StringRef(typeStabs[index]).split(':').first.str();
}

namespace {

StringRef protectionName(uint32_t protection) {
  static constexpr llvm::StringLiteral names[] = {
      "none", "read",       "write",       "read, write",
      "exec", "read, exec", "write, exec", "read, write, exec"};
  return protection < std::size(names) ? StringRef(names[protection])
                                       : StringRef("unknown");
}

std::string segmentFlagNames(uint32_t flags) {
  std::string text;
  if (flags & llvm::MachO::SG_FVMLIB)
    text = "surface";
  if (flags & llvm::MachO::SG_NORELOC)
    text += text.empty() ? "no relocations" : ", no relocations";
  return text;
}

/// Sections of scratch and of kernels are in files of this project only.
Evidence flagsEvidence(const Section &section) {
  if (StringRef(section.segmentName).starts_with(segKernelPrefix))
    return Assigned;
  return section.type() == SectionType::Scratch ? Documented : Verified;
}

/// The body of a load command as an item.
class CommandLister {
public:
  CommandLister(const Object &object, unsigned firstOrdinal)
      : object(object), ordinal(firstOrdinal) {}

  Item operator()(const Segment &segment) {
    Item item;
    item.kind = "segment";
    item.title = "LC_SEGMENT_64 " + printable(segment.name);
    item.entries = {
        hexEntry("vmaddr", segment.address, Verified, "device address"),
        hexEntry("vmsize", segment.memorySize, Verified, "bytes there"),
        hexEntry("fileoff", segment.fileOffset, Verified),
        hexEntry("filesize", segment.fileSize, Verified,
                 segment.fileSize ? "" : "no bytes in the file"),
        hexEntry("maxprot", segment.maxProtection, Verified,
                 protectionName(segment.maxProtection)),
        hexEntry("initprot", segment.initialProtection, Verified,
                 protectionName(segment.initialProtection)),
        hexEntry("flags", segment.flags, Verified,
                 segmentFlagNames(segment.flags)),
    };
    for (const Section &section : segment.sections)
      item.items.push_back(list(section));
    return item;
  }

  Item operator()(const Port &port) {
    Item item;
    item.kind = "port";
    bool isFvmlib = port.command == llvm::MachO::LC_LOADFVMLIB;
    item.title = (isFvmlib ? "LC_LOADFVMLIB port " : "LC 0x40 port ") +
                 printable(port.name);
    item.entries = {textEntry("name", port.name, Verified, "a tensor"),
                    hexEntry("address", port.address, Verified,
                             describeAddress(port.address))};
    if (isFvmlib)
      item.entries.push_back(
          decimalEntry("minor_version", port.minorVersion, Verified));
    return item;
  }

  Item operator()(const ProgramDescriptor &program) {
    Item item;
    item.kind = "program descriptor";
    item.title =
        "LC_THREAD program descriptor '" + printable(program.procedure) + "'";
    auto add = [&](Entry entry) { item.entries.push_back(std::move(entry)); };
    add(textEntry("procedure", program.procedure, Verified));
    for (auto [index, address] : llvm::enumerate(program.bars))
      if (address)
        add(hexEntry("BAR[" + llvm::utostr(index) + "]", address,
                     index == BarScratch ? Documented : Verified,
                     describeAddress(address)));
    add(hexEntry("entry", program.entry, Verified, "first task"));
    add(decimalEntry("firstTaskWords",
                     uint64_t(program.firstTaskWordsLessOne) + 1, Verified,
                     "32-bit words of the first task"));
    add(decimalEntry("taskCount", program.taskCount, Verified));
    add(hexEntry("word824", program.mask824, Verified, "meaning unknown"));
    add(hexEntry("word850", program.opaque850, Verified, "meaning unknown"));
    add(hexEntry("word858", program.opaque858, Assigned,
                 "meaning unknown; agrees with task count + 2 up to v5.4.1"));
    for (auto [index, property] : llvm::enumerate(program.properties))
      add(textEntry("property[" + llvm::utostr(index) + "]",
                    llvm::utostr(property.id) + " " +
                        llvm::toHex(property.value, /*LowerCase=*/true),
                    Verified, "id and bytes; meaning unknown"));
    return item;
  }

  Item operator()(const OperandDescriptor &operand) {
    const TensorLayout &layout = operand.layout;
    Item item;
    item.kind = "operand descriptor";
    item.title =
        "LC_THREAD operand descriptor '" + printable(operand.symbol) + "'";
    item.entries = {
        hexEntry("kind", operand.kind, Verified, "meaning unknown"),
        decimalEntry(
            "direction", llvm::to_underlying(operand.direction), Verified,
            operand.direction == PortDirection::Input ? "input" : "output"),
        textEntry("port", operand.port, Verified),
        textEntry("symbol", operand.symbol, Verified),
        textEntry("procedure", operand.procedure, Verified),
        decimalEntry("elementType", llvm::to_underlying(layout.elementType),
                     Verified, elementName(layout.elementType)),
        decimalEntry("n", layout.n, Verified, "batches"),
        decimalEntry("c", layout.c, Verified, "channels"),
        decimalEntry("h", layout.h, Verified, "rows"),
        decimalEntry("w", layout.w, Verified, "columns"),
        decimalEntry("d", layout.d, Documented, "depth slices"),
        hexEntry("batchStride", layout.batchStride, Verified, "bytes"),
        hexEntry("planeStride", layout.planeStride, Verified,
                 "bytes between channels"),
        hexEntry("rowStride", layout.rowStride, Verified, "bytes"),
        hexEntry("elementStride", layout.elementStride, Verified, "bytes"),
        hexEntry("depthStride", layout.depthStride, Assigned, "bytes"),
        decimalEntry("interleave", layout.interleave, Documented,
                     "channels side by side"),
        hexEntry("bytes", operand.byteSize, Verified, "of the surface"),
        hexEntry("stateWords", operand.stateWords, Verified,
                 "words before the names"),
    };
    return item;
  }

  Item operator()(const Ident &ident) {
    Item item;
    item.kind = "ident";
    item.title = "LC_IDENT";
    size_t index = 0;
    for (StringRef line : llvm::split(ident.text, '\n'))
      item.entries.push_back(
          textEntry("line[" + llvm::utostr(index++) + "]", line, Verified, ""));
    // The text ends with a line end.
    if (!item.entries.empty() && StringRef(ident.text).ends_with("\n"))
      item.entries.pop_back();
    return item;
  }

  Item operator()(const Note &note) {
    Item item;
    item.kind = "note";
    item.title = "LC_NOTE '" + printable(note.owner) + "'";
    item.entries = {textEntry("owner", note.owner, Verified),
                    hexEntry("offset", note.offset, Verified,
                             "from the start of the command"),
                    hexEntry("size", note.size, Verified),
                    textEntry("bytes",
                              llvm::toHex(note.trailing, /*LowerCase=*/true),
                              Verified, "meaning unknown")};
    return item;
  }

  Item operator()(const SymbolTable &table) {
    Item item;
    item.kind = "symbol table";
    item.title = "LC_SYMTAB";
    item.entries = {
        hexEntry("symoff", table.symbolOffset, Verified),
        decimalEntry("nsyms", table.symbols.size(), Verified),
        hexEntry("stroff", table.stringOffset, Verified),
        hexEntry("strsize", table.strings.size(), Verified),
    };
    return item;
  }

  Item operator()(const OpaqueCommand &command) {
    Item item;
    item.kind = "unknown";
    item.title = "unknown";
    item.entries = {textEntry("bytes",
                              llvm::toHex(command.bytes, /*LowerCase=*/true),
                              std::nullopt, command.reason)};
    return item;
  }

private:
  Item list(const Section &section) {
    Item item;
    item.title = "section " + llvm::utostr(ordinal++) + " " +
                 printable(section.segmentName) + "," + printable(section.name);
    item.entries = {
        hexEntry("addr", section.address, Verified, "device address"),
        hexEntry("size", section.size, Verified),
        hexEntry("offset", section.fileOffset, Verified,
                 section.fileOffset ? "" : "no bytes in the file"),
        valueEntry("align", int64_t(section.alignLog2),
                   "2^" + llvm::utostr(section.alignLog2), Verified),
        hexEntry("reloff", section.relocationOffset, Verified),
        decimalEntry("nreloc", section.relocations.size(), Verified),
        hexEntry("flags", section.flags, flagsEvidence(section),
                 sectionTypeName(section.type())),
    };
    return item;
  }

  std::string describeAddress(uint64_t address) const {
    for (const Port *port : object.all<Port>())
      if (port->address == address)
        return "port " + port->name;
    for (const Section *section : object.sections())
      if (section->address == address)
        return section->segmentName + "," + section->name;
    return "";
  }

  const Object &object;
  unsigned ordinal;
};

} // namespace

Part objdump::commandsPart(const Object &object) {
  // The ordinal of the first section of each command.
  std::vector<unsigned> ordinals;
  unsigned next = 1;
  for (const LoadCommand &command : object.commands) {
    ordinals.push_back(next);
    if (const auto *segment = std::get_if<Segment>(&command.body))
      next += segment->sections.size();
  }
  Part part;
  part.name = "commands";
  part.count = object.commands.size();
  part.item = [&object, ordinals = std::move(ordinals)](size_t index) {
    const LoadCommand &command = object.commands[index];
    Item item =
        std::visit(CommandLister(object, ordinals[index]), command.body);
    item.title = "command " + llvm::utostr(index) + " at " +
                 hex(command.fileOffset) + ", " + hex(command.size) +
                 " bytes: " + item.title;
    for (const FileRange &range : bytesOfNoField(command))
      item.entries.push_back(
          textEntry("bytes[" + hex(range.offset - command.fileOffset) + "]",
                    llvm::toHex(range.bytes, /*LowerCase=*/true), std::nullopt,
                    "of no known field, at this offset of the command"));
    return item;
  };
  return part;
}
