//===- DialectTest.cpp - Containers in each spelling ----------------------===//

#include "Fixtures.h"
#include "ane/Object/HashName.h"
#include "ane/Object/Semantics.h"
#include "ane/Object/Stabs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"

using namespace ane::object;
using namespace ane::object::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

ContainerSpec specIn(Dialect dialect) {
  ContainerSpec spec = makeSpec();
  spec.style = styleOf(dialect);
  spec.notes = notesOf(dialect);
  return spec;
}

/// The bytes of a specification, which must be legal.
std::string bytesOf(ContainerSpec spec) {
  llvm::Expected<Object> object = layoutObject(std::move(spec));
  EXPECT_TRUE(bool(object)) << llvm::toString(object.takeError());
  return object ? write(*object) : std::string();
}

/// Expects that a container survives reading, and being taken apart and laid
/// out anew.
void expectRebuilt(const std::string &bytes) {
  llvm::Expected<Object> object = read(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_TRUE(write(*object) == bytes);
  llvm::Expected<ContainerSpec> model = semanticModel(*object);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_TRUE(bytesOf(std::move(*model)) == bytes);
}

std::vector<std::pair<std::string, uint64_t>> placesOf(const Object &object) {
  std::vector<std::pair<std::string, uint64_t>> places;
  for (const Segment *segment : object.all<Segment>())
    places.push_back({segment->name, segment->address});
  return places;
}

class EachDialect : public testing::TestWithParam<Dialect> {};

INSTANTIATE_TEST_SUITE_P(All, EachDialect,
                         testing::Values(Dialect::V421, Dialect::MacOS26,
                                         Dialect::V9509),
                         [](const auto &info) {
                           std::string name =
                               stringifyDialect(info.param).str();
                           llvm::replace(name, '.', '_');
                           return name;
                         });

TEST_P(EachDialect, IsRebuiltFromWhatItSays) {
  ContainerSpec spec = specIn(GetParam());
  expectRebuilt(bytesOf(spec));

  ContainerSpec batch = spec;
  batch.ports[1].layout = *TensorLayout::packed(2, 3, 4, 5, 6);
  batch.ports[0].byteSize = 0x4000;
  batch.operandOrder = {2, 0, 1};
  batch.bars = {31, 7, 4};
  expectRebuilt(bytesOf(batch));

  ContainerSpec noScratch = spec;
  noScratch.scratchBytes = 0;
  expectRebuilt(bytesOf(noScratch));

  ContainerSpec noKernels = noScratch;
  noKernels.constants.clear();
  noKernels.symbols.clear();
  noKernels.relocations.clear();
  expectRebuilt(bytesOf(noKernels));

  ContainerSpec slots = spec;
  slots.entryOffset = 12;
  slots.firstTaskWords = 154;
  slots.relocations.push_back({0x10, {RelocationTarget::Port, 1}, true});
  slots.relocations.push_back({0x20, {RelocationTarget::Scratch, 0}, true});
  expectRebuilt(bytesOf(slots));
}

TEST_P(EachDialect, LetsAnOutputHaveTheNameOfAnInput) {
  ContainerSpec spec = specIn(GetParam());
  spec.ports[1].name = "x";
  std::string bytes = bytesOf(spec);
  expectRebuilt(bytes);
  Object object = llvm::cantFail(read(bytes));
  EXPECT_EQ(object.all<Port>()[2]->name, "x@output");
}

TEST_P(EachDialect, PutsWhatBarsSayWhereTheySay) {
  Object object = llvm::cantFail(read(bytesOf(specIn(GetParam()))));
  const auto *program = object.first<ProgramDescriptor>();
  auto sections = object.sections();
  auto sectionAt = [&](unsigned bar) {
    return *llvm::find_if(sections, [&](const Section *section) {
      return section->address == program->bars[bar];
    });
  };
  auto typeAt = [&](unsigned bar) { return sectionAt(bar)->type(); };
  EXPECT_EQ(typeAt(BarText), SectionType::Text);
  EXPECT_EQ(typeAt(BarConstants), SectionType::Coefficients);
  EXPECT_EQ(typeAt(BarScratch), SectionType::Scratch);
  EXPECT_EQ(typeAt(4), SectionType::Output);
  EXPECT_EQ(typeAt(5), SectionType::Input);
  EXPECT_EQ(program->entry, program->bars[BarText]);
  EXPECT_EQ(sectionAt(BarConstants)->bytes().size(), 0x80u);
}

TEST(MacOS26, PutsTheTextLast) {
  Object object = llvm::cantFail(read(bytesOf(specIn(Dialect::MacOS26))));
  EXPECT_THAT(
      placesOf(object),
      ElementsAre(Pair("__PAGEZERO", 0), Pair("__FVMLIB", 0x30000000),
                  Pair("__FVMLIB", 0x30004000), Pair("__FVMLIB", 0x30008000),
                  Pair("__DATA", 0x3000c000), Pair("__TEXT", 0x30014000)));
  for (const LoadCommand &command : object.commands) {
    const auto *operand = std::get_if<OperandDescriptor>(&command.body);
    if (std::holds_alternative<ProgramDescriptor>(command.body)) {
      EXPECT_EQ(command.size, 0x880u);
    } else if (operand && operand->port == "x") {
      EXPECT_EQ(command.size, 0xd40u); // 0xd48 with names like t0_ane
    }
  }
  EXPECT_EQ(object.all<Port>()[0]->command, portCommand);
  EXPECT_EQ(object.all<Port>()[2]->name, "y");
  EXPECT_EQ(object.findOperand("y")->symbol, "y@output");
  EXPECT_EQ(object.findOperand("y")->byteSize, 0x200u);
}

/// A linear layer from 64 to 64, the size of its text that of the decoded one.
ContainerSpec linearSpec() {
  ContainerSpec spec = specIn(Dialect::V9509);
  static const std::vector<uint8_t> weights(0x2000, 0x3c);
  spec.ports = {
      {"t0", PortDirection::Input, *TensorLayout::packed(1, 1, 1, 64), 0},
      {"t2", PortDirection::Output, *TensorLayout::packed(1, 1, 1, 64), 0}};
  spec.scratchBytes = 0;
  spec.text.resize(0x474);
  spec.constants = {Chunk::bytes(weights)};
  spec.symbols.clear();
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    spec.symbols.push_back(
        {laneName(llvm::cantFail(hashName(spec.constants)), lane),
         lane * 0x200u});
  spec.procedure = "main_ane";
  return spec;
}

TEST(V9509, HasTheDocumentedSegmentMap) {
  Object object = llvm::cantFail(read(bytesOf(linearSpec())));
  EXPECT_EQ(object.commands.size(), 15u);
  EXPECT_THAT(
      placesOf(object),
      ElementsAre(Pair("__PAGEZERO", 0), Pair("__DATA", 0x30000000),
                  Pair("__DATA", 0x30004000), Pair("__FVMLIB", 0x30008000),
                  Pair("__FVMLIB", 0x3000c000), Pair("__TEXT", 0x30010000),
                  Pair("__KERN_0", 0x30018000)));
  auto sections = object.sections();
  auto sizeOf = [&](llvm::StringRef name) {
    return (*llvm::find_if(sections,
                           [&](const Section *section) {
                             return section->segmentName + "," +
                                        section->name ==
                                    name.str();
                           }))
        ->size;
  };
  EXPECT_EQ(sizeOf("__FVMLIB,__const"), 0x80u);
  EXPECT_EQ(sizeOf("__FVMLIB,__data"), 0x80u);
  EXPECT_EQ(sizeOf("__TEXT,__text"), 0x474u);
  EXPECT_EQ(sizeOf("__KERN_0,__kern_0"), 0x2000u);
  std::vector<uint32_t> protections;
  for (const Segment *segment : object.all<Segment>())
    protections.push_back(segment->initialProtection);
  EXPECT_THAT(protections, ElementsAre(0, 3, 3, 1, 2, 5, 1));
}

TEST(V9509, NamesPortsInTwentyFourBytes) {
  std::string bytes = bytesOf(linearSpec());
  Object object = llvm::cantFail(read(bytes));
  for (const LoadCommand &command : object.commands) {
    const auto *port = std::get_if<Port>(&command.body);
    if (port && port->name == "t0") {
      EXPECT_EQ(bytes.substr(command.fileOffset, 0x20),
                std::string("\x40\0\0\0\x20\0\0\0"
                            "\x18\0\0\0\0\0\0\0"
                            "\0\x80\0\x30\0\0\0\0"
                            "t0\0\0\0\0\0\0",
                            0x20));
    }
  }
}

TEST(V9509, NamesLanesThatAreNotUsed) {
  ContainerSpec spec = specIn(Dialect::V9509);
  std::string block = llvm::cantFail(hashName(spec.constants));
  Object object = llvm::cantFail(read(bytesOf(spec)));
  uint64_t kernels = object.first<ProgramDescriptor>()->bars[BarConstants];
  const auto *table = object.first<SymbolTable>();
  // The two lanes in use have 0x40 bytes each, the others lie at their end.
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    const Symbol &symbol = table->symbols[lane];
    EXPECT_EQ(table->name(symbol), laneName(block, lane));
    EXPECT_EQ(symbol.value, kernels + std::min(lane, 2u) * 0x40);
    EXPECT_EQ(symbol.desc, lane < 2 ? 2u : 0u);
  }
}

TEST(V9509, DefinesTwentyFourTypes) {
  Object object = llvm::cantFail(read(bytesOf(linearSpec())));
  const auto *table = object.first<SymbolTable>();
  std::vector<std::string> names;
  unsigned number = 0;
  for (const Symbol &symbol : table->symbols)
    if (symbol.type == llvm::MachO::N_LSYM) {
      auto [name, type] = table->name(symbol).split(':');
      EXPECT_EQ(type.split('=').first, "t" + std::to_string(++number));
      names.push_back(name.str());
    }
  ASSERT_EQ(names.size(), 24u);
  EXPECT_EQ(names[4], "float16");
  EXPECT_EQ(names[15], "e4m3");
  EXPECT_EQ(names[22], "int4");
  EXPECT_EQ(table->name(table->symbols.back()),
            "t2:t30=ar1;0;1;31=s128n:ar1;0;1;32=s128c:ar1;0;1;33=s128h:"
            "ar1;0;64;34=s2w:5");
}

TEST(V9509, BeginsKernelSections) {
  ContainerSpec spec = specIn(Dialect::V9509);
  spec.constants = {Chunk::zeros(0x10040)};
  spec.kernelStarts = {0x4000, 0xc000};
  spec.symbols = {{"K0_ne_0", 0x3fc0}, {"K1_ne_0", 0xc040}};
  std::string bytes = bytesOf(spec);
  expectRebuilt(bytes);
  Object object = llvm::cantFail(read(bytes));
  std::vector<uint64_t> sizes;
  for (const Section *section : object.sections())
    if (llvm::StringRef(section->segmentName).starts_with("__KERN_"))
      sizes.push_back(section->size);
  EXPECT_THAT(sizes, ElementsAre(0x4000, 0x8000, 0x4040));
}

TEST(V9509, SplitsTheKernelSection) {
  ContainerSpec spec = specIn(Dialect::V9509);
  spec.style.maxKernelBytes = 0x4000;
  std::vector<uint8_t> weights(0x5000);
  for (auto [index, byte] : llvm::enumerate(weights))
    byte = index >> 6;
  // The second chunk lies in both sections.
  spec.constants = {Chunk::zeros(0x3000),
                    Chunk::produced(weights.size(), [&](llvm::raw_ostream &os) {
                      os << llvm::toStringRef(llvm::ArrayRef(weights));
                    })};
  spec.symbols = {{"K0_ne_0", 0x40}, {"K1_ne_0", 0x4040}, {"K2", 0x7fc0}};
  auto word = [](ContainerSpec &spec, unsigned offset) {
    return &spec.text[offset];
  };
  llvm::support::endian::write32le(word(spec, 0x74), 0x3fc0);
  llvm::support::endian::write32le(word(spec, 0x78), 0x4040);
  spec.relocations.push_back({0x80, {}, /*isAddress=*/true});
  llvm::support::endian::write64le(word(spec, 0x80), 0x7000);

  std::string bytes = bytesOf(spec);
  expectRebuilt(bytes);
  Object object = llvm::cantFail(read(bytes));
  auto sections = object.sections();
  ASSERT_EQ(sections.size(), 8u);
  const Section *first = sections[6], *second = sections[7];
  EXPECT_EQ(second->segmentName, "__KERN_1");
  EXPECT_EQ(second->name, "__kern_1");
  EXPECT_EQ(first->size, 0x4000u);
  EXPECT_EQ(second->size, 0x4000u);
  // So offsets in all coefficients are offsets from BAR 1.
  EXPECT_EQ(second->address, first->address + 0x4000);
  EXPECT_EQ(first->bytes()[0x2fff], 0u);
  EXPECT_EQ(first->bytes()[0x3fff], weights[0xfff]);
  EXPECT_EQ(second->bytes()[0], weights[0x1000]);
  EXPECT_EQ(second->bytes()[0x3fff], weights[0x4fff]);

  const Section *text = object.findSection(SectionType::Text);
  std::vector<std::pair<uint32_t, uint64_t>> words;
  for (const Relocation &relocation : text->relocations) {
    const uint8_t *place = text->bytes().data() + relocation.address;
    words.push_back(
        {relocation.target, relocation.lengthLog2 == 3
                                ? llvm::support::endian::read64le(place)
                                : llvm::support::endian::read32le(place)});
  }
  EXPECT_THAT(words,
              ElementsAre(Pair(7, 0x3fc0), Pair(8, 0x40), Pair(8, 0x3000)));
  const auto *table = object.first<SymbolTable>();
  for (const Symbol &symbol : table->symbols)
    if (table->name(symbol) == "K1_ne_0") {
      EXPECT_EQ(symbol.section, 8u);
      EXPECT_EQ(symbol.value, second->address + 0x40);
    }
}

TEST(V9509, SpellsItsBanner) {
  EXPECT_THAT(bannerOf(Dialect::V9509),
              testing::IsSupersetOf({"\t ModuleVersion: 9.509.0", "\t-t h13g",
                                     "\t--split-kernel-section=true",
                                     "\t--max-kernel-section-size=134217728",
                                     "\t--e4m3-overflow-setting=Saturate"}));
}

/// As the compiler of a public record from macOS 26 has them.
TEST(Style, InputsAndOutputsTakeTurns) {
  ContainerSpec spec = specIn(Dialect::MacOS26);
  spec.style.order = {MemoryPart::Scratch, MemoryPart::Ports, MemoryPart::Text};
  std::string bytes = bytesOf(spec);
  expectRebuilt(bytes);
  Object object = llvm::cantFail(read(bytes));
  std::vector<uint32_t> types;
  for (const Section *section : object.sections())
    if (section->segmentName == "__FVMLIB")
      types.push_back(section->flags);
  uint32_t input = llvm::to_underlying(SectionType::Input),
           output = llvm::to_underlying(SectionType::Output);
  EXPECT_THAT(types, ElementsAre(input, output, input));
}

/// Wherever ports lie.
TEST(Style, OperandsOfInputsComeFirst) {
  ContainerSpec spec = makeSpec();
  spec.style.order = {MemoryPart::Text, MemoryPart::Scratch,
                      MemoryPart::Outputs, MemoryPart::Inputs};
  std::string bytes = bytesOf(spec);
  expectRebuilt(bytes);
  Object object = llvm::cantFail(read(bytes));
  std::vector<std::string> symbols;
  for (const OperandDescriptor *operand : object.all<OperandDescriptor>())
    symbols.push_back(operand->symbol);
  EXPECT_THAT(symbols, ElementsAre("x", "bias", "y@output"));
}

TEST(Style, RefusesWhatCannotBeLaidOut) {
  struct Case {
    void (*spoil)(ContainerSpec &);
    const char *message;
  } cases[] = {
      {[](ContainerSpec &s) { s.style.order.clear(); },
       "the container style places the text 0 times; expected once"},
      {[](ContainerSpec &s) { s.style.order.push_back(MemoryPart::Inputs); },
       "places inputs 2 times; expected once"},
      {[](ContainerSpec &s) { s.style.order.push_back(MemoryPart::Ports); },
       "places inputs 1 times; expected not at all"},
      {[](ContainerSpec &s) { s.style.order.push_back(MemoryPart::Kernels); },
       "places kernel segments 1 times"},
      {[](ContainerSpec &s) { s.style.portCommand = 5; },
       "load command 5 does not name a port"},
      {[](ContainerSpec &s) { s.style.maxKernelBytes = 100; },
       "kernel sections of 100 bytes; expected a multiple of 16384"},
      {[](ContainerSpec &s) { s.kernelStarts = {100}; },
       "a kernel section would begin at 100; expected a multiple of 16384"},
      {[](ContainerSpec &s) { s.kernelStarts = {0x4000, 0x4000}; },
       "a kernel section would begin at 16384; expected a multiple of 16384 "
       "behind the last one"},
      {[](ContainerSpec &s) { s.style.operandWords = 29; },
       "descriptors of 532 and 29 words; expected at least 532 and 30"},
      {[](ContainerSpec &s) { s.style.properties.push_back({1, {}}); },
       "the properties take 16 bytes, but the program descriptor has 0"},
      {[](ContainerSpec &s) { s.bars = {4, 4, 5}; },
       "do not give each of the 3 ports one of its own from 4 to 31"},
      {[](ContainerSpec &s) { s.notes = {{"seventeen letters", {}}}; },
       "has more than 16 characters"},
  };
  for (const Case &c : cases) {
    ContainerSpec spec = makeSpec();
    c.spoil(spec);
    llvm::Expected<Object> object = layoutObject(std::move(spec));
    ASSERT_FALSE(bool(object)) << c.message;
    EXPECT_THAT(llvm::toString(object.takeError()), HasSubstr(c.message));
  }
}

TEST(Semantics, RefusesWhatItHasNoWordFor) {
  std::string bytes = makeFile();
  Object object = llvm::cantFail(read(bytes));
  auto errorOf = [](const std::string &bytes) {
    Object object = llvm::cantFail(read(bytes));
    llvm::Expected<ContainerSpec> model = semanticModel(object);
    return model ? "no error" : llvm::toString(model.takeError());
  };
  EXPECT_EQ(errorOf(bytes), "no error");
  std::string gap = bytes;
  gap[0x3ffe] = 'g';
  EXPECT_EQ(errorOf(gap), "test.hwx:0:16382: error: there are bytes between "
                          "the tables at 0x3ffe; the "
                          "container can be copied, but not laid out anew");
  std::string unknown = bytes;
  for (const LoadCommand &command : object.commands)
    if (std::holds_alternative<Ident>(command.body))
      unknown[command.fileOffset] = 0x77;
  EXPECT_THAT(errorOf(unknown), HasSubstr("has contents of unknown meaning"));
}

TEST(Stabs, Shape) {
  ShapeStab shape;
  shape.name = "x";
  shape.number = 11;
  shape.axes = {{1, 1536, 'n'}, {3, 512, 'c'}, {8, 64, 'h'}, {8, 2, 'w'}};
  shape.elementType = 5;
  EXPECT_EQ(shape.str(), "x:t11=ar1;0;1;12=s1536n:ar1;0;3;13=s512c:ar1;0;8;"
                         "14=s64h:ar1;0;8;15=s2w:5");
}

TEST(LaneName, IsParsed) {
  EXPECT_EQ(parseLaneName("Kff_ne_15")->lane, 15u);
  EXPECT_EQ(parseLaneName("Kff_ne_15")->block, "Kff");
  for (llvm::StringRef bad : {"Kff", "Kff_ne_", "Kff_ne_16", "Kff_ne_01", ""})
    EXPECT_FALSE(parseLaneName(bad)) << bad.str();
}

} // namespace
