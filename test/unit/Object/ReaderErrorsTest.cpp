//===- ReaderErrorsTest.cpp - Containers that the reader refuses ----------===//
//
// Each case takes the container of makeSpec(), spoils one field and expects the
// error that names it. Offsets come from the object that the reader makes of
// the unspoilt file, so no number here repeats the layout.
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "ane/Object/Check.h"
#include "ane/Object/Contents.h"
#include "ane/Object/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"

using namespace llvm::MachO;
using testing::HasSubstr;
using testing::StartsWith;

namespace ane::object::test {
namespace {

/// A file whose fields can be overwritten.
class SpoiltFile {
public:
  SpoiltFile() : bytes(makeFile()), object(llvm::cantFail(read(bytes))) {}

  /// The offset of the n-th command of a kind.
  template <typename T> uint64_t command(unsigned n = 0) const {
    for (const LoadCommand &command : object.commands)
      if (std::holds_alternative<T>(command.body) && n-- == 0)
        return command.fileOffset;
    ADD_FAILURE() << "no such command";
    return 0;
  }

  SpoiltFile &set32(uint64_t offset, uint32_t value) {
    llvm::support::endian::write32le(&bytes[offset], value);
    return *this;
  }
  SpoiltFile &set64(uint64_t offset, uint64_t value) {
    llvm::support::endian::write64le(&bytes[offset], value);
    return *this;
  }

  /// What the reader says, or those who need more than it does.
  std::string error() const {
    llvm::Expected<Object> result = read(bytes);
    if (!result)
      return llvm::toString(result.takeError());
    llvm::Error error = checkObject(*result, "test.hwx");
    return error ? llvm::toString(std::move(error)) : "no error";
  }

  /// Why the command at `offset` is kept without being understood; it has to be
  /// written as it was.
  std::string opaque(uint64_t offset) const {
    llvm::Expected<Object> result = read(bytes);
    if (!result)
      return llvm::toString(result.takeError());
    EXPECT_EQ(write(*result), bytes);
    for (const LoadCommand &command : result->commands)
      if (command.fileOffset == offset)
        if (const auto *kept = std::get_if<OpaqueCommand>(&command.body))
          return kept->reason;
    return "it is understood";
  }

  std::string bytes;
  Object object;
};

std::string at(uint64_t offset, const std::string &message) {
  return "test.hwx:0:" + std::to_string(offset) + ": error: " + message;
}

class ReaderErrors : public testing::Test {
protected:
  SpoiltFile file;
};

TEST_F(ReaderErrors, OthersFiles) {
  EXPECT_EQ(file.set32(0, MH_MAGIC_64).error(),
            at(0, "not an ANE container: magic 0xfeedfacf, expected "
                  "0xbeefface"));
  llvm::Expected<Object> empty = read("");
  ASSERT_FALSE(bool(empty));
  EXPECT_EQ(llvm::toString(empty.takeError()),
            at(0, "the header needs 4 bytes at offset 0x0, but the file ends "
                  "at 0x0"));
  llvm::Expected<Object> missing = readObject("/nonexistent.hwx");
  ASSERT_FALSE(bool(missing));
  EXPECT_THAT(llvm::toString(missing.takeError()),
              StartsWith("/nonexistent.hwx:0:0: error: cannot read the file:"));
}

TEST_F(ReaderErrors, CpuType) {
  EXPECT_EQ(file.set32(offsetof(mach_header_64, cputype), 7).error(),
            at(4, "header: cputype 0x7, expected 0x80"));
}

TEST_F(ReaderErrors, CommandsPastTheFile) {
  EXPECT_EQ(
      file.set32(offsetof(mach_header_64, sizeofcmds), 0xfffffff0).error(),
      at(20, "header: sizeofcmds 0xfffffff0 passes the end of the file, "
             "0x8000"));
}

TEST_F(ReaderErrors, TooManyCommands) {
  EXPECT_THAT(file.set32(offsetof(mach_header_64, ncmds), 100000).error(),
              StartsWith(at(16, "header: ncmds 100000 do not fit")));
}

TEST_F(ReaderErrors, OneCommandMore) {
  unsigned count = file.object.commands.size();
  EXPECT_THAT(file.set32(offsetof(mach_header_64, ncmds), count + 1).error(),
              HasSubstr("load command " + std::to_string(count) + " of " +
                        std::to_string(count + 1) +
                        " starts past the end of the commands"));
}

TEST_F(ReaderErrors, OneCommandLess) {
  EXPECT_THAT(file.set32(offsetof(mach_header_64, ncmds),
                         file.object.commands.size() - 1)
                  .error(),
              StartsWith(at(20, "header: the load commands end at 0x")));
}

TEST_F(ReaderErrors, CommandSize) {
  uint64_t size = file.command<Port>() + offsetof(load_command, cmdsize);
  for (uint32_t value : {0u, 4u, 0x1cu})
    EXPECT_THAT(file.set32(size, value).error(),
                HasSubstr("is not a multiple of 8 that is at least 8"));
  EXPECT_THAT(file.set32(size, 0x10000).error(),
              HasSubstr("cmdsize 0x10000 passes the end of the commands"));
  EXPECT_THAT(file.set32(size, 0x10).error(),
              HasSubstr("LC_LOADFVMLIB: cmdsize 0x10 is less than the 0x14 "
                        "bytes of its fields"));
}

TEST_F(ReaderErrors, SegmentPastTheFile) {
  uint64_t text = file.command<Segment>(1);
  EXPECT_EQ(
      file.set64(text + offsetof(segment_command_64, filesize), 0x4001).error(),
      at(text + 48, "LC_SEGMENT_64 '__TEXT': fileoff 0x4000 + filesize 0x4001 "
                    "passes the end of the file, 0x8000"));
}

TEST_F(ReaderErrors, SegmentPastTheFileByOverflow) {
  uint64_t text = file.command<Segment>(1);
  EXPECT_THAT(file.set64(text + offsetof(segment_command_64, fileoff),
                         UINT64_MAX - 0xff)
                  .error(),
              HasSubstr("fileoff 0xffffffffffffff00 + filesize 0x4000 passes "
                        "the end of the file"));
}

TEST_F(ReaderErrors, SegmentPastAddresses) {
  uint64_t port = file.command<Segment>(3);
  EXPECT_THAT(
      file.set64(port + offsetof(segment_command_64, vmaddr), UINT64_MAX - 0xff)
          .error(),
      HasSubstr("vmaddr 0xffffffffffffff00 + vmsize 0x4000 passes 64 "
                "bits"));
}

TEST_F(ReaderErrors, SegmentLargerInFileThanInMemory) {
  uint64_t text = file.command<Segment>(1);
  EXPECT_THAT(
      file.set64(text + offsetof(segment_command_64, vmsize), 0x3fff).error(),
      HasSubstr("filesize 0x4000 is more than vmsize 0x3fff"));
}

TEST_F(ReaderErrors, SectionCount) {
  uint64_t text = file.command<Segment>(1);
  EXPECT_THAT(
      file.set32(text + offsetof(segment_command_64, nsects), 3).error(),
      HasSubstr("'__TEXT': nsects 3 do not fit into cmdsize 0xe8"));
  EXPECT_THAT(
      file.set32(text + offsetof(segment_command_64, nsects), ~0u).error(),
      HasSubstr("nsects 4294967295 do not fit into cmdsize 0xe8"));
}

TEST(ReaderLimits, MoreSectionsThanSymbolsCanName) {
  Segment segment;
  segment.name = "__MANY";
  segment.sections.resize(256);
  LoadCommand command;
  command.size = sizeof(segment_command_64) + 256 * sizeof(section_64);
  command.fileOffset = sizeof(mach_header_64);
  command.body = segment;
  Object object;
  object.fileSize = command.fileOffset + command.size;
  object.commands.push_back(std::move(command));
  llvm::Expected<Object> result = read(write(object));
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            at(96, "LC_SEGMENT_64 '__MANY': nsects 256 after 0 sections pass "
                   "the most that symbols can name, 255"));
}

class SectionErrors : public ReaderErrors {
protected:
  /// __TEXT,__text and __TEXT,__const.
  uint64_t text = file.command<Segment>(1) + sizeof(segment_command_64);
  uint64_t constants = text + sizeof(section_64);
};

TEST_F(SectionErrors, OutsideItsSegmentInMemory) {
  uint64_t field = constants + offsetof(section_64, addr);
  EXPECT_EQ(file.set64(field, deviceBase - 1).error(),
            at(field, "section '__TEXT,__const': addr 0x2fffffff + size 0x80 "
                      "is outside its segment, [0x30000000, 0x30004000)"));
  EXPECT_THAT(file.set64(field, UINT64_MAX).error(),
              HasSubstr("addr 0xffffffffffffffff + size 0x80 is outside"));
  EXPECT_THAT(file.set64(field, deviceBase + 0x3f81).error(),
              HasSubstr("is outside its segment"));
}

TEST_F(SectionErrors, OutsideItsSegmentInTheFile) {
  uint64_t field = constants + offsetof(section_64, offset);
  EXPECT_EQ(file.set32(field, 0x7f81).error(),
            at(field, "section '__TEXT,__const': offset 0x7f81 + size 0x80 is "
                      "outside the file contents of its segment, [0x4000, "
                      "0x8000)"));
  EXPECT_THAT(file.set32(field, 0x3fff).error(),
              HasSubstr("offset 0x3fff + size 0x80 is outside"));
}

TEST_F(SectionErrors, OverlappingContents) {
  EXPECT_EQ(
      file.set32(constants + offsetof(section_64, offset), 0x4200).error(),
      at(0x4200, "the contents of section '__TEXT,__const' at [0x4200, "
                 "0x4280) overlap the contents of section "
                 "'__TEXT,__text' at [0x4000, 0x4274)"));
}

TEST_F(SectionErrors, Alignment) {
  EXPECT_THAT(file.set32(text + offsetof(section_64, align), 64).error(),
              HasSubstr("'__TEXT,__text': align 64 is no power of two below "
                        "2^64"));
}

TEST_F(SectionErrors, RelocationTablePastTheFile) {
  EXPECT_THAT(file.set32(text + offsetof(section_64, nreloc), ~0u).error(),
              HasSubstr("the relocation table of 0x7fffffff8 bytes at offset"));
  EXPECT_THAT(file.set32(text + offsetof(section_64, nreloc), 2)
                  .set32(text + offsetof(section_64, reloff), 0x7ff8)
                  .error(),
              HasSubstr("the relocation table of 0x10 bytes at offset 0x7ff8 "
                        "pass the end of the file, 0x8000"));
}

TEST_F(SectionErrors, SharedRelocationTable) {
  uint32_t offset =
      file.object.findSection(SectionType::Text)->relocationOffset;
  EXPECT_THAT(file.set32(constants + offsetof(section_64, reloff), offset)
                  .set32(constants + offsetof(section_64, nreloc), 2)
                  .error(),
              HasSubstr("overlap the relocations of section"));
}

TEST_F(SectionErrors, Relocations) {
  uint64_t entry = file.object.findSection(SectionType::Text)->relocationOffset;
  SpoiltFile address = std::move(file);
  EXPECT_EQ(address.set32(entry, 0x272).error(),
            at(entry, "relocation 0 of section '__TEXT,__text': r_address "
                      "0x272 + 4 bytes pass the end of the section, 0x274"));
  EXPECT_THAT(address.set32(entry, 0xffffffff).error(),
              HasSubstr("r_address 0xffffffff + 4 bytes pass"));
  address.set32(entry, 0x74);
  EXPECT_EQ(address.set32(entry + 4, 0x05000007).error(),
            at(entry + 4, "relocation 0 of section '__TEXT,__text': "
                          "r_symbolnum 7 is no section; there are 6"));
  EXPECT_THAT(address.set32(entry + 4, 0x05000000).error(),
              HasSubstr("r_symbolnum 0 is no section"));
  EXPECT_THAT(address.set32(entry + 4, 0x0d00ffff).error(),
              HasSubstr("r_symbolnum 65535 is no symbol; there are "));
}

TEST_F(ReaderErrors, PortNames) {
  uint64_t port = file.command<Port>();
  uint64_t field = port + offsetof(fvmlib_command, fvmlib.name);
  for (uint32_t value : {0u, 0x13u, 0x18u, ~0u})
    EXPECT_THAT(file.set32(field, value).error(),
                HasSubstr("LC_LOADFVMLIB: the name: string offset"));
  file.set32(field, sizeof(fvmlib_command));
  file.bytes[port + 0x15] = file.bytes[port + 0x16] = file.bytes[port + 0x17] =
      'x';
  EXPECT_THAT(file.error(), HasSubstr("the name is not terminated before"));
}

TEST_F(ReaderErrors, PortAddress) {
  uint64_t port = file.command<Port>();
  EXPECT_EQ(file.set32(port + offsetof(fvmlib_command, fvmlib.header_addr),
                       0x30000004)
                .error(),
            at(port, "port 'x': address 0x30000004 is not the start of a "
                     "section"));
}

TEST_F(ReaderErrors, PortsOfOneName) {
  uint64_t port = file.command<Port>(1);
  file.bytes.replace(port + sizeof(fvmlib_command), 4, "x\0\0\0", 4);
  EXPECT_EQ(file.error(), at(port, "port 'x' is declared twice"));
}

class ProgramErrors : public ReaderErrors {
protected:
  uint64_t command = file.command<ProgramDescriptor>();
  uint64_t state = command + sizeof(ThreadHead);
};

TEST_F(ProgramErrors, StateSize) {
  uint64_t field = command + offsetof(ThreadHead, count);
  EXPECT_EQ(file.set32(field, 0x217).error(),
            at(field, "LC_THREAD: count 535 words of state do not fit into "
                      "cmdsize 0x868"));
  EXPECT_EQ(file.set32(field, 0x213).opaque(command),
            "a program descriptor of 531 words, fewer than the 532 known ones");
  EXPECT_THAT(file.set32(field, 0x215).error(),
              HasSubstr("the procedure name: string offset 0x860 is not in "
                        "[0x864, 0x868)"));
}

TEST_F(ProgramErrors, Bars) {
  uint64_t bars = state + offsetof(ProgramState, bars);
  EXPECT_EQ(file.set64(bars + 32 * 8, deviceBase).error(),
            at(bars + 32 * 8,
               "LC_THREAD program descriptor: BAR 32 is in use, but task "
               "descriptors can only name 0 to 31"));
  EXPECT_EQ(file.set64(bars + 7 * 8, 0x30000274).error(),
            at(bars + 7 * 8, "LC_THREAD program descriptor: BAR 7 is "
                             "0x30000274, which no section holds"));
}

TEST_F(ProgramErrors, Entry) {
  EXPECT_THAT(
      file.set64(state + offsetof(ProgramState, entry), 0x30004000).error(),
      HasSubstr("entry 0x30004000 is in no section with file "
                "contents"));
}

TEST_F(ProgramErrors, FirstTask) {
  uint64_t field = state + offsetof(ProgramState, firstTaskWordsLessOne);
  EXPECT_EQ(file.set32(field, 0x9d).error(),
            at(field, "LC_THREAD program descriptor: the first task of 158 "
                      "words passes the end of its section, 0x274 bytes "
                      "away"));
  EXPECT_THAT(file.set32(field, ~0u).error(),
              HasSubstr("the first task of 4294967296 words passes"));
}

class OperandErrors : public ReaderErrors {
protected:
  uint64_t command = file.command<OperandDescriptor>();
  uint64_t state = command + sizeof(ThreadHead);
};

TEST_F(OperandErrors, StateSize) {
  EXPECT_EQ(
      file.set32(command + offsetof(ThreadHead, count), 0x1d).opaque(command),
      "an operand descriptor of 29 words, fewer than the 30 known ones");
}

TEST_F(OperandErrors, Flavor) {
  EXPECT_EQ(
      file.set32(command + offsetof(ThreadHead, flavor), 2).opaque(command),
      "an LC_THREAD of flavor 2, which is neither 1 (program) nor 3 (operand)");
}

TEST_F(OperandErrors, Direction) {
  EXPECT_EQ(
      file.set32(state + offsetof(OperandState, direction), 3).opaque(command),
      "an operand descriptor of direction 3, which is neither 1 (input) nor 2 "
      "(output)");
}

TEST_F(OperandErrors, Interleave) {
  EXPECT_THAT(file.set32(state + offsetof(OperandState, interleave), 0).error(),
              HasSubstr("interleave 0, expected at least 1"));
}

TEST_F(OperandErrors, Names) {
  for (size_t field :
       {offsetof(OperandState, procedureName),
        offsetof(OperandState, symbolName), offsetof(OperandState, portName)}) {
    SpoiltFile spoilt;
    EXPECT_THAT(spoilt.set32(state + field, 0x10).error(),
                HasSubstr("name: string offset 0x10 is not in [0x88, 0x90)"));
  }
  EXPECT_THAT(
      file.set32(state + offsetof(OperandState, portName), 0x88).error(),
      HasSubstr("operand descriptor of 'net': no port has this name"));
}

TEST_F(OperandErrors, Tensor) {
  const std::string strides = " with strides 0x300, 0x100, 0x80, 0x2, 0x300 ";
  uint64_t n = state + offsetof(OperandState, n);
  EXPECT_EQ(file.set32(n, 2).error(),
            at(n, "LC_THREAD operand descriptor of 'x': extents N=2 C=3 H=2 "
                  "W=40 D=1" +
                      strides +
                      "need 0x5d0 bytes, but the port's section has 0x300"));
  EXPECT_THAT(file.set32(n, 0).error(),
              HasSubstr("extents N=0 C=3 H=2 W=40 D=1" + strides +
                        "are empty or pass 64 bits"));
  EXPECT_THAT(
      file.set32(n, 3)
          .set64(state + offsetof(OperandState, batchStride), UINT64_MAX)
          .error(),
      HasSubstr("are empty or pass 64 bits"));
}

TEST_F(OperandErrors, ByteSize) {
  uint64_t field = state + offsetof(OperandState, byteSize);
  EXPECT_EQ(file.set64(field, 0x301).error(),
            at(field, "LC_THREAD operand descriptor of 'x': byte size 0x301 "
                      "passes the port's section of 0x300"));
}

TEST_F(ReaderErrors, IdentWithoutEnd) {
  uint64_t ident = file.command<Ident>();
  uint32_t size = llvm::support::endian::read32le(
      &file.bytes[ident + offsetof(load_command, cmdsize)]);
  for (uint64_t i = ident + sizeof(ident_command); i < ident + size; ++i)
    file.bytes[i] = 'x';
  llvm::Expected<Object> object = read(file.bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->first<Ident>()->text,
            std::string(size - sizeof(ident_command), 'x'));
  EXPECT_EQ(write(*object), file.bytes);
}

class SymbolErrors : public ReaderErrors {
protected:
  uint64_t command = file.command<SymbolTable>();
  const SymbolTable &table = *file.object.first<SymbolTable>();
};

TEST_F(SymbolErrors, TablePastTheFile) {
  EXPECT_THAT(
      file.set32(command + offsetof(symtab_command, nsyms), ~0u).error(),
      HasSubstr("LC_SYMTAB: the symbols of 0xffffffff0 bytes at offset"));
  SpoiltFile strings;
  EXPECT_THAT(
      strings.set32(command + offsetof(symtab_command, stroff), 0x8000).error(),
      HasSubstr("LC_SYMTAB: the strings of"));
}

TEST_F(SymbolErrors, TablesThatOverlap) {
  EXPECT_THAT(file.set32(command + offsetof(symtab_command, nsyms),
                         table.symbols.size() + 1)
                  .error(),
              HasSubstr("the string table at"));
  SpoiltFile commands;
  EXPECT_THAT(
      commands.set32(command + offsetof(symtab_command, symoff), 0x20).error(),
      HasSubstr("the symbol table at [0x20,"));
}

TEST_F(SymbolErrors, Names) {
  EXPECT_THAT(file.set32(table.symbolOffset, table.strings.size()).error(),
              HasSubstr("symbol 0: n_strx 0x"));
  SpoiltFile end;
  end.bytes[table.stringOffset + table.strings.size() - 1] = 'x';
  EXPECT_THAT(end.error(), HasSubstr("the last string is not terminated"));
}

TEST_F(SymbolErrors, Section) {
  file.bytes[table.symbolOffset + offsetof(nlist_64, n_sect)] = 7;
  EXPECT_THAT(file.error(), HasSubstr("n_sect 7 is no section; there are 6"));
}

//===----------------------------------------------------------------------===//
// What is odd but legal survives
//===----------------------------------------------------------------------===//

TEST_F(ReaderErrors, KeepsWhatItDoesNotUnderstand) {
  // A reserved field, a gap, a command of unknown kind.
  file.set32(file.command<ProgramDescriptor>() + sizeof(ThreadHead) +
                 offsetof(ProgramState, zero820),
             7);
  file.bytes[0x3ffe] = 'g';
  file.bytes[0x4279] = 'h';
  file.set32(file.command<Ident>(), 0x7777);
  llvm::Expected<Object> object = read(file.bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  ASSERT_EQ(object->unclaimed.size(), 2u);
  EXPECT_EQ(object->unclaimed[0].offset, 0x3ffeu);
  EXPECT_EQ(object->unclaimed[1].offset, 0x4279u);
  ASSERT_EQ(object->all<OpaqueCommand>().size(), 1u);
  EXPECT_EQ(object->all<OpaqueCommand>()[0]->reason,
            "a command of no known kind");
  EXPECT_EQ(write(*object), file.bytes);
  for (const LoadCommand &command : object->commands) {
    std::vector<FileRange> unknown = bytesOfNoField(command);
    if (!std::holds_alternative<ProgramDescriptor>(command.body)) {
      EXPECT_TRUE(unknown.empty());
      continue;
    }
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_EQ(unknown[0].offset, command.fileOffset + sizeof(ThreadHead) +
                                     offsetof(ProgramState, zero820));
    EXPECT_THAT(unknown[0].bytes, testing::ElementsAre(7));
  }
}

TEST_F(ReaderErrors, SurvivesTruncation) {
  for (size_t length = 0; length < file.bytes.size(); length += 97) {
    llvm::Expected<Object> object = read(file.bytes.substr(0, length));
    ASSERT_FALSE(bool(object)) << length;
    EXPECT_THAT(llvm::toString(object.takeError()), StartsWith("test.hwx:0:"));
  }
}

TEST_F(ReaderErrors, SurvivesEveryByte) {
  // Everything before the text, one byte at a time: an error or a file that is
  // written as it was read.
  for (size_t offset = 0; offset < 0x1200; ++offset)
    for (int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string bytes = file.bytes;
      bytes[offset] = char(value);
      llvm::Expected<Object> object = read(bytes);
      if (object)
        EXPECT_EQ(write(*object), bytes) << offset;
      else
        EXPECT_THAT(llvm::toString(object.takeError()),
                    StartsWith("test.hwx:0:"));
    }
}

} // namespace
} // namespace ane::object::test
