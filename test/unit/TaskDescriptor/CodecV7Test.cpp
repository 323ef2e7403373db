//===- CodecV7Test.cpp - The record stream of real H13 programs -----------===//

#include "Fixtures.h"
#include "ane/TaskDescriptor/V7.h"
#include "llvm/Support/Endian.h"

using namespace ane::td;
using namespace ane::td::test;

namespace {

/// A stream that is put together word for word.
class Stream {
public:
  Stream() { header.resize(10); }

  Stream &record(uint32_t address, llvm::ArrayRef<uint32_t> values) {
    body.push_back(uint32_t(values.size() - 1) << 26 | address);
    body.insert(body.end(), values.begin(), values.end());
    return *this;
  }

  EncodedProgram program() const {
    EncodedProgram result;
    for (const auto *part : {&header, &body})
      for (uint32_t word : *part) {
        result.text.resize(result.text.size() + 4);
        llvm::support::endian::write32le(&result.text.end()[-4], word);
      }
    result.firstTaskWords = header.size() + body.size();
    return result;
  }

  std::vector<uint32_t> header, body;
};

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
  EXPECT_EQ(program.text.size(), 0x200u + v7::bytesOfTaskWithKernel());
  EXPECT_EQ(v7::bytesOfTaskWithKernel(), 157u * 4);
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

/// 126 words without a kernel, 157 with one, one more with DTID.
TEST(CodecV7, SizesOfDescriptors) {
  std::vector<TaskDescriptor> tasks(4);
  tasks[1].image.set(Field::CoeffEn, 1, 15);
  tasks[2].image.set(Field::CoeffEn, 1, 0);
  tasks[2].image.set(Field::TDE, 1);
  tasks[2].image.set(Field::DTID, 7);
  tasks[3].image.set(Field::TDE, 1);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  EXPECT_EQ(program.firstTaskWords, 126u);
  std::vector<TaskDescriptor> decoded =
      llvm::cantFail(decodeProgram(textOf(program, 4)));
  EXPECT_EQ(decoded[0].image.get(Field::NextSize), 156u);
  EXPECT_EQ(decoded[1].image.get(Field::NextSize), 157u);
  EXPECT_EQ(decoded[2].image.get(Field::NextSize), 126u);
  EXPECT_EQ(decoded[2].image.get(Field::DTID), 7u);
  EXPECT_EQ(*decoded[3].textOffset, 0x800u);
}

TEST(CodecV7, KeepsAnyRecordsAndUnknownBits) {
  Stream stream;
  stream.header[9] = 0x80000000; // no field
  stream.record(0x17800, {0xffffffff})
      .record(0x00004, {7, 0x22})
      .record(0x00000, {0x80018001})
      .record(0x1f8f0, {0x40, 0xffffffff})
      .record(0x13804, {1, 2, 3});
  EncodedProgram program = stream.program();
  std::vector<TaskDescriptor> tasks =
      llvm::cantFail(decodeProgram(textOf(program, 1)));
  const RegisterImage &image = tasks[0].image;
  EXPECT_EQ(image.get(Field::Din), 7u);
  EXPECT_EQ(image.get(Field::Win), 1u);
  EXPECT_EQ(image.unnamedBits(Block::Common, 0), 0x80008000u);
  EXPECT_EQ(image.unnamedBits(Block::Header, 9), 0x80000000u);
  EXPECT_EQ(tasks[0].runs.size(), 5u);
  EXPECT_EQ(llvm::cantFail(encodeProgram(tasks, Format::V7)).text,
            program.text);
}

/// Every way to cut a block into records, at random.
TEST(CodecV7, KeepsAnyRecordSplit) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    Stream stream;
    llvm::SmallVector<std::pair<uint32_t, uint32_t>> runs;
    for (const BlockInfo &block : blockTable().drop_front())
      for (uint32_t word = 0; word < block.words;) {
        uint32_t count = 1 + random() % (block.words - word);
        if (random() % 3)
          runs.push_back({block.address + 4 * word, count});
        word += count;
      }
    if (runs.empty())
      continue;
    std::shuffle(runs.begin(), runs.end(), random);
    for (auto [address, count] : runs) {
      std::vector<uint32_t> values(count);
      for (uint32_t &value : values)
        value = random();
      stream.record(address, values);
    }
    EncodedProgram program = stream.program();
    auto tasks = llvm::cantFail(decodeProgram(textOf(program, 1)));
    ASSERT_EQ(llvm::cantFail(encodeProgram(tasks, Format::V7)).text,
              program.text);
  }
}

TEST(CodecV7, KeepsThePlacesOfDescriptors) {
  std::vector<TaskDescriptor> tasks(2);
  linkTasks(tasks);
  tasks[0].textOffset = 0x100;
  tasks[1].textOffset = 0x700;
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  EXPECT_EQ(program.entry, 0x100u);
  auto decoded = llvm::cantFail(decodeProgram(textOf(program, 2)));
  EXPECT_EQ(decoded[0].image.get(Field::NextPointer), 0x700u);
  EXPECT_EQ(llvm::cantFail(encodeProgram(decoded, Format::V7)).text,
            program.text);
  // A descriptor that is in the way moves the next one.
  decoded[1].textOffset = 0x200;
  EXPECT_EQ(llvm::cantFail(encodeProgram(decoded, Format::V7)).text.size(),
            0x300u + 126 * 4);
}

TEST(CodecV7, RefusesARegisterThatNoRecordWrites) {
  Stream stream;
  stream.record(0x00000, {0x00010001});
  auto tasks = llvm::cantFail(decodeProgram(textOf(stream.program(), 1)));
  tasks[0].image.set(Field::Cin, 64);
  auto program = encodeProgram(tasks, Format::V7);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "task 0 cannot be spelled in v7: register 0x0000c = 0x00000040 is "
            "not at its default, 0x00000001, but no record writes it; leave "
            "TaskDescriptor::runs empty to write all");
}

TEST(CodecV7, RefusesWhatIsNotAStream) {
  std::vector<TaskDescriptor> tasks(1);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  auto patch = [&](size_t offset, uint32_t value) {
    return refusal(textOf(patched(program, offset, value), 1));
  };
  EXPECT_EQ(patch(0x74, 0x2c01f818),
            "program:0:116: error: register 0x1f818 is written twice, first by "
            "the record at byte 40 of the descriptor");
  EXPECT_EQ(
      patch(0x28, 0x44012340),
      "program:0:40: error: a record of 18 registers at 0x12340 lies in no "
      "known register block");
  EXPECT_EQ(
      patch(0x28, 0x4401f802),
      "program:0:40: error: a record of 18 registers at 0x1f802 lies in no "
      "known register block");
  EXPECT_EQ(patch(0x1d8, 0x1c017800),
            "program:0:472: error: a record of 8 registers at 0x17800 does not "
            "fit the 7 words its descriptor has left");
  EXPECT_EQ(patch(0x1c, 0x40),
            "program:0:28: error: Header[7].NextPointer is 0x40; the next "
            "descriptor must start at a multiple of 0x100 behind this one, "
            "which ends at 0x1f8");
  EXPECT_EQ(patch(0x1c, 0x204),
            "program:0:28: error: Header[7].NextPointer is 0x204; the next "
            "descriptor must start at a multiple of 0x100 behind this one, "
            "which ends at 0x1f8");
  EXPECT_EQ(
      patch(0x1c, 0x200),
      "program:0:512: error: the chain of descriptors goes on after the 1 "
      "tasks the program descriptor says");

  EncodedText text = textOf(program, 1);
  text.firstTaskWords = 10;
  EXPECT_EQ(refusal(text), "program:0:0: error: a descriptor of 10 words has "
                           "no record behind its header");
  text.firstTaskWords = 9;
  EXPECT_EQ(refusal(text), "program:0:0: error: a descriptor of 9 words has no "
                           "room for its header of 10");
  text.entry = 0x40;
  EXPECT_EQ(refusal(text),
            "program:0:64: error: the first descriptor is at 0x40 of the text; "
            "it must start at a multiple of 0x100 from 0x0 on");
  text.entry = 0x300;
  EXPECT_EQ(refusal(text),
            "program:0:768: error: a descriptor of 9 words has no room for its "
            "header of 10");
}

TEST(CodecV7, RefusesBytesBetweenDescriptors) {
  std::vector<TaskDescriptor> tasks(2);
  linkTasks(tasks);
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, Format::V7));
  program.text[0x1ff] = 0x5a;
  EXPECT_EQ(refusal(textOf(program, 2)),
            "program:0:511: error: byte 0x1ff between descriptors is 0x5a; the "
            "gap must be zero");
}

} // namespace
