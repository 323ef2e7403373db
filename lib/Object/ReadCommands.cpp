//===- ReadCommands.cpp - Load commands of a container --------------------===//

#include "ObjectReader.h"

using namespace ane::object;
using namespace llvm::MachO;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Names of Mach-O are padded with NUL, but need none at full length.
template <size_t length>
static std::string fixedName(const char (&field)[length]) {
  return llvm::StringRef(field, length).split('\0').first.str();
}

static bool endsPast(uint64_t start, uint64_t length, uint64_t limit) {
  return start > limit || length > limit - start;
}

Error ObjectReader::readHeader() {
  auto magic = in.read<ulittle32_t>(0, "the header");
  if (!magic)
    return magic.takeError();
  if (*magic != containerMagic)
    return fail(0, "not an ANE container: magic " + hex(*magic) +
                       ", expected " + hex(containerMagic));
  auto raw = in.read<mach_header_64>(0, "the header");
  if (!raw)
    return raw.takeError();
  mach_header_64 header = fileOrder(*raw);
  if (header.cputype != cpuTypeEngine)
    return fail(offsetof(mach_header_64, cputype),
                "header: cputype " + hex(header.cputype) + ", expected " +
                    hex(cpuTypeEngine));
  commandsEnd = sizeof(header) + uint64_t(header.sizeofcmds);
  if (commandsEnd > in.size())
    return fail(offsetof(mach_header_64, sizeofcmds),
                "header: sizeofcmds " + hex(header.sizeofcmds) +
                    " passes the end of the file, " + hex(in.size()));
  if (header.ncmds > header.sizeofcmds / sizeof(load_command))
    return fail(offsetof(mach_header_64, ncmds),
                "header: ncmds " + Twine(header.ncmds) +
                    " do not fit into sizeofcmds " + hex(header.sizeofcmds));
  commandCount = header.ncmds;
  object.cpuType = header.cputype;
  object.cpuSubtype = header.cpusubtype;
  object.fileType = header.filetype;
  object.flags = header.flags;
  object.reserved = header.reserved;
  object.fileSize = in.size();
  claim(0, commandsEnd, "the load commands");
  return Error::success();
}

Error ObjectReader::readCommands() {
  uint64_t offset = sizeof(mach_header_64);
  for (uint32_t index = 0; index < commandCount; ++index) {
    if (endsPast(offset, sizeof(load_command), commandsEnd))
      return fail(offset, "load command " + Twine(index) + " of " +
                              Twine(commandCount) +
                              " starts past the end of the commands, " +
                              hex(commandsEnd));
    auto raw = in.read<load_command>(offset, "a load command");
    if (!raw)
      return raw.takeError();
    load_command head = fileOrder(*raw);
    uint64_t sizeField = offset + offsetof(load_command, cmdsize);
    if (head.cmdsize < sizeof(load_command) || head.cmdsize % commandAlign)
      return fail(sizeField, "load command " + Twine(index) + ": cmdsize " +
                                 hex(head.cmdsize) +
                                 " is not a multiple of 8 that is at least 8");
    if (endsPast(offset, head.cmdsize, commandsEnd))
      return fail(sizeField, "load command " + Twine(index) + ": cmdsize " +
                                 hex(head.cmdsize) +
                                 " passes the end of the commands, " +
                                 hex(commandsEnd));
    Expected<LoadCommand::Body> body =
        readCommand({offset, head.cmd, head.cmdsize});
    if (!body)
      return body.takeError();
    LoadCommand command;
    command.body = std::move(*body);
    command.size = head.cmdsize;
    command.fileOffset = offset;
    object.commands.push_back(std::move(command));
    offset += head.cmdsize;
  }
  if (offset != commandsEnd)
    return fail(offsetof(mach_header_64, sizeofcmds),
                "header: the load commands end at " + hex(offset) +
                    ", but sizeofcmds says " + hex(commandsEnd));
  return Error::success();
}

Expected<LoadCommand::Body> ObjectReader::readCommand(const Command &command) {
  switch (command.cmd) {
  case LC_SEGMENT_64:
    return readSegment(command);
  case LC_LOADFVMLIB:
    return readFvmlib(command);
  case portCommand:
    return readPort(command);
  case LC_THREAD:
    return readThread(command);
  case LC_IDENT:
    return readIdent(command);
  case LC_NOTE:
    return readNote(command);
  case LC_SYMTAB:
    return readSymbolTable(command);
  default:
    return readOpaque(command, "a command of no known kind");
  }
}

Expected<LoadCommand::Body> ObjectReader::readSegment(const Command &command) {
  auto raw =
      readRecord<segment_command_64>(command, command.offset, "LC_SEGMENT_64");
  if (!raw)
    return raw.takeError();
  segment_command_64 record = fileOrder(*raw);
  Segment segment;
  segment.name = fixedName(record.segname);
  segment.address = record.vmaddr;
  segment.memorySize = record.vmsize;
  segment.fileOffset = record.fileoff;
  segment.fileSize = record.filesize;
  segment.maxProtection = record.maxprot;
  segment.initialProtection = record.initprot;
  segment.flags = record.flags;

  std::string what = "LC_SEGMENT_64 '" + segment.name + "'";
  if (endsPast(record.vmaddr, record.vmsize, UINT64_MAX))
    return fail(command.offset + offsetof(segment_command_64, vmsize),
                what + ": vmaddr " + hex(record.vmaddr) + " + vmsize " +
                    hex(record.vmsize) + " passes 64 bits");
  if (endsPast(record.fileoff, record.filesize, in.size()))
    return fail(command.offset + offsetof(segment_command_64, filesize),
                what + ": fileoff " + hex(record.fileoff) + " + filesize " +
                    hex(record.filesize) + " passes the end of the file, " +
                    hex(in.size()));
  if (record.filesize > record.vmsize)
    return fail(command.offset + offsetof(segment_command_64, filesize),
                what + ": filesize " + hex(record.filesize) +
                    " is more than vmsize " + hex(record.vmsize));
  uint64_t room = command.size - sizeof(record);
  if (uint64_t(record.nsects) * sizeof(section_64) > room)
    return fail(command.offset + offsetof(segment_command_64, nsects),
                what + ": nsects " + Twine(record.nsects) +
                    " do not fit into cmdsize " + hex(command.size));
  if (record.nsects > maxSections - relocationCounts.size())
    return fail(command.offset + offsetof(segment_command_64, nsects),
                what + ": nsects " + Twine(record.nsects) + " after " +
                    Twine(relocationCounts.size()) +
                    " sections pass the most that symbols can name, " +
                    Twine(maxSections));
  uint64_t offset = command.offset + sizeof(record);
  for (uint32_t i = 0; i < record.nsects; ++i, offset += sizeof(section_64)) {
    Expected<Section> section = readSection(command, offset, segment);
    if (!section)
      return section.takeError();
    segment.sections.push_back(std::move(*section));
  }
  return segment;
}

Expected<Section> ObjectReader::readSection(const Command &command,
                                            uint64_t offset,
                                            const Segment &segment) {
  auto raw = readRecord<section_64>(command, offset, "section_64");
  if (!raw)
    return raw.takeError();
  section_64 record = fileOrder(*raw);
  Section section;
  section.name = fixedName(record.sectname);
  section.segmentName = fixedName(record.segname);
  section.address = record.addr;
  section.size = record.size;
  section.fileOffset = record.offset;
  section.alignLog2 = record.align;
  section.relocationOffset = record.reloff;
  section.flags = record.flags;
  section.reserved = {record.reserved1, record.reserved2, record.reserved3};

  std::string what =
      "section '" + section.segmentName + "," + section.name + "'";
  if (record.addr < segment.address ||
      endsPast(record.addr - segment.address, record.size, segment.memorySize))
    return fail(offset + offsetof(section_64, addr),
                what + ": addr " + hex(record.addr) + " + size " +
                    hex(record.size) + " is outside its segment, [" +
                    hex(segment.address) + ", " +
                    hex(segment.address + segment.memorySize) + ")");
  if (record.align >= 64)
    return fail(offset + offsetof(section_64, align),
                what + ": align " + Twine(record.align) +
                    " is no power of two below 2^64");
  // A segment without file contents is only a range of device memory.
  if (segment.fileSize != 0 && record.offset != 0 && record.size != 0) {
    if (record.offset < segment.fileOffset ||
        endsPast(record.offset - segment.fileOffset, record.size,
                 segment.fileSize))
      return fail(offset + offsetof(section_64, offset),
                  what + ": offset " + hex(record.offset) + " + size " +
                      hex(record.size) +
                      " is outside the file contents of its segment, [" +
                      hex(segment.fileOffset) + ", " +
                      hex(segment.fileOffset + segment.fileSize) + ")");
    auto contents = in.slice(record.offset, record.size, what);
    if (!contents)
      return contents.takeError();
    section.contents.push_back(Chunk::bytes(*contents));
    claim(record.offset, record.size, "the contents of " + what);
  }
  uint64_t tableSize = uint64_t(record.nreloc) * sizeof(any_relocation_info);
  if (Error error =
          checkInFile(offset + offsetof(section_64, nreloc), record.reloff,
                      tableSize, what + ": the relocation table"))
    return error;
  claim(record.reloff, tableSize, "the relocations of " + what);
  relocationCounts.push_back(record.nreloc);
  return section;
}

Expected<std::string> ObjectReader::readName(const Command &command,
                                             uint64_t fieldOffset,
                                             uint64_t stringOffset,
                                             uint64_t minimum,
                                             const Twine &what) {
  if (stringOffset < minimum || stringOffset >= command.size)
    return fail(fieldOffset, what + ": string offset " + hex(stringOffset) +
                                 " is not in [" + hex(minimum) + ", " +
                                 hex(command.size) + ")");
  auto text = in.readString(command.offset + stringOffset, command.end(), what);
  if (!text)
    return text.takeError();
  return text->str();
}

Expected<LoadCommand::Body> ObjectReader::readFvmlib(const Command &command) {
  auto raw =
      readRecord<fvmlib_command>(command, command.offset, "LC_LOADFVMLIB");
  if (!raw)
    return raw.takeError();
  struct fvmlib record = fileOrder(*raw).fvmlib;
  Port port;
  port.command = LC_LOADFVMLIB;
  port.address = record.header_addr;
  port.minorVersion = record.minor_version;
  auto name =
      readName(command, command.offset + offsetof(fvmlib_command, fvmlib.name),
               record.name, sizeof(fvmlib_command), "LC_LOADFVMLIB: the name");
  if (!name)
    return name.takeError();
  port.name = std::move(*name);
  return port;
}

Expected<LoadCommand::Body> ObjectReader::readPort(const Command &command) {
  auto record = readRecord<PortRecord>(command, command.offset, "LC 0x40");
  if (!record)
    return record.takeError();
  Port port;
  port.command = portCommand;
  port.address = record->address;
  auto name =
      readName(command, command.offset + offsetof(PortRecord, nameOffset),
               record->nameOffset, sizeof(PortRecord), "LC 0x40: the name");
  if (!name)
    return name.takeError();
  port.name = std::move(*name);
  return port;
}

Expected<LoadCommand::Body> ObjectReader::readIdent(const Command &command) {
  auto bytes = in.slice(command.offset + sizeof(ident_command),
                        command.size - sizeof(ident_command), "LC_IDENT");
  if (!bytes)
    return bytes.takeError();
  // A text that fills the command needs no NUL.
  return Ident{llvm::toStringRef(*bytes).split('\0').first.str()};
}

Expected<LoadCommand::Body> ObjectReader::readNote(const Command &command) {
  auto raw = readRecord<note_command>(command, command.offset, "LC_NOTE");
  if (!raw)
    return raw.takeError();
  note_command record = fileOrder(*raw);
  auto trailing = in.slice(command.offset + sizeof(record),
                           command.size - sizeof(record), "LC_NOTE");
  if (!trailing)
    return trailing.takeError();
  return Note{fixedName(record.data_owner), record.offset, record.size,
              *trailing};
}

Expected<LoadCommand::Body>
ObjectReader::readSymbolTable(const Command &command) {
  auto raw = readRecord<symtab_command>(command, command.offset, "LC_SYMTAB");
  if (!raw)
    return raw.takeError();
  symtab_command record = fileOrder(*raw);
  uint64_t symbolBytes = uint64_t(record.nsyms) * sizeof(nlist_64);
  if (Error error =
          checkInFile(command.offset + offsetof(symtab_command, nsyms),
                      record.symoff, symbolBytes, "LC_SYMTAB: the symbols"))
    return error;
  if (Error error =
          checkInFile(command.offset + offsetof(symtab_command, strsize),
                      record.stroff, record.strsize, "LC_SYMTAB: the strings"))
    return error;
  claim(record.symoff, symbolBytes, "the symbol table");
  claim(record.stroff, record.strsize, "the string table");
  symbolTables.push_back(record);
  SymbolTable table;
  table.symbolOffset = record.symoff;
  table.stringOffset = record.stroff;
  return table;
}

Expected<LoadCommand::Body> ObjectReader::readOpaque(const Command &command,
                                                     const Twine &reason) {
  auto bytes = in.slice(command.offset, command.size, "a load command");
  if (!bytes)
    return bytes.takeError();
  return OpaqueCommand{*bytes, reason.str()};
}
