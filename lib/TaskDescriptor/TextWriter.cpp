//===- TextWriter.cpp - Task descriptors as text, one by one --------------===//

#include "ane/TaskDescriptor/TextWriter.h"
#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::td;
using namespace llvm::support;
using llvm::Error;
using llvm::Expected;

/// Where a descriptor goes whose predecessor ends at `end`. v10 packs them.
static uint64_t placeBehind(uint64_t end, const TaskDescriptor &task,
                            Format format) {
  if (format == Format::V10)
    return end;
  uint64_t place = llvm::alignTo(end, taskAlignment);
  // Where it was, unless tasks in front of it have grown.
  if (task.textOffset && *task.textOffset >= place &&
      *task.textOffset % taskAlignment == 0)
    place = *task.textOffset;
  return place;
}

TextWriter::TextWriter(Format format) : format(format) {
  if (format != Format::V10)
    return;
  v10::ProgramHeader header = {};
  header.version = v10::version;
  header.registerBase = v10::registerBase;
  const auto *bytes = reinterpret_cast<const uint8_t *>(&header);
  text.assign(bytes, bytes + sizeof(header));
}

void TextWriter::beginProgram() {
  programs.emplace_back().entry = text.size();
  index = 0;
}

void TextWriter::reserve(size_t numMore) {
  if (index == 0)
    return;
  // With an eighth more, as to be short of a little copies all.
  auto reserveIn = [&](auto &list, size_t numSoFar) {
    list.reserve(list.size() + list.size() * 9 / 8 / numSoFar * numMore);
  };
  reserveIn(text, numTasks);
  reserveIn(programs.back().relocations, index);
}

Error TextWriter::setNext(uint64_t offset, int64_t size) {
  uint8_t *words = text.data() + previous;
  for (unsigned i = 0; i < headerWords; ++i)
    header.setWord(Block::Header, i, endian::read32le(words + 4 * i));
  if (Error error = header.setScaled(Field::NextSize, size))
    return error;
  header.set(Field::NextPointer, offset);
  for (unsigned i = 0; i < headerWords; ++i)
    endian::write32le(words + 4 * i, header.word(Block::Header, i));
  return Error::success();
}

Error TextWriter::append(const TaskDescriptor &task) {
  Expected<EncodedTask> encoded =
      format == Format::V10 ? encodeTaskV10(task) : encodeTaskV7(task);
  if (!encoded)
    return llvm::createStringError(
        "task " + llvm::Twine(index) + " cannot be spelled in " +
        stringifyFormat(format) + ": " + llvm::toString(encoded.takeError()));
  EncodedProgram &program = programs.back();
  uint64_t offset = placeBehind(text.size(), task, format);
  uint64_t end = offset + encoded->words.size() * sizeof(uint32_t);
  if (end > UINT32_MAX)
    return llvm::createStringError(llvm::formatv(
        "the task descriptors take more than the 4 GiB that a next pointer "
        "reaches: task {0} ends at byte {1}",
        index, end));
  if (index == 0) {
    program.entry = offset;
    program.firstTaskWords = encoded->words.size();
  } else if (Error error = setNext(offset, encoded->words.size() - 1)) {
    return error;
  }
  text.resize(end, 0);
  for (auto [i, word] : llvm::enumerate(encoded->words))
    endian::write32le(text.data() + offset + 4 * i, word);
  for (RelocationSite site : encoded->relocations) {
    site.offset += offset;
    program.relocations.push_back(site);
  }
  previous = offset;
  ++index;
  ++numTasks;
  // Until another one follows.
  return setNext(0, 0);
}

std::vector<EncodedProgram> TextWriter::finish() && {
  if (format == Format::V10)
    reinterpret_cast<v10::ProgramHeader *>(text.data())->size = text.size();
  if (!programs.empty())
    programs.front().text = std::move(text);
  return std::move(programs);
}

Expected<EncodedProgram> td::encodeProgram(llvm::ArrayRef<TaskDescriptor> tasks,
                                           Format format) {
  Expected<std::vector<EncodedProgram>> programs =
      encodePrograms(tasks, format);
  if (!programs)
    return programs.takeError();
  return std::move(programs->front());
}

Expected<std::vector<EncodedProgram>>
td::encodePrograms(llvm::ArrayRef<llvm::ArrayRef<TaskDescriptor>> programs,
                   Format format) {
  TextWriter writer(format);
  for (llvm::ArrayRef<TaskDescriptor> tasks : programs) {
    writer.beginProgram();
    for (const TaskDescriptor &task : tasks)
      if (Error error = writer.append(task))
        return error;
  }
  return std::move(writer).finish();
}
