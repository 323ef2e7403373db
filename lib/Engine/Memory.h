//===- Memory.h - Device memory and scratchpad ------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_MEMORY_H
#define ANE_LIB_ENGINE_MEMORY_H

#include "ane/Engine/Machine.h"
#include <algorithm>

namespace ane::engine {

/// Bytes of the scratchpad that L2 addresses reach: 17 bits of 16 bytes.
/// Verified.
constexpr uint64_t l2Bytes = uint64_t(2) << 20;
constexpr uint64_t l2Unit = 16;

/// Memory that the system hands out as zeros when it is first touched. Several
/// sections may have the same.
using ZeroedBytes = std::shared_ptr<uint8_t>;

/// A section and its memory.
struct MemorySection {
  std::string name;
  uint64_t address = 0;
  llvm::ArrayRef<uint8_t> bytes;
  bool writable = false;
  bool scratch = false;
  ZeroedBytes owned; ///< null for a section with contents
  /// The index of the section whose memory this one has.
  std::optional<unsigned> sharesWith;
  /// The part of `bytes` that tasks write.
  uint64_t writtenBegin = 0, writtenEnd = 0;

  uint64_t end() const { return address + bytes.size(); }
  void noteWrite(uint64_t begin, uint64_t end);
  /// The bytes of a writable section.
  uint8_t *data() const { return owned.get(); }
};

class Memory {
public:
  /// Refuses sections that overlap, pass the 42-bit device address space or
  /// together Machine::maxMemory.
  static llvm::Expected<Memory> create(llvm::ArrayRef<DeviceSection> sections,
                                       llvm::ArrayRef<uint64_t> bars);

  /// The section that holds `address`, or null.
  MemorySection *find(uint64_t address);
  const MemorySection *find(uint64_t address) const {
    return const_cast<Memory *>(this)->find(address);
  }

  /// The address that stands for a byte: of sections that have one memory, the
  /// one in the section that it is of.
  uint64_t canonical(uint64_t address) const;

  /// In the order they were given.
  llvm::MutableArrayRef<MemorySection> sections() { return all; }
  llvm::ArrayRef<MemorySection> sections() const { return all; }

  /// The address in a BAR, 0 if it has none.
  uint64_t bar(unsigned index) const {
    return index < bars.size() ? bars[index] : 0;
  }

  uint8_t *l2() const { return scratchpad.get(); }
  /// Notes that tasks use the scratchpad up to there.
  void noteScratchpad(uint64_t end) { usedL2 = std::max(usedL2, end); }

  /// Zeroes what tasks write of the scratch sections, and what they use of the
  /// scratchpad.
  void reset();

private:
  std::vector<MemorySection> all;
  std::vector<uint64_t> bars;
  ZeroedBytes scratchpad;
  uint64_t usedL2 = 0;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MEMORY_H
