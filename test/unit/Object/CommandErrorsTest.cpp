//===- CommandErrorsTest.cpp - Ports, descriptors and symbols -------------===//
//
// Load commands that the reader refuses, or keeps without understanding them.
//
//===----------------------------------------------------------------------===//

#include "SpoiltFile.h"

using namespace llvm::MachO;
using testing::HasSubstr;

namespace ane::object::test {
namespace {

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

/// Elements that lie over each other.
TEST_F(OperandErrors, Strides) {
  for (size_t stride :
       {offsetof(OperandState, batchStride),
        offsetof(OperandState, planeStride), offsetof(OperandState, rowStride)})
    file.set64(state + stride, 0);
  const std::string strides = "with strides 0x0, 0x0, 0x0, 0x2, 0x300 ";
  uint64_t n = state + offsetof(OperandState, n);
  EXPECT_THAT(file.set32(n, 1 << 20).error(),
              HasSubstr("extents N=1048576 C=3 H=2 W=40 D=1 " + strides +
                        "need 0x1e000000 bytes, but the port's section has "
                        "0x300"));
  EXPECT_THAT(file.set32(n, UINT32_MAX)
                  .set32(state + offsetof(OperandState, c), UINT32_MAX)
                  .error(),
              HasSubstr(strides + "are empty or pass 64 bits"));
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

} // namespace
} // namespace ane::object::test
