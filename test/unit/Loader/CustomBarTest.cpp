//===- CustomBarTest.cpp - Values that a load resolves --------------------===//

#include "Fixtures.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::loader;
using namespace ane::loader::test;
using td::Field;
using testing::HasSubstr;

namespace {

/// Bits of the first task.
CustomBar makeBar(td::Format format, Field field, BarValue value,
                  uint32_t target) {
  CustomBar bar = {};
  bar.registerIndex = registerOf(format, field);
  bar.bitWidth = 32;
  bar.value = value;
  bar.target = target;
  return bar;
}

LoadTables tablesOf(std::vector<CustomBar> bars) {
  LoadTables tables;
  tables.bars = std::move(bars);
  return tables;
}

TEST(CustomBar, Kinds) {
  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    // 64-byte units from bit 6 on, as in every base and stride.
    CustomBar address =
        makeBar(format, Field::Src1RowStride, BarValue::DeviceAddress, Scratch);
    address.bitOffset = 6;
    address.bitWidth = 26;
    address.shift = 6;
    address.addend = 0x40;
    CustomBar offset =
        makeBar(format, Field::DstRowStride, BarValue::BufferOffset, Scratch);
    offset.bar = object::BarFirstPort; // y
    CustomBar far = makeBar(format, Field::Cin, BarValue::DataSet, 700);
    far.bitWidth = 17;
    CustomBar near = makeBar(format, Field::Win, BarValue::DataSet, 7);
    near.bitWidth = 15;
    CustomBar second = far;
    second.task = 1;
    auto image =
        load(container(format, tablesOf({address, offset, far, near, second})));
    ASSERT_TRUE(image);
    auto tasks = tasksOf(*image);
    ASSERT_EQ(tasks.size(), 2u);
    const td::RegisterImage &task = tasks[0].image;
    // Scratch is at 0x40018000 and y at 0x40008000.
    EXPECT_EQ(task.get(Field::Src1RowStride), 0x40018040u >> 6);
    EXPECT_EQ(task.getScaled(Field::DstRowStride), 0x10000);
    // Data sets 7 and 700 are the first and the second.
    EXPECT_EQ(task.get(Field::Win), 1u);
    EXPECT_EQ(task.get(Field::Hin), 3u);
    EXPECT_EQ(task.get(Field::Cin), 2u);
    EXPECT_EQ(tasks[1].image.get(Field::Cin), 2u);
    EXPECT_EQ(tasks[1].image.get(Field::Win), 5u);
    // The image carries values, not bars.
    EXPECT_TRUE(image->all<object::Note>().empty());
    EXPECT_TRUE(load(write(*image)).has_value());
  }
}

/// A slot is a field of 42 bits in two registers.
TEST(CustomBar, ReplacesARelocation) {
  CustomBar slot = {};
  slot.registerIndex = 0x1344;
  slot.bitWidth = 42;
  slot.value = BarValue::DeviceAddress;
  slot.target = X;
  std::string file = container(td::Format::V10, tablesOf({slot}));
  EXPECT_THAT(refusal(file), HasSubstr("custom bar 0: bits 0xffffffff of the "
                                       "word at text offset"));

  object::Object object = read(file);
  for (object::LoadCommand &command : object.commands)
    if (auto *segment = std::get_if<object::Segment>(&command.body))
      for (object::Section &section : segment->sections)
        std::erase_if(section.relocations, [](const auto &relocation) {
          return relocation.target == X;
        });
  auto image = loadImage(std::move(object), "test.hwx", {});
  ASSERT_TRUE(bool(image)) << llvm::toString(image.takeError());
  auto expected = load(container(td::Format::V10));
  EXPECT_EQ(image->findSection(object::SectionType::Text)->bytes(),
            expected->findSection(object::SectionType::Text)->bytes());
}

/// Errors are located at the record.
TEST(CustomBar, Refuses) {
  constexpr td::Format format = td::Format::V7;
  CustomBar good =
      makeBar(format, Field::Src1RowStride, BarValue::DeviceAddress, Scratch);
  auto message = [&](auto change) {
    CustomBar bad = good;
    bad.task = 1;
    change(bad);
    return refusal(container(format, tablesOf({good, bad})));
  };
  EXPECT_EQ(message([](CustomBar &) {}), "");
  LoadTables read =
      llvm::cantFail(readLoadTables(test::read(container(format, tablesOf({
                                                                     good,
                                                                     good,
                                                                 }))),
                                    "test.hwx"));
  uint64_t place = read.barsOffset + sizeof(CustomBar);
  EXPECT_EQ(message([](CustomBar &bar) { bar.task = 0; }),
            "test.hwx:0:" + std::to_string(place) +
                ": error: custom bar 1: bits 0xffffffff of the word at text "
                "offset 0x178 are written twice");
  EXPECT_THAT(message([](CustomBar &bar) { bar.task = 2; }),
              HasSubstr("task 2 has no word for register 0x4e03"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.registerIndex = 0x2fffffff; }),
              HasSubstr("task 1 has no word for register 0x2fffffff"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.procedure = 1; }),
              HasSubstr("procedure 1 of 1"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.bitWidth = 0; }),
              HasSubstr("are no field"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.bitOffset = 32; }),
              HasSubstr("are no field"));
  EXPECT_THAT(message([](CustomBar &bar) {
                bar.bitOffset = 31;
                bar.bitWidth = 34;
              }),
              HasSubstr("bits 31 to 64 are no field"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.bitWidth = 30; }),
              HasSubstr("0x40018000 does not fit 30 bits"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.shift = 64; }),
              HasSubstr("a shift of 64 leaves nothing"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.shift = 16; }),
              HasSubstr("the value 0x40018000 is no multiple of 2^16"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.value = BarValue(3); }),
              HasSubstr("value kind 3 is not known"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.target = 0; }),
              HasSubstr("there is no section 0"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.target = 6; }),
              HasSubstr("there is no section 6"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.addend = INT64_MIN; }),
              HasSubstr("passes 42 bits"));
  EXPECT_THAT(message([](CustomBar &bar) { bar.addend = -0x50000000; }),
              HasSubstr("is negative"));
  EXPECT_THAT(message([](CustomBar &bar) {
                bar.value = BarValue::BufferOffset;
                bar.bar = 2;
              }),
              HasSubstr("BAR 2 holds no address"));
  EXPECT_THAT(message([](CustomBar &bar) {
                bar.value = BarValue::BufferOffset;
                bar.bar = 4096;
              }),
              HasSubstr("BAR 4096 holds no address"));
}

TEST(CustomBar, RefusesTables) {
  constexpr td::Format format = td::Format::V7;
  CustomBar good =
      makeBar(format, Field::Src1RowStride, BarValue::DeviceAddress, Scratch);
  std::string file = container(format, tablesOf({good}));
  auto message = [&](auto change) {
    object::Object object = read(file);
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i < object.commands.size(); ++i)
      if (auto *note = std::get_if<object::Note>(&object.commands[i].body)) {
        bytes.assign(note->trailing.begin(), note->trailing.end());
        change(*note, bytes);
        note->trailing = bytes;
      }
    llvm::Expected<object::Object> image =
        loadImage(std::move(object), "test.hwx", {});
    return image ? "" : llvm::toString(image.takeError());
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(message([](object::Note &, Bytes &) {}), "");
  // A note of somebody else's is none of ours.
  EXPECT_EQ(message([](object::Note &note, Bytes &) { note.owner = "other"; }),
            "");
  EXPECT_THAT(message([](object::Note &, Bytes &bytes) { bytes[0] = 2; }),
              HasSubstr("LC_NOTE 'ane custom bars': version 2; only 1 is "
                        "known"));
  EXPECT_THAT(message([](object::Note &, Bytes &bytes) { bytes[4] = 2; }),
              HasSubstr("40 bytes do not hold 2 custom bars"));
  EXPECT_THAT(message([](object::Note &, Bytes &bytes) { bytes[4] = 129; }),
              HasSubstr("129 custom bars; a program holds up to 128"));
  EXPECT_THAT(message([](object::Note &note, Bytes &) { note.size = 4; }),
              HasSubstr("4 bytes have no room for a head of 8"));
  EXPECT_THAT(message([](object::Note &note, Bytes &) { note.size = 4096; }),
              HasSubstr("must follow its record of 40"));
  EXPECT_THAT(message([](object::Note &note, Bytes &) { note.offset = 0; }),
              HasSubstr("must follow its record of 40"));
}

} // namespace
