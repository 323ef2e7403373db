//===- PublicRecord.h - Programs of which every word is public --*- C++ -*-===//
//
// Whole programs for H13, the register words of which public records state:
// those of the training kernels of a small transformer, which a current
// compiler of Apple's made. They have what the other programs at hand lack:
// long runs of planar tasks, a bias beside a scale, hints on who waits for
// whom.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_ENGINE_PUBLICRECORD_H
#define ANE_TEST_UNIT_ENGINE_PUBLICRECORD_H

#include "RealCase.h"

namespace ane::engine::test {

/// Registers from an address on.
struct RecordedWords {
  uint32_t address;
  std::vector<uint32_t> words;
};

struct RecordedTask {
  std::vector<uint32_t> header;
  std::vector<RecordedWords> words; ///< where they differ from the common ones
};

struct PublicRecord {
  /// Of most tasks; what is not named rests.
  std::vector<RecordedWords> common;
  std::vector<RecordedTask> tasks;
};

// gelu in its form with tanh.
PublicRecord geluRecord();
PublicRecord geluDerivativeRecord();
// Over the last axis, with gain and offset.
PublicRecord layerNormRecord();
PublicRecord layerNormDerivativeRecord();
// Of scores * 0.125 + mask, over the last axis.
PublicRecord softmaxRecord();
PublicRecord softmaxDerivativeRecord();

/// The tasks of a record. Kernels come from the constants, which have a BAR of
/// their own in such programs.
std::vector<td::TaskDescriptor> tasksOf(const PublicRecord &record);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_PUBLICRECORD_H
