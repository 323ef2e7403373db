//===- ConvertTd.cpp - A container with its tasks respelled ---------------===//

#include "ConvertTd.h"
#include "Input.h"
#include "ane/E5/Companion.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Semantics.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using namespace ane::objdump;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

constexpr char formatKey[] = "task-descriptor-format";

Expected<object::RelocationTarget>
targetOfBar(const object::ContainerSpec &spec, llvm::ArrayRef<unsigned> bars,
            unsigned bar) {
  using object::RelocationTarget;
  if (bar == object::BarConstants)
    return RelocationTarget{RelocationTarget::Constants, 0};
  if (bar == object::BarScratch && spec.scratchBytes != 0)
    return RelocationTarget{RelocationTarget::Scratch, 0};
  const unsigned *port = llvm::find(bars, bar);
  if (port != bars.end())
    return RelocationTarget{RelocationTarget::Port,
                            unsigned(port - bars.begin())};
  return llvm::createStringError("a task reaches memory through BAR " +
                                 llvm::Twine(bar) +
                                 ", which is no port, constants or scratch of "
                                 "the container, so no relocation can name it");
}

/// Puts an encoded program in the place of the one that `spec` has.
Error replaceText(object::ContainerSpec &spec, td::EncodedProgram program) {
  llvm::SmallVector<unsigned, 8> bars(spec.bars.begin(), spec.bars.end());
  if (bars.empty()) {
    auto assigned = object::assignBars(spec.ports);
    if (!assigned)
      return assigned.takeError();
    bars = std::move(*assigned);
  }
  spec.relocations.clear();
  for (const td::RelocationSite &site : program.relocations) {
    auto target = targetOfBar(spec, bars, site.bar);
    if (!target)
      return target.takeError();
    spec.relocations.push_back(
        {site.offset, *target,
         site.target == td::RelocationSite::Target::Buffer});
  }
  spec.text = std::move(program.text);
  spec.entryOffset = program.entry;
  spec.firstTaskWords = program.firstTaskWords;
  return Error::success();
}

/// Tells a port of the descriptor where the container has its surface now.
void moveSurface(const object::Object &container, StringRef symbol,
                 e5::Port &port) {
  for (const auto *operand : container.all<object::OperandDescriptor>())
    if (operand->symbol == symbol)
      for (const object::Port *candidate : container.all<object::Port>())
        if (candidate->name == operand->port)
          port.address = candidate->address;
}

/// What is said of the converted container instead of the one that was read.
void convertDescriptor(e5::Descriptor &descriptor, td::Format format,
                       const object::Object &container) {
  for (auto &[key, value] : descriptor.buildInfo)
    if (key == formatKey)
      value = td::stringifyFormat(format).str();
  for (e5::Port &port : descriptor.inputs)
    moveSurface(container, port.name, port);
  for (e5::Port &port : descriptor.outputs)
    moveSurface(container, port.name + object::outputSuffix, port);
}

/// An error that has no place of its own, at the start of the file.
Error located(Error error, StringRef path) {
  if (error.isA<FileError>())
    return error;
  return makeFileError(path, 0, llvm::toString(std::move(error)));
}

} // namespace

Error objdump::convertTd(StringRef path, td::Format format, StringRef output) {
  Expected<Input> input = readContainer(path);
  if (!input)
    return input.takeError();
  if (Error error = readDescriptors(*input, /*required=*/false))
    return error;
  for (const NamedDescriptor &named : input->descriptors)
    if (named.descriptor.isPartitioned())
      return makeFileError(named.path, 0,
                           "the program was cut into segments; compile it "
                           "again with --td-format");
  Expected<object::ContainerSpec> spec = object::semanticModel(*input->object);
  if (!spec)
    return located(spec.takeError(), path);
  if (Error error = decodeTasks(*input))
    return error;

  std::vector<td::TaskDescriptor> tasks;
  for (PlacedTask &placed : input->tasks)
    tasks.push_back(std::move(placed.task));
  auto converted = td::convertProgram(tasks, format);
  if (!converted)
    return located(converted.takeError(), path);
  auto encoded = td::encodeProgram(*converted, format);
  if (!encoded)
    return located(encoded.takeError(), path);
  if (Error error = replaceText(*spec, std::move(*encoded)))
    return located(std::move(error), path);

  Expected<object::Object> container = object::layoutObject(std::move(*spec));
  if (!container)
    return located(container.takeError(), path);
  if (input->descriptors.empty())
    return object::writeObject(*container, output);
  if (Error error = e5::checkCompanion(output, path))
    return error;
  e5::Descriptor descriptor = std::move(input->descriptors.front().descriptor);
  convertDescriptor(descriptor, format, *container);
  return e5::writeWithCompanion(
      output,
      [&](llvm::raw_ostream &os) {
        return object::writeObject(*container, os);
      },
      std::move(descriptor));
}
