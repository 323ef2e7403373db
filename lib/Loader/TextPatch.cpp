//===- TextPatch.cpp - The text that a load changes -----------------------===//

#include "TextPatch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane::loader;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using llvm::support::endian::write32le;

uint32_t TextPatch::word(uint64_t offset) const {
  return read32le(bytes.data() + offset);
}

uint64_t TextPatch::doubleWord(uint64_t offset) const {
  return read64le(bytes.data() + offset);
}

std::optional<std::string> TextPatch::write(uint64_t offset, unsigned lsb,
                                            unsigned width, uint64_t value) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  if (value > mask)
    return llvm::formatv("{0:x} does not fit {1} bits", value, width).str();
  mask <<= lsb;
  value <<= lsb;
  for (unsigned half : {0, 1}) {
    uint32_t bits = mask >> (32 * half);
    uint64_t place = offset + 4 * half;
    if (!bits)
      continue;
    uint32_t &taken = written[place];
    if (taken & bits)
      return llvm::formatv("bits {0:x} of the word at text offset {1:x} are "
                           "written twice",
                           taken & bits, place)
          .str();
    taken |= bits;
    uint32_t old = word(place);
    write32le(bytes.data() + place,
              (old & ~bits) | (uint32_t(value >> (32 * half)) & bits));
  }
  return std::nullopt;
}
