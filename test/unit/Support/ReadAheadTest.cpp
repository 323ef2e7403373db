//===- ReadAheadTest.cpp - Mapped files before they are used --------------===//

#include "ane/Support/ReadAhead.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "gtest/gtest.h"
#include <chrono>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace ane;

namespace {

/// Memory of so many pages, none of which anybody has touched.
class Pages {
public:
  explicit Pages(size_t count)
      : bytes(count * llvm::sys::Process::getPageSizeEstimate()) {
    start = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  ~Pages() { munmap(start, bytes); }

  llvm::ArrayRef<uint8_t> all() const {
    return {static_cast<const uint8_t *>(start), bytes};
  }

  /// How many are there.
  size_t count() const {
    size_t page = llvm::sys::Process::getPageSizeEstimate();
    std::vector<unsigned char> present(bytes / page);
    if (mincore(start, bytes, present.data()) != 0)
      return 0;
    return llvm::count_if(present, [](unsigned char bits) { return bits & 1; });
  }

private:
  void *start;
  size_t bytes;
};

TEST(ReadAhead, TouchesEveryPage) {
  Pages pages(100);
  ASSERT_EQ(pages.count(), 0u);
  ReadAhead reader(pages.all());
  // It ends some time; nobody waits for it.
  auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (pages.count() < 100 && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  EXPECT_EQ(pages.count(), 100u);
}

/// Memory may be unmapped behind it: it reads no further then.
TEST(ReadAhead, EndsWithItsObject) {
  for (int i = 0; i < 20; ++i) {
    Pages pages(20000);
    {
      ReadAhead reader(pages.all());
    }
    size_t present = pages.count();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(pages.count(), present);
  }
}

} // namespace
