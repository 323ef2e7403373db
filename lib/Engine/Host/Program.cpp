//===- Program.cpp - A container in device memory -------------------------===//

#include "ane/Engine/Program.h"
#include "ane/E5/Companion.h"
#include "ane/Engine/HostPort.h"
#include "ane/Object/Check.h"
#include "ane/Object/Reader.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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

/// Bytes of an element that the engine reads and writes, 0 for another.
uint64_t elementBytesOf(object::ElementCode code) {
  switch (code) {
  case object::ElementCode::Float16:
    return 2;
  case object::ElementCode::Int8:
  case object::ElementCode::UInt8:
    return 1;
  default:
    return 0;
  }
}

Expected<DevicePort> makePort(const object::Object &object,
                              const object::OperandDescriptor &operand,
                              llvm::ArrayRef<DeviceSection> sections) {
  const object::TensorLayout &layout = operand.layout;
  // Documented: inputs of programs are fp16 or uint8. Assigned: elements follow
  // each other; with interleave, planeStride leads to the next group of
  // channels.
  uint64_t elementBytes = elementBytesOf(layout.elementType);
  if (elementBytes == 0 || layout.elementStride != elementBytes)
    return llvm::createStringError(llvm::formatv(
        "port '{0}' has element type {1} with {2} bytes between elements; only "
        "dense fp16, int8 and uint8 are executed",
        operand.port, static_cast<uint32_t>(layout.elementType),
        layout.elementStride));
  if (!object::isKnownInterleave(layout.interleave))
    return llvm::createStringError(llvm::formatv(
        "port '{0}' has interleave {1}; only 1, 2, 3, 4 and 8 are known",
        operand.port, layout.interleave));

  DevicePort port;
  llvm::StringRef name = operand.port;
  if (operand.direction == object::PortDirection::Output)
    name.consume_back(object::outputSuffix);
  // Ports of several procedures have the procedure in front.
  if (name.size() > operand.procedure.size() &&
      name.starts_with(operand.procedure) &&
      name[operand.procedure.size()] == '/')
    name = name.substr(operand.procedure.size() + 1);
  port.name = name.str();
  port.direction = operand.direction;
  port.layout = layout;
  for (const object::Port *command : object.all<object::Port>())
    if (command->name == operand.port)
      for (auto [index, section] : llvm::enumerate(sections))
        if (section.address == command->address && section.contents.empty() &&
            layout.exactBytes().value_or(UINT64_MAX) <= section.size) {
          port.section = index;
          port.address = section.address;
          return port;
        }
  return llvm::createStringError("port '" + operand.port +
                                 "' has no memory that holds its tensor");
}

} // namespace

/// Reads a container that is in memory and stays there.
static Expected<object::Object> readView(const llvm::MemoryBuffer &contents) {
  return object::readObject(llvm::MemoryBuffer::getMemBuffer(
      contents.getMemBufferRef(), /*RequiresNullTerminator=*/false));
}

Expected<std::vector<std::string>>
engine::procedureNames(const llvm::MemoryBuffer &contents) {
  Expected<object::Object> object = readView(contents);
  if (!object)
    return object.takeError();
  std::vector<std::string> names;
  for (const auto *program : object->all<object::ProgramDescriptor>())
    names.push_back(program->procedure);
  return names;
}

Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(llvm::StringRef path, const ProgramOptions &options) {
  Expected<object::Object> object =
      options.contents ? readView(*options.contents) : object::readObject(path);
  if (!object)
    return object.takeError();
  return create(std::move(*object), path, options);
}

/// Sets the descriptor of the procedure to run.
Error LoadedProgram::choose(llvm::StringRef procedure, bool namesProcedure) {
  auto descriptors = object.all<object::ProgramDescriptor>();
  if (descriptors.empty())
    return makeFileError(name, 0,
                         "the container has no program descriptor, so "
                         "there is nothing to run");
  std::string names =
      llvm::join(llvm::map_range(descriptors,
                                 [](const auto *program) -> llvm::StringRef {
                                   return program->procedure;
                                 }),
                 ", ");
  if (procedure.empty() && descriptors.size() > 1)
    return makeFileError(name, 0,
                         llvm::formatv("the container has {0} procedures; name "
                                       "one, with --procedure or in C with "
                                       "ane_load_procedure: {1}",
                                       descriptors.size(), names));
  const object::ProgramDescriptor *called = nullptr, *made = nullptr;
  // Where procedures are called as their functions, none is of another one.
  bool haveSuffix = llvm::all_of(descriptors, [](const auto *program) {
    return e5::functionOfProcedure(program->procedure) != program->procedure;
  });
  for (const object::ProgramDescriptor *program : descriptors) {
    bool isCalled = procedure.empty() || procedure == program->procedure;
    bool isMade = !namesProcedure &&
                  procedure == e5::functionOfProcedure(program->procedure);
    if (!isCalled && !isMade)
      continue;
    const object::ProgramDescriptor *&found = isCalled ? called : made;
    if (found)
      return makeFileError(
          name, 0, "the container has two procedures '" + procedure + "'");
    found = program;
  }
  if (called && made && haveSuffix)
    return makeFileError(
        name, 0,
        llvm::formatv("'{0}' is a procedure, of function {1}, and the function "
                      "of procedure {2}; say {1} or {2}",
                      procedure, e5::functionOfProcedure(procedure),
                      made->procedure));
  descriptor = called ? called : made;
  if (descriptor)
    return Error::success();
  return makeFileError(
      name, 0, "there is no procedure '" + procedure + "'; there is " + names);
}

Error LoadedProgram::addPorts(llvm::ArrayRef<DeviceSection> sections) {
  bool several = object.all<object::ProgramDescriptor>().size() > 1;
  llvm::StringSet<> described;
  for (auto direction :
       {object::PortDirection::Input, object::PortDirection::Output})
    for (const object::LoadCommand &command : object.commands) {
      const auto *operand =
          std::get_if<object::OperandDescriptor>(&command.body);
      if (!operand || operand->direction != direction)
        continue;
      described.insert(operand->port);
      if (several && operand->procedure != descriptor->procedure)
        continue;
      Expected<DevicePort> port = makePort(object, *operand, sections);
      if (!port)
        return makeFileError(name, command.fileOffset,
                             llvm::toString(port.takeError()));
      for (const DevicePort &other : allPorts)
        if (other.name == port->name && other.direction == port->direction)
          return makeFileError(name, command.fileOffset,
                               "port '" + port->name + "' is described twice");
      allPorts.push_back(std::move(*port));
    }
  for (const object::LoadCommand &command : object.commands)
    if (const auto *port = std::get_if<object::Port>(&command.body))
      if (!described.contains(port->name))
        return makeFileError(name, command.fileOffset,
                             "port '" + port->name +
                                 "' has no operand descriptor, so its tensor "
                                 "is not known");
  return Error::success();
}

Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::create(object::Object container, llvm::StringRef name,
                      const ProgramOptions &options) {
  if (container.cpuSubtype != object::cpuSubtypeH13)
    return makeFileError(
        name, offsetof(llvm::MachO::mach_header_64, cpusubtype),
        llvm::formatv("the container is for cpusubtype {0}; only H13, "
                      "cpusubtype {1}, is executed",
                      container.cpuSubtype, object::cpuSubtypeH13));
  Expected<object::Object> image =
      loader::loadImage(std::move(container), name, options.load);
  if (!image)
    return image.takeError();
  std::unique_ptr<LoadedProgram> program(
      new LoadedProgram(std::move(*image), name));
  const object::Object &object = program->object;
  llvm::StringRef file = program->name;
  if (Error error = program->choose(options.procedure, options.namesProcedure))
    return error;
  const object::ProgramDescriptor *descriptor = program->descriptor;
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

  std::vector<DeviceSection> memories;
  for (const object::Section *section : object.sections())
    if (std::optional<DeviceSection> memory = memoryOf(*section))
      memories.push_back(std::move(*memory));
  if (Error error = program->addPorts(memories))
    return error;
  // All surfaces are sections of the same name.
  for (const DevicePort &port : program->ports())
    memories[port.section].name +=
        (" of " + directionName(port.direction) + " '" + port.name + "'").str();
  program->sections = std::move(memories);
  if (Error error = program->makeMachine())
    return error;
  return program;
}

Error LoadedProgram::makeMachine() {
  const object::Section *text = object.findSection(SectionType::Text);
  DeviceProgram program;
  program.sections = sections;
  program.text = {name,
                  text->fileOffset,
                  text->bytes(),
                  static_cast<uint32_t>(descriptor->entry - text->address),
                  descriptor->firstTaskWordsLessOne + 1,
                  descriptor->taskCount,
                  descriptor->bars};
  Expected<std::unique_ptr<Machine>> machine = Machine::create(program);
  if (!machine)
    return machine.takeError();
  device = std::move(*machine);
  return Error::success();
}

Error LoadedProgram::share(llvm::ArrayRef<llvm::StringRef> names) {
  auto find = [&](llvm::StringRef port, object::PortDirection direction) {
    return llvm::find_if(allPorts, [&](const DevicePort &candidate) {
      return candidate.name == port && candidate.direction == direction;
    });
  };
  for (llvm::StringRef shared : names) {
    auto input = find(shared, object::PortDirection::Input);
    auto output = find(shared, object::PortDirection::Output);
    if (input == allPorts.end() || output == allPorts.end() ||
        sections[input->section].size != sections[output->section].size)
      return makeFileError(name, 0,
                           "state '" + shared +
                               "' is shared, but the container has no input "
                               "and output of that name and of one size");
    sections[output->section].sharesWith = input->section;
  }
  return makeMachine();
}
