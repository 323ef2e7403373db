//===- ReadAheadTest.cpp - Mapped files before they are used --------------===//

#include "ane/Support/ReadAhead.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <sched.h>
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
    memory =
        mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  ~Pages() { munmap(memory, bytes); }

  void *start() const { return memory; }
  llvm::ArrayRef<uint8_t> all() const {
    return {static_cast<const uint8_t *>(memory), bytes};
  }

  /// How many are there.
  size_t count() const {
    size_t page = llvm::sys::Process::getPageSizeEstimate();
    std::vector<unsigned char> present(bytes / page);
    if (mincore(memory, bytes, present.data()) != 0)
      return 0;
    return llvm::count_if(present, [](unsigned char bits) { return bits & 1; });
  }

private:
  void *memory;
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

/// A page whose first access waits in the handler of its fault until it is let
/// go.
namespace slow {
void *page;
std::atomic<bool> isWaiting, mayGoOn, wentOn;

void handle(int) {
  isWaiting = true;
  while (!mayGoOn)
    sched_yield();
  mprotect(page, llvm::sys::Process::getPageSizeEstimate(), PROT_READ);
  wentOn = true;
}
} // namespace slow

/// Memory may be unmapped behind it: no access is under way then.
TEST(ReadAhead, EndsWithItsObject) {
  Pages pages(1);
  slow::page = pages.start();
  ASSERT_EQ(mprotect(slow::page, pages.all().size(), PROT_NONE), 0);
  struct sigaction action = {}, before;
  action.sa_handler = slow::handle;
  ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
  std::thread release;
  {
    ReadAhead reader(pages.all());
    while (!slow::isWaiting)
      std::this_thread::yield();
    release = std::thread([] {
      // Long enough for an end that does not wait.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      slow::mayGoOn = true;
    });
  }
  EXPECT_TRUE(slow::wentOn);
  release.join();
  sigaction(SIGSEGV, &before, nullptr);
}

} // namespace
