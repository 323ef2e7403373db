//===- RealProgramsTest.cpp - Programs of Apple's compiler ----------------===//

#include "Fixtures.h"
#include "ane/TaskDescriptor/Convert.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace ane::td;
using namespace ane::td::test;

namespace {

class RealPrograms : public testing::Test {
protected:
  void SetUp() override {
    auto found = realPrograms();
    if (!found)
      GTEST_SKIP() << "ANE_TEST_DATA is not set";
    programs = std::move(*found);
  }

  std::vector<RealProgram> programs;
};

std::vector<TaskDescriptor> decode(const RealProgram &program) {
  auto tasks = decodeProgram(program.encodedText());
  EXPECT_TRUE(bool(tasks)) << program.name << ": "
                           << llvm::toString(tasks.takeError());
  return tasks ? std::move(*tasks) : std::vector<TaskDescriptor>();
}

TEST_F(RealPrograms, EncodeToTheSameBytes) {
  size_t tasks = 0;
  for (const RealProgram &program : programs) {
    std::vector<TaskDescriptor> decoded = decode(program);
    EncodedProgram encoded = llvm::cantFail(encodeProgram(decoded, Format::V7));
    EXPECT_TRUE(encoded.text == program.text) << program.name;
    EXPECT_EQ(encoded.entry, program.entry);
    EXPECT_EQ(encoded.firstTaskWords, program.firstTaskWords);
    tasks += decoded.size();
  }
  EXPECT_GE(programs.size(), 33u);
  EXPECT_GE(tasks, 48u);
}

TEST_F(RealPrograms, HaveNoBitsWithoutAField) {
  for (const RealProgram &program : programs)
    for (auto [index, task] : llvm::enumerate(decode(program)))
      for (auto [number, info] : llvm::enumerate(blockTable()))
        for (unsigned word = 0; word < info.words; ++word)
          EXPECT_EQ(task.image.unnamedBits(static_cast<Block>(number), word),
                    0u)
              << program.name << " task " << index << " " << info.symbol.str()
              << " " << word;
}

/// Register words of current compilers: descriptors without a kernel have 126
/// words, those with one 157, and one more with DTID.
TEST_F(RealPrograms, TasksOfCurrentCompilersHaveTheirSizes) {
  std::map<uint32_t, unsigned> sizes;
  std::vector<RealTask> all = *realTasks();
  for (const RealTask &task : all) {
    std::vector<TaskDescriptor> tasks(1);
    tasks[0].image = task.image;
    EncodedProgram encoded = llvm::cantFail(encodeProgram(tasks, Format::V7));
    EXPECT_EQ(encoded.firstTaskWords, task.words) << task.name;
    std::vector<TaskDescriptor> decoded = roundTrip(tasks, Format::V7);
    EXPECT_TRUE(withoutLinks(decoded[0].image) == withoutLinks(task.image))
        << task.name;
    ++sizes[task.words];
  }
  EXPECT_GT(sizes[126], 0u);
  EXPECT_GT(sizes[157], 0u);
  EXPECT_GT(sizes[127] + sizes[158], 0u);
  EXPECT_EQ(sizes[126] + sizes[127] + sizes[157] + sizes[158], all.size());
}

/// Where a field has named values, real programs hold no others.
TEST_F(RealPrograms, HoldOnlyNamedValues) {
  for (const RealProgram &program : programs)
    for (auto [index, task] : llvm::enumerate(decode(program)))
      for (auto [number, info] : llvm::enumerate(fieldTable())) {
        const ValueSetInfo *set = valueSetOf(info);
        if (!set)
          continue;
        uint32_t value = task.image.get(static_cast<Field>(number));
        std::string name = set->nameOf(value);
        EXPECT_FALSE(name.empty() && !(set->isMask && value == 0))
            << program.name << " task " << index << ": " << info.fullName()
            << " is " << value;
        EXPECT_EQ(name.find("0x"), std::string::npos) << name;
      }
}

TEST_F(RealPrograms, ConvertToV10AndBack) {
  for (const RealProgram &program : programs) {
    std::vector<TaskDescriptor> original = decode(program);
    auto v10 = convertProgram(original, Format::V10);
    ASSERT_TRUE(bool(v10)) << program.name << ": "
                           << llvm::toString(v10.takeError());
    std::vector<TaskDescriptor> decoded = roundTrip(*v10, Format::V10);
    auto v7 = convertProgram(decoded, Format::V7);
    ASSERT_TRUE(bool(v7)) << program.name;
    std::vector<TaskDescriptor> back = roundTrip(*v7, Format::V7);
    ASSERT_EQ(back.size(), original.size());
    std::vector<RegisterImage> expected = effectiveImages(original);
    std::vector<RegisterImage> actual = effectiveImages(back);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(withoutLinks(actual[i]) == withoutLinks(expected[i]))
          << program.name << " task " << i;
  }
}

/// Bits are flipped and ends cut off; a damaged text is refused, or it still is
/// a program that is spelled as it was read.
TEST_F(RealPrograms, SurviveDamage) {
  std::mt19937 random(20240607);
  for (const RealProgram &program : programs) {
    unsigned refused = 0;
    constexpr unsigned trials = 300;
    for (unsigned trial = 0; trial < trials; ++trial) {
      RealProgram damaged = program;
      for (unsigned flips = 1 + random() % 3; flips--;)
        damaged.text[random() % damaged.text.size()] ^= 1u << random() % 8;
      if (random() % 8 == 0)
        damaged.text.resize(random() % damaged.text.size());
      auto tasks = decodeProgram(damaged.encodedText());
      if (!tasks) {
        EXPECT_NE(llvm::toString(tasks.takeError()).find("error: "),
                  std::string::npos);
        ++refused;
        continue;
      }
      EncodedProgram encoded =
          llvm::cantFail(encodeProgram(*tasks, Format::V7));
      EXPECT_TRUE(encoded.text == damaged.text)
          << program.name << " trial " << trial;
    }
    EXPECT_GT(refused, 0u) << program.name;
    EXPECT_LT(refused, trials) << program.name;
  }
}

/// The laws that h13 tasks obey, in the terms of a summary.
TEST_F(RealPrograms, HaveSummariesThatAgreeWithTheirHeaders) {
  std::map<std::string, std::vector<std::string>> texts;
  for (const RealProgram &program : programs) {
    std::vector<TaskDescriptor> tasks = decode(program);
    for (auto [index, image] : llvm::enumerate(effectiveImages(tasks))) {
      TaskSummary summary = summarize(image);
      texts[program.name].push_back(summary.text());
      EXPECT_NE(summary.operation, Operation::Unknown) << summary.text();
      EXPECT_EQ(summary.engine == Engine::NE, image.isSet(Field::ENE));
      EXPECT_EQ(summary.lanes != 0, image.isSet(Field::KBE0));
      EXPECT_EQ(summary.next != 0, index + 1 < tasks.size());
      EXPECT_GE(summary.streams.size(), 2u);
    }
  }
  using Lines = std::vector<std::string>;
  EXPECT_EQ(texts["conv.hwx"], Lines{"NE conv: 3x1x1 -> 3x1x1"});
  EXPECT_EQ(texts["relu.hwx"], Lines{"NE relu: 1x1x77 -> 1x1x77"});
  EXPECT_EQ(texts["sigmoid.hwx"], Lines{"NE LUT: 1x1x77 -> 1x1x77"});
  EXPECT_EQ(texts["sum.hwx"], Lines{"PE add: 64x1x1 -> 64x1x1"});
  EXPECT_EQ(texts["concat.hwx"], (Lines{"NE copy: 16384x1x1 -> 16384x1x1",
                                        "NE copy: 16x1x1 -> 16x1x1"}));
  EXPECT_EQ(texts["abs.bin"].size(), 1u);
  EXPECT_EQ(texts["abs.bin"].front().substr(0, 11), "PE absolute");
}

TEST_F(RealPrograms, HaveSummariesWithTheirBytes) {
  auto summaryOf = [&](llvm::StringRef name) {
    auto found = llvm::find_if(
        programs, [&](const RealProgram &p) { return p.name == name; });
    EXPECT_NE(found, programs.end());
    return summarize(decode(*found).front().image);
  };
  // 512 to 512 channels: sixteen lanes of 32 channels by 512 taps.
  TaskSummary gemm = summaryOf("gemm.hwx");
  EXPECT_EQ(gemm.operation, Operation::Conv);
  EXPECT_EQ(gemm.lanes, 16u);
  EXPECT_EQ(gemm.laneBytes, 512u * 512 * 2);
  EXPECT_EQ(gemm.activeEngines, 16u);
  ASSERT_EQ(gemm.streams.size(), 3u);
  EXPECT_EQ(gemm.streams[0].bytes, 512u * 2);
  EXPECT_EQ(gemm.streams[0].bar, 5u);
  EXPECT_EQ(gemm.streams[1].role, Stream::Result);
  EXPECT_EQ(gemm.streams[1].bar, 4u);
  EXPECT_EQ(gemm.streams[2].role, Stream::Coefficients);
  EXPECT_EQ(gemm.streams[2].bytes, 512u * 512 * 2);
  EXPECT_EQ(gemm.streams[2].bar, 1u);

  TaskSummary sum = summaryOf("sum.hwx");
  ASSERT_EQ(sum.streams.size(), 3u);
  EXPECT_EQ(sum.streams[0].bar, 6u);
  EXPECT_EQ(sum.streams[1].role, Stream::Source2);
  EXPECT_EQ(sum.streams[1].bar, 5u);
  EXPECT_EQ(sum.streams[1].bytes, 128u);
  EXPECT_EQ(sum.streams[2].bytes, 128u);

  // The second task starts 16384 channels into the result, at 0x100000.
  TaskSummary concat = summaryOf("concat.hwx");
  EXPECT_EQ(concat.next, 0x300u);
  EXPECT_EQ(concat.nextWords, 157u);
}

} // namespace
