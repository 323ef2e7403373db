//===- Program.cpp - Chains of task descriptors ---------------------------===//

#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::td;
using llvm::Error;
using llvm::Expected;

namespace {

/// v7 descriptors start at multiples of this. Verified.
constexpr uint64_t taskAlignment = 0x100;

// Event masks of the header. Verified.
constexpr uint32_t logEventsAlways = 0x400;
constexpr uint32_t logEventsFirst = 0x8;
constexpr uint32_t logEventsLast = 0x22;
constexpr uint32_t debugEventsFirst = 0x68;
constexpr uint32_t debugEventsLast = 0x6a;
constexpr uint32_t debugEventsPositionMask = 0xff;

void appendWord(std::vector<uint8_t> &bytes, uint32_t word) {
  size_t offset = bytes.size();
  bytes.resize(offset + sizeof(word));
  llvm::support::endian::write32le(bytes.data() + offset, word);
}

} // namespace

llvm::StringRef td::stringifyFormat(Format format) {
  return format == Format::V7 ? "v7" : "v10";
}

llvm::ArrayRef<BufferBinding> td::bufferBindings() {
  static constexpr BufferBinding bindings[] = {
      {Field::Src1Base, Field::RBE0, Field::RBase0},
      {Field::Src2Base, Field::RBE1, Field::RBase1},
      {Field::DstBase, Field::WBE, Field::WBase},
  };
  return bindings;
}

void td::linkTasks(llvm::MutableArrayRef<TaskDescriptor> tasks) {
  for (auto [index, task] : llvm::enumerate(tasks)) {
    bool first = index == 0;
    bool last = index + 1 == tasks.size();
    RegisterImage &image = task.image;
    image.set(Field::TID, index & fieldInfo(Field::TID).mask());
    image.set(Field::LNID, !first);
    image.set(Field::EON, last);
    image.set(Field::TBE, !last);
    image.set(Field::LogEvents, logEventsAlways | (first ? logEventsFirst : 0) |
                                    (last ? logEventsLast : 0));
    uint32_t debug =
        image.get(Field::DebugLogEvents) & ~debugEventsPositionMask;
    if (last)
      debug |= debugEventsLast;
    else if (first)
      debug |= debugEventsFirst;
    image.set(Field::DebugLogEvents, debug);
  }
}

Expected<EncodedProgram> td::encodeProgram(llvm::ArrayRef<TaskDescriptor> tasks,
                                           Format format) {
  bool isV10 = format == Format::V10;
  std::vector<EncodedTask> encoded;
  for (auto [index, task] : llvm::enumerate(tasks)) {
    Expected<EncodedTask> result =
        isV10 ? encodeTaskV10(task) : encodeTaskV7(task);
    if (!result)
      return llvm::createStringError(
          "task " + llvm::Twine(index) + " cannot be spelled in " +
          stringifyFormat(format) + ": " + llvm::toString(result.takeError()));
    encoded.push_back(std::move(*result));
  }

  // Where each descriptor goes. v10 packs them behind the program header.
  std::vector<uint64_t> offsets;
  uint64_t end = isV10 ? sizeof(v10::ProgramHeader) : 0;
  for (const EncodedTask &task : encoded) {
    uint64_t offset = isV10 ? end : llvm::alignTo(end, taskAlignment);
    offsets.push_back(offset);
    end = offset + task.words.size() * 4;
  }
  if (end > UINT32_MAX)
    return llvm::createStringError(llvm::formatv(
        "the task descriptors take {0} bytes, more than the 4 GiB "
        "a next pointer reaches",
        end));

  EncodedProgram program;
  program.entry = offsets.empty() ? 0 : offsets.front();
  program.firstTaskWords = encoded.empty() ? 0 : encoded.front().words.size();
  if (isV10) {
    appendWord(program.text, end);
    appendWord(program.text, v10::version);
    appendWord(program.text, v10::registerBase);
  }
  for (size_t i = 0; i < encoded.size(); ++i) {
    program.text.resize(offsets[i], 0);
    // The link to the next descriptor is the one thing that depends on sizes.
    RegisterImage link = tasks[i].image;
    bool last = i + 1 == encoded.size();
    if (Error error = link.setScaled(
            Field::NextSize, last ? 0 : encoded[i + 1].words.size() - 1))
      return std::move(error);
    link.set(Field::NextPointer, last ? 0 : offsets[i + 1]);
    for (auto [index, word] : llvm::enumerate(encoded[i].words))
      appendWord(program.text,
                 index < headerWords ? link.word(Block::Header, index) : word);
    for (RelocationSite site : encoded[i].relocations) {
      site.offset += offsets[i];
      program.relocations.push_back(site);
    }
  }
  return program;
}

Format td::detectFormat(llvm::ArrayRef<uint8_t> text) {
  // The version word of a v10 program would be a next size of 10 words in v7,
  // fewer than any v7 descriptor has.
  if (text.size() < sizeof(v10::ProgramHeader))
    return Format::V7;
  const auto *header =
      reinterpret_cast<const v10::ProgramHeader *>(text.data());
  return header->version == v10::version &&
                 header->registerBase == v10::registerBase
             ? Format::V10
             : Format::V7;
}

Expected<uint32_t> TextReader::word(uint64_t offset,
                                    const llvm::Twine &what) const {
  if (offset > text.bytes.size() || text.bytes.size() - offset < 4)
    return error(offset, what + " lies outside the text section, which has " +
                             llvm::Twine(text.bytes.size()) + " bytes");
  return llvm::support::endian::read32le(text.bytes.data() + offset);
}

Expected<EncodedTask> td::encodeHeader(const RegisterImage &image) {
  bool extended = image.isSet(Field::TDE);
  if (!extended && image.word(Block::Header, headerWords) != 0)
    return llvm::createStringError(
        fieldInfo(Field::DTID).fullName() + " is set, but " +
        fieldInfo(Field::TDE).fullName() + " is not");
  EncodedTask result;
  for (unsigned i = 0, e = extended ? extendedHeaderWords : headerWords; i < e;
       ++i)
    result.words.push_back(image.word(Block::Header, i));
  return result;
}

Expected<unsigned> td::decodeHeader(const TextReader &reader, uint64_t offset,
                                    uint32_t taskWords, RegisterImage &image) {
  if (taskWords < headerWords)
    return reader.error(offset, "a descriptor of " + llvm::Twine(taskWords) +
                                    " words has no room for its header of " +
                                    llvm::Twine(headerWords));
  unsigned count = headerWords;
  for (unsigned i = 0; i < count; ++i) {
    Expected<uint32_t> word =
        reader.word(offset + 4 * i, "a descriptor header");
    if (!word)
      return word.takeError();
    image.setWord(Block::Header, i, *word);
    if (i + 1 == headerWords && image.isSet(Field::TDE))
      count = extendedHeaderWords;
  }
  if (taskWords < count)
    return reader.error(offset, "a descriptor of " + llvm::Twine(taskWords) +
                                    " words has no room for DTID");
  return count;
}

Expected<std::vector<TaskDescriptor>>
td::decodeProgram(const EncodedText &text) {
  TextReader reader(text);
  bool isV10 = detectFormat(text.bytes) == Format::V10;
  if (isV10) {
    Expected<uint32_t> size = reader.word(0, "the program header");
    if (!size)
      return size.takeError();
    if (*size != text.bytes.size())
      return reader.error(0, "the program header says " + llvm::Twine(*size) +
                                 " bytes, the text section has " +
                                 llvm::Twine(text.bytes.size()));
  }

  std::vector<TaskDescriptor> tasks;
  uint64_t offset = text.entry;
  uint32_t words = text.firstTaskWords;
  while (tasks.size() < text.numTasks) {
    Expected<TaskDescriptor> task = isV10 ? decodeTaskV10(reader, offset, words)
                                          : decodeTaskV7(reader, offset, words);
    if (!task)
      return task.takeError();
    uint64_t end = offset + uint64_t(words) * 4;
    uint32_t next = task->image.get(Field::NextPointer);
    words = task->image.get(Field::NextSize) + 1;
    tasks.push_back(std::move(*task));
    if (next == 0)
      break;
    // Descriptors only follow each other forwards, so no chain is endless.
    if (next < end || next % 4 != 0)
      return reader.error(
          offset, llvm::formatv("Header[7].NextPointer is {0:x}; the next "
                                "descriptor must start at a multiple of 4 "
                                "behind this one, which ends at {1:x}",
                                next, end));
    offset = next;
  }
  if (tasks.size() != text.numTasks)
    return reader.error(offset, "the chain of descriptors ends after " +
                                    llvm::Twine(tasks.size()) +
                                    " tasks; the program descriptor says " +
                                    llvm::Twine(text.numTasks));
  if (!tasks.empty() && tasks.back().image.get(Field::NextPointer) != 0)
    return reader.error(offset, "the chain of descriptors goes on after the " +
                                    llvm::Twine(text.numTasks) +
                                    " tasks the program descriptor says");
  return tasks;
}
