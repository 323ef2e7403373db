//===- CodecV10Test.cpp - The sparse 44-byte records of v10 ---------------===//
//
// The tests of V10Obligations are those that docs/formats/v10.md lists.
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::td;
using namespace ane::td::test;

namespace {

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
      llvm::toString(unresolved.takeError()),
      "program:0:52: error: slot 0x1442 holds 0x80, which does not lie in "
      "its buffer, BAR 4 at 0x30008000: it is not resolved");

  llvm::support::endian::write32le(value, 0x30008080);
  auto resolved = decodeProgram(text);
  ASSERT_TRUE(static_cast<bool>(resolved));
  EXPECT_EQ((*resolved)[0].image.getScaled(Field::DstBase), 0x80);
}

/// Two runs and a slot: Win and Hin; Cin alone; the result's base.
class V10Obligations : public testing::Test {
protected:
  static constexpr size_t run = sizeof(v10::ProgramHeader) + 40;
  static constexpr size_t second = run + sizeof(v10::Record);
  static constexpr size_t slot = second + sizeof(v10::Record);
  // Offsets in a record.
  static constexpr size_t address = 4, mask = 8, value = 12;

  V10Obligations() {
    tasks[0].image.set(Field::Win, 77);
    tasks[0].image.set(Field::MACOpMode, 4);
    tasks[0].image.set(Field::WBE, 1);
    program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  }

  std::string patch(size_t offset, uint32_t word) const {
    return refusal(textOf(patched(program, offset, word), 1));
  }

  std::vector<TaskDescriptor> tasks = std::vector<TaskDescriptor>(1);
  EncodedProgram program;
};

TEST_F(V10Obligations, DecodeOfEncodeIsTheImage) {
  std::mt19937 random(10);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<TaskDescriptor> original = randomProgram(random);
    std::vector<TaskDescriptor> decoded = roundTrip(original, Format::V10);
    ASSERT_EQ(decoded.size(), original.size());
    for (size_t i = 0; i < original.size(); ++i)
      ASSERT_TRUE(withoutLinks(decoded[i].image) == original[i].image)
          << "trial " << trial << ", task " << i;
  }
}

TEST_F(V10Obligations, RefusesATruncatedStream) {
  for (size_t length = 0; length < program.text.size(); ++length) {
    EncodedProgram cut = program;
    cut.text.resize(length);
    std::string reason = refusal(textOf(cut, 1));
    EXPECT_TRUE(llvm::StringRef(reason).starts_with("program:0:")) << reason;
    // With a header that owns up to the cut, the records themselves miss.
    if (length < sizeof(v10::ProgramHeader))
      continue;
    reason = refusal(textOf(patched(cut, 0, length), 1));
    EXPECT_TRUE(llvm::StringRef(reason).contains("outside the text section"))
        << length << ": " << reason;
  }
  EncodedText text = textOf(program, 1);
  text.firstTaskWords -= 1;
  EXPECT_EQ(refusal(text), "program:0:12: error: 32 words behind the header "
                           "are no whole number of 11-word records");
  text.firstTaskWords -= v10::recordWords - 1;
  EXPECT_EQ(refusal(text),
            "program:0:12: error: TileDMADst.BaseAddr.Addr is used by the "
            "header, but slot 0x1442 is missing");
}

TEST_F(V10Obligations, RefusesAStreamThatOverlapsItself) {
  EXPECT_EQ(patch(second + address, 0x20000000),
            "program:0:96: error: register 0x0000 = 0x00101c04 is written "
            "twice");
  // A progression over the same register.
  EncodedProgram overlapping = patched(program, second, 0x4128);
  overlapping = patched(overlapping, second + address, 0x20000000);
  overlapping = patched(overlapping, second + mask, 0);
  EXPECT_EQ(refusal(textOf(overlapping, 1)),
            "program:0:96: error: register 0x0000 = 0x00101c04 is written "
            "twice");
  EXPECT_EQ(patch(slot + address, 0x20004d10),
            "program:0:12: error: TileDMASrc.BaseAddr.Addr is not used by the "
            "header, but slot 0x1344 is there");
}

TEST_F(V10Obligations, RefusesAnUnknownRegister) {
  EXPECT_EQ(
      patch(run + address, 0x20009000),
      "program:0:52: error: address 0x20009000 lies in no register group");
  EXPECT_EQ(
      patch(run + address, 0x20000048),
      "program:0:52: error: register 0x0048 = 0x0001004d is not a register "
      "of the image");
  EXPECT_EQ(patch(run + value, 0x80010002),
            "program:0:52: error: register 0x0000 = 0x80010002 has bits that "
            "belong to no field");
  EXPECT_EQ(patch(slot + address, 0x20004d14),
            "program:0:140: error: slot 0x1345 is not known, is given twice or "
            "holds no 42-bit device address");
}

TEST_F(V10Obligations, RefusesADefault) {
  EXPECT_EQ(patch(run + value, 0x00010001),
            "program:0:52: error: register 0x0000 = 0x00010001 has its default "
            "value");
}

TEST_F(V10Obligations, RefusesAnUnresolvedSlot) {
  std::vector<uint64_t> bars = {0x30008000};
  EncodedText text = textOf(program, 1);
  text.bars = bars;
  EXPECT_EQ(refusal(text),
            "program:0:140: error: slot 0x1442 holds 0x0, which does not lie "
            "in its buffer, BAR 0 at 0x30008000: it is not resolved");
  EncodedProgram resolved = patched(program, slot + value, 0x30008040);
  text.bytes = resolved.text;
  EXPECT_EQ(
      llvm::cantFail(decodeProgram(text))[0].image.getScaled(Field::DstBase),
      0x40);
}

/// 1x1 convolutions on 8x8, of 3 channels with bias and of 64 channels without,
/// as the compiler makes them. The published description counts six to eight.
TEST_F(V10Obligations, SmallContractionTakesAHandfulOfRecords) {
  auto recordsOf = [](int64_t channels, unsigned lanes, int64_t laneBytes) {
    std::vector<TaskDescriptor> tasks(1);
    RegisterImage &image = tasks[0].image;
    auto put = [&](Field field, int64_t value, unsigned index = 0) {
      llvm::cantFail(image.setScaled(field, value, index));
    };
    for (Field field :
         {Field::SPL, Field::TSR, Field::TSE, Field::SrcLoc, Field::DstLoc,
          Field::RBE0, Field::WBE, Field::KBE0, Field::KernelDMAEnable,
          Field::BiasMode, Field::SmallSource})
      put(field, 1);
    for (Field field :
         {Field::Win, Field::Hin, Field::Wout, Field::Hout, Field::TileHeight})
      put(field, 8);
    put(Field::BiasMode, lanes != numLanes);
    put(Field::Cin, channels);
    put(Field::Cout, channels);
    put(Field::ActiveNE, lanes == 16 ? 4 : 2);
    for (Field field : {Field::ShPref, Field::ShMin, Field::ShMax})
      put(field, 4);
    put(Field::OCGSize, lanes == 16 ? 2 : 0);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      put(Field::CoeffEn, 1, lane);
      put(Field::CoeffBase, lane * laneBytes, lane);
      put(Field::CoeffSize, laneBytes, lane);
    }
    for (Field row : {Field::Src1RowStride, Field::DstRowStride})
      put(row, 64);
    for (Field plane : {Field::Src1PlaneStride, Field::DstPlaneStride})
      put(plane, 512);
    for (Field whole : {Field::Src1DepthStride, Field::Src1GroupStride,
                        Field::DstDepthStride, Field::DstGroupStride})
      put(whole, 512 * channels);
    put(Field::L2Src1ChannelStride, 16);
    for (Field row : {Field::L2Src1RowStride, Field::L2Src1DepthStride,
                      Field::L2Src1GroupStride})
      put(row, 16 * channels);
    put(Field::L2ResultBase, 16 * 8 * channels);
    EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
    return (program.firstTaskWords - 10) / v10::recordWords;
  };
  EXPECT_EQ(recordsOf(3, 3, 64), 8u);
  EXPECT_EQ(recordsOf(64, 16, 0x200), 9u);
}

TEST_F(V10Obligations, AnImageHasOneSpelling) {
  // The same registers as two records out of order.
  std::vector<uint8_t> &text = program.text;
  std::swap_ranges(text.begin() + run, text.begin() + second,
                   text.begin() + second);
  EXPECT_EQ(refusal(textOf(program, 1)),
            "program:0:56: error: the word is 0x20004904; the one spelling of "
            "this task has 0x20000000 here");
}

TEST(CodecV10, RefusesWhatIsNotARecord) {
  std::vector<TaskDescriptor> tasks(1);
  tasks[0].image.set(Field::Win, 77);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  constexpr size_t run = 52;
  auto patch = [&](size_t offset, uint32_t value) {
    return refusal(textOf(patched(program, offset, value), 1));
  };
  EXPECT_EQ(patch(run, 0x1029),
            "program:0:52: error: 0x00001029 is no record marker");
  EXPECT_EQ(patch(run, 0x1928),
            "program:0:52: error: record kind 9 is not known");
  EXPECT_EQ(patch(run, 0x9028),
            "program:0:52: error: a run of 9 values has mask 0x1");
  EXPECT_EQ(patch(run, 0x3128),
            "program:0:52: error: a progression of 3 registers with mask 0x1; "
            "it has 4 to 69 registers and no mask");
  EXPECT_EQ(patch(run + 8, 0x3),
            "program:0:52: error: a run of 1 values has mask 0x3");
  EXPECT_EQ(patch(run + 40, 1),
            "program:0:52: error: a record has bytes behind its values");
  EXPECT_EQ(patch(0, 0x10), "program:0:0: error: the program header says 16 "
                            "bytes, the text section has 96");
}

TEST(CodecV10, RefusesAGapBetweenDescriptors) {
  std::vector<TaskDescriptor> tasks(2);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V10));
  EXPECT_EQ(refusal(textOf(patched(program, 12 + 0x1c, 0x38), 2)),
            "program:0:40: error: Header[7].NextPointer is 0x38; the next "
            "descriptor must start where this one ends, at 0x34");
  EncodedText text = textOf(program, 2);
  text.entry = 8;
  EXPECT_EQ(refusal(text),
            "program:0:8: error: the first descriptor is at 0x8 of the text; "
            "it must start at a multiple of 0x4 from 0xc on");
}

TEST(CodecV10, RefusesBitsWithoutAField) {
  std::vector<TaskDescriptor> tasks(1);
  tasks[0].image.setWord(Block::TileDMADst, 0, 0x840803c1);
  auto program = encodeProgram(tasks, Format::V10);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "task 0 cannot be spelled in v10: bits 0x80000000 of register "
            "0x17800 = 0x840803c1 belong to no known field, so they have no "
            "place in v10");
}

TEST(CodecV10, RefusesABaseWithoutABuffer) {
  std::vector<TaskDescriptor> tasks(1);
  llvm::cantFail(tasks[0].image.setScaled(Field::Src2Base, 0x1000));
  auto program = encodeProgram(tasks, Format::V10);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "task 0 cannot be spelled in v10: TileDMASrc.BaseAddr2.Addr is "
            "0x1000, but Header[8].RBE1 is 0, so no slot holds it; v10 has no "
            "other place for a base");
}

} // namespace
