//===- RealFilesTest.cpp - Containers of Apple's compiler -----------------===//

#include "../TestData.h"
#include "Fixtures.h"
#include "ane/Object/AddressMap.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Semantics.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"

using namespace ane::object;
using namespace ane::object::test;
using ane::testData;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

class RealFile : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::optional<std::string> path =
        testData(("real/hwx/" + std::string(GetParam()) + ".hwx"));
    if (!path)
      GTEST_SKIP() << "ANE_TEST_DATA is not set";
    llvm::Expected<Object> result = readObject(*path);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    object = std::move(*result);
  }

  Object object;
};

class AnyVersion : public RealFile {};
class Version421 : public RealFile {};

TEST_P(AnyVersion, IsWrittenAsItWasRead) {
  EXPECT_TRUE(write(object) == object.buffer->getBuffer());
}

TEST_P(AnyVersion, IsUnderstood) {
  EXPECT_TRUE(object.unclaimed.empty());
  EXPECT_TRUE(object.all<OpaqueCommand>().empty());
  for (const LoadCommand &command : object.commands)
    EXPECT_TRUE(command.verbatim.empty())
        << "load command at " << command.fileOffset;
}

TEST_P(AnyVersion, HasDisjointSections) {
  auto map = AddressMap::create(object);
  ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
  EXPECT_EQ(map->ranges().front().begin, deviceBase);
  const auto *program = object.first<ProgramDescriptor>();
  for (const Port *port : object.all<Port>()) {
    EXPECT_TRUE(llvm::any_of(map->ranges(), [&](const AddressRange &range) {
      return range.begin == port->address;
    }));
    EXPECT_GE(*object.barOfAddress(port->address), BarFirstPort);
  }
  EXPECT_EQ(object.barOfAddress(program->entry), BarText);
}

TEST_P(AnyVersion, IsRebuiltFromWhatItSays) {
  llvm::Expected<ContainerSpec> model = semanticModel(object);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  llvm::Expected<Object> rebuilt = layoutObject(std::move(*model));
  ASSERT_TRUE(bool(rebuilt)) << llvm::toString(rebuilt.takeError());
  EXPECT_TRUE(write(*rebuilt) == object.buffer->getBuffer());
}

TEST_P(Version421, HasTheBarsThatTheBuilderAssigns) {
  ContainerSpec model = llvm::cantFail(semanticModel(object));
  EXPECT_THAT(*assignBars(model.ports), ElementsAreArray(model.bars));
}

TEST_P(Version421, HasDerivableOpaqueWords) {
  const auto *program = object.first<ProgramDescriptor>();
  EXPECT_EQ(program->opaque858, program->taskCount + 2);
  EXPECT_EQ(program->opaque850, program->taskCount == 1 ? 0x11 : 7);
}

INSTANTIATE_TEST_SUITE_P(All, AnyVersion,
                         testing::Values("concat", "concat_nz", "conv", "gemm",
                                         "mul", "mul_macos14", "relu",
                                         "sigmoid", "sum"),
                         [](const auto &info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(All, Version421,
                         testing::Values("concat", "concat_nz", "conv", "gemm",
                                         "relu", "sigmoid", "sum"),
                         [](const auto &info) { return info.param; });

class Conv : public RealFile {};
INSTANTIATE_TEST_SUITE_P(, Conv, testing::Values("conv"));

TEST_P(Conv, Decodes) {
  EXPECT_EQ(object.cpuSubtype, cpuSubtypeH13);
  EXPECT_EQ(object.commands.size(), 11u);

  const Section *text = object.findSection(SectionType::Text);
  EXPECT_EQ(text->address, 0x30000000u);
  EXPECT_EQ(text->bytes().size(), 0x274u);
  EXPECT_THAT(text->relocations,
              ElementsAre(Relocation{0x74, 2, true, 2, false, 0},
                          Relocation{0x78, 2, true, 2, false, 0},
                          Relocation{0x7c, 2, true, 2, false, 0}));
  const Section *constants = object.findSection(SectionType::Coefficients);
  EXPECT_EQ(constants->address, 0x30000280u);
  EXPECT_EQ(constants->bytes().size(), 0xc0u);
  EXPECT_EQ(constants->bytes()[1], 0x40); // fp16 2.0

  const OperandDescriptor *output = object.findOperand("probs@output");
  EXPECT_EQ(output->direction, PortDirection::Output);
  EXPECT_EQ(output->layout, *TensorLayout::packed(1, 3, 1, 1));
  EXPECT_EQ(output->byteSize, 0x82u);
  EXPECT_EQ(object.findOperand("probs"), nullptr);

  const auto *program = object.first<ProgramDescriptor>();
  EXPECT_EQ(program->procedure, "net");
  EXPECT_EQ(program->taskCount, 1u);
  EXPECT_EQ(program->firstTaskWordsLessOne, 0x9cu);
  EXPECT_EQ(object.barOfAddress(0x30008000), 4u);
  EXPECT_EQ(object.barOfAddress(0x30004000), 5u);

  const auto *table = object.first<SymbolTable>();
  EXPECT_EQ(table->symbols.size(), 17u);
  EXPECT_EQ(table->name(table->symbols[16]),
            "probs@output:t16=ar1;0;1;17=s192n:ar1;0;3;18=s64c:ar1;0;1;19=s64h:"
            "ar1;0;1;20=s2w:5");
  EXPECT_EQ(object.first<Ident>()->text.substr(0, 32),
            "ANEC v1\nzin_ane_compiler v4.2.1\n");
}

class Mul14 : public RealFile {};
INSTANTIATE_TEST_SUITE_P(, Mul14, testing::Values("mul_macos14"));

TEST_P(Mul14, DecodesTheNewerForms) {
  auto ports = object.all<Port>();
  ASSERT_EQ(ports.size(), 3u);
  EXPECT_EQ(ports[2]->command, portCommand);
  EXPECT_EQ(ports[2]->name, "probs");
  EXPECT_EQ(ports[2]->address, 0x30010000u);
  EXPECT_EQ(object.findOperand("probs")->symbol, "probs@output");
  EXPECT_EQ(object.findOperand("probs")->stateWords, longOperandStateWords);
  // This version orders BARs as ports: inputs first.
  EXPECT_EQ(object.barOfAddress(0x30008000), 4u);
  EXPECT_EQ(object.barOfAddress(0x30010000), 6u);
  const auto *program = object.first<ProgramDescriptor>();
  ASSERT_EQ(program->properties.size(), 1u);
  EXPECT_EQ(program->properties[0].id, 9u);
  EXPECT_THAT(program->properties[0].value,
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

class Mul : public RealFile {};
INSTANTIATE_TEST_SUITE_P(, Mul, testing::Values("mul"));

TEST_P(Mul, HasANote) {
  const Note *note = object.first<Note>();
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->owner, "src model info");
  EXPECT_EQ(note->offset, 0x28u);
  EXPECT_EQ(note->size, 1u);
  EXPECT_EQ(note->trailing.size(), 8u);
}

} // namespace
