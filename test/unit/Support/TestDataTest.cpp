//===- TestDataTest.cpp - Where external data is --------------------------===//

#include "../TestData.h"
#include "gtest/gtest.h"

using ane::testData;

namespace {

/// Sets a variable of the environment until it goes.
class Setting {
public:
  Setting(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    if (value)
      setenv(name, value, /*replace=*/1);
    else
      unsetenv(name);
  }
  ~Setting() {
    if (before)
      setenv(name, before->c_str(), /*replace=*/1);
    else
      unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

TEST(TestData, IsInTheFolder) {
  Setting setting("ANE_TEST_DATA", "/data");
  EXPECT_EQ(testData("real/hwx"), "/data/real/hwx");
}

TEST(TestData, IsAbsentWithoutAFolder) {
  for (const char *value : {(const char *)nullptr, ""}) {
    Setting setting("ANE_TEST_DATA", value);
    EXPECT_EQ(testData("real/hwx"), std::nullopt);
  }
}

} // namespace
