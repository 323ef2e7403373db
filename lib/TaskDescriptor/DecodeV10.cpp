//===- DecodeV10.cpp - 44-byte records as tasks ---------------------------===//

#include "Codec.h"
#include "V10Layout.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::td;
using namespace ane::td::v10;
using llvm::Error;
using llvm::Expected;

namespace {

/// Takes in the records of one descriptor.
class RecordReader {
public:
  RecordReader(const TextReader &reader, RegisterImage &image)
      : reader(reader), image(image), words(V10Layout::get().defaults) {}

  Error read(uint64_t offset) {
    Record record;
    for (unsigned i = 0; i < recordWords; ++i) {
      Expected<uint32_t> word = reader.word(offset + 4 * i, "a record");
      if (!word)
        return word.takeError();
      reinterpret_cast<ulittle32_t *>(&record)[i] = *word;
    }
    RecordMarker marker = RecordMarker::decode(record.marker);
    if (record.marker != marker.encode())
      return reader.error(offset, llvm::formatv("{0:x8} is no record marker",
                                                uint32_t(record.marker)));
    switch (marker.kind) {
    case RecordKind::Run:
      return readRun(offset, record, marker.count);
    case RecordKind::Progression:
      return readProgression(offset, record, marker.count);
    case RecordKind::Slot:
      return readSlot(offset, record, marker.count);
    }
    return reader.error(offset,
                        llvm::formatv("record kind {0} is not known",
                                      static_cast<uint32_t>(marker.kind)));
  }

  /// Checks the slots against the header and completes the image.
  Error finish(uint64_t offset) {
    V10Layout::fromGroups(words, image);
    for (auto [index, binding] : llvm::enumerate(slotBindings())) {
      const FieldInfo &info = fieldInfo(binding.base);
      const std::optional<Slot> &slot = slots[index];
      if (isBound(image, binding) != slot.has_value())
        return reader.error(
            offset, llvm::formatv("{0} is {1} by the header, but slot {2:x} is "
                                  "{3}",
                                  info.fullName(), slot ? "not used" : "used",
                                  info.v10.slot, slot ? "there" : "missing"));
      if (!slot)
        continue;
      uint64_t value = slot->address;
      if (!reader.text.bars.empty()) {
        unsigned bar = image.get(binding.bar);
        uint64_t buffer =
            bar < reader.text.bars.size() ? reader.text.bars[bar] : 0;
        if (value < buffer || buffer == 0)
          return reader.error(
              slot->offset,
              llvm::formatv("slot {0:x} holds {1:x}, which does not lie in its "
                            "buffer, BAR {2} at {3:x}: it is not resolved",
                            info.v10.slot, value, bar, buffer));
        value -= buffer;
      }
      if (Error error = image.setScaled(binding.base, value))
        return reader.error(slot->offset, llvm::toString(std::move(error)));
    }
    return Error::success();
  }

private:
  struct Slot {
    uint64_t offset;
    uint64_t address;
  };

  Error readRun(uint64_t offset, const Record &record, uint32_t count) {
    uint32_t mask = record.mask;
    if (count == 0 || count > maxRecordValues || mask >> runWindow ||
        static_cast<uint32_t>(llvm::popcount(mask)) != count || !(mask & 1))
      return reader.error(
          offset,
          llvm::formatv("a run of {0} values has mask {1:x}", count, mask));
    unsigned value = 0;
    for (unsigned i = 0; i < runWindow; ++i)
      if (mask & (1u << i))
        if (Error error =
                write(offset, record.address + 4 * i, record.values[value++]))
          return error;
    return checkUnused(offset, record, count);
  }

  Error readProgression(uint64_t offset, const Record &record, uint32_t count) {
    if (count < minProgression || count > maxGroupWords || record.mask != 0)
      return reader.error(
          offset, llvm::formatv("a progression of {0} registers with mask {1:x}"
                                "; it has {2} to {3} registers and no mask",
                                count, uint32_t(record.mask), minProgression,
                                maxGroupWords));
    for (uint32_t i = 0; i < count; ++i)
      if (Error error = write(offset, record.address + 4 * i,
                              record.values[0] + i * record.values[1]))
        return error;
    return checkUnused(offset, record, 2);
  }

  Error readSlot(uint64_t offset, const Record &record, uint32_t count) {
    uint32_t slotRegister = (record.address - registerAperture) / 4;
    for (auto [index, binding] : llvm::enumerate(slotBindings())) {
      if (fieldInfo(binding.base).v10.slot != slotRegister)
        continue;
      uint64_t address =
          uint64_t(record.values[1]) << 32 | uint32_t(record.values[0]);
      if (count != 1 || record.mask != 0 || address >> deviceAddressBits ||
          record.address % 4 != 0 || slots[index])
        break;
      slots[index] = Slot{offset, address};
      return checkUnused(offset, record, 2);
    }
    return reader.error(offset,
                        llvm::formatv("slot {0:x} is not known, is given twice "
                                      "or holds no 42-bit device address",
                                      slotRegister));
  }

  Error write(uint64_t offset, uint32_t address, uint32_t value) {
    for (const GroupInfo &group : groupTable()) {
      uint32_t first = registerAddress(group, 0);
      if (address < first || address >= first + 4 * group.words ||
          address % 4 != 0)
        continue;
      unsigned word = (address - first) / 4;
      uint32_t named = V10Layout::get().named[group.number][word];
      uint32_t &target = words[group.number][word];
      uint32_t initial = V10Layout::get().defaults[group.number][word];
      const char *problem = nullptr;
      if (!named)
        problem = "is not a register of the image";
      else if (value & ~named)
        problem = "has bits that belong to no field";
      else if (value == initial)
        problem = "has its default value";
      else if (target != initial)
        problem = "is written twice";
      if (problem)
        return reader.error(
            offset, llvm::formatv("register {0:x4} = {1:x8} {2}",
                                  address - registerAperture, value, problem));
      target = value;
      return Error::success();
    }
    return reader.error(
        offset,
        llvm::formatv("address {0:x8} lies in no register group", address));
  }

  Error checkUnused(uint64_t offset, const Record &record, unsigned used) {
    for (unsigned i = used; i < maxRecordValues; ++i)
      if (record.values[i] != 0)
        return reader.error(offset, "a record has bytes behind its values");
    return Error::success();
  }

  const TextReader &reader;
  RegisterImage &image;
  GroupWords words;
  std::array<std::optional<Slot>, 7> slots;
};

/// An image has one spelling: registers in order, as few records as they take.
/// Slots that the loader resolved differ from it.
Error checkSpelling(const TextReader &reader, uint64_t offset, uint32_t words,
                    const TaskDescriptor &task) {
  Expected<EncodedTask> encoded = encodeTaskV10(task);
  if (!encoded)
    return reader.error(offset, llvm::toString(encoded.takeError()));
  llvm::SmallBitVector resolved(words);
  if (!reader.text.bars.empty())
    for (const RelocationSite &site : encoded->relocations)
      if (site.target == RelocationSite::Target::Buffer &&
          site.offset / 4 + 1 < words)
        resolved.set(site.offset / 4, site.offset / 4 + 2);
  unsigned common = std::min<size_t>(words, encoded->words.size());
  for (unsigned i = 0; i < common; ++i) {
    Expected<uint32_t> word = reader.word(offset + 4 * i, "a record");
    if (!word)
      return word.takeError();
    if (*word != encoded->words[i] && !resolved.test(i))
      return reader.error(
          offset + 4 * i,
          llvm::formatv("the word is {0:x8}; the one spelling of this task has "
                        "{1:x8} here",
                        *word, encoded->words[i]));
  }
  if (words != encoded->words.size())
    return reader.error(
        offset, llvm::formatv("a descriptor of {0} words; the one spelling of "
                              "this task has {1}",
                              words, encoded->words.size()));
  return Error::success();
}

} // namespace

Expected<TaskDescriptor> ane::td::decodeTaskV10(const TextReader &reader,
                                                uint64_t offset,
                                                uint32_t words) {
  TaskDescriptor task;
  Expected<unsigned> headerSize =
      decodeHeader(reader, offset, words, task.image);
  if (!headerSize)
    return headerSize.takeError();
  if ((words - *headerSize) % recordWords != 0)
    return reader.error(
        offset, llvm::formatv("{0} words behind the header are no whole number "
                              "of {1}-word records",
                              words - *headerSize, recordWords));
  RecordReader records(reader, task.image);
  for (uint32_t word = *headerSize; word < words; word += recordWords)
    if (Error error = records.read(offset + 4ull * word))
      return error;
  if (Error error = records.finish(offset))
    return error;
  if (Error error = checkSpelling(reader, offset, words, task))
    return error;
  return task;
}
