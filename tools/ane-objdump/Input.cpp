//===- Input.cpp - The file to show ---------------------------------------===//

#include "Input.h"
#include "Listing.h"
#include "ane/E5/Companion.h"
#include "ane/Loader/Loader.h"
#include "ane/Object/Reader.h"
#include "ane/Support/BinaryReader.h"
#include "ane/Support/InputFile.h"
#include "ane/TaskDescriptor/V10.h"
#include "ane/TaskDescriptor/V7.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::objdump;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::support::ulittle32_t;

namespace {

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
    for (uint64_t position = td::v7::headerWords + *extended;;) {
      Expected<uint32_t> marker = word(position * sizeof(uint32_t));
      if (!marker)
        return marker.takeError();
      auto record = td::v7::RecordHeader::decode(*marker);
      position += 1 + record.count;
      if (record.address + 4 * record.count == last.address + 4 * last.words)
        return position;
    }
  }

  const BinaryReader &reader;
};

/// The section that the kernel BAR names. A file of v9.509 has a
/// section of zeros besides.
const object::Section *findConstants(const object::Object &object) {
  const auto *program = object.first<object::ProgramDescriptor>();
  for (const object::Section *section : object.sections())
    if (program && section->address == program->bars[object::BarConstants] &&
        section->type() == object::SectionType::Coefficients)
      return section;
  return object.findSection(object::SectionType::Coefficients);
}

Error decode(Input &input, Procedure procedure) {
  auto tasks = td::decodeProgram(procedure.text);
  if (!tasks)
    return tasks.takeError();
  procedure.format = td::detectFormat(procedure.text.bytes);
  uint64_t offset = procedure.text.entry;
  uint32_t words = procedure.text.firstTaskWords;
  size_t count = 0;
  for (td::TaskDescriptor &task : *tasks) {
    uint64_t next = task.image.get(td::Field::NextPointer);
    uint32_t nextWords = task.image.get(td::Field::NextSize) + 1;
    input.tasks.push_back(
        {std::move(task), offset, words, input.procedures.size(), count++});
    offset = next;
    words = nextWords;
  }
  // It would not move along with the path.
  procedure.text.file = {};
  input.procedures.push_back(procedure);
  return Error::success();
}

/// The section with contents that holds the first task of a procedure.
const object::Section *findText(const object::Object &object,
                                const object::ProgramDescriptor &program) {
  for (const object::Section *section : object.sections())
    if (section->type() == object::SectionType::Text &&
        program.entry >= section->address &&
        program.entry - section->address < section->bytes().size())
      return section;
  return nullptr;
}

} // namespace

Expected<Input> objdump::readContainer(StringRef path) {
  Input input;
  input.path = path.str();
  auto object = object::readObject(path);
  if (!object)
    return object.takeError();
  input.object = std::move(*object);
  input.programs = input.object->all<object::ProgramDescriptor>();
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
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  input.buffer = std::move(*buffer);
  auto bytes = llvm::arrayRefFromStringRef(input.buffer->getBuffer());
  Procedure procedure;
  procedure.text.file = input.path;
  procedure.text.bytes = bytes;
  BinaryReader reader(input.path, bytes);
  if (Error error = RawText(reader).measure(procedure.text))
    return error;
  uint64_t constants =
      llvm::alignTo(procedure.text.bytes.size(), object::granuleBytes);
  if (constants < bytes.size()) {
    input.constants = bytes.drop_front(constants);
    input.constantsOffset = constants;
  }
  if (Error error = decode(input, procedure))
    return error;
  return input;
}

Error objdump::decodeTasks(Input &input) {
  if (!input.object)
    return Error::success();
  const object::Object &object = *input.object;
  if (input.programs.empty() || !object.findSection(object::SectionType::Text))
    return makeFileError(input.path, 0,
                         input.programs.empty()
                             ? "the container has no program descriptor"
                             : "the container has no task descriptors");
  // Procedures of one text have tasks of their own. Many that share them would
  // take many times the memory of the file.
  constexpr uint64_t maxSharing = 8;
  uint64_t decoded = 0;
  for (const object::ProgramDescriptor *program : input.programs) {
    const object::Section *text = findText(object, *program);
    std::string what = "procedure '" + printable(program->procedure) + "': ";
    if (!text)
      return makeFileError(input.path, 0,
                           what + "entry " + hex(program->entry) +
                               " is in no section of task descriptors");
    uint64_t words = uint64_t(program->firstTaskWordsLessOne) + 1;
    uint64_t room = text->size - (program->entry - text->address);
    if (words > room / sizeof(uint32_t))
      return makeFileError(
          input.path, text->fileOffset,
          what + llvm::formatv("the first task of {0} words passes the end of "
                               "its section, {1:x} bytes away",
                               words, room)
                     .str());
    Procedure procedure;
    procedure.descriptor = program;
    procedure.section = text;
    procedure.text = {input.path,
                      text->fileOffset,
                      text->bytes(),
                      uint32_t(program->entry - text->address),
                      program->firstTaskWordsLessOne + 1,
                      program->taskCount,
                      {}};
    if (loader::isLoadedImage(object))
      procedure.text.bars = program->bars;
    size_t first = input.tasks.size();
    if (Error error = decode(input, procedure))
      return error;
    for (const PlacedTask &task : llvm::drop_begin(input.tasks, first))
      decoded += uint64_t(task.words) * sizeof(uint32_t);
    if (decoded > maxSharing * text->size)
      return makeFileError(input.path, text->fileOffset,
                           what + "together with those in front of it, it "
                                  "shares tasks too often");
  }
  return Error::success();
}

std::string Input::describe(size_t procedure) const {
  if (programs.size() < 2)
    return "";
  return " of '" + printable(programs[procedure]->procedure) + "'";
}

std::string Input::formatName() const {
  return td::stringifyFormat(procedures.empty() ? td::Format::V7
                                                : procedures.front().format)
      .str();
}

Error objdump::readDescriptors(Input &input, bool required) {
  std::vector<llvm::SmallString<128>> paths = {e5::companionPath(input.path)};
  bool hasSeveral = input.programs.size() > 1;
  if (hasSeveral)
    for (const object::ProgramDescriptor *program : input.programs)
      paths.push_back(e5::companionPath(
          input.path, e5::functionOfProcedure(program->procedure)));
  llvm::SmallString<128> first = paths.front();
  llvm::erase_if(paths, [](const llvm::SmallString<128> &path) {
    return !llvm::sys::fs::exists(path);
  });
  if (paths.empty() && required) {
    auto code = std::make_error_code(std::errc::no_such_file_or_directory);
    return makeFileError(
        first, 0,
        "cannot read the file: " + code.message() +
            (hasSeveral ? "; nor is there one of a function" : ""));
  }
  for (const llvm::SmallString<128> &path : paths) {
    Expected<e5::Descriptor> descriptor = e5::readE5(path);
    if (!descriptor)
      return descriptor.takeError();
    input.descriptors.push_back({path.str().str(), std::move(*descriptor)});
  }
  return Error::success();
}
