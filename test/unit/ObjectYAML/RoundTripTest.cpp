//===- RoundTripTest.cpp - Containers by way of text ----------------------===//

#include "../TestData.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "ane/ObjectYAML/ObjectYAML.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::object;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string bytesOf(const Object &object) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::cantFail(writeObject(object, os));
  return bytes;
}

Object read(llvm::StringRef bytes) {
  return llvm::cantFail(
      readObject(llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.hwx")));
}

std::string textOf(const Object &object) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(objectyaml::writeYaml(object, os));
  return text;
}

std::string bytesOfText(llvm::StringRef text) {
  auto object = objectyaml::readYaml(llvm::MemoryBufferRef(text, "test.yaml"));
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError());
    return "";
  }
  return bytesOf(*object);
}

/// A task that reads BAR 5 and writes BAR 4, with a lane of coefficients.
td::TaskDescriptor makeTask() {
  td::TaskDescriptor task;
  task.image.set(td::Field::RBase0, 5);
  task.image.set(td::Field::RBE0, 1);
  task.image.set(td::Field::WBase, 4);
  task.image.set(td::Field::WBE, 1);
  task.image.set(td::Field::KBase0, 1);
  task.image.set(td::Field::KBE0, 1);
  task.image.set(td::Field::KernelDMAEnable, 1);
  task.image.set(td::Field::CoeffEn, 1, 2);
  llvm::cantFail(task.image.setScaled(td::Field::CoeffBase, 0x40, 2));
  return task;
}

/// A container of these tasks, laid out in a dialect.
std::string makeFile(std::vector<td::TaskDescriptor> tasks, td::Format format,
                     Dialect dialect,
                     const std::vector<uint64_t> &kernelStarts = {}) {
  static const std::vector<uint8_t> weights = [] {
    std::vector<uint8_t> bytes(0x200, 0);
    bytes[0] = 0x3c;
    bytes[0x150] = 0x42;
    return bytes;
  }();
  td::linkTasks(tasks);
  td::EncodedProgram program = llvm::cantFail(td::encodeProgram(tasks, format));
  ContainerSpec spec;
  spec.style = styleOf(dialect);
  spec.ports = {
      {"in", PortDirection::Input, *TensorLayout::packed(1, 2, 3, 4), 0},
      {"a[0]%\"x", PortDirection::Output, *TensorLayout::packed(1, 2, 3, 4),
       0}};
  spec.text = program.text;
  spec.entryOffset = program.entry;
  spec.firstTaskWords = program.firstTaskWords;
  spec.taskCount = tasks.size();
  for (const td::RelocationSite &site : program.relocations) {
    TextRelocation relocation;
    relocation.offset = site.offset;
    relocation.isAddress = site.target == td::RelocationSite::Target::Buffer;
    if (relocation.isAddress)
      relocation.target = {RelocationTarget::Port, site.bar == 5 ? 0u : 1u};
    spec.relocations.push_back(relocation);
  }
  spec.constants = {Chunk::bytes(weights)};
  spec.kernelStarts = kernelStarts;
  if (!kernelStarts.empty())
    spec.constants.push_back(Chunk::zeros(kernelStarts.back()));
  spec.symbols = {{"K0_ne_2", 0x40}};
  spec.banner = {"ANEC v1", "\tbraces {} and [brackets]", ""};
  return bytesOf(llvm::cantFail(layoutObject(std::move(spec))));
}

TEST(RoundTrip, KeepsBytesInEverySpelling) {
  for (Dialect dialect : {Dialect::V421, Dialect::MacOS26, Dialect::V9509})
    for (td::Format format : {td::Format::V7, td::Format::V10}) {
      SCOPED_TRACE(stringifyDialect(dialect).str() + ", " +
                   td::stringifyFormat(format).str());
      std::string file = makeFile({makeTask(), makeTask()}, format, dialect);
      std::string text = textOf(read(file));
      EXPECT_THAT(text, HasSubstr("Dialect:         " +
                                  stringifyDialect(dialect).str()));
      EXPECT_THAT(text, Not(HasSubstr("Relocations")));
      EXPECT_TRUE(bytesOfText(text) == file);
    }
}

TEST(RoundTrip, KeepsKernelSections) {
  std::string file =
      makeFile({makeTask()}, td::Format::V10, Dialect::V9509, {0x4000, 0xc000});
  std::string text = textOf(read(file));
  EXPECT_THAT(text, HasSubstr("KernelStarts:    16384 49152\n"));
  EXPECT_TRUE(bytesOfText(text) == file);
}

/// The usual order of operand descriptors is not said, wherever ports lie.
TEST(RoundTrip, KeepsOutputsInFrontOfInputs) {
  std::string file = makeFile({makeTask()}, td::Format::V7, Dialect::V421);
  std::string text = textOf(read(file));
  text.insert(text.find("Banner:"),
              "Style:\n  Order: Text Scratch Outputs Inputs\n");
  std::string moved = bytesOfText(text);
  EXPECT_FALSE(moved == file);
  text = textOf(read(moved));
  EXPECT_THAT(text, Not(HasSubstr("OperandOrder")));
  EXPECT_TRUE(bytesOfText(text) == moved);
}

TEST(RoundTrip, WritesZerosAsARun) {
  std::string file = makeFile({makeTask()}, td::Format::V7, Dialect::V421);
  EXPECT_THAT(textOf(read(file)), HasSubstr("  - zeros 0x100\n"));
}

TEST(RoundTrip, NamesWhatIsNotDefault) {
  std::string text =
      textOf(read(makeFile({makeTask()}, td::Format::V7, Dialect::V421)));
  EXPECT_THAT(text, HasSubstr("KernelDMASrc.CoeffDMAConfig.En: 0*2 1 0*13\n"));
  EXPECT_THAT(text,
              HasSubstr("KernelDMASrc.CoeffBaseAddr.Addr: 0x0*2 0x40 0x0*13"));
  EXPECT_THAT(text, Not(HasSubstr("ConvCfg")));
  EXPECT_THAT(text, Not(HasSubstr("NextPointer")));
}

TEST(RoundTrip, KeepsBitsOfNoField) {
  td::TaskDescriptor task = makeTask();
  unsigned unnamed = 0;
  for (unsigned word = 0; word < td::blockInfo(td::Block::L2).words; ++word) {
    uint32_t old = task.image.word(td::Block::L2, word);
    task.image.setWord(td::Block::L2, word, ~0u);
    if (task.image.unnamedBits(td::Block::L2, word) != 0)
      ++unnamed;
    else
      task.image.setWord(td::Block::L2, word, old);
  }
  ASSERT_GT(unnamed, 0u);
  std::string file = makeFile({task}, td::Format::V7, Dialect::V421);
  std::string text = textOf(read(file));
  EXPECT_THAT(text, HasSubstr("Unnamed.L2."));
  EXPECT_TRUE(bytesOfText(text) == file);
}

TEST(RoundTrip, KeepsRecordsThatTheEncoderWouldNotWrite) {
  td::TaskDescriptor task;
  task.image.set(td::Field::Win, 9);
  task.runs = {{td::Block::Common, 0, 3}, {td::Block::NE, 1, 2}};
  std::string file = makeFile({task}, td::Format::V7, Dialect::V421);
  std::string text = textOf(read(file));
  EXPECT_THAT(text, HasSubstr("- Common 0 3\n"));
  EXPECT_THAT(text, HasSubstr("- NE 1 2\n"));
  EXPECT_TRUE(bytesOfText(text) == file);
}

class RealFile : public testing::TestWithParam<const char *> {};

TEST_P(RealFile, KeepsBytes) {
  std::optional<std::string> path =
      testData("real/hwx/" + std::string(GetParam()) + ".hwx");
  if (!path)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  auto object = readObject(*path);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  std::string text = textOf(*object);
  EXPECT_THAT(text, HasSubstr("TaskFormat:      v7"));
  EXPECT_TRUE(bytesOfText(text) == object->buffer->getBuffer());
}

INSTANTIATE_TEST_SUITE_P(All, RealFile,
                         testing::Values("concat", "concat_nz", "conv", "gemm",
                                         "mul", "mul_macos14", "relu",
                                         "sigmoid", "sum"));

} // namespace
