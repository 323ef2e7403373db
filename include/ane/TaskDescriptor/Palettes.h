//===- Palettes.h - Kernels that are worth their palettes -------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_PALETTES_H
#define ANE_TASKDESCRIPTOR_PALETTES_H

#include "llvm/ADT/BitVector.h"
#include <climits>
#include <cstdint>

namespace ane::td {

/// Counts the different numbers of a kernel.
class DifferentNumbers {
public:
  void add(uint16_t bits) { seen.set(bits); }

  /// The bits of each coefficient in the smallest form that holds them.
  unsigned bits() const {
    unsigned different = seen.count();
    for (unsigned bits : {4u, 8u})
      if (different <= 1u << bits)
        return bits;
    return wholeBits;
  }

private:
  static constexpr unsigned wholeBits = sizeof(uint16_t) * CHAR_BIT;
  llvm::BitVector seen{1u << wholeBits};
};

/// Whether coefficients should stay as they are and a task of its own scale the
/// results, which reads and writes them: where it moves fewer bytes than a
/// kernel of more numbers takes more. Assigned.
inline bool keepsPalette(const DifferentNumbers &before,
                         const DifferentNumbers &after, uint64_t coefficients,
                         uint64_t results) {
  if (before.bits() >= after.bits())
    return false;
  uint64_t more = coefficients * (after.bits() - before.bits()) / CHAR_BIT;
  return more > 2 * sizeof(uint16_t) * results;
}

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_PALETTES_H
