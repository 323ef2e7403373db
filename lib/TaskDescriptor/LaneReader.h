//===- LaneReader.h - Bytes of a packed coefficient lane --------*- C++ -*-===//

#ifndef ANE_LIB_TASKDESCRIPTOR_LANEREADER_H
#define ANE_LIB_TASKDESCRIPTOR_LANEREADER_H

#include "ane/Support/Half.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace ane::td {

/// Takes bytes off the front of a lane.
class LaneReader {
public:
  LaneReader(unsigned lane, llvm::ArrayRef<uint8_t> bytes)
      : lane(lane), bytes(bytes) {}

  /// Null past the end, which `tooShort` then reports.
  const uint8_t *take(uint64_t count) {
    if (count > bytes.size() - offset)
      return nullptr;
    offset += count;
    return bytes.data() + offset - count;
  }
  const uint8_t *takeRow(uint64_t halves) { return take(halves * halfBytes); }

  bool align(uint64_t alignment) {
    uint64_t aligned = llvm::alignTo(offset, alignment);
    offset = std::min<uint64_t>(aligned, bytes.size());
    return offset == aligned;
  }

  /// The size that a zero-skipping plane says it has, in three bytes; it starts
  /// behind them.
  static constexpr uint64_t sizeBytes = 3;
  bool startPlane() {
    const uint8_t *size = take(sizeBytes);
    if (!size)
      return false;
    declared = size[0] | size[1] << 8 | size[2] << 16;
    begin = offset;
    return true;
  }
  llvm::Error endPlane() const {
    if (offset - begin == declared)
      return llvm::Error::success();
    return error("the plane says that it has " + llvm::Twine(declared) +
                 " bytes, but its masks make " + llvm::Twine(offset - begin));
  }

  llvm::Error error(const llvm::Twine &problem) const {
    return llvm::createStringError("packed coefficient lane " +
                                   llvm::Twine(lane) + ", byte " +
                                   llvm::Twine(offset) + ": " + problem);
  }
  llvm::Error tooShort() const {
    return error("the lane of " + llvm::Twine(bytes.size()) +
                 " bytes ends before its coefficients do");
  }

private:
  unsigned lane;
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t offset = 0, begin = 0, declared = 0;
};

} // namespace ane::td

#endif // ANE_LIB_TASKDESCRIPTOR_LANEREADER_H
