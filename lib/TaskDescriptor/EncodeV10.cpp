//===- EncodeV10.cpp - Tasks as 44-byte records ---------------------------===//

#include "Codec.h"
#include "V10Layout.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::td;
using namespace ane::td::v10;
using llvm::Expected;

namespace {

/// Collects the records of one descriptor.
class RecordWriter {
public:
  RecordWriter(const RegisterImage &image, EncodedTask &result)
      : image(image), result(result) {
    V10Layout::toGroups(image, words);
  }

  void writeGroup(const GroupInfo &group) {
    unsigned word = 0;
    while (word < group.words) {
      if (!isWritten(group, word)) {
        ++word;
        continue;
      }
      unsigned length = progressionAt(group, word);
      if (length >= minProgression)
        writeProgression(group, word, length);
      else
        length = writeRun(group, word);
      word += length;
    }
  }

  void writeSlot(const SlotBinding &binding) {
    const FieldInfo &info = fieldInfo(binding.base);
    Record record{};
    record.marker = RecordMarker{RecordKind::Slot, 1}.encode();
    record.address = registerAperture + 4u * info.v10.slot;
    record.values[0] = image.getScaled(binding.base);
    result.relocations.push_back(
        {valueOffset(0), RelocationSite::Target::Buffer,
         static_cast<uint8_t>(image.get(binding.bar))});
    append(record);
  }

private:
  bool isWritten(const GroupInfo &group, unsigned word) const {
    return word < group.words &&
           words[group.number][word] != defaults[group.number][word];
  }

  /// How many written registers from `word` on form an arithmetic progression.
  unsigned progressionAt(const GroupInfo &group, unsigned word) const {
    const auto &values = words[group.number];
    unsigned length = 1;
    while (isWritten(group, word + length) &&
           (length == 1 || values[word + length] - values[word + length - 1] ==
                               values[word + 1] - values[word]))
      ++length;
    return length;
  }

  void writeProgression(const GroupInfo &group, unsigned word,
                        unsigned length) {
    const auto &values = words[group.number];
    Record record{};
    record.marker = RecordMarker{RecordKind::Progression, length}.encode();
    record.address = registerAddress(group, word);
    record.values[0] = values[word];
    record.values[1] = values[word + 1] - values[word];
    // The loader moves the whole progression by moving its first value.
    noteLane(group, word, 0);
    append(record);
  }

  /// Writes up to eight registers of the window at `first`; yields how many
  /// registers, written or not, that covers.
  unsigned writeRun(const GroupInfo &group, unsigned first) {
    Record record{};
    uint32_t mask = 0;
    unsigned count = 0, covered = 0;
    for (; covered < runWindow && count < maxRecordValues; ++covered) {
      unsigned word = first + covered;
      if (!isWritten(group, word))
        continue;
      if (progressionAt(group, word) >= minProgression)
        break;
      noteLane(group, word, count);
      record.values[count++] = words[group.number][word];
      mask |= 1u << covered;
    }
    record.marker = RecordMarker{RecordKind::Run, count}.encode();
    record.address = registerAddress(group, first);
    record.mask = mask;
    append(record);
    return covered;
  }

  uint32_t valueOffset(unsigned value) const {
    return (result.words.size() + (recordWords - maxRecordValues) + value) * 4;
  }

  void noteLane(const GroupInfo &group, unsigned word, unsigned value) {
    const FieldInfo &base = fieldInfo(Field::CoeffBase);
    unsigned lane = word - base.v10.word;
    if (group.number == base.v10.group && lane < numLanes &&
        image.isSet(Field::CoeffEn, lane))
      result.relocations.push_back(
          {valueOffset(value), RelocationSite::Target::Coefficients,
           static_cast<uint8_t>(image.get(Field::KBase0))});
  }

  void append(const Record &record) {
    result.words.push_back(record.marker);
    result.words.push_back(record.address);
    result.words.push_back(record.mask);
    for (uint32_t value : record.values)
      result.words.push_back(value);
  }

  const RegisterImage &image;
  EncodedTask &result;
  GroupWords words{};
  const GroupWords &defaults = V10Layout::get().defaults;
};

} // namespace

Expected<EncodedTask> ane::td::encodeTaskV10(const TaskDescriptor &task) {
  const RegisterImage &image = task.image;
  bool mayHaveUnnamedBits = image.hasUnnamedBits();
  for (auto [index, info] : llvm::enumerate(blockTable())) {
    auto block = static_cast<Block>(index);
    // v10 has the header words of v7, with all their bits.
    if (block == Block::Header || !mayHaveUnnamedBits)
      continue;
    for (unsigned word = 0; word < info.words; ++word)
      if (uint32_t bits = image.unnamedBits(block, word))
        return llvm::createStringError(llvm::formatv(
            "bits {0:x8} of register {1:x5} = {2:x8} belong to no known field, "
            "so they have no place in v10",
            bits, info.address + 4 * word, image.word(block, word)));
  }

  Expected<EncodedTask> result = encodeHeader(image);
  if (!result)
    return result.takeError();
  RecordWriter writer(image, *result);
  for (const GroupInfo &group : groupTable())
    writer.writeGroup(group);
  for (const SlotBinding &binding : slotBindings()) {
    if (isBound(image, binding))
      writer.writeSlot(binding);
    else if (image.get(binding.base) != 0)
      return llvm::createStringError(llvm::formatv(
          "{0} is {1:x}, but {2} is 0, so no slot holds it; v10 "
          "has no other place for a base",
          fieldInfo(binding.base).fullName(), image.getScaled(binding.base),
          unboundBy(image, binding)));
  }
  return result;
}
