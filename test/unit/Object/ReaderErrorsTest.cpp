//===- ReaderErrorsTest.cpp - Containers that the reader refuses ----------===//
//
// Headers, segments and sections, and what is odd but kept. Ports, descriptors
// and symbols are in CommandErrorsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "SpoiltFile.h"

using namespace llvm::MachO;
using testing::HasSubstr;
using testing::StartsWith;

namespace ane::object::test {
namespace {

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
