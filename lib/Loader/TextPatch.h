//===- TextPatch.h - The text that a load changes ---------------*- C++ -*-===//

#ifndef ANE_LIB_LOADER_TEXTPATCH_H
#define ANE_LIB_LOADER_TEXTPATCH_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ane::loader {

/// A copy of a text, no bit of which is written twice. Offsets are of 32-bit
/// words inside it.
class TextPatch {
public:
  explicit TextPatch(llvm::ArrayRef<uint8_t> text)
      : bytes(text.begin(), text.end()) {}

  /// The word, or the word and the one behind it as one number.
  uint32_t word(uint64_t offset) const;
  uint64_t doubleWord(uint64_t offset) const;

  /// Writes `value` into `width` bits from bit `lsb` on, of the word or, where
  /// they pass bit 31, of that and the next one. A message where the value does
  /// not fit or one of the bits has been written.
  std::optional<std::string> write(uint64_t offset, unsigned lsb,
                                   unsigned width, uint64_t value);

  std::vector<uint8_t> take() { return std::move(bytes); }

private:
  std::vector<uint8_t> bytes;
  std::map<uint64_t, uint32_t> written; ///< bits, by the offset of their word
};

} // namespace ane::loader

#endif // ANE_LIB_LOADER_TEXTPATCH_H
