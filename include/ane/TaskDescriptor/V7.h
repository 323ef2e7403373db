//===- V7.h - Layout of the v7 descriptor -----------------------*- C++ -*-===//
//
// A descriptor is ten or eleven header words, which v10 has too, then records:
// a word that says how many registers follow and the address of the first, and
// their values. Verified; docs/formats/v7.md has the rest.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_V7_H
#define ANE_TASKDESCRIPTOR_V7_H

#include <cstdint>

namespace ane::td::v7 {

/// Words of a descriptor header without and with DTID.
constexpr unsigned headerWords = 10;
constexpr unsigned extendedHeaderWords = 11;

/// The word in front of a record's values.
struct RecordHeader {
  uint32_t address; ///< of the first register
  uint32_t count;   ///< registers, 1 to 64

  static constexpr unsigned countShift = 26;
  static constexpr uint32_t addressMask = (1u << countShift) - 1;

  constexpr uint32_t encode() const {
    return (count - 1) << countShift | address;
  }
  static constexpr RecordHeader decode(uint32_t word) {
    return {word & addressMask, (word >> countShift) + 1};
  }
};

/// Bytes of the descriptor of a task with a kernel: without DTID, and with a
/// record for each block of registers.
uint64_t bytesOfTaskWithKernel();

} // namespace ane::td::v7

#endif // ANE_TASKDESCRIPTOR_V7_H
