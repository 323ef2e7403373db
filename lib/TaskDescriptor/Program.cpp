//===- Program.cpp - Chains of task descriptors ---------------------------===//

#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::td;
using llvm::Error;
using llvm::Expected;

namespace {

/// The bits of DebugLogEvents that say where in the program a task is; the
/// others say what it does.
constexpr uint32_t debugEventsPosition =
    bits(DebugLogEvent::Edge | DebugLogEvent::Last);

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

void td::linkTask(RegisterImage &image, size_t index, size_t count) {
  bool first = index == 0;
  bool last = index + 1 == count;
  image.set(Field::TID, index & fieldInfo(Field::TID).mask());
  image.set(Field::LNID, !first);
  image.set(Field::EON, last);
  image.set(Field::TBE, !last);
  LogEvent events = LogEvent::Always;
  if (first)
    events = events | LogEvent::First;
  if (last)
    events = events | LogEvent::Last;
  setValue<Field::LogEvents>(image, events);
  uint32_t debug = image.get(Field::DebugLogEvents) & ~debugEventsPosition;
  if (first || last)
    debug |= bits(DebugLogEvent::Edge);
  if (last)
    debug |= bits(DebugLogEvent::Last);
  image.set(Field::DebugLogEvents, debug);
}

void td::linkTasks(llvm::MutableArrayRef<TaskDescriptor> tasks) {
  for (auto [index, task] : llvm::enumerate(tasks))
    linkTask(task.image, index, tasks.size());
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

/// The first descriptor of a program, which is not always that of the text: a
/// text may hold several programs.
static Error checkEntry(const TextReader &reader, bool isV10) {
  uint32_t entry = reader.text.entry;
  uint64_t first = isV10 ? sizeof(v10::ProgramHeader) : 0;
  uint64_t alignment = isV10 ? sizeof(uint32_t) : taskAlignment;
  if (entry >= first && entry % alignment == 0)
    return Error::success();
  return reader.error(
      entry, llvm::formatv("the first descriptor is at {0:x} of the text; "
                           "it must start at a multiple of {1:x} from {2:x} on",
                           entry, alignment, first));
}

/// What a descriptor at `offset` that ends at `end` says of the next one, and
/// what lies between them.
static Error checkLink(const TextReader &reader, uint64_t offset, uint64_t end,
                       const RegisterImage &image, bool isV10) {
  uint32_t next = image.get(Field::NextPointer);
  if (next == 0) {
    if (uint32_t size = image.get(Field::NextSize))
      return reader.error(
          offset + fieldInfo(Field::NextSize).offset,
          llvm::formatv("Header[1].NextSize is {0}, but Header[7].NextPointer "
                        "says that no descriptor follows",
                        size));
  } else if (isV10 ? next != end : next < end || next % taskAlignment != 0) {
    // Descriptors only follow each other forwards, so no chain is endless.
    return reader.error(
        offset + fieldInfo(Field::NextPointer).offset,
        isV10 ? llvm::formatv("Header[7].NextPointer is {0:x}; the next "
                              "descriptor must start where this one ends, at "
                              "{1:x}",
                              next, end)
                    .str()
              : llvm::formatv("Header[7].NextPointer is {0:x}; the next "
                              "descriptor must start at a multiple of {1:x} "
                              "behind this one, which ends at {2:x}",
                              next, taskAlignment, end)
                    .str());
  }
  if (isV10)
    return Error::success();
  llvm::ArrayRef<uint8_t> bytes = reader.text.bytes;
  uint64_t gapEnd =
      std::min<uint64_t>(llvm::alignTo(end, taskAlignment), bytes.size());
  for (uint64_t i = end; i < gapEnd; ++i)
    if (bytes[i])
      return reader.error(i, llvm::formatv("byte {0:x} between descriptors is "
                                           "{1:x2}; the gap must be zero",
                                           i, bytes[i]));
  return Error::success();
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
  if (Error error = checkEntry(reader, isV10))
    return error;
  if (text.numTasks == 0)
    return reader.error(offset, "the program descriptor says that there are no "
                                "tasks, so nothing would run");
  while (tasks.size() < text.numTasks) {
    Expected<TaskDescriptor> task = isV10 ? decodeTaskV10(reader, offset, words)
                                          : decodeTaskV7(reader, offset, words);
    if (!task)
      return task.takeError();
    if (!isV10)
      task->textOffset = offset;
    uint32_t next = task->image.get(Field::NextPointer);
    uint64_t end = offset + uint64_t(words) * 4;
    if (Error error = checkLink(reader, offset, end, task->image, isV10))
      return error;
    words = task->image.get(Field::NextSize) + 1;
    tasks.push_back(std::move(*task));
    if (next == 0)
      break;
    offset = next;
  }
  if (tasks.size() != text.numTasks)
    return reader.error(offset, "the chain of descriptors ends after " +
                                    llvm::Twine(tasks.size()) +
                                    " tasks; the program descriptor says " +
                                    llvm::Twine(text.numTasks));
  if (tasks.back().image.get(Field::NextPointer) != 0)
    return reader.error(offset, "the chain of descriptors goes on after the " +
                                    llvm::Twine(text.numTasks) +
                                    " tasks the program descriptor says");
  return tasks;
}
