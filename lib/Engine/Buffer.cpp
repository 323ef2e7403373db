//===- Buffer.cpp - Memory for intermediate values ------------------------===//

#include "Buffer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

using namespace ane;
using namespace ane::engine;

namespace {

/// Kept unused at most.
constexpr uint64_t keptBytes = uint64_t(256) << 20;
constexpr size_t alignment = 64; // a cache line

/// Sizes that blocks have: four between two powers of two, so that little is
/// wasted and like demands meet like blocks.
constexpr unsigned smallestLog = 8, largestLog = 47, stepsLog = 2;
constexpr unsigned numSizes = (largestLog - smallestLog) << stepsLog;

constexpr uint64_t sizeOf(unsigned index) {
  unsigned log = smallestLog + (index >> stepsLog);
  uint64_t step = index & ((1u << stepsLog) - 1);
  return (uint64_t(1) << log) + (step << (log - stepsLog));
}

unsigned indexOf(uint64_t bytes) {
  if (bytes <= sizeOf(0))
    return 0;
  // The last size below, then the next.
  unsigned log = llvm::Log2_64(bytes - 1);
  unsigned step = (bytes - 1) >> (log - stepsLog) & ((1u << stepsLog) - 1);
  return ((log - smallestLog) << stepsLog) + step + 1;
}

/// In front of the bytes of a block.
struct alignas(alignment) Header {
  Header *next;
  unsigned size; ///< index
  bool isOfLoop; ///< taken by one of the threads that share a loop
};

/// Blocks of one size.
struct Size {
  Header *unused = nullptr;
  uint64_t total = 0;
  uint64_t held = 0;         ///< outside of loops
  uint64_t mostHeld = 0;     ///< of these, ever
  uint64_t mostOfThread = 0; ///< that one thread of a loop ever held
};

thread_local unsigned loopDepth = 0;
thread_local std::array<uint32_t, numSizes> heldInLoop = {};

class Store {
public:
  ~Store() {
    for (Size &size : sizes)
      while (Header *block = size.unused) {
        size.unused = block->next;
        std::free(block);
      }
  }

  void setThreads(unsigned count) {
    std::lock_guard lock(mutex);
    threads = std::max(threads, count);
  }

  void *take(uint64_t bytes) {
    unsigned index = indexOf(bytes);
    if (bytes > sizeOf(numSizes - 1))
      llvm::report_bad_alloc_error("no memory for intermediate values");
    bool isOfLoop = loopDepth > 0;
    std::lock_guard lock(mutex);
    Size &size = sizes[index];
    if (isOfLoop)
      size.mostOfThread =
          std::max<uint64_t>(size.mostOfThread, ++heldInLoop[index]);
    else
      size.mostHeld = std::max(size.mostHeld, ++size.held);
    if (!size.unused)
      allocate(index);
    Header *block = size.unused;
    size.unused = block->next;
    unusedBytes -= sizeOf(index);
    while (size.total < size.mostHeld + threads * size.mostOfThread &&
           unusedBytes + sizeOf(index) <= keptBytes)
      allocate(index);
    block->isOfLoop = isOfLoop;
    return block + 1;
  }

  void give(void *bytes) {
    Header *block = static_cast<Header *>(bytes) - 1;
    unsigned index = block->size;
    std::lock_guard lock(mutex);
    Size &size = sizes[index];
    if (block->isOfLoop)
      --heldInLoop[index];
    else
      --size.held;
    if (unusedBytes + sizeOf(index) > keptBytes) {
      --size.total;
      std::free(block);
      return;
    }
    unusedBytes += sizeOf(index);
    block->next = size.unused;
    size.unused = block;
  }

private:
  void allocate(unsigned index) {
    void *memory =
        std::aligned_alloc(alignment, sizeof(Header) + sizeOf(index));
    if (!memory)
      llvm::report_bad_alloc_error("no memory for intermediate values");
    Size &size = sizes[index];
    size.unused = new (memory) Header{size.unused, index, false};
    ++size.total;
    unusedBytes += sizeOf(index);
  }

  std::mutex mutex;
  std::array<Size, numSizes> sizes;
  uint64_t unusedBytes = 0;
  unsigned threads = 1;
};

Store &store() {
  static Store instance;
  return instance;
}

} // namespace

void *engine::takeBlock(uint64_t bytes) { return store().take(bytes); }
void engine::giveBlock(void *block) { store().give(block); }
void engine::reserveForThreads(unsigned threads) {
  store().setThreads(threads);
}

PartOfLoop::PartOfLoop() { ++loopDepth; }
PartOfLoop::~PartOfLoop() { --loopDepth; }

Buffer::Buffer(uint64_t count)
    : values(static_cast<float *>(
          takeBlock(llvm::SaturatingMultiply<uint64_t>(count, sizeof(float))))),
      capacity(count) {}

Buffer::~Buffer() {
  if (values)
    giveBlock(values);
}
