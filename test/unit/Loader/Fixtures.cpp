//===- Fixtures.cpp - A small container that the tests share --------------===//

#include "Fixtures.h"
#include "../AttachLoadTables.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::loader;
using td::Field;

namespace {

constexpr uint64_t scratchBytes = 0x4000;

object::TensorLayout layout() {
  return *object::TensorLayout::packed(1, 4, 3, 5);
}

/// Sets a field to a number of bytes.
void put(td::RegisterImage &image, Field field, int64_t bytes) {
  llvm::cantFail(image.setScaled(field, bytes));
}

td::RegisterImage makeTask(unsigned source, unsigned result) {
  object::TensorLayout tensor = layout();
  td::RegisterImage image;
  for (Field field : {Field::Win, Field::Wout})
    image.set(field, tensor.w);
  for (Field field : {Field::Hin, Field::Hout})
    image.set(field, tensor.h);
  for (Field field : {Field::Cin, Field::Cout})
    image.set(field, tensor.c);
  image.set(Field::RBase0, source);
  image.set(Field::RBE0, 1);
  image.set(Field::WBase, result);
  image.set(Field::WBE, 1);
  image.set(Field::DstEn, 1);
  put(image, Field::Src1RowStride, tensor.rowStride);
  put(image, Field::DstRowStride, tensor.rowStride);
  return image;
}

object::RelocationTarget targetOf(const td::RelocationSite &site) {
  using Target = object::RelocationTarget;
  if (site.target == td::RelocationSite::Target::Coefficients)
    return {};
  if (site.bar == object::BarScratch)
    return {Target::Scratch, 0};
  // Outputs have the first BARs.
  return {Target::Port, site.bar == object::BarFirstPort ? 1u : 0u};
}

} // namespace

std::string loader::test::container(td::Format format,
                                    const LoadTables &tables) {
  constexpr unsigned y = object::BarFirstPort, x = y + 1;
  std::vector<td::TaskDescriptor> tasks(2);
  tasks[0].image = makeTask(x, object::BarScratch);
  tasks[1].image = makeTask(object::BarScratch, y);
  td::RegisterImage &first = tasks[0].image;
  first.set(Field::KernelDMAEnable, 1);
  first.set(Field::KBase0, object::BarConstants);
  first.set(Field::KBE0, 1);
  for (unsigned lane : {0, 1}) {
    first.set(Field::CoeffEn, 1, lane);
    first.set(Field::CoeffBase, lane, lane);
    first.set(Field::CoeffSize, 1, lane);
  }
  td::linkTasks(tasks);
  td::EncodedProgram program = llvm::cantFail(td::encodeProgram(tasks, format));

  object::ContainerSpec spec;
  spec.ports = {{"x", object::PortDirection::Input, layout(), 0},
                {"y", object::PortDirection::Output, layout(), 0}};
  spec.scratchBytes = scratchBytes;
  spec.entryOffset = program.entry;
  spec.firstTaskWords = program.firstTaskWords;
  spec.taskCount = tasks.size();
  for (const td::RelocationSite &site : program.relocations)
    spec.relocations.push_back(
        {site.offset, targetOf(site),
         site.target == td::RelocationSite::Target::Buffer});
  spec.text = std::move(program.text);
  spec.constants = {object::Chunk::zeros(2 * object::granuleBytes)};
  object::Object object = llvm::cantFail(object::layoutObject(std::move(spec)));
  attachLoadTables(object, tables);
  return write(object);
}

object::Object loader::test::read(const std::string &bytes) {
  llvm::Expected<object::Object> object = object::readObject(
      llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.hwx"));
  if (object)
    return std::move(*object);
  ADD_FAILURE() << llvm::toString(object.takeError());
  return {};
}

std::string loader::test::write(const object::Object &object) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = object::writeObject(object, os))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return bytes;
}

std::optional<object::Object> loader::test::load(const std::string &bytes,
                                                 const LoadOptions &options) {
  llvm::Expected<object::Object> image =
      loadImage(read(bytes), "test.hwx", options);
  if (image)
    return std::move(*image);
  ADD_FAILURE() << llvm::toString(image.takeError());
  return std::nullopt;
}

std::string loader::test::refusal(const std::string &bytes,
                                  const LoadOptions &options) {
  llvm::Expected<object::Object> image =
      loadImage(read(bytes), "test.hwx", options);
  return image ? "" : llvm::toString(image.takeError());
}

uint32_t loader::test::registerOf(td::Format format, Field field) {
  const td::FieldInfo &info = td::fieldInfo(field);
  if (format == td::Format::V7)
    return (td::blockInfo(info.block).address + info.offset) / 4;
  return td::groupTable()[info.v10.group].aperture / 4 + info.v10.word;
}

std::vector<td::TaskDescriptor>
loader::test::tasksOf(const object::Object &image) {
  const auto *program = image.first<object::ProgramDescriptor>();
  const object::Section *text = image.findSection(object::SectionType::Text);
  llvm::Expected<std::vector<td::TaskDescriptor>> tasks = td::decodeProgram(
      {"test.hwx", text->fileOffset, text->bytes(),
       uint32_t(program->entry - text->address),
       program->firstTaskWordsLessOne + 1, program->taskCount, program->bars});
  if (tasks)
    return std::move(*tasks);
  ADD_FAILURE() << llvm::toString(tasks.takeError());
  return {};
}
