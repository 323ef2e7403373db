//===- LayoutTest.cpp - From the emission model to bytes ------------------===//

#include "ane/Object/Layout.h"
#include "Fixtures.h"
#include "ane/Object/HashName.h"
#include "ane/Object/Semantics.h"
#include "ane/Object/Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace ane::object;
using namespace ane::object::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string errorOf(ContainerSpec spec) {
  llvm::Expected<Object> object = layoutObject(std::move(spec));
  return object ? "no error" : llvm::toString(object.takeError());
}

TEST(Layout, PlacesSegments) {
  Object object = llvm::cantFail(layoutObject(makeSpec()));
  auto segments = object.all<Segment>();
  ASSERT_EQ(segments.size(), 6u);
  std::vector<std::pair<std::string, uint64_t>> places;
  for (const Segment *segment : segments)
    places.push_back({segment->name, segment->address});
  EXPECT_THAT(places, ElementsAre(std::pair("__PAGEZERO", 0),
                                  std::pair("__TEXT", 0x30000000),
                                  std::pair("__DATA", 0x30004000),
                                  std::pair("__FVMLIB", 0x3000c000),
                                  std::pair("__FVMLIB", 0x30010000),
                                  std::pair("__FVMLIB", 0x30014000)));

  const Section &bss = segments[2]->sections[0];
  EXPECT_EQ(bss.name, "__bss");
  EXPECT_EQ(bss.type(), SectionType::Scratch);
  EXPECT_EQ(bss.alignLog2, 6u);
  EXPECT_EQ(bss.size, 0x5000u);
  EXPECT_EQ(segments[2]->maxProtection, 3u);
  EXPECT_EQ(segments[2]->flags, 4u);
  EXPECT_EQ(segments[2]->memorySize, 0x8000u);
}

TEST(Layout, OrdersPortsAndBars) {
  ContainerSpec spec = makeSpec();
  EXPECT_THAT(*assignBars(spec.ports), ElementsAre(5, 4, 6));
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  auto ports = object.all<Port>();
  ASSERT_EQ(ports.size(), 3u);
  EXPECT_EQ(ports[0]->name, "x");
  EXPECT_EQ(ports[1]->name, "bias");
  EXPECT_EQ(ports[2]->name, "y@output");
  EXPECT_EQ(object.barOfAddress(ports[0]->address), 5u);
  EXPECT_EQ(object.barOfAddress(ports[1]->address), 6u);
  EXPECT_EQ(object.barOfAddress(ports[2]->address), 4u);
  EXPECT_EQ(object.barOfAddress(0x30004000), BarScratch);
  EXPECT_EQ(object.barOfAddress(0x30000280), BarConstants);
}

TEST(Layout, WritesTheseBytes) {
  std::string bytes = makeFile();
  Object object = llvm::cantFail(read(bytes));
  auto hexAt = [&](uint64_t offset, size_t length) {
    return llvm::toHex(llvm::StringRef(bytes).substr(offset, length),
                       /*LowerCase=*/true);
  };
  // Magic, CPU type and subtype, file type; 15 commands of 0xe58 bytes; flags.
  EXPECT_EQ(hexAt(0, 32), "cefaefbe800000000400000002000000"
                          "0f000000580e00000000200000000000");
  // The port `x`: string offset, minor version, address, name.
  EXPECT_EQ(hexAt(object.commands[6].fileOffset, 0x18),
            "060000001800000014000000"
            "0000000000c0003078000000");
  // Its operand descriptor: command, state words; kind, direction; procedure
  // and symbol name, type; N C H W D; strides; interleave, port name, bytes.
  EXPECT_EQ(hexAt(object.commands[10].fileOffset, 0x90),
            "0400000090000000030000001e000000"
            "0300000001000000"
            "88000000000000008c00000005000000"
            "0100000003000000020000002800000001000000"
            "0000000000000000000000000000000000000000"
            "00030000000000000001000000000000"
            "80000000000000000200000000000000"
            "0003000000000000"
            "010000008e0000000003000000000000"
            "6e65740078007800");
  // The first relocation.
  EXPECT_EQ(hexAt(object.findSection(SectionType::Text)->relocationOffset, 8),
            "7400000002000005");
}

TEST(Layout, LeavesScratchOut) {
  ContainerSpec spec = makeSpec();
  spec.scratchBytes = 0;
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  EXPECT_EQ(object.all<Segment>().size(), 5u);
  EXPECT_EQ(object.first<ProgramDescriptor>()->bars[BarScratch], 0u);
}

TEST(Layout, RelocatesAgainstEverySection) {
  ContainerSpec spec = makeSpec();
  spec.relocations.push_back({0x10, {RelocationTarget::Scratch, 0}});
  spec.relocations.push_back({0x14, {RelocationTarget::Port, 1}});
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  std::vector<uint32_t> ordinals;
  for (const Relocation &r : object.findSection(SectionType::Text)->relocations)
    ordinals.push_back(r.target);
  EXPECT_THAT(ordinals, ElementsAre(2, 2, 3, 6));
  EXPECT_EQ(object.sections()[6 - 1]->type(), SectionType::Output);
}

TEST(Layout, GivesEachProcedureItsBars) {
  ContainerSpec spec = makeSpec();
  // The second procedure has an input and an output of its own, of names that
  // are there already, and starts inside the text.
  spec.ports.push_back(spec.ports[0]);
  spec.ports.push_back(spec.ports[1]);
  spec.ports[3].procedure = spec.ports[4].procedure = 1;
  spec.firstTaskWords = 100;
  spec.otherProcedures.push_back({"second", 400, 57, 1});
  EXPECT_THAT(*assignBars(spec.ports), ElementsAre(5, 4, 6, 5, 4));
  std::string bytes = write(llvm::cantFail(layoutObject(std::move(spec))));
  Object object = llvm::cantFail(read(bytes));
  EXPECT_EQ(write(object), bytes);

  auto programs = object.all<ProgramDescriptor>();
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0]->procedure, "net");
  EXPECT_EQ(programs[1]->procedure, "second");
  EXPECT_EQ(programs[1]->entry, programs[0]->entry + 400);
  EXPECT_EQ(programs[1]->firstTaskWordsLessOne, 56u);
  EXPECT_EQ(programs[0]->bars[BarConstants], programs[1]->bars[BarConstants]);
  EXPECT_EQ(programs[0]->bars[BarScratch], programs[1]->bars[BarScratch]);
  EXPECT_EQ(programs[1]->bars[6], 0u);
  std::vector<std::string> names;
  for (const Port *port : object.all<Port>()) {
    names.push_back(port->name);
    const ProgramDescriptor &program =
        *programs[llvm::StringRef(port->name).starts_with("second/")];
    EXPECT_TRUE(llvm::is_contained(program.bars, port->address));
  }
  EXPECT_THAT(names, ElementsAre("net/x", "net/bias", "second/x",
                                 "net/y@output", "second/y@output"));
  for (const OperandDescriptor *operand : object.all<OperandDescriptor>())
    EXPECT_EQ(operand->port, operand->procedure + "/" + operand->symbol);
}

TEST(Layout, ReadsBackWhatItWrote) {
  std::string bytes = makeFile();
  llvm::Expected<Object> object = read(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(write(*object), bytes);
  EXPECT_EQ(write(llvm::cantFail(
                layoutObject(llvm::cantFail(semanticModel(*object))))),
            bytes);
  EXPECT_EQ(bytes.size(), 0x8000u);
}

TEST(Layout, GivesProgramsWithoutCoefficientsAPage) {
  ContainerSpec spec = makeSpec();
  spec.constants.clear();
  spec.symbols.clear();
  spec.relocations.clear();
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  const Section *constants = object.findSection(SectionType::Coefficients);
  EXPECT_EQ(constants->size, 0x4000u);
  EXPECT_EQ(object.findSection(SectionType::Text)->flags, 0x28u);
  EXPECT_EQ(object.all<Segment>()[1]->flags, 4u);
  std::string bytes = write(object);
  llvm::Expected<Object> reread = read(bytes);
  ASSERT_TRUE(bool(reread));
  EXPECT_TRUE(
      llvm::all_of(reread->findSection(SectionType::Coefficients)->bytes(),
                   [](uint8_t byte) { return byte == 0; }));
}

TEST(Layout, WritesDepth) {
  ContainerSpec spec = makeSpec();
  spec.ports[1].layout = *TensorLayout::packed(1, 2, 3, 4, 5);
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  llvm::Expected<Object> reread = read(write(object));
  ASSERT_TRUE(bool(reread)) << llvm::toString(reread.takeError());
  const OperandDescriptor *output = reread->findOperand("y@output");
  EXPECT_EQ(output->layout, *TensorLayout::packed(1, 2, 3, 4, 5));
  const auto *table = reread->first<SymbolTable>();
  EXPECT_EQ(table->name(table->symbols.back()),
            "y@output:t21=ar1;0;1;22=s1920n:ar1;0;5;23=s384d:ar1;0;2;24=s192c:"
            "ar1;0;3;25=s64h:ar1;0;4;26=s2w:5");
}

TEST(Layout, AsksProducersForTheirBytes) {
  ContainerSpec spec = makeSpec();
  spec.constants = {Chunk::zeros(0x40),
                    Chunk::produced(0x40, [](llvm::raw_ostream &os) {
                      os << std::string(0x40, 'w');
                    })};
  std::string bytes = write(llvm::cantFail(layoutObject(std::move(spec))));
  EXPECT_EQ(bytes.substr(0x4280, 0x80),
            std::string(0x40, '\0') + std::string(0x40, 'w'));
}

TEST(Layout, CatchesProducersThatLie) {
  ContainerSpec spec = makeSpec();
  spec.constants = {
      Chunk::produced(0x80, [](llvm::raw_ostream &os) { os << "short"; })};
  Object object = llvm::cantFail(layoutObject(std::move(spec)));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_EQ(llvm::toString(writeObject(object, os)),
            "a run of section contents has 5 bytes, but 128 were announced");
}

TEST(Layout, RefusesTooManyPorts) {
  ContainerSpec spec = makeSpec();
  spec.ports.clear();
  for (unsigned i = 0; i < 28; ++i)
    spec.ports.push_back({"x" + std::to_string(i), PortDirection::Input,
                          *TensorLayout::packed(1, 1, 1, 1), 0});
  ContainerSpec most = spec;
  EXPECT_EQ(assignBars(most.ports)->back(), 31u);
  EXPECT_EQ(errorOf(most), "no error");
  spec.ports.push_back({"one more", PortDirection::Output,
                        *TensorLayout::packed(1, 1, 1, 1), 0});
  EXPECT_EQ(errorOf(spec),
            "the program has 29 inputs and outputs, but a container addresses "
            "at most 28; merge tensors or split the model into several "
            "programs");
}

TEST(Layout, RefusesAddressesPastTheFormat) {
  ContainerSpec spec = makeSpec();
  spec.scratchBytes = uint64_t(1) << 32;
  EXPECT_EQ(errorOf(spec),
            "port 'x' would lie at device address 0x130004000, but "
            "LC_LOADFVMLIB holds 32 bits; make coefficients, scratch or "
            "tensors smaller");
  spec.scratchBytes = uint64_t(1) << 42;
  EXPECT_THAT(errorOf(spec), HasSubstr("scratch of 4398046511104 bytes at "
                                       "device address 0x30004000 passes"));
  // What comes behind the last address.
  spec.style = styleOf(Dialect::V9509);
  spec.scratchBytes = deviceLimit - deviceBase;
  EXPECT_EQ(errorOf(spec), "a spare page of 16384 bytes at device address "
                           "0x40000000000 passes the last one, 0x3ffffffffff");
  spec.style = styleOf(Dialect::MacOS26);
  spec.scratchBytes -= spec.ports.size() * pageBytes;
  EXPECT_EQ(errorOf(spec),
            "coefficients of 128 bytes pass the last device address");
}

TEST(Layout, RefusesBadSpecs) {
  struct Case {
    void (*spoil)(ContainerSpec &);
    const char *message;
  } cases[] = {
      {[](ContainerSpec &s) { s.target = "h14"; },
       "no container is known for target 'h14'; use h13"},
      {[](ContainerSpec &s) { s.ports[0].name = ""; },
       "port '': a name must be printable"},
      {[](ContainerSpec &s) { s.ports[0].name = "a:b"; },
       "port 'a:b': a name must be printable and without ':'"},
      {[](ContainerSpec &s) { s.ports[2].name = "x"; },
       "two ports are named 'x'"},
      {[](ContainerSpec &s) { s.ports[0].layout.interleave = 5; },
       "port 'x': interleave 5 is not known, use 1, 2, 3, 4 or 8"},
      {[](ContainerSpec &s) { s.ports[0].layout.c = 0; },
       "port 'x': an extent is 0"},
      {[](ContainerSpec &s) { s.ports[0].byteSize = 0x100; },
       "port 'x': its elements need 720 bytes, but its surface has 256"},
      {[](ContainerSpec &s) { s.operandOrder = {0, 1, 1}; },
       "the order of operand descriptors does not name each of the 3 ports"},
      {[](ContainerSpec &s) { s.text.clear(); },
       "the task descriptors take 0 bytes"},
      {[](ContainerSpec &s) { s.text.resize(630); },
       "the task descriptors take 630 bytes"},
      {[](ContainerSpec &s) { s.firstTaskWords = 158; },
       "the first task has 158 words; expected 1 to the 157 of all tasks"},
      {[](ContainerSpec &s) { s.entryOffset = 4; },
       "the first task of 157 words at text offset 0x4 does not lie at a "
       "multiple of 4 in the text, which has 0x274 bytes"},
      {[](ContainerSpec &s) {
         s.otherProcedures.push_back({"other", 0x275, 1, 1});
       },
       "the first task of 1 words at text offset 0x275 does not lie"},
      {[](ContainerSpec &s) { s.taskCount = 0; }, "a program of 0 tasks"},
      {[](ContainerSpec &s) { s.procedure = ""; }, "no usable name"},
      {[](ContainerSpec &s) { s.otherProcedures.push_back({"net", 0, 1, 1}); },
       "two procedures are named 'net'; rename one"},
      {[](ContainerSpec &s) {
         s.otherProcedures.push_back({"other", 0, 158, 1});
       },
       "the first task has 158 words; expected 1 to the 157 of all tasks"},
      {[](ContainerSpec &s) { s.ports[1].procedure = 1; },
       "port 'y' belongs to procedure 1 of 1"},
      {[](ContainerSpec &s) { s.relocations[0].offset = 0x272; },
       "relocation 0: text offset 0x272 is not a word of the text, which has "
       "0x274 bytes"},
      {[](ContainerSpec &s) { s.relocations[1].offset = 0x274; },
       "relocation 1: text offset 0x274 is not a word"},
      {[](ContainerSpec &s) {
         s.scratchBytes = 0;
         s.relocations[1].target.kind = RelocationTarget::Scratch;
       },
       "relocation 1 refers to scratch, but the program has none"},
      {[](ContainerSpec &s) {
         s.relocations[1].target = {RelocationTarget::Port, 3};
       },
       "relocation 1 refers to port 3 of 3"},
      {[](ContainerSpec &s) { s.symbols[1].name = {'K', 0}; },
       "the name of a coefficient symbol contains a NUL"},
      {[](ContainerSpec &s) { s.banner[1] = {'x', 0}; },
       "a line of the banner contains a NUL"},
      {[](ContainerSpec &s) { s.symbols[1].offset = 0x81; },
       "offset 0x81 passes the end of the coefficients, 0x80"},
  };
  for (const Case &c : cases) {
    ContainerSpec spec = makeSpec();
    c.spoil(spec);
    EXPECT_THAT(errorOf(std::move(spec)), HasSubstr(c.message));
  }
}

TEST(HashName, IsTheBlake3OfTheBlock) {
  const uint8_t abc[] = {'a', 'b', 'c'};
  std::string name = llvm::cantFail(hashName(Chunk::bytes(abc)));
  EXPECT_EQ(name,
            "K6437B3AC38465133FFB63B75273A8DB548C558465D79DB03FD359C6CD5BD"
            "9D85");
  EXPECT_EQ(laneName(name, 15), name + "_ne_15");
  // How the block is cut does not matter.
  Chunk cut[] = {Chunk::bytes(llvm::ArrayRef(abc).take_front(1)),
                 Chunk::produced(2, [](llvm::raw_ostream &os) { os << "bc"; })};
  EXPECT_EQ(llvm::cantFail(hashName(cut)), name);
}

} // namespace
