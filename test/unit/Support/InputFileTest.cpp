//===- InputFileTest.cpp - Files that are read whole ----------------------===//

#include "ane/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ane;

namespace {

constexpr InputLimit small = {100, 70000};

/// What reading says; empty where it works.
std::string complaint(llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> got) {
  return got ? "" : llvm::toString(got.takeError());
}

class InputFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("input", "txt", path));
    remover.setFile(path);
  }

  void write(size_t size) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os << std::string(size, 'a');
  }

  llvm::SmallString<128> path;
  llvm::FileRemover remover;
};

TEST_F(InputFile, ReadsWhatIsNotTooLong) {
  write(100);
  auto text = readInputText(path, small);
  ASSERT_EQ(complaint(readInputFile(path, small)), "");
  ASSERT_TRUE(bool(text));
  EXPECT_EQ((*text)->getBuffer(), std::string(100, 'a'));
  EXPECT_EQ(*(*text)->getBufferEnd(), '\0');
  EXPECT_EQ((*text)->getBufferIdentifier(), path);
}

TEST_F(InputFile, RefusesAFileByItsSize) {
  write(101);
  EXPECT_EQ(complaint(readInputFile(path, small)),
            (path + ":0:0: error: cannot read the file: it has 101 bytes, the "
                    "limit is 100")
                .str());
}

TEST_F(InputFile, RefusesADeviceWithoutEnd) {
  EXPECT_EQ(complaint(readInputFile("/dev/zero", small)),
            "/dev/zero:0:0: error: cannot read the file: it does not end after "
            "70000 bytes, the limit of what comes from a pipe or a device");
}

TEST_F(InputFile, ReadsAnEmptyDevice) {
  auto text = readInputText("/dev/null", small);
  ASSERT_TRUE(bool(text));
  EXPECT_EQ((*text)->getBuffer(), "");
  EXPECT_EQ(*(*text)->getBufferEnd(), '\0');
}

} // namespace
