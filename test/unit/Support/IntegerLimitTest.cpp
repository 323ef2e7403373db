//===- IntegerLimitTest.cpp - Which integers an input takes ---------------===//

#include "ane/Support/IntegerLimit.h"
#include <gtest/gtest.h>

using namespace ane;

namespace {

TEST(IntegerLimit, IsWritten) {
  EXPECT_EQ(formatLimit({300}), "300");
  EXPECT_EQ(formatLimit({300, false}), "0..300");
  EXPECT_EQ(parseLimit("300"), (IntegerLimit{300, true}));
  EXPECT_EQ(parseLimit("0..300"), (IntegerLimit{300, false}));
  for (llvm::StringRef wrong :
       {"", "0..", "..3", "1..3", "-3", "0..-3", "3 ", "0x3", "0..0..3"})
    EXPECT_EQ(parseLimit(wrong), std::nullopt) << wrong.str();
}

TEST(IntegerLimit, HasBounds) {
  IntegerLimit both = {3}, natural = {5, false};
  EXPECT_TRUE(both.contains(-3) && both.contains(3));
  EXPECT_FALSE(both.contains(-4) || both.contains(4));
  EXPECT_TRUE(natural.contains(0) && natural.contains(5));
  EXPECT_FALSE(natural.contains(-1) || natural.contains(6));
  EXPECT_EQ(common(both, natural), (IntegerLimit{3, false}));
}

} // namespace
