//===- RegisterImage.cpp - The typed meaning of a task descriptor ---------===//

#include "ane/TaskDescriptor/RegisterImage.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace ane::td;

namespace {

/// Index of the first word of every block, and per word the bits that fields
/// name and what they are by default.
struct ImageLayout {
  std::array<unsigned, 8> firstWord;
  std::array<uint32_t, numImageWords> named{}, defaults{};

  ImageLayout() {
    unsigned next = 0;
    for (auto [index, block] : llvm::enumerate(blockTable())) {
      firstWord[index] = next;
      next += block.words;
    }
    assert(next == numImageWords && "block table out of step");
    for (const FieldInfo &field : fieldTable())
      for (unsigned i = 0; i < field.count; ++i) {
        unsigned word =
            firstWord[static_cast<size_t>(field.block)] + field.offset / 4 + i;
        named[word] |= field.mask() << field.lsb;
        defaults[word] |= field.defaultValue << field.lsb;
      }
  }
};

const ImageLayout &layout() {
  static const ImageLayout instance;
  return instance;
}

} // namespace

unsigned RegisterImage::firstWord(Block block) {
  return layout().firstWord[static_cast<size_t>(block)];
}

RegisterImage::RegisterImage() : words(layout().defaults) {}

uint32_t RegisterImage::get(Field field, unsigned index) const {
  const FieldInfo &info = fieldInfo(field);
  assert(index < info.count && "no such element");
  uint32_t word = words[firstWord(info.block) + info.offset / 4 + index];
  return (word >> info.lsb) & info.mask();
}

int64_t RegisterImage::getScaled(Field field, unsigned index) const {
  const FieldInfo &info = fieldInfo(field);
  int64_t value = get(field, index);
  if (info.isSigned)
    value = llvm::SignExtend64(value, info.width);
  return value * info.unit;
}

void RegisterImage::set(Field field, uint32_t value, unsigned index) {
  const FieldInfo &info = fieldInfo(field);
  assert(index < info.count && "no such element");
  assert((value & ~info.mask()) == 0 && "value does not fit the field");
  uint32_t &word = words[firstWord(info.block) + info.offset / 4 + index];
  word = (word & ~(info.mask() << info.lsb)) | (value << info.lsb);
}

llvm::Error RegisterImage::setScaled(Field field, int64_t value,
                                     unsigned index) {
  const FieldInfo &info = fieldInfo(field);
  // Most are plain numbers, of which a division tells nothing.
  int64_t steps = info.unit == 1 ? value : value / info.unit;
  if (steps * info.unit != value)
    return llvm::createStringError(
        llvm::formatv("{0} counts in steps of {1} bytes, which {2} is not a "
                      "multiple of",
                      info.fullName(index), info.unit, value));
  int64_t low = info.isSigned ? llvm::minIntN(info.width) : 0;
  int64_t high =
      info.isSigned ? llvm::maxIntN(info.width) : int64_t(info.mask());
  if (steps < low || steps > high)
    return llvm::createStringError(llvm::formatv(
        "{0} is {1}, outside its range {2} to {3}", info.fullName(index), value,
        low * info.unit, high * info.unit));
  set(field, static_cast<uint32_t>(steps) & info.mask(), index);
  return llvm::Error::success();
}

bool RegisterImage::hasUnnamedBits() const {
  const auto &named = layout().named;
  uint32_t unnamed = 0;
  for (unsigned i = 0; i < numImageWords; ++i)
    unnamed |= words[i] & ~named[i];
  return unnamed != 0;
}

uint32_t RegisterImage::unnamedBits(Block block, unsigned word) const {
  unsigned index = firstWord(block) + word;
  return words[index] & ~layout().named[index];
}
