//===- Input.cpp - The file to show ---------------------------------------===//

#include "Input.h"
#include "ane/Object/Reader.h"
#include "ane/Support/BinaryReader.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace ane;
using namespace ane::objdump;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::support::ulittle32_t;

namespace {

/// Words of a v7 descriptor header, without DTID. Verified.
constexpr uint32_t headerWords = 10;

/// Where a text without a container ends and what it holds.
class RawText {
public:
  explicit RawText(const BinaryReader &reader) : reader(reader) {}

  Error measure(td::EncodedText &text) {
    text.entry = text.bytes.empty() ? 0 : entryOf(text.bytes);
    Expected<uint32_t> words = firstWords(text);
    if (!words)
      return words.takeError();
    text.firstTaskWords = *words;
    uint64_t offset = text.entry, size = *words;
    while (true) {
      ++text.numTasks;
      auto taskSize =
          reader.slice(offset, size * sizeof(uint32_t), "a descriptor");
      if (!taskSize)
        return taskSize.takeError();
      uint64_t end = offset + size * sizeof(uint32_t);
      Expected<uint32_t> next = field(offset, td::Field::NextPointer);
      Expected<uint32_t> nextSize = field(offset, td::Field::NextSize);
      if (!next || !nextSize)
        return llvm::joinErrors(next.takeError(), nextSize.takeError());
      if (*next == 0) {
        text.bytes = text.bytes.take_front(end);
        return Error::success();
      }
      if (*next < end)
        return reader.error(offset, "Header[7].NextPointer is " +
                                        llvm::Twine(*next) +
                                        ", which lies before the end of this "
                                        "descriptor, " +
                                        llvm::Twine(end));
      offset = *next;
      size = *nextSize + 1;
    }
  }

private:
  static uint32_t entryOf(llvm::ArrayRef<uint8_t> bytes) {
    return td::detectFormat(bytes) == td::Format::V10
               ? sizeof(td::v10::ProgramHeader)
               : 0;
  }

  Expected<uint32_t> word(uint64_t offset) {
    auto value = reader.read<ulittle32_t>(offset, "a descriptor");
    if (!value)
      return value.takeError();
    return uint32_t(*value);
  }

  Expected<uint32_t> field(uint64_t task, td::Field field) {
    const td::FieldInfo &info = td::fieldInfo(field);
    Expected<uint32_t> value = word(task + info.offset);
    if (!value)
      return value.takeError();
    return *value >> info.lsb & info.mask();
  }

  Expected<uint32_t> firstWords(const td::EncodedText &text) {
    if (text.entry != 0) {
      // v10 descriptors follow each other without gaps.
      Expected<uint32_t> next = field(text.entry, td::Field::NextPointer);
      Expected<uint32_t> size = word(0);
      if (!next || !size)
        return llvm::joinErrors(next.takeError(), size.takeError());
      uint32_t end = *next ? *next : *size;
      if (end < text.entry)
        return reader.error(0, "the first descriptor ends at " +
                                   llvm::Twine(end) + ", before it starts");
      return (end - text.entry) / sizeof(uint32_t);
    }
    Expected<uint32_t> extended = field(0, td::Field::TDE);
    if (!extended)
      return extended.takeError();
    const td::BlockInfo &last = td::blockInfo(td::Block::TileDMADst);
    constexpr unsigned countShift = 26;
    for (uint64_t position = headerWords + *extended;;) {
      Expected<uint32_t> record = word(position * sizeof(uint32_t));
      if (!record)
        return record.takeError();
      uint32_t count = (*record >> countShift) + 1;
      uint32_t address = *record & ((1u << countShift) - 1);
      position += 1 + count;
      if (address + 4 * count == last.address + 4 * last.words)
        return position;
    }
  }

  const BinaryReader &reader;
};

/// The section that the kernel BAR names. A file of the seed dialect has a
/// section of zeros besides.
const object::Section *findConstants(const object::Object &object) {
  const auto *program = object.first<object::ProgramDescriptor>();
  for (const object::Section *section : object.sections())
    if (program && section->address == program->bars[object::BarConstants] &&
        section->type() == object::SectionType::Coefficients)
      return section;
  return object.findSection(object::SectionType::Coefficients);
}

Error decode(Input &input) {
  auto tasks = td::decodeProgram(input.text);
  if (!tasks)
    return tasks.takeError();
  input.format = td::detectFormat(input.text.bytes);
  uint64_t offset = input.text.entry;
  uint32_t words = input.text.firstTaskWords;
  for (td::TaskDescriptor &task : *tasks) {
    uint64_t next = task.image.get(td::Field::NextPointer);
    uint32_t nextWords = task.image.get(td::Field::NextSize) + 1;
    input.tasks.push_back({std::move(task), offset, words});
    offset = next;
    words = nextWords;
  }
  // It would not move along with the path.
  input.text.file = {};
  return Error::success();
}

} // namespace

Expected<Input> objdump::readContainer(StringRef path) {
  Input input;
  input.path = path.str();
  auto object = object::readObject(path);
  if (!object)
    return object.takeError();
  input.object = std::move(*object);
  if (const object::Section *section = findConstants(*input.object)) {
    input.constants = section->bytes();
    input.constantsOffset = section->fileOffset;
    input.constantsAddress = section->address;
  }
  return input;
}

Expected<Input> objdump::readRawText(StringRef path) {
  Input input;
  input.path = path.str();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return makeFileError(path, 0, "cannot read the file: " + code.message());
  input.buffer = std::move(*buffer);
  auto bytes = llvm::arrayRefFromStringRef(input.buffer->getBuffer());
  input.text.file = input.path;
  input.text.bytes = bytes;
  BinaryReader reader(input.path, bytes);
  if (Error error = RawText(reader).measure(input.text))
    return error;
  uint64_t constants =
      llvm::alignTo(input.text.bytes.size(), object::granuleBytes);
  if (constants < bytes.size()) {
    input.constants = bytes.drop_front(constants);
    input.constantsOffset = constants;
  }
  if (Error error = decode(input))
    return error;
  return input;
}

Error objdump::decodeTasks(Input &input) {
  if (!input.object)
    return Error::success();
  const auto *program = input.object->first<object::ProgramDescriptor>();
  const object::Section *text =
      input.object->findSection(object::SectionType::Text);
  if (!program || !text)
    return makeFileError(input.path, 0,
                         program ? "the container has no task descriptors"
                                 : "the container has no program descriptor");
  if (program->entry < text->address ||
      program->entry - text->address > text->bytes().size())
    return makeFileError(input.path, text->fileOffset,
                         "the first task is not in the section of task "
                         "descriptors");
  input.text = {input.path,
                text->fileOffset,
                text->bytes(),
                uint32_t(program->entry - text->address),
                program->firstTaskWordsLessOne + 1,
                program->taskCount,
                {}};
  return decode(input);
}

Error objdump::readDescriptor(Input &input, bool required) {
  llvm::SmallString<128> path(input.path);
  llvm::sys::path::replace_extension(path, "e5");
  if (!required && !llvm::sys::fs::exists(path))
    return Error::success();
  input.e5Path = path.str().str();
  auto descriptor = e5::readE5(input.e5Path);
  if (!descriptor)
    return descriptor.takeError();
  input.e5 = std::move(*descriptor);
  return Error::success();
}
