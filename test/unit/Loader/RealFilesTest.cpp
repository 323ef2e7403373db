//===- RealFilesTest.cpp - Loading containers of Apple's compiler ---------===//

#include "../TestData.h"
#include "Fixtures.h"
#include "ane/Object/Reader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::loader;
using namespace ane::loader::test;

namespace {

/// Every real container loads, its image has the tasks that it has, and loads
/// as it is.
TEST(RealFiles, Load) {
  std::optional<std::string> folder = testData("real/hwx");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::error_code code;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator entry(*folder, code), end;
       entry != end && !code; entry.increment(code)) {
    if (llvm::sys::path::extension(entry->path()) != ".hwx")
      continue;
    SCOPED_TRACE(entry->path());
    ++files;
    object::Object file = llvm::cantFail(object::readObject(entry->path()));
    auto before = tasksOf(file);
    auto image = loadImage(std::move(file), entry->path(), {});
    ASSERT_TRUE(bool(image)) << llvm::toString(image.takeError());
    auto after = tasksOf(*image);
    ASSERT_EQ(before.size(), after.size());
    for (auto [a, b] : llvm::zip_equal(before, after))
      EXPECT_EQ(a.image, b.image);
    EXPECT_GE(image->first<object::ProgramDescriptor>()->bars[4],
              defaultLoadAddress);
    std::string bytes = write(*image);
    auto again = load(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(write(*again), bytes);
  }
  EXPECT_GE(files, 7u);
}

} // namespace
