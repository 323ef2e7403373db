//===- Encode.cpp - Bytes of load commands and table entries --------------===//

#include "Encode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ane::object;
using namespace llvm::MachO;

namespace {

/// Appends the parts of one command.
class CommandEncoder {
public:
  explicit CommandEncoder(uint32_t size) : size(size) {}

  void operator()(const Segment &segment) {
    segment_command_64 command = {};
    command.cmd = LC_SEGMENT_64;
    command.cmdsize = size;
    copyName(command.segname, segment.name);
    command.vmaddr = segment.address;
    command.vmsize = segment.memorySize;
    command.fileoff = segment.fileOffset;
    command.filesize = segment.fileSize;
    command.maxprot = segment.maxProtection;
    command.initprot = segment.initialProtection;
    command.nsects = segment.sections.size();
    command.flags = segment.flags;
    append(fileOrder(command));
    for (const Section &section : segment.sections)
      appendSection(section);
  }

  void operator()(const Port &port) {
    if (port.command == portCommand) {
      PortRecord record;
      record.cmd = portCommand;
      record.cmdsize = size;
      record.nameOffset = sizeof(record);
      record.address = port.address;
      append(record);
    } else {
      fvmlib_command command = {};
      command.cmd = LC_LOADFVMLIB;
      command.cmdsize = size;
      command.fvmlib.name = sizeof(command);
      command.fvmlib.minor_version = port.minorVersion;
      command.fvmlib.header_addr = port.address;
      append(fileOrder(command));
    }
    appendString(port.name);
  }

  void operator()(const ProgramDescriptor &program) {
    appendThreadHead(ThreadFlavor::Program, program.stateWords);
    ProgramState state = {};
    for (auto [slot, bar] : llvm::zip(state.bars, program.bars))
      slot = bar;
    state.entry = program.entry;
    state.firstTaskWordsLessOne = program.firstTaskWordsLessOne;
    state.taskCount = program.taskCount;
    state.mask824 = program.mask824;
    state.procedureName = stateEnd(program.stateWords);
    state.opaque850 = program.opaque850;
    state.opaque858 = program.opaque858;
    append(state);
    if (program.stateWords > programStateWords) {
      append(ulittle64_t(program.properties.size()));
      for (const Property &property : program.properties) {
        PropertyHead head;
        head.id = property.id;
        head.length = property.value.size();
        append(head);
        bytes.append(property.value);
      }
    }
    bytes.resize(stateEnd(program.stateWords));
    appendString(program.procedure);
  }

  void operator()(const OperandDescriptor &operand) {
    appendThreadHead(ThreadFlavor::Operand, operand.stateWords);
    const TensorLayout &layout = operand.layout;
    OperandState state = {};
    state.kind = operand.kind;
    state.direction = llvm::to_underlying(operand.direction);
    state.procedureName = stateEnd(operand.stateWords);
    state.symbolName = state.procedureName + operand.procedure.size() + 1;
    state.elementType = llvm::to_underlying(layout.elementType);
    state.n = layout.n;
    state.c = layout.c;
    state.h = layout.h;
    state.w = layout.w;
    state.d = layout.d;
    state.batchStride = layout.batchStride;
    state.planeStride = layout.planeStride;
    state.rowStride = layout.rowStride;
    state.elementStride = layout.elementStride;
    state.depthStride = layout.depthStride;
    state.interleave = layout.interleave;
    state.portName = state.symbolName + operand.symbol.size() + 1;
    state.byteSize = operand.byteSize;
    append(state);
    bytes.resize(stateEnd(operand.stateWords));
    appendString(operand.procedure);
    appendString(operand.symbol);
    appendString(operand.port);
  }

  void operator()(const Ident &ident) {
    append(fileOrder(ident_command{LC_IDENT, size}));
    appendString(ident.text);
  }

  void operator()(const Note &note) {
    note_command command = {};
    command.cmd = LC_NOTE;
    command.cmdsize = size;
    copyName(command.data_owner, note.owner);
    command.offset = note.offset;
    command.size = note.size;
    append(fileOrder(command));
    bytes.append(note.trailing.begin(), note.trailing.end());
  }

  void operator()(const SymbolTable &table) {
    symtab_command command = {};
    command.cmd = LC_SYMTAB;
    command.cmdsize = size;
    command.symoff = table.symbolOffset;
    command.nsyms = table.symbols.size();
    command.stroff = table.stringOffset;
    command.strsize = table.strings.size();
    append(fileOrder(command));
  }

  void operator()(const OpaqueCommand &command) {
    bytes.append(command.bytes.begin(), command.bytes.end());
  }

  llvm::SmallVector<uint8_t, 0> bytes;

private:
  template <typename T> void append(const T &value) {
    const auto *data = reinterpret_cast<const uint8_t *>(&value);
    bytes.append(data, data + sizeof(T));
  }

  void appendString(llvm::StringRef text) {
    bytes.append(text.bytes_begin(), text.bytes_end());
    bytes.push_back(0);
  }

  /// Names of Mach-O fill their array and end earlier only if they are shorter.
  template <size_t length>
  static void copyName(char (&field)[length], llvm::StringRef name) {
    llvm::copy(name.take_front(length), field);
  }

  static uint32_t stateEnd(uint32_t words) {
    return sizeof(ThreadHead) + words * sizeof(uint32_t);
  }

  void appendThreadHead(ThreadFlavor flavor, uint32_t words) {
    ThreadHead head;
    head.cmd = LC_THREAD;
    head.cmdsize = size;
    head.flavor = llvm::to_underlying(flavor);
    head.count = words;
    append(head);
  }

  void appendSection(const Section &section) {
    section_64 record = {};
    copyName(record.sectname, section.name);
    copyName(record.segname, section.segmentName);
    record.addr = section.address;
    record.size = section.size;
    record.offset = section.fileOffset;
    record.align = section.alignLog2;
    record.reloff = section.relocationOffset;
    record.nreloc = section.relocations.size();
    record.flags = section.flags;
    record.reserved1 = section.reserved[0];
    record.reserved2 = section.reserved[1];
    record.reserved3 = section.reserved[2];
    append(fileOrder(record));
  }

  uint32_t size;
};

} // namespace

llvm::SmallVector<uint8_t, 0>
ane::object::encodeCommand(const LoadCommand::Body &body, uint32_t size) {
  CommandEncoder encoder(size);
  std::visit(encoder, body);
  if (encoder.bytes.size() < size)
    encoder.bytes.resize(size);
  return std::move(encoder.bytes);
}

uint32_t ane::object::naturalSize(const LoadCommand::Body &body) {
  return llvm::alignTo(encodeCommand(body, 0).size(), commandAlign);
}

any_relocation_info
ane::object::encodeRelocation(const Relocation &relocation) {
  any_relocation_info info;
  info.r_word0 = relocation.address;
  info.r_word1 = relocation.target |
                 uint32_t(relocation.pcRelative) << reloc::pcRelBit |
                 uint32_t(relocation.lengthLog2) << reloc::lengthShift |
                 uint32_t(relocation.isExtern) << reloc::externBit |
                 uint32_t(relocation.type) << reloc::typeShift;
  return info;
}

Relocation ane::object::decodeRelocation(const any_relocation_info &info) {
  Relocation relocation;
  relocation.address = info.r_word0;
  relocation.target = info.r_word1 & reloc::targetMask;
  relocation.pcRelative = info.r_word1 >> reloc::pcRelBit & 1;
  relocation.lengthLog2 =
      info.r_word1 >> reloc::lengthShift & reloc::lengthMask;
  relocation.isExtern = info.r_word1 >> reloc::externBit & 1;
  relocation.type = info.r_word1 >> reloc::typeShift & reloc::typeMask;
  return relocation;
}

nlist_64 ane::object::encodeSymbol(const Symbol &symbol) {
  nlist_64 entry;
  entry.n_strx = symbol.nameOffset;
  entry.n_type = symbol.type;
  entry.n_sect = symbol.section;
  entry.n_desc = symbol.desc;
  entry.n_value = symbol.value;
  return entry;
}
