//===- InputRangeTest.cpp - What the elements of an input are -------------===//

#include "ane/Pipeline/InputRange.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace ane;

namespace {

std::optional<InputRange> parse(llvm::StringRef text) {
  llvm::Expected<InputRange> range = parseInputRange(text);
  if (range)
    return *range;
  llvm::consumeError(range.takeError());
  return std::nullopt;
}

TEST(InputRange, TheNameIsInFrontOfTheLastSign) {
  EXPECT_EQ(parse("x=0:1")->name, "x");
  EXPECT_EQ(parse("a=b=0:1")->name, "a=b");
  EXPECT_FALSE(parse("=0:1"));
  EXPECT_FALSE(parse("0:1"));
}

TEST(InputRange, BothEndsAreNumbersOfHalf) {
  std::optional<InputRange> all = parse("x=-65504:65504");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->bounds.low, -65504);
  EXPECT_EQ(all->bounds.high, 65504);
  EXPECT_FALSE(parse("x=-65505:0"));
  EXPECT_FALSE(parse("x=0:inf"));
  EXPECT_TRUE(parse("x=2:2"));
  EXPECT_FALSE(parse("x=2:1"));
}

TEST(InputRange, EachInputHasItsOwn) {
  InputRange ranges[] = {*parse("x=0:1"), *parse("y=2:3")};
  EXPECT_EQ(boundsOfInput(ranges, "y")->high, 3);
  EXPECT_FALSE(boundsOfInput(ranges, "z"));
}

} // namespace
