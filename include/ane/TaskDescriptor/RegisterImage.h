//===- RegisterImage.h - The typed meaning of a task descriptor -*- C++ -*-===//
//
// The image is the meaning of a task, a codec is its spelling. Code generation
// fills an image, the executor reads one, and the v7 and v10 codecs turn it
// into bytes and back.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_REGISTERIMAGE_H
#define ANE_TASKDESCRIPTOR_REGISTERIMAGE_H

#include "ane/TaskDescriptor/Fields.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>

namespace ane::td {

/// The value of every field, header included.
///
/// Bits that no field names are kept as well, so that a descriptor that uses
/// something unknown survives a round trip; see `unnamedBits`.
class RegisterImage {
public:
  /// Every field at its architectural default.
  RegisterImage();

  /// The bits of a field, right-aligned.
  uint32_t get(Field field, unsigned index = 0) const;

  /// The value of a field times its unit, sign-extended if it is signed.
  int64_t getScaled(Field field, unsigned index = 0) const;

  bool isSet(Field field, unsigned index = 0) const {
    return get(field, index) != 0;
  }

  /// Sets a field to a value known to fit.
  void set(Field field, uint32_t value, unsigned index = 0);

  /// Sets a field to `value / unit`. Refuses, naming the field and its range, a
  /// value that is not a multiple of the unit or does not fit.
  llvm::Error setScaled(Field field, int64_t value, unsigned index = 0);

  /// The whole 32-bit register `word` of a block.
  uint32_t word(Block block, unsigned word) const {
    return words[firstWord(block) + word];
  }
  void setWord(Block block, unsigned word, uint32_t value) {
    words[firstWord(block) + word] = value;
  }

  /// The registers of all blocks, numbered from 0 to numImageWords - 1 by
  /// `indexOf`.
  llvm::ArrayRef<uint32_t> allWords() const { return words; }
  llvm::MutableArrayRef<uint32_t> allWords() { return words; }
  static unsigned indexOf(Block block, unsigned word) {
    return firstWord(block) + word;
  }

  bool hasUnnamedBits() const;
  /// The set bits of a register that belong to no field.
  uint32_t unnamedBits(Block block, unsigned word) const;

  bool operator==(const RegisterImage &other) const = default;

private:
  static unsigned firstWord(Block block);

  std::array<uint32_t, numImageWords> words;
};

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_REGISTERIMAGE_H
