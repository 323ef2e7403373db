//===- CodecTest.cpp - Both spellings of a program ------------------------===//

#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <random>

using namespace ane::td;

namespace {

EncodedText textOf(const EncodedProgram &program, uint32_t numTasks) {
  return {"program", 0, program.text, program.entry, program.firstTaskWords,
          numTasks,  {}};
}

std::vector<TaskDescriptor> roundTrip(llvm::ArrayRef<TaskDescriptor> tasks,
                                      Format format) {
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, format));
  EXPECT_EQ(detectFormat(program.text), format);
  return llvm::cantFail(decodeProgram(textOf(program, tasks.size())));
}

std::string errorOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// The links between descriptors depend on the spelling, the rest must not.
RegisterImage withoutLinks(RegisterImage image) {
  image.set(Field::NextPointer, 0);
  image.set(Field::NextSize, 0);
  return image;
}

/// An image in which every field has a random value, as far as that is legal: a
/// base needs a buffer, DTID needs TDE.
RegisterImage randomImage(std::mt19937 &random) {
  RegisterImage image;
  for (auto [index, info] : llvm::enumerate(fieldTable())) {
    // Most registers of a real task hold their default.
    if (random() % 3)
      continue;
    for (unsigned i = 0; i < info.count; ++i)
      image.set(static_cast<Field>(index), random() & info.mask(), i);
  }
  if (!image.isSet(Field::TDE))
    image.set(Field::DTID, 0);
  if (!image.isSet(Field::RBE0))
    image.set(Field::Src1Base, 0);
  if (!image.isSet(Field::RBE1))
    image.set(Field::Src2Base, 0);
  if (!image.isSet(Field::WBE))
    image.set(Field::DstBase, 0);
  const Field streams[] = {Field::StreamBiasBase, Field::StreamPostScaleBase,
                           Field::StreamPaletteBase, Field::StreamLutBase};
  for (auto [index, base] : llvm::enumerate(streams))
    if (!image.isSet(Field::KBE0) || !image.isSet(Field::StreamEn, index))
      image.set(base, 0);
  return withoutLinks(image);
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
    std::vector<TaskDescriptor> tasks(1 + random() % 4);
    for (TaskDescriptor &task : tasks)
      task.image = randomImage(random);
    std::vector<TaskDescriptor> decoded = roundTrip(tasks, GetParam());
    ASSERT_EQ(decoded.size(), tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i)
      ASSERT_TRUE(withoutLinks(decoded[i].image) == tasks[i].image)
          << "trial " << trial << ", task " << i;
  }
}

TEST_P(BothFormats, EncodingIsStable) {
  std::mt19937 random(7);
  std::vector<TaskDescriptor> tasks(3);
  for (TaskDescriptor &task : tasks)
    task.image = randomImage(random);
  EncodedProgram first = llvm::cantFail(encodeProgram(tasks, GetParam()));
  std::vector<TaskDescriptor> decoded =
      llvm::cantFail(decodeProgram(textOf(first, tasks.size())));
  EncodedProgram second = llvm::cantFail(encodeProgram(decoded, GetParam()));
  EXPECT_EQ(first.text, second.text);
}

TEST_P(BothFormats, DamagedTextIsRefusedOrStillAProgram) {
  std::mt19937 random(99);
  std::vector<TaskDescriptor> tasks(3);
  for (TaskDescriptor &task : tasks)
    task.image = randomImage(random);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, GetParam()));
  for (size_t length = 0; length < program.text.size(); ++length) {
    EncodedProgram cut = program;
    cut.text.resize(length);
    auto decoded = decodeProgram(textOf(cut, tasks.size()));
    EXPECT_FALSE(static_cast<bool>(decoded)) << "cut to " << length;
    llvm::consumeError(decoded.takeError());
  }
  for (int trial = 0; trial < 2000; ++trial) {
    EncodedProgram damaged = program;
    damaged.text[random() % damaged.text.size()] ^= 1u << random() % 8;
    auto decoded = decodeProgram(textOf(damaged, tasks.size()));
    if (!decoded)
      llvm::consumeError(decoded.takeError());
  }
}

TEST(CodecV7, SpellsAnIdleTaskAsAppleDoes) {
  std::vector<TaskDescriptor> tasks(2);
  tasks[1].image.set(Field::CoeffEn, 1, 0);
  tasks[1].image.set(Field::KBE0, 1);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  auto word = [&](size_t offset) {
    return llvm::support::endian::read32le(program.text.data() + offset);
  };
  // 126 words without a kernel, the next descriptor 0x200 on, 157 words.
  EXPECT_EQ(program.firstTaskWords, 126u);
  EXPECT_EQ(program.text.size(), 0x200u + 157 * 4);
  EXPECT_EQ(word(0x00), 0x00000000u);
  EXPECT_EQ(word(0x04), 0x009c0000u);
  EXPECT_EQ(word(0x08), 0x00000408u);
  EXPECT_EQ(word(0x1c), 0x00000200u);
  EXPECT_EQ(word(0x28), 0x4401f800u);
  EXPECT_EQ(word(0x28 + 4 * 19), 0x2c01f8c8u);
  EXPECT_EQ(word(0x200), 0x03000001u);
  EXPECT_EQ(word(0x208), 0x00000422u);
  EXPECT_EQ(word(0x228), 0xf401f800u);
  // Relocations stand at 0x74 + 4 * lane of their descriptor.
  ASSERT_EQ(program.relocations.size(), 1u);
  EXPECT_EQ(program.relocations[0].offset, 0x200u + 0x74);
}

TEST(CodecV7, RefusesWhatIsNotAStream) {
  std::vector<TaskDescriptor> tasks(1);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  auto patched = [&](size_t offset, uint32_t value) {
    EncodedProgram copy = program;
    llvm::support::endian::write32le(copy.text.data() + offset, value);
    auto decoded = decodeProgram(textOf(copy, 1));
    return decoded ? std::string("accepted") : errorOf(decoded.takeError());
  };
  EXPECT_EQ(patched(0x74, 0x2c01f818),
            "program:0:116: error: register 0x1f818 is written twice");
  EXPECT_EQ(
      patched(0x28, 0x44012340),
      "program:0:40: error: a record of 18 registers at 0x12340 lies in no "
      "known register block");
  EXPECT_EQ(patched(0x1c, 0x40),
            "program:0:0: error: Header[7].NextPointer is 0x40; the next "
            "descriptor must start at a multiple of 4 behind this one, which "
            "ends at 0x1f8");
  EXPECT_EQ(
      patched(0x1c, 0x200),
      "program:0:512: error: the chain of descriptors goes on after the 1 "
      "tasks the program descriptor says");
}

TEST(CodecV10, WritesOnlyWhatDiffersFromTheDefault) {
  std::vector<TaskDescriptor> tasks(1);
  RegisterImage &image = tasks[0].image;
  EncodedProgram idle = llvm::cantFail(encodeProgram(tasks, Format::V10));
  EXPECT_EQ(idle.text.size(), sizeof(v10::ProgramHeader) + 10 * 4);

  // Sixteen lanes of equal size are two progressions.
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    image.set(Field::CoeffEn, 1, lane);
    llvm::cantFail(image.setScaled(Field::CoeffBase, lane * 0x200, lane));
    llvm::cantFail(image.setScaled(Field::CoeffSize, 0x200, lane));
  }
  image.set(Field::KBE0, 1);
  image.set(Field::RBE0, 1);
  image.set(Field::RBase0, 5);
  llvm::cantFail(image.setScaled(Field::Src1Base, 0x1240));
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  ASSERT_EQ(program.text.size(),
            sizeof(v10::ProgramHeader) + 40 + 3 * sizeof(v10::Record));
  v10::Record records[3];
  std::memcpy(records, program.text.data() + 52, sizeof(records));
  EXPECT_EQ(records[0].marker, 0x10128u); // progression of 16
  EXPECT_EQ(records[0].address, 0x20005510u);
  EXPECT_EQ(records[0].values[0], 0x5u); // base 0, hint 2, enabled
  EXPECT_EQ(records[0].values[1], 0x200u);
  EXPECT_EQ(records[1].address, 0x20004d54u);
  EXPECT_EQ(records[1].values[0], 0x200u);
  EXPECT_EQ(records[1].values[1], 0x0u);
  EXPECT_EQ(records[2].marker, 0x1228u); // slot
  EXPECT_EQ(records[2].address, 0x20004d10u);
  EXPECT_EQ(records[2].values[0], 0x1240u);
  ASSERT_EQ(program.relocations.size(), 2u);
  EXPECT_EQ(program.relocations[0].offset, 52u + 12);
  EXPECT_EQ(program.relocations[0].target,
            RelocationSite::Target::Coefficients);
  EXPECT_EQ(program.relocations[1].offset, 52u + 2 * 44 + 12);
  EXPECT_EQ(program.relocations[1].target, RelocationSite::Target::Buffer);
  EXPECT_EQ(program.relocations[1].bar, 5);
}

TEST(CodecV10, NamesTheSlotsOfTheFourStreams) {
  std::vector<TaskDescriptor> tasks(1);
  RegisterImage &image = tasks[0].image;
  image.set(Field::KBE0, 1);
  image.set(Field::KBase0, 1);
  for (unsigned stream = 0; stream < 4; ++stream)
    image.set(Field::StreamEn, 1, stream);
  for (Field bar : {Field::RBE0, Field::RBE1, Field::WBE})
    image.set(bar, 1);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  std::vector<uint32_t> slots;
  for (const RelocationSite &site : program.relocations)
    slots.push_back((llvm::support::endian::read32le(program.text.data() +
                                                     site.offset - 8) -
                     v10::registerAperture) /
                    4);
  EXPECT_EQ(slots, (std::vector<uint32_t>{0x1344, 0x134a, 0x1442, 0x1554,
                                          0x1558, 0x155c, 0x1560}));
}

TEST(CodecV10, ReadsResolvedSlotsRelativeToTheirBuffer) {
  std::vector<TaskDescriptor> tasks(1);
  RegisterImage &image = tasks[0].image;
  image.set(Field::WBE, 1);
  image.set(Field::WBase, 4);
  llvm::cantFail(image.setScaled(Field::DstBase, 0x80));
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  ASSERT_EQ(program.relocations.size(), 1u);
  uint8_t *value = program.text.data() + program.relocations[0].offset;
  std::vector<uint64_t> bars = {0x30000000, 0, 0, 0, 0x30008000};
  EncodedText text = textOf(program, 1);
  text.bars = bars;

  auto unresolved = decodeProgram(text);
  ASSERT_FALSE(static_cast<bool>(unresolved));
  EXPECT_EQ(
      errorOf(unresolved.takeError()),
      "program:0:52: error: slot 0x1442 holds 0x80, which does not lie in "
      "its buffer, BAR 4 at 0x30008000: it is not resolved");

  llvm::support::endian::write32le(value, 0x30008080);
  auto resolved = decodeProgram(text);
  ASSERT_TRUE(static_cast<bool>(resolved));
  EXPECT_EQ((*resolved)[0].image.getScaled(Field::DstBase), 0x80);
}

TEST(CodecV10, RefusesWhatIsNotAStream) {
  std::vector<TaskDescriptor> tasks(1);
  RegisterImage &image = tasks[0].image;
  image.set(Field::Win, 77);
  image.set(Field::WBE, 1);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  constexpr size_t run = 52, slot = run + sizeof(v10::Record);
  auto patched = [&](size_t offset, uint32_t value) {
    EncodedProgram copy = program;
    llvm::support::endian::write32le(copy.text.data() + offset, value);
    auto decoded = decodeProgram(textOf(copy, 1));
    return decoded ? std::string("accepted") : errorOf(decoded.takeError());
  };
  EXPECT_EQ(patched(run, 0x1029),
            "program:0:52: error: 0x00001029 is no record "
            "marker");
  EXPECT_EQ(patched(run, 0x1928), "program:0:52: error: record kind 9 is not "
                                  "known");
  EXPECT_EQ(patched(run + 8, 0x3), "program:0:52: error: a run of 1 values has "
                                   "mask 0x3");
  EXPECT_EQ(
      patched(run + 4, 0x20009000),
      "program:0:52: error: address 0x20009000 lies in no register group");
  EXPECT_EQ(
      patched(run + 4, 0x20000048),
      "program:0:52: error: register 0x0048 = 0x0001004d is not a register "
      "of the image");
  EXPECT_EQ(patched(run + 12, 0x00010001),
            "program:0:52: error: register 0x0000 = 0x00010001 has its default "
            "value");
  EXPECT_EQ(patched(run + 12, 0x80010002),
            "program:0:52: error: register 0x0000 = 0x80010002 has bits that "
            "belong to no field");
  EXPECT_EQ(patched(run + 40, 1),
            "program:0:52: error: a record has bytes behind its values");
  EXPECT_EQ(patched(slot + 4, 0x20004d14),
            "program:0:96: error: slot 0x1345 is not known, is given twice or "
            "holds no 42-bit device address");
  EXPECT_EQ(patched(slot + 4, 0x20004d10),
            "program:0:12: error: TileDMASrc.BaseAddr.Addr is not used by the "
            "header, but slot 0x1344 is there");
  EXPECT_EQ(patched(0, 0x10), "program:0:0: error: the program header says 16 "
                              "bytes, the text section has 140");
}

TEST(CodecV10, RefusesBitsWithoutAField) {
  std::vector<TaskDescriptor> tasks(1);
  tasks[0].image.setWord(Block::TileDMADst, 0, 0x050803c1);
  auto program = encodeProgram(tasks, Format::V10);
  ASSERT_FALSE(static_cast<bool>(program));
  EXPECT_EQ(
      errorOf(program.takeError()),
      "task 0 cannot be spelled in v10: bits 0x01000000 of register 0x17800 "
      "belong to no known field");
}

} // namespace
