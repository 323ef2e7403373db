//===- Buffer.h - Memory for intermediate values ----------------*- C++ -*-===//
//
// What tasks need while they run comes from a store that keeps what is given
// back: the system takes as long to hand out fresh pages as a task needs to
// fill them, and a program that has run once runs again without allocating.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_BUFFER_H
#define ANE_LIB_ENGINE_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace ane::engine {

/// A block of at least `bytes`, aligned for a cache line and not initialised.
/// Ends the program if there is no memory.
void *takeBlock(uint64_t bytes);
/// Gives a block back, on the thread that took it. The store keeps up to 256
/// MiB that nobody uses.
void giveBlock(void *block);

/// Tells the store that loops are shared by as many threads. Which thread does
/// which part of a loop differs from run to run; so that none is ever without a
/// block, there are as many of a size as all threads together may hold.
void reserveForThreads(unsigned threads);

/// Marks a thread as one of those that share a loop.
class PartOfLoop {
public:
  PartOfLoop();
  ~PartOfLoop();
};

/// Floats that start uninitialised.
class Buffer {
public:
  Buffer() = default;
  explicit Buffer(uint64_t count);
  Buffer(Buffer &&other) noexcept
      : values(std::exchange(other.values, nullptr)),
        capacity(std::exchange(other.capacity, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(values, other.values);
    std::swap(capacity, other.capacity);
    return *this;
  }
  ~Buffer();

  float *data() { return values; }
  const float *data() const { return values; }

  /// Makes room for `count` floats; what it held is lost.
  void reserve(uint64_t count) {
    if (count > capacity)
      *this = Buffer(count);
  }

private:
  float *values = nullptr;
  uint64_t capacity = 0; ///< in floats
};

/// A copy of one row of fp16 after the other, for loops that do some elements
/// twice: where they write over what they read, they would find the first
/// result.
class RowCopy {
public:
  RowCopy() = default;
  explicit RowCopy(uint32_t width) : bytes(2 * uint64_t(width)) {
    if (width)
      halves = Buffer((uint64_t(width) + 1) / 2);
  }

  bool isEmpty() const { return bytes == 0; }
  const uint8_t *of(const uint8_t *row) {
    std::memcpy(halves.data(), row, bytes);
    return reinterpret_cast<const uint8_t *>(halves.data());
  }

private:
  Buffer halves;
  uint64_t bytes = 0;
};

template <typename T> struct ScratchAllocator {
  using value_type = T;

  ScratchAllocator() = default;
  template <typename U> ScratchAllocator(const ScratchAllocator<U> &) {}

  T *allocate(size_t count) {
    return static_cast<T *>(takeBlock(count * sizeof(T)));
  }
  void deallocate(T *values, size_t) { giveBlock(values); }

  friend bool operator==(ScratchAllocator, ScratchAllocator) { return true; }
};

/// A vector that lives no longer than a task.
template <typename T> using ScratchVector = std::vector<T, ScratchAllocator<T>>;

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_BUFFER_H
