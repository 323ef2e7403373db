//===- CodecV10.cpp - The sparse 44-byte records of v10 -------------------===//

#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <optional>

using namespace ane::td;
using namespace ane::td::v10;
using llvm::Error;
using llvm::Expected;

namespace {

constexpr unsigned numGroups = 7;
constexpr unsigned maxGroupWords = 69;

/// A progression shorter than this takes no fewer records than a run.
constexpr unsigned minProgression = 4;

/// The registers of the seven groups.
using GroupWords = std::array<std::array<uint32_t, maxGroupWords>, numGroups>;

/// What the field table says about the words of the v10 image.
struct V10Layout {
  GroupWords named{};    ///< bits of plain fields
  GroupWords defaults{}; ///< their values by default

  V10Layout() {
    RegisterImage idle;
    toGroups(idle, defaults);
    forEachElement([&](Field, const FieldInfo &info, unsigned i) {
      named[info.v10.group][info.v10.word + i] |= info.mask() << info.v10.lsb;
    });
  }

  /// Visits every element of every field that v10 writes as a plain value.
  template <typename Fn> static void forEachElement(Fn fn) {
    for (auto [index, info] : llvm::enumerate(fieldTable()))
      if (info.v10.group >= 0 && !info.v10.slot)
        for (unsigned i = 0; i < info.count; ++i)
          fn(static_cast<Field>(index), info, i);
  }

  static void toGroups(const RegisterImage &image, GroupWords &words) {
    forEachElement([&](Field field, const FieldInfo &info, unsigned i) {
      words[info.v10.group][info.v10.word + i] |= image.get(field, i)
                                                  << info.v10.lsb;
    });
  }

  static void fromGroups(const GroupWords &words, RegisterImage &image) {
    forEachElement([&](Field field, const FieldInfo &info, unsigned i) {
      uint32_t word = words[info.v10.group][info.v10.word + i];
      image.set(field, (word >> info.v10.lsb) & info.mask(), i);
    });
  }
};

const V10Layout &layout() {
  static const V10Layout instance;
  return instance;
}

/// A base field with a slot, and the header fields that bind it.
struct SlotBinding {
  Field base;
  Field barEnable;
  Field bar;
  std::optional<unsigned> stream; ///< auxiliary stream, which must be enabled
};

llvm::ArrayRef<SlotBinding> slotBindings() {
  static const std::vector<SlotBinding> bindings = [] {
    std::vector<SlotBinding> list;
    for (const BufferBinding &binding : bufferBindings())
      list.push_back(
          {binding.base, binding.barEnable, binding.bar, std::nullopt});
    constexpr Field streams[] = {
        Field::StreamBiasBase, Field::StreamPostScaleBase,
        Field::StreamPaletteBase, Field::StreamLutBase};
    for (auto [index, base] : llvm::enumerate(streams))
      list.push_back({base, Field::KBE0, Field::KBase0, index});
    return list;
  }();
  return bindings;
}

bool isBound(const RegisterImage &image, const SlotBinding &binding) {
  return image.isSet(binding.barEnable) &&
         (!binding.stream || image.isSet(Field::StreamEn, *binding.stream));
}

uint32_t registerAddress(const GroupInfo &group, unsigned word) {
  return registerAperture + group.aperture + 4 * word;
}

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
           words[group.number][word] != layout().defaults[group.number][word];
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
          {valueOffset(value), RelocationSite::Target::Coefficients, 0});
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
};

/// Takes in the records of one descriptor.
class RecordReader {
public:
  RecordReader(const TextReader &reader, RegisterImage &image)
      : reader(reader), image(image), words(layout().defaults) {}

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
      uint32_t named = layout().named[group.number][word];
      uint32_t &target = words[group.number][word];
      uint32_t initial = layout().defaults[group.number][word];
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

} // namespace

Expected<EncodedTask> ane::td::encodeTaskV10(const TaskDescriptor &task) {
  const RegisterImage &image = task.image;
  for (auto [index, info] : llvm::enumerate(blockTable()))
    for (unsigned word = 0; word < info.words; ++word)
      if (uint32_t bits = image.unnamedBits(static_cast<Block>(index), word))
        return llvm::createStringError(
            llvm::formatv("bits {0:x8} of register {1:x5} belong to no known "
                          "field",
                          bits, info.address + 4 * word));

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
      return llvm::createStringError(
          llvm::formatv("{0} is set, but the header binds no buffer to it",
                        fieldInfo(binding.base).fullName()));
  }
  return result;
}

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
      return std::move(error);
  if (Error error = records.finish(offset))
    return std::move(error);
  return task;
}
