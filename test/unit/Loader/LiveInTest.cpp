//===- LiveInTest.cpp - Parameters that a load binds ----------------------===//

#include "Fixtures.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::loader;
using namespace ane::loader::test;
using td::Field;
using testing::HasSubstr;

namespace {

constexpr td::Format format = td::Format::V7;
constexpr uint32_t axisH = uint32_t(Axis::H);

LiveInField registerField(Field field, uint32_t task) {
  const td::FieldInfo &info = td::fieldInfo(field);
  LiveInField result = {};
  result.bitOffset = info.lsb;
  result.bitWidth = info.width;
  result.index = task;
  result.registerIndex = registerOf(format, field);
  result.factor = 1;
  return result;
}

/// The height of x is 1 or 3, and so are those of all tasks and of y.
LoadTables heights() {
  LoadTables tables;
  LiveIn height = {};
  height.operand = 0;
  height.axis = axisH;
  height.start = 1;
  height.stop = 3;
  height.step = 2;
  tables.liveIns = {height};
  for (uint32_t task : {0, 1})
    for (Field field : {Field::Hin, Field::Hout})
      tables.fields.push_back(registerField(field, task));
  LiveInField size = registerField(Field::Din, 0);
  size.factor = 10;
  size.addend = 5;
  tables.fields.push_back(size);
  LiveInField output = {};
  output.place = LiveInField::Place::Extent;
  output.index = 1;
  output.registerIndex = axisH;
  output.factor = 1;
  tables.fields.push_back(output);
  return tables;
}

LoadOptions options(uint64_t value, llvm::StringRef input = "x",
                    char axis = 'h') {
  LoadOptions result;
  result.liveIns = {{input.str(), axis, value}};
  return result;
}

TEST(LiveIn, Binds) {
  std::string file = container(format, heights());
  auto image = load(file, options(1));
  ASSERT_TRUE(image);
  auto tasks = tasksOf(*image);
  for (const td::TaskDescriptor &task : tasks) {
    EXPECT_EQ(task.image.get(Field::Hin), 1u);
    EXPECT_EQ(task.image.get(Field::Hout), 1u);
    EXPECT_EQ(task.image.get(Field::Win), 5u);
  }
  EXPECT_EQ(tasks[0].image.get(Field::Din), 15u);
  for (const auto *operand : image->all<object::OperandDescriptor>()) {
    EXPECT_EQ(operand->layout.h, 1u);
    EXPECT_EQ(operand->layout.c, 4u);
  }

  // What is not given stays as it was compiled.
  image = load(file);
  ASSERT_TRUE(image);
  EXPECT_EQ(tasksOf(*image)[1].image.get(Field::Hin), 3u);
  EXPECT_EQ(tasksOf(*image)[0].image.get(Field::Din), 1u);
  EXPECT_EQ(image->first<object::OperandDescriptor>()->layout.h, 3u);

  std::string bytes = write(*load(file, options(1)));
  EXPECT_THAT(refusal(bytes, options(1)),
              HasSubstr("test.hwx:0:24: error: this is a loaded image, whose "
                        "live-in parameters are bound"));
}

TEST(LiveIn, RefusesValues) {
  std::string file = container(format, heights());
  uint64_t place =
      llvm::cantFail(readLoadTables(read(file), "test.hwx")).liveInsOffset;
  EXPECT_EQ(refusal(file, options(2)),
            "test.hwx:0:" + std::to_string(place) +
                ": error: live-in parameter 'x:h': 2 is not among its values "
                "1, 3, ... up to 3");
  EXPECT_THAT(refusal(file, options(0)), HasSubstr("0 is not among"));
  EXPECT_THAT(refusal(file, options(5)), HasSubstr("5 is not among"));
  EXPECT_THAT(refusal(file, options(UINT64_MAX)), HasSubstr("is not among"));
  EXPECT_EQ(refusal(file, options(1, "y")),
            "test.hwx:0:0: error: there is no live-in parameter 'y:h'; there "
            "is x:h");
  EXPECT_THAT(refusal(file, options(1, "x", 'w')),
              HasSubstr("there is no live-in parameter 'x:w'; there is x:h"));
  EXPECT_THAT(refusal(container(format), options(1)),
              HasSubstr("there is no live-in parameter 'x:h'; the container "
                        "has none"));
}

TEST(LiveIn, RefusesRecords) {
  auto message = [&](auto change) {
    LoadTables tables = heights();
    change(tables);
    return refusal(container(format, tables), options(3));
  };
  EXPECT_EQ(message([](LoadTables &) {}), "");
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].operand = 1; }),
              HasSubstr("live-in parameter 0: operand 1 is no input"));
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].operand = 9; }),
              HasSubstr("operand 9 is no input"));
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].axis = 5; }),
              HasSubstr("there is no axis 5"));
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].step = 0; }),
              HasSubstr("start 1, stop 3, step 0 are no range of extents"));
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].start = 4; }),
              HasSubstr("start 4, stop 3, step 2 are no range of extents"));
  EXPECT_THAT(message([](LoadTables &t) { t.liveIns[0].stop = UINT64_MAX; }),
              HasSubstr("are no range of extents"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].parameter = 1; }),
              HasSubstr("live-in field 0: there is no parameter 1"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[1].index = 7; }),
              HasSubstr("live-in field 1: task 7 has no word for register"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].procedure = 7; }),
              HasSubstr("procedure 7 of 1"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].bitOffset = 31; }),
              HasSubstr("are no field of a register"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].factor = 0x10000; }),
              HasSubstr("0x30000 does not fit 15 bits"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].factor = INT64_MAX; }),
              HasSubstr("is no number of a field"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[0].addend = -4; }),
              HasSubstr("3 * 1 + -4 is no number of a field"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields[2] = t.fields[0]; }),
              HasSubstr("are written twice"));
  EXPECT_THAT(
      message([](LoadTables &t) { t.fields[0].place = LiveInField::Place(2); }),
      HasSubstr("place 2 is not known"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields.back().index = 2; }),
              HasSubstr("there is no operand 2"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields.back().registerIndex = 5; }),
              HasSubstr("there is no axis 5"));
  EXPECT_THAT(message([](LoadTables &t) { t.fields.back().addend = 1; }),
              HasSubstr("extent h of 'y@output' cannot be 4; its surface has "
                        "3"));
}

} // namespace
