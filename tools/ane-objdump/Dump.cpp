//===- Dump.cpp - A container as text -------------------------------------===//

#include "Dump.h"
#include "ane/TaskDescriptor/Disassembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::formatv;
using llvm::StringRef;

namespace {

std::string sectionTypeName(SectionType type) {
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

std::string elementName(ElementCode code) {
  // The names are those of the type definitions in the symbol table.
  auto index = static_cast<uint32_t>(code) - 1;
  if (index >= std::size(typeStabs))
    return "type " + std::to_string(index + 1);
  return StringRef(typeStabs[index]).split(':').first.str();
}

StringRef protectionName(uint32_t protection) {
  static constexpr llvm::StringLiteral names[] = {
      "none", "read",       "write",       "read, write",
      "exec", "read, exec", "write, exec", "read, write, exec"};
  return protection < std::size(names) ? StringRef(names[protection])
                                       : StringRef("unknown");
}

/// One load command after the other.
class CommandPrinter {
public:
  CommandPrinter(llvm::raw_ostream &os, const Object &object)
      : os(os), object(object) {}

  void print() {
    for (auto [index, command] : llvm::enumerate(object.commands)) {
      os << formatv("command {0} at {1:x}, {2:x} bytes: ", index,
                    command.fileOffset, command.size);
      std::visit([&](const auto &body) { print(body); }, command.body);
    }
  }

private:
  void line(StringRef name, const llvm::Twine &value, StringRef note = "") {
    std::string text = value.str();
    os << formatv("    {0,-18} {1}", name, text);
    if (!note.empty())
      os.indent(text.size() < 24 ? 24 - text.size() : 1) << note;
    os << "\n";
  }
  static std::string hex(uint64_t value) { return formatv("{0:x}", value); }

  void print(const Segment &segment) {
    os << "LC_SEGMENT_64 " << segment.name << "\n";
    line("vmaddr", hex(segment.address));
    line("vmsize", hex(segment.memorySize));
    line("fileoff", hex(segment.fileOffset));
    line("filesize", hex(segment.fileSize));
    line("initprot", hex(segment.initialProtection),
         protectionName(segment.initialProtection));
    line("flags", hex(segment.flags));
    for (const Section &section : segment.sections) {
      os << "    section " << ++ordinal << " " << section.segmentName << ","
         << section.name << "\n";
      line("  addr", hex(section.address));
      line("  size", hex(section.size));
      line("  offset", hex(section.fileOffset));
      line("  align", "2^" + llvm::Twine(section.alignLog2));
      line("  nreloc", llvm::Twine(section.relocations.size()));
      line("  flags", hex(section.flags), sectionTypeName(section.type()));
    }
  }

  void print(const Port &port) {
    os << (port.command == llvm::MachO::LC_LOADFVMLIB ? "LC_LOADFVMLIB"
                                                      : "LC 0x40")
       << " port " << port.name << "\n";
    line("address", hex(port.address));
  }

  void print(const ProgramDescriptor &program) {
    os << "LC_THREAD program descriptor '" << program.procedure << "'\n";
    for (auto [index, address] : llvm::enumerate(program.bars))
      if (address)
        line(formatv("BAR[{0}]", index).str(), hex(address),
             describeAddress(address));
    line("entry", hex(program.entry), "first task");
    line("first task words", llvm::Twine(program.firstTaskWordsLessOne + 1));
    line("task count", llvm::Twine(program.taskCount));
    line("word 0x824", hex(program.mask824), "meaning unknown");
    line("word 0x850", hex(program.opaque850), "meaning unknown");
    line("word 0x858", hex(program.opaque858), "meaning unknown");
    for (const Property &property : program.properties)
      line(formatv("property {0}", property.id).str(),
           llvm::toHex(property.value));
  }

  void print(const OperandDescriptor &operand) {
    const TensorLayout &layout = operand.layout;
    os << "LC_THREAD operand descriptor '" << operand.symbol << "'\n";
    line("direction",
         operand.direction == PortDirection::Input ? "input" : "output");
    line("port", operand.port);
    line("procedure", operand.procedure);
    line("element type", llvm::Twine(uint32_t(layout.elementType)),
         elementName(layout.elementType));
    line("N C H W D", formatv("{0} {1} {2} {3} {4}", layout.n, layout.c,
                              layout.h, layout.w, layout.d)
                          .str());
    line("batch stride", hex(layout.batchStride));
    line("plane stride", hex(layout.planeStride));
    line("row stride", hex(layout.rowStride));
    line("element stride", hex(layout.elementStride));
    line("depth stride", hex(layout.depthStride));
    line("interleave", llvm::Twine(layout.interleave));
    line("bytes", hex(operand.byteSize));
  }

  void print(const Ident &ident) {
    os << "LC_IDENT\n";
    for (StringRef text : llvm::split(ident.text, '\n'))
      if (!text.empty())
        os << "    | " << text << "\n";
  }

  void print(const Note &note) {
    os << "LC_NOTE '" << note.owner << "'\n";
    line("offset", hex(note.offset));
    line("size", hex(note.size));
  }

  void print(const SymbolTable &table) {
    os << "LC_SYMTAB\n";
    line("symoff", hex(table.symbolOffset));
    line("nsyms", llvm::Twine(table.symbols.size()));
    line("stroff", hex(table.stringOffset));
    line("strsize", hex(table.strings.size()));
  }

  void print(const OpaqueCommand &command) {
    os << "unknown\n";
    line("bytes", llvm::toHex(command.bytes));
  }

  std::string describeAddress(uint64_t address) const {
    for (const Port *port : object.all<Port>())
      if (port->address == address)
        return port->name;
    for (const Section *section : object.sections())
      if (section->address == address)
        return section->segmentName + "," + section->name;
    return "";
  }

  llvm::raw_ostream &os;
  const Object &object;
  unsigned ordinal = 0;
};

void printHeader(const Object &object, llvm::raw_ostream &os) {
  uint64_t commandBytes = 0;
  for (const LoadCommand &command : object.commands)
    commandBytes += command.size;
  auto line = [&](StringRef name, uint64_t value, StringRef note) {
    os << formatv("    {0,-12} {1,-12} {2}\n", name,
                  formatv("{0:x}", value).str(), note);
  };
  os << "header\n";
  line("magic", containerMagic, "Neural Engine container");
  line("cputype", object.cpuType,
       object.cpuType == cpuTypeEngine ? "engine" : "unknown");
  line("cpusubtype", object.cpuSubtype,
       object.cpuSubtype == cpuSubtypeH13 ? "H13" : "unknown");
  line("filetype", object.fileType,
       object.fileType == llvm::MachO::MH_EXECUTE ? "executable" : "unknown");
  line("ncmds", object.commands.size(), "load commands");
  line("sizeofcmds", commandBytes, "bytes of load commands");
  line("flags", object.flags,
       object.flags == llvm::MachO::MH_PIE ? "position-independent" : "");
}

void printSymbols(const Object &object, llvm::raw_ostream &os) {
  const auto *table = object.first<SymbolTable>();
  if (!table)
    return;
  os << "symbols\n"
     << formatv("    {0,5} {1,5} {2,8} {3,6} {4,12}  {5}\n", "index", "type",
                "section", "desc", "value", "name");
  for (auto [index, symbol] : llvm::enumerate(table->symbols))
    os << formatv("    {0,5} {1,5} {2,8} {3,6} {4,12}  {5}\n", index,
                  formatv("{0:x}", symbol.type).str(), symbol.section,
                  symbol.desc, formatv("{0:x}", symbol.value).str(),
                  table->name(symbol));
}

void printRelocations(const Object &object, llvm::raw_ostream &os) {
  auto sections = object.sections();
  os << "relocations\n";
  for (const Section *section : sections)
    for (const Relocation &relocation : section->relocations) {
      std::string target;
      if (!relocation.isExtern && relocation.target >= 1 &&
          relocation.target <= sections.size()) {
        const Section *other = sections[relocation.target - 1];
        target = formatv("section {0} {1},{2}", relocation.target,
                         other->segmentName, other->name);
      } else {
        target = formatv("symbol {0}", relocation.target);
      }
      os << formatv("    {0}+{1:x}  {2} bytes{3}  -> {4}\n", section->name,
                    relocation.address, 1u << relocation.lengthLog2,
                    relocation.pcRelative ? ", relative" : "", target);
    }
}

llvm::Error printTasks(const Object &object, StringRef path,
                       const DumpOptions &options, llvm::raw_ostream &os) {
  const auto *program = object.first<ProgramDescriptor>();
  const Section *text = object.findSection(SectionType::Text);
  if (!program || !text)
    return llvm::createStringError("the container has no program descriptor or "
                                   "no task descriptors");
  td::EncodedText encoded = {path,
                             text->fileOffset,
                             text->bytes(),
                             uint32_t(program->entry - text->address),
                             program->firstTaskWordsLessOne + 1,
                             program->taskCount,
                             {}};
  auto tasks = td::decodeProgram(encoded);
  if (!tasks)
    return tasks.takeError();
  os << "tasks, " << td::stringifyFormat(td::detectFormat(encoded.bytes))
     << "\n";
  td::DisassemblyOptions disassembly;
  disassembly.all = options.allFields;
  for (auto [index, task] : llvm::enumerate(*tasks))
    td::printTask(os, task, index, disassembly);
  return llvm::Error::success();
}

} // namespace

llvm::Error objdump::dump(const Object &object, StringRef path,
                          const DumpOptions &options, llvm::raw_ostream &os) {
  if (options.header)
    printHeader(object, os);
  if (options.commands)
    CommandPrinter(os, object).print();
  if (options.symbols)
    printSymbols(object, os);
  if (options.relocations)
    printRelocations(object, os);
  if (options.tasks)
    return printTasks(object, path, options, os);
  return llvm::Error::success();
}
