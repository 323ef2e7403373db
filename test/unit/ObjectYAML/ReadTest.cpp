//===- ReadTest.cpp - Texts that are not trusted --------------------------===//

#include "ane/ObjectYAML/ObjectYAML.h"
#include "gmock/gmock.h"

using namespace ane;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr char program[] = R"(Dialect: v4.2.1
Ports:
  - Name: x
    Direction: input
    Shape: 1x1x1x1
  - Name: y
    Direction: output
    Shape: 1x1x1x1
TaskFormat: v7
Tasks:
  - Header.0.EON: 1
)";

std::string errorOf(const std::string &text) {
  auto object = objectyaml::readYaml(llvm::MemoryBufferRef(text, "t.yaml"));
  if (object)
    return "no error";
  return llvm::toString(object.takeError());
}

TEST(Read, TakesTheLeastThereIs) { EXPECT_EQ(errorOf(program), "no error"); }

TEST(Read, RefusesEveryCut) {
  std::string text = program;
  for (size_t length = 0; length < text.size(); ++length) {
    std::string error = errorOf(text.substr(0, length));
    // A line or a digit less can be a text, too.
    if (error != "no error")
      EXPECT_THAT(error, StartsWith("t.yaml:"));
  }
}

TEST(Read, LocatesErrors) {
  EXPECT_THAT(errorOf(std::string(program) + "    NE.Nothing: 1\n"),
              StartsWith("t.yaml:12:17: error: 'NE.Nothing' is no field"));
  EXPECT_THAT(errorOf(std::string(program) + "    Common.InDim.Win: 0x8000\n"),
              StartsWith("t.yaml:12:23: error: Common.InDim.Win is 32768"));
  EXPECT_THAT(errorOf(std::string(program) +
                      "    KernelDMASrc.CoeffDMAConfig.En: 0 1*4294967295\n"),
              HasSubstr("KernelDMASrc.CoeffDMAConfig.En has 16 elements"));
  EXPECT_THAT(errorOf(std::string(program) + "Scratch: 1\nScratch: 1\n"),
              HasSubstr("duplicated mapping key 'Scratch'"));
}

TEST(Read, LocatesATaskThatCannotBeEncoded) {
  // DTID without TDE.
  EXPECT_THAT(errorOf(std::string(program) + "    Header.10.DTID: 7\n"),
              StartsWith("t.yaml:11:5: error: task 0 cannot be spelled in v7"));
}

TEST(Read, BoundsMemory) {
  for (const char *line :
       {"Constants:\n  - zeros 0x100000001\n",
        "Constants:\n  - zeros 0x100000000\n  - zeros 0x100000000\n",
        "Style:\n  ProgramWords: 0xffffffff\n",
        "Style:\n  OperandWords: 0xffffffff\n",
        "Notes:\n  - Owner: a\n    Bytes:\n      - zeros 0x100000000\n",
        "Scratch: 0xffffffffffffffff\n", "OperandOrder: 0 1 2 3\n",
        "OperandOrder: 18446744073709551615 1\n"})
    EXPECT_THAT(errorOf(std::string(program) + line), StartsWith("t.yaml:"))
        << line;
  EXPECT_THAT(errorOf("Dialect: v9.509\nText:\n  FirstTaskWords: 1\n"
                      "  TaskCount: 1\n  Bytes:\n    - zeros 0x100000000\n"),
              HasSubstr("more than 64 MiB"));
}

TEST(Read, BoundsNesting) {
  std::string blocks;
  for (unsigned i = 0; i < 100000; ++i)
    blocks += "- ";
  EXPECT_THAT(errorOf(blocks), HasSubstr("block indicators"));
  EXPECT_THAT(errorOf(std::string(100000, '[')), HasSubstr("flow collections"));
  EXPECT_THAT(errorOf("a: \"\r" + std::string(100000, '{')),
              HasSubstr("t.yaml:2:1: error: flow collections"));
  EXPECT_THAT(errorOf("a:\n" + std::string(65, ' ') + "b: 1\n"),
              HasSubstr("t.yaml:2:65: error: a line indented"));
}

TEST(Read, TakesBracketsInComments) {
  EXPECT_EQ(errorOf("# [[[[ {{{{\n" + std::string(program)), "no error");
}

} // namespace
