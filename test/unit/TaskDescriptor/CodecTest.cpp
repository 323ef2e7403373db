//===- CodecTest.cpp - Both spellings of a program ------------------------===//

#include "Fixtures.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane::td;
using namespace ane::td::test;

namespace {

std::string errorOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(RegisterImage, StartsAtTheDefaults) {
  RegisterImage image;
  // Words that every plain task of Apple's compiler has.
  EXPECT_EQ(image.word(Block::Common, 8), 0x00002041u);
  EXPECT_EQ(image.word(Block::Common, 7), 0x5000a021u);
  EXPECT_EQ(image.word(Block::TileDMASrc, 0), 0x00033881u);
  EXPECT_EQ(image.word(Block::TileDMASrc, 1), 0x00008880u);
  EXPECT_EQ(image.word(Block::TileDMASrc, 14), 0x01002031u);
  EXPECT_EQ(image.word(Block::L2, 1), 0x00500172u);
  EXPECT_EQ(image.word(Block::L2, 12), 0x0050017au);
  EXPECT_EQ(image.word(Block::NE, 0), 0x00000082u);
  EXPECT_EQ(image.word(Block::NE, 1), 0x00101c00u);
  EXPECT_EQ(image.word(Block::TileDMADst, 0), 0x040000c1u);
  EXPECT_EQ(image.word(Block::TileDMADst, 6), 0x01302031u);
}

TEST(RegisterImage, ScalesAndChecksRanges) {
  RegisterImage image;
  ASSERT_FALSE(image.setScaled(Field::Src1RowStride, -128));
  EXPECT_EQ(image.getScaled(Field::Src1RowStride), -128);
  EXPECT_EQ(image.word(Block::TileDMASrc, 3), 0xffffff80u);
  ASSERT_FALSE(image.setScaled(Field::CoeffBase, 0x8000, 15));
  EXPECT_EQ(image.get(Field::CoeffBase, 15), 0x200u);

  EXPECT_EQ(errorOf(image.setScaled(Field::DstRowStride, 96)),
            "TileDMADst.RowStride.Stride counts in steps of 64 bytes, which 96 "
            "is not a multiple of");
  EXPECT_EQ(errorOf(image.setScaled(Field::Win, 32768)),
            "Common.InDim.Win is 32768, outside its range 0 to 32767");
  EXPECT_EQ(errorOf(image.setScaled(Field::L2ResultBase, 1 << 21)),
            "L2.ResultBase.Addr is 2097152, outside its range 0 to 2097136");
}

class BothFormats : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Codec, BothFormats,
                         testing::Values(Format::V7, Format::V10),
                         [](const auto &info) {
                           return stringifyFormat(info.param).str();
                         });

TEST_P(BothFormats, DecodeOfEncodeIsTheImage) {
  std::mt19937 random(20240229);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<TaskDescriptor> tasks = randomProgram(random);
    std::vector<TaskDescriptor> decoded = roundTrip(tasks, GetParam());
    ASSERT_EQ(decoded.size(), tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i)
      ASSERT_TRUE(withoutLinks(decoded[i].image) == tasks[i].image)
          << "trial " << trial << ", task " << i;
  }
}

TEST_P(BothFormats, EncodeOfDecodeIsTheText) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<TaskDescriptor> tasks = randomProgram(random);
    EncodedProgram first = llvm::cantFail(encodeProgram(tasks, GetParam()));
    std::vector<TaskDescriptor> decoded =
        llvm::cantFail(decodeProgram(textOf(first, tasks.size())));
    EncodedProgram second = llvm::cantFail(encodeProgram(decoded, GetParam()));
    EXPECT_EQ(first.text, second.text);
    EXPECT_EQ(first.entry, second.entry);
    EXPECT_EQ(first.firstTaskWords, second.firstTaskWords);
  }
}

TEST_P(BothFormats, NoTasks) {
  EncodedProgram program = llvm::cantFail(
      encodeProgram(llvm::ArrayRef<TaskDescriptor>(), GetParam()));
  auto decoded = decodeProgram(textOf(program, 0));
  EXPECT_EQ(llvm::toString(decoded.takeError()),
            "program:0:" + std::to_string(program.entry) +
                ": error: the program descriptor says that there are no tasks, "
                "so nothing would run");
}

/// The lanes of a text may be moved together; the fields are where the
/// relocations say.
TEST_P(BothFormats, RelocationsPointAtTheLanes) {
  std::vector<TaskDescriptor> tasks(1);
  for (unsigned lane = 0; lane < 3; ++lane) {
    tasks[0].image.set(Field::CoeffEn, 1, lane);
    llvm::cantFail(
        tasks[0].image.setScaled(Field::CoeffBase, 0x40 * lane * lane, lane));
  }
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, GetParam()));
  ASSERT_EQ(program.relocations.size(), 3u);
  for (unsigned lane = 0; lane < 3; ++lane) {
    const RelocationSite &site = program.relocations[lane];
    EXPECT_EQ(site.target, RelocationSite::Target::Coefficients);
    uint32_t word =
        llvm::support::endian::read32le(program.text.data() + site.offset);
    EncodedProgram moved = patched(program, site.offset, word + 0x8000);
    auto decoded = llvm::cantFail(decodeProgram(textOf(moved, 1)));
    EXPECT_EQ(decoded[0].image.getScaled(Field::CoeffBase, lane),
              0x8000 + 0x40 * lane * lane);
  }
}

TEST_P(BothFormats, RefusesEveryTruncation) {
  std::mt19937 random(99);
  std::vector<TaskDescriptor> tasks(3);
  for (TaskDescriptor &task : tasks)
    task.image = randomImage(random);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, GetParam()));
  for (size_t length = 0; length < program.text.size(); ++length) {
    EncodedProgram cut = program;
    cut.text.resize(length);
    EXPECT_NE(refusal(textOf(cut, tasks.size())), "accepted")
        << "cut to " << length;
  }
}

/// A damaged text is refused, or it still is a program that is spelled as it
/// was read.
TEST_P(BothFormats, SurvivesDamage) {
  std::mt19937 random(1234);
  unsigned accepted = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<TaskDescriptor> tasks = randomProgram(random);
    EncodedProgram damaged = llvm::cantFail(encodeProgram(tasks, GetParam()));
    for (unsigned flips = 1 + random() % 2; flips--;)
      damaged.text[random() % damaged.text.size()] ^= 1u << random() % 8;
    auto decoded = decodeProgram(textOf(damaged, tasks.size()));
    if (!decoded) {
      llvm::consumeError(decoded.takeError());
      continue;
    }
    ++accepted;
    Format format = detectFormat(damaged.text);
    EncodedProgram again = llvm::cantFail(encodeProgram(*decoded, format));
    ASSERT_EQ(again.text, damaged.text) << "trial " << trial;
  }
  EXPECT_GT(accepted, 100u);
}

TEST_P(BothFormats, RefusesAChainThatGoesBack) {
  std::vector<TaskDescriptor> tasks(3);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, GetParam()));
  uint32_t second = llvm::support::endian::read32le(program.text.data() +
                                                    program.entry + 0x1c);
  // The second descriptor names itself, one inside itself, and the first.
  for (uint32_t next : {second, second + 4})
    EXPECT_NE(refusal(textOf(patched(program, second + 0x1c, next), 3))
                  .find("Header[7].NextPointer is 0x"),
              std::string::npos);
  EXPECT_NE(refusal(textOf(patched(program, second + 0x1c, program.entry), 3)),
            "accepted");
  EXPECT_NE(refusal(textOf(program, 2)), "accepted");
  EXPECT_NE(refusal(textOf(program, 4)), "accepted");
  // Numbers that a text cannot hold cost nothing.
  EXPECT_NE(refusal(textOf(program, UINT32_MAX)), "accepted");
  for (uint32_t words : {0u, 1u, UINT32_MAX - 1, UINT32_MAX}) {
    EncodedText text = textOf(program, 3);
    text.firstTaskWords = words;
    EXPECT_NE(refusal(text), "accepted");
  }
}

TEST_P(BothFormats, RefusesASizeBehindTheLastTask) {
  std::vector<TaskDescriptor> tasks(1);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, GetParam()));
  EXPECT_NE(refusal(textOf(patched(program, program.entry + 4, 0x007d0000), 1))
                .find("Header[1].NextSize is 125, but Header[7].NextPointer "
                      "says that no descriptor follows"),
            std::string::npos);
}

TEST_P(BothFormats, KeepsUnknownHeaderBits) {
  std::vector<TaskDescriptor> tasks(1);
  tasks[0].image.setWord(Block::Header, 9, 0x80000000);
  std::vector<TaskDescriptor> decoded = roundTrip(tasks, GetParam());
  EXPECT_EQ(decoded[0].image.word(Block::Header, 9), 0x80000000u);
}

} // namespace
