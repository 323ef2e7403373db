//===- Program.cpp - A container in device memory -------------------------===//

#include "ane/Engine/Program.h"
#include "Relocate.h"
#include "ane/Object/Reader.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using object::SectionType;

namespace {

/// The memory of a section; nothing for the text, which tasks do not address.
std::optional<DeviceSection> memoryOf(const object::Section &section) {
  if (section.type() == SectionType::Text || section.size == 0)
    return std::nullopt;
  DeviceSection result;
  result.name = section.segmentName + "," + section.name;
  result.address = section.address;
  result.size = section.size;
  result.contents = section.bytes();
  result.scratch = section.type() == SectionType::Scratch;
  result.writable = result.scratch || section.type() == SectionType::Output;
  return result;
}

Expected<DevicePort> makePort(const object::Object &object,
                              const object::OperandDescriptor &operand,
                              llvm::ArrayRef<DeviceSection> sections) {
  const object::TensorLayout &layout = operand.layout;
  if (layout.elementType != object::ElementCode::Float16 ||
      layout.elementStride != 2)
    return llvm::createStringError(llvm::formatv(
        "port '{0}' has element type {1} with {2} bytes between elements; only "
        "dense fp16 is executed",
        operand.port, static_cast<uint32_t>(layout.elementType),
        layout.elementStride));
  if (layout.interleave != 1)
    return llvm::createStringError(
        llvm::formatv("port '{0}' has interleave {1}; only 1 is executed",
                      operand.port, layout.interleave));

  DevicePort port;
  llvm::StringRef name = operand.port;
  name.consume_back(object::outputSuffix);
  port.name = name.str();
  port.direction = operand.direction;
  port.layout = layout;
  for (const object::Port *command : object.all<object::Port>())
    if (command->name == operand.port)
      for (auto [index, section] : llvm::enumerate(sections))
        if (section.address == command->address && section.contents.empty() &&
            layout.exactBytes().value_or(UINT64_MAX) <= section.size) {
          port.section = index;
          return port;
        }
  return llvm::createStringError("port '" + operand.port +
                                 "' has no memory that holds its tensor");
}

} // namespace

Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(llvm::StringRef path) {
  Expected<object::Object> object = object::readObject(path);
  if (!object)
    return object.takeError();
  return create(std::move(*object), path);
}

Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::create(object::Object container, llvm::StringRef name) {
  std::unique_ptr<LoadedProgram> program(
      new LoadedProgram(std::move(container), name));
  const object::Object &object = program->object;
  llvm::StringRef file = program->name;

  if (object.cpuSubtype != object::cpuSubtypeH13)
    return makeFileError(
        file, offsetof(llvm::MachO::mach_header_64, cpusubtype),
        llvm::formatv("the container is for cpusubtype {0}; only H13, "
                      "cpusubtype {1}, is executed",
                      object.cpuSubtype, object::cpuSubtypeH13));
  const auto *descriptor = object.first<object::ProgramDescriptor>();
  if (!descriptor)
    return makeFileError(file, 0,
                         "the container has no program descriptor, so "
                         "there is nothing to run");
  if (size_t count = object.all<object::ProgramDescriptor>().size(); count > 1)
    return makeFileError(file, 0,
                         llvm::formatv("the container has {0} procedures; only "
                                       "containers of one are executed",
                                       count));
  const object::Section *text = object.findSection(SectionType::Text);
  if (!text || text->bytes().empty())
    return makeFileError(file, 0, "the container has no task descriptors");
  if (descriptor->entry < text->address ||
      descriptor->entry - text->address >= text->bytes().size())
    return makeFileError(
        file, text->fileOffset,
        llvm::formatv("the first task is at {0:x}, outside the text of {1} "
                      "bytes at {2:x}",
                      descriptor->entry, text->bytes().size(), text->address));

  DeviceProgram device;
  for (const object::Section *section : object.sections())
    if (std::optional<DeviceSection> memory = memoryOf(*section))
      device.sections.push_back(std::move(*memory));

  for (auto direction :
       {object::PortDirection::Input, object::PortDirection::Output})
    for (const object::LoadCommand &command : object.commands) {
      const auto *operand =
          std::get_if<object::OperandDescriptor>(&command.body);
      if (!operand || operand->direction != direction)
        continue;
      Expected<DevicePort> port = makePort(object, *operand, device.sections);
      if (!port)
        return makeFileError(file, command.fileOffset,
                             llvm::toString(port.takeError()));
      program->allPorts.push_back(std::move(*port));
    }

  program->text.assign(text->bytes().begin(), text->bytes().end());
  device.text = {file,
                 text->fileOffset,
                 program->text,
                 static_cast<uint32_t>(descriptor->entry - text->address),
                 descriptor->firstTaskWordsLessOne + 1,
                 descriptor->taskCount,
                 {}};
  if (Error error =
          relocate(object, *text, device.text, descriptor->bars, program->text))
    return error;
  device.text.bars = descriptor->bars;
  Expected<std::unique_ptr<Machine>> machine = Machine::create(device);
  if (!machine)
    return machine.takeError();
  program->device = std::move(*machine);
  return program;
}
