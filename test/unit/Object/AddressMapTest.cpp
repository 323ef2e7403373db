//===- AddressMapTest.cpp - From device addresses to sections -------------===//

#include "ane/Object/AddressMap.h"
#include "Fixtures.h"
#include "gmock/gmock.h"

using namespace ane::object;
using namespace ane::object::test;

namespace {

TEST(AddressMap, ListsSections) {
  Object object = llvm::cantFail(layoutObject(makeSpec()));
  AddressMap map = llvm::cantFail(AddressMap::create(object));
  ASSERT_EQ(map.ranges().size(), 6u);
  const AddressRange &text = map.ranges()[0];
  EXPECT_EQ(text.section->name, "__text");
  EXPECT_EQ(text.begin, deviceBase);
  EXPECT_EQ(text.end, deviceBase + 0x274);
  // The gap between text and coefficients belongs to neither.
  EXPECT_EQ(map.ranges()[1].begin, deviceBase + 0x280);
  EXPECT_EQ(map.ranges()[1].ordinal, 2u);
  const AddressRange &scratch = map.ranges()[2];
  EXPECT_EQ(scratch.section->name, "__bss");
  EXPECT_EQ(scratch.begin, deviceBase + 0x4000);
  EXPECT_EQ(scratch.end, deviceBase + 0x9000);
}

TEST(AddressMap, RefusesOverlap) {
  Object object = llvm::cantFail(layoutObject(makeSpec()));
  std::get<Segment>(object.commands[1].body).sections[1].address = deviceBase;
  auto map = AddressMap::create(object);
  ASSERT_FALSE(bool(map));
  EXPECT_EQ(llvm::toString(map.takeError()),
            "section 2 (__TEXT,__const) at [0x30000000, 0x30000080) overlaps "
            "section 1 (__TEXT,__text) at [0x30000000, 0x30000274) in device "
            "memory");
}

} // namespace
