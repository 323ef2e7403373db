//===- Fixtures.cpp - Programs to encode and decode -----------------------===//

#include "Fixtures.h"
#include "../TestData.h"
#include "ane/Object/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace ane;
using namespace ane::td;

EncodedText test::textOf(const EncodedProgram &program, uint32_t numTasks) {
  return {"program", 0, program.text, program.entry, program.firstTaskWords,
          numTasks,  {}};
}

std::vector<TaskDescriptor>
test::roundTrip(llvm::ArrayRef<TaskDescriptor> tasks, Format format) {
  EncodedProgram program = llvm::cantFail(encodeProgram(tasks, format));
  EXPECT_EQ(detectFormat(program.text), format);
  return llvm::cantFail(decodeProgram(textOf(program, tasks.size())));
}

RegisterImage test::withoutLinks(RegisterImage image) {
  image.set(Field::NextPointer, 0);
  image.set(Field::NextSize, 0);
  return image;
}

RegisterImage test::randomImage(std::mt19937 &random) {
  RegisterImage image;
  for (auto [index, info] : llvm::enumerate(fieldTable())) {
    // Most registers of a real task hold their default.
    if (random() % 3)
      continue;
    for (unsigned i = 0; i < info.count; ++i)
      image.set(static_cast<Field>(index), random() & info.mask(), i);
  }
  if (!image.isSet(Field::TDE))
    image.set(Field::DTID, 0);
  if (!image.isSet(Field::RBE0))
    image.set(Field::Src1Base, 0);
  if (!image.isSet(Field::RBE1))
    image.set(Field::Src2Base, 0);
  if (!image.isSet(Field::WBE))
    image.set(Field::DstBase, 0);
  const Field streams[] = {Field::StreamBiasBase, Field::StreamPostScaleBase,
                           Field::StreamPaletteBase, Field::StreamLutBase};
  for (auto [index, base] : llvm::enumerate(streams))
    if (!image.isSet(Field::KBE0) || !image.isSet(Field::StreamEn, index))
      image.set(base, 0);
  return withoutLinks(image);
}

std::vector<TaskDescriptor> test::randomProgram(std::mt19937 &random) {
  std::vector<TaskDescriptor> tasks(1 + random() % 4);
  for (TaskDescriptor &task : tasks)
    task.image = randomImage(random);
  return tasks;
}

std::string test::refusal(const EncodedText &text) {
  auto decoded = decodeProgram(text);
  return decoded ? "accepted" : llvm::toString(decoded.takeError());
}

EncodedProgram test::patched(const EncodedProgram &program, size_t offset,
                             uint32_t value) {
  EncodedProgram copy = program;
  llvm::support::endian::write32le(copy.text.data() + offset, value);
  return copy;
}

namespace {

uint32_t wordAt(llvm::ArrayRef<uint8_t> bytes, uint64_t offset) {
  return llvm::support::endian::read32le(bytes.data() + offset);
}

/// A container's text and what its program descriptor says of it.
test::RealProgram readContainer(llvm::StringRef path) {
  object::Object object = llvm::cantFail(object::readObject(path));
  const auto *program = object.first<object::ProgramDescriptor>();
  const object::Section *text = object.findSection(object::SectionType::Text);
  return {llvm::sys::path::filename(path).str(), text->bytes().vec(),
          uint32_t(program->entry - text->address),
          program->firstTaskWordsLessOne + 1, program->taskCount};
}

/// A bare stream: its first descriptor has 157 words, its text ends with the
/// last one.
test::RealProgram readStream(llvm::StringRef path) {
  auto file = llvm::cantFail(llvm::errorOrToExpected(
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false)));
  auto bytes = llvm::arrayRefFromStringRef(file->getBuffer());
  test::RealProgram program{
      llvm::sys::path::filename(path).str(), {}, 0, 157, 0};
  uint64_t offset = 0, words = program.firstTaskWords;
  for (;;) {
    ++program.numTasks;
    uint64_t end = offset + words * 4;
    words = (wordAt(bytes, offset + 4) >> 16) + 1;
    offset = wordAt(bytes, offset + 0x1c);
    if (offset == 0) {
      program.text = bytes.take_front(end).vec();
      return program;
    }
  }
}

} // namespace

std::optional<std::vector<test::RealProgram>> test::realPrograms() {
  std::optional<std::string> root = testData("real");
  if (!root)
    return std::nullopt;
  std::vector<std::string> paths;
  for (llvm::StringRef folder : {"/hwx", "/anec"}) {
    std::error_code code;
    for (llvm::sys::fs::recursive_directory_iterator it(*root + folder, code),
         end;
         it != end && !code; it.increment(code))
      paths.push_back(it->path());
  }
  llvm::sort(paths);
  std::vector<RealProgram> programs;
  for (llvm::StringRef path : paths)
    if (path.ends_with(".hwx"))
      programs.push_back(readContainer(path));
    else if (path.ends_with(".bin"))
      programs.push_back(readStream(path));
  return programs;
}

namespace {

uint32_t hexOf(llvm::StringRef text) {
  uint32_t value = 0;
  EXPECT_FALSE(text.getAsInteger(16, value)) << text.str();
  return value;
}

/// Addresses that are not listed are 0 where the descriptor has them: all but
/// the lane addresses of a descriptor of 126 words.
RegisterImage readRegisters(const llvm::json::Object &task, uint32_t words) {
  constexpr uint32_t longForm = 157;
  RegisterImage image;
  for (auto [index, info] : llvm::enumerate(blockTable())) {
    auto block = static_cast<Block>(index);
    for (unsigned word = 0; word < info.words; ++word) {
      unsigned firstLane = fieldInfo(Field::CoeffBase).offset / 4;
      bool isLane = block == Block::KernelDMASrc && word >= firstLane &&
                    word < firstLane + 2 * numLanes;
      if (!isLane || words >= longForm)
        image.setWord(block, word, 0);
    }
  }
  for (auto [word, value] : llvm::enumerate(*task.getArray("header_words")))
    image.setWord(Block::Header, word, hexOf(*value.getAsString()));
  for (const auto &[name, registers] : *task.getObject("blocks"))
    for (const auto &[key, value] : *registers.getAsObject()) {
      uint32_t address = hexOf(llvm::StringRef(key).drop_front(2));
      for (auto [index, info] : llvm::enumerate(blockTable()))
        if (static_cast<Block>(index) != Block::Header &&
            address >= info.address && address < info.address + 4 * info.words)
          image.setWord(static_cast<Block>(index), (address - info.address) / 4,
                        hexOf(*value.getAsString()));
    }
  return image;
}

} // namespace

std::optional<std::vector<test::RealTask>> test::realTasks() {
  std::optional<std::string> folder = testData("real/tasks");
  if (!folder)
    return std::nullopt;
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(*folder, code), end;
       it != end && !code; it.increment(code))
    if (llvm::StringRef(it->path()).ends_with(".json"))
      paths.push_back(it->path());
  llvm::sort(paths);
  std::vector<RealTask> tasks;
  for (llvm::StringRef path : paths) {
    auto file = llvm::cantFail(
        llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
    llvm::json::Value json =
        llvm::cantFail(llvm::json::parse(file->getBuffer()));
    for (const llvm::json::Value &value :
         *json.getAsObject()->getArray("tasks")) {
      const llvm::json::Object &task = *value.getAsObject();
      uint32_t words = *task.getInteger("words");
      tasks.push_back({llvm::sys::path::filename(path).str(), words,
                       readRegisters(task, words)});
    }
  }
  return tasks;
}
