//===- AddressMapTest.cpp - From device addresses to sections -------------===//

#include "ane/Object/AddressMap.h"
#include "Fixtures.h"
#include "gmock/gmock.h"

using namespace ane::object;
using namespace ane::object::test;

namespace {

TEST(AddressMap, FindsSections) {
  Object object = llvm::cantFail(layoutObject(makeSpec()));
  AddressMap map = llvm::cantFail(AddressMap::create(object));
  ASSERT_EQ(map.ranges().size(), 6u);

  EXPECT_FALSE(map.find(deviceBase - 1));
  EXPECT_EQ(map.find(deviceBase + 0x273)->range->section->name, "__text");
  EXPECT_EQ(map.find(deviceBase + 0x273)->offset, 0x273u);
  // The gap between text and coefficients belongs to neither.
  EXPECT_FALSE(map.find(deviceBase + 0x274));
  EXPECT_EQ(map.find(deviceBase + 0x280)->range->ordinal, 2u);
  EXPECT_EQ(map.find(deviceBase + 0x4000)->range->section->name, "__bss");
  EXPECT_EQ(map.find(deviceBase + 0x8fff)->offset, 0x4fffu);
  EXPECT_FALSE(map.find(deviceBase + 0x9000));
  EXPECT_FALSE(map.find(UINT64_MAX));
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
