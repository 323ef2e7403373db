//===- ConvertTest.cpp - A program in the other spelling ------------------===//

#include "ane/TaskDescriptor/Convert.h"
#include "Fixtures.h"

using namespace ane::td;
using namespace ane::td::test;

namespace {

TEST(Convert, ThereAndBackIsTheProgram) {
  std::mt19937 random(42);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<TaskDescriptor> tasks = randomProgram(random);
    for (auto [first, second] : {std::pair(Format::V7, Format::V10),
                                 std::pair(Format::V10, Format::V7)}) {
      auto there = convertProgram(roundTrip(tasks, first), second);
      ASSERT_TRUE(bool(there)) << llvm::toString(there.takeError());
      auto back = convertProgram(roundTrip(*there, second), first);
      ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
      std::vector<TaskDescriptor> result = roundTrip(*back, first);
      ASSERT_EQ(result.size(), tasks.size());
      for (size_t i = 0; i < tasks.size(); ++i)
        ASSERT_TRUE(withoutLinks(result[i].image) == tasks[i].image)
            << "trial " << trial << ", task " << i;
    }
  }
}

/// A second task that writes two registers only.
std::vector<TaskDescriptor> sparseProgram() {
  std::vector<TaskDescriptor> tasks(2);
  RegisterImage &first = tasks[0].image;
  first.set(Field::Win, 32);
  first.set(Field::Cin, 64);
  first.set(Field::CoeffEn, 1, 0);
  first.set(Field::CoeffBase, 5, 0);
  first.set(Field::CoeffEn, 1, 1);
  first.set(Field::CoeffBase, 6, 1);
  tasks[1].image.set(Field::Win, 16);
  tasks[1].image.set(Field::CoeffEn, 1, 1);
  tasks[1].runs = {{Block::Common, 0, 1}, {Block::KernelDMASrc, 2, 16}};
  linkTasks(tasks);
  return tasks;
}

TEST(Convert, TakesOverWhatNoRecordWrites) {
  std::vector<RegisterImage> images = effectiveImages(sparseProgram());
  EXPECT_EQ(images[1].get(Field::Win), 16u);
  EXPECT_EQ(images[1].get(Field::Cin), 64u);
  // Lane 1 keeps its base; lane 0 is off, so that its base is of no account.
  EXPECT_EQ(images[1].get(Field::CoeffBase, 1), 6u);
  EXPECT_EQ(images[1].get(Field::CoeffBase, 0), 0u);
  EXPECT_EQ(images[1].get(Field::LNID), 1u);
}

TEST(Convert, WritesWhatWasTakenOver) {
  std::vector<TaskDescriptor> tasks = sparseProgram();
  std::vector<RegisterImage> expected = effectiveImages(tasks);
  for (Format format : {Format::V10, Format::V7}) {
    auto converted = llvm::cantFail(convertProgram(tasks, format));
    EXPECT_TRUE(converted[1].runs.empty());
    std::vector<TaskDescriptor> decoded = roundTrip(converted, format);
    for (size_t i = 0; i < tasks.size(); ++i)
      EXPECT_TRUE(withoutLinks(decoded[i].image) == withoutLinks(expected[i]));
  }
}

TEST(Convert, RefusesWhatHasNoPlaceWithTaskRegisterAndValue) {
  std::vector<TaskDescriptor> tasks(3);
  tasks[2].image.setWord(Block::NE, 1, 0x00901c00);
  auto bits = convertProgram(tasks, Format::V10);
  ASSERT_FALSE(bool(bits));
  EXPECT_EQ(llvm::toString(bits.takeError()),
            "task 2 cannot be spelled in v10: bits 0x00800000 of register "
            "0x0c804 = 0x00901c00 belong to no known field, so they have no "
            "place in v10");
  EXPECT_TRUE(bool(convertProgram(tasks, Format::V7)));

  tasks[2].image = {};
  tasks[1].image.set(Field::DstBase, 3);
  auto base = convertProgram(tasks, Format::V10);
  ASSERT_FALSE(bool(base));
  EXPECT_EQ(llvm::toString(base.takeError()),
            "task 1 cannot be spelled in v10: TileDMADst.BaseAddr.Addr is "
            "0xc0, but Header[8].WBE is 0, so no slot holds it; v10 has no "
            "other place for a base");
}

} // namespace
