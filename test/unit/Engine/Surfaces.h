//===- Surfaces.h - Operands of plans without a program ---------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_SURFACES_H
#define ANE_TEST_UNIT_ENGINE_SURFACES_H

#include "Plan/Plan.h"
#include "llvm/Support/Endian.h"

namespace ane::engine::test {

/// What fp16 has: numbers around 1, of every magnitude, or just anything.
enum class Kind { Ordinary, Finite, Any };

/// fp16 numbers with gaps between the rows, which no task may touch.
struct Surface {
  Extents extents;
  Strides strides;
  std::vector<uint8_t> bytes;

  explicit Surface(const Extents &extents) : extents(extents) {
    constexpr int64_t gap = 6;
    strides.row = 2 * extents.width + gap;
    strides.channel = strides.row * extents.height + gap;
    strides.depth = strides.channel * extents.channels;
    strides.group = strides.depth * extents.depth;
    bytes.assign(strides.group * extents.groups, 0xa5);
  }
  Surface(const Extents &extents, unsigned seed, Kind kind) : Surface(extents) {
    uint64_t state = seed;
    for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      uint16_t half = state >> 40;
      if (kind == Kind::Ordinary) // exponents of 2^-3 to 2^4
        half = (half & 0x9fff) | 0x3000;
      else if (kind == Kind::Finite && (half & 0x7c00) == 0x7c00)
        half ^= 0x4000;
      llvm::support::endian::write16le(&bytes[i], half);
    }
  }

  Operand operand() const {
    Operand result;
    result.extents = extents;
    result.source = Source{bytes.data(), strides};
    return result;
  }
  Result result() {
    Result result;
    result.extents = extents;
    result.destinations.push_back({bytes.data(), strides});
    return result;
  }
};

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_SURFACES_H
