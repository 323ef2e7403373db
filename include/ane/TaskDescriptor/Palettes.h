//===- Palettes.h - Kernels that are worth their palettes -------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_PALETTES_H
#define ANE_TASKDESCRIPTOR_PALETTES_H

#include "ane/Support/Half.h"
#include "llvm/ADT/StringRef.h"
#include <climits>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ane::td {

/// Counts the different numbers of a kernel.
class DifferentNumbers {
public:
  /// Counts a number, given by the bits of an fp16.
  void add(uint16_t bits) { isPresent[bits] = 1; }

  /// The bits of each coefficient in the smallest form that holds them.
  unsigned bits() const {
    unsigned different = count();
    for (unsigned bits : {4u, 8u})
      if (different <= 1u << bits)
        return bits;
    return wholeBits;
  }

  /// How many different numbers there are.
  unsigned count() const {
    return std::accumulate(isPresent.begin(), isPresent.end(), 0u);
  }

  /// All of them, in order.
  std::vector<uint16_t> list() const {
    std::vector<uint16_t> numbers;
    for (size_t bits = 0; bits < isPresent.size(); ++bits)
      if (isPresent[bits])
        numbers.push_back(bits);
    return numbers;
  }

private:
  static constexpr unsigned wholeBits = halfBytes * CHAR_BIT;
  /// A byte for each, which is written without being read: neighbours are often
  /// the same number.
  std::vector<uint8_t> isPresent = std::vector<uint8_t>(1u << wholeBits);
};

/// About what coefficients take where tasks with palettes have as many outputs
/// side by side as fit; a few of them are not worth a task. `weights` are fp16
/// of so many outputs, one after the other, or one number for all.
uint64_t leastPaletteBytes(llvm::StringRef weights, int64_t outputs,
                           uint64_t coefficients);

/// Whether coefficients should stay as they are and a task of its own scale the
/// results, which reads and writes them: where it moves fewer bytes than a
/// kernel of more numbers takes more. Assigned.
constexpr bool keepsPalette(uint64_t bytesBefore, uint64_t bytesAfter,
                            uint64_t results) {
  return bytesAfter > bytesBefore + 2 * halfBytes * results;
}

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_PALETTES_H
