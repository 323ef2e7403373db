//===- PackageContainer.cpp - From a container to a firmware package ------===//

#include "ane/Firmware/Package.h"
#include "ane/Object/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane;
using namespace ane::firmware;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {

Error refuse(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

Blob makeBlob(SectionKind kind, const object::Section &section) {
  Blob blob;
  blob.kind = kind;
  blob.deviceAddress = section.address;
  blob.contents.assign(section.contents.begin(), section.contents.end());
  return blob;
}

/// Every buffer of the table, with the size of its section.
void addBars(const object::Object &container,
             const object::ProgramDescriptor &descriptor, Program &program) {
  for (auto [index, address] : llvm::enumerate(descriptor.bars)) {
    if (address == 0)
      continue;
    Bar bar;
    bar.id = index;
    bar.address = address;
    for (const object::Section *section : container.sections())
      if (section->address == address)
        bar.size = section->size;
    program.bars.push_back(bar);
  }
}

/// What a relocation is relative to.
struct Target {
  unsigned bar;
  uint64_t distance = 0; ///< bytes behind what the register names
};

std::optional<Target> targetOf(const object::Object &container,
                               const object::Relocation &relocation) {
  if (relocation.isExtern) {
    const auto *table = container.first<object::SymbolTable>();
    if (!table || relocation.target >= table->symbols.size())
      return std::nullopt;
    auto bar = container.barOfAddress(table->symbols[relocation.target].value);
    return bar ? std::optional(Target{*bar}) : std::nullopt;
  }
  auto sections = container.sections();
  if (relocation.target == 0 || relocation.target > sections.size())
    return std::nullopt;
  const object::Section &section = *sections[relocation.target - 1];
  if (auto bar = container.barOfAddress(section.address))
    return Target{*bar};
  // Of several sections of coefficients a register names the first.
  uint64_t first =
      container.first<object::ProgramDescriptor>()->bars[object::BarConstants];
  if (section.type() != object::SectionType::Coefficients || first == 0 ||
      section.address < first)
    return std::nullopt;
  return Target{object::BarConstants, section.address - first};
}

/// Adds a distance to what the text holds at a reference.
Error addDistance(std::vector<uint8_t> &text, const Reference &reference,
                  uint64_t distance) {
  using namespace llvm::support::endian;
  uint64_t end = reference.textOffset +
                 (reference.isAddress ? sizeof(uint64_t) : sizeof(uint32_t));
  if (end > text.size())
    return refuse("the relocation of text offset " +
                  Twine(reference.textOffset) + " passes the text, which has " +
                  Twine(text.size()) + " bytes");
  uint8_t *place = text.data() + reference.textOffset;
  if (reference.isAddress) {
    write64le(place, read64le(place) + distance);
    return Error::success();
  }
  uint64_t value = read32le(place) + distance;
  if (value > UINT32_MAX)
    return refuse("coefficients lie " + Twine(value) +
                  " bytes behind the first ones; a task reaches 4 GiB");
  write32le(place, value);
  return Error::success();
}

/// Adds the references of a program and, where these take it, a text of its
/// own.
Error addReferences(const object::Object &container,
                    const object::Section &text, Package &package) {
  constexpr uint8_t eightBytes = 3;
  Program &program = package.programs.front();
  std::vector<uint8_t> changed;
  for (const object::Relocation &relocation : text.relocations) {
    std::optional<Target> target = targetOf(container, relocation);
    if (!target)
      return refuse("the relocation of text offset " +
                    Twine(relocation.address) +
                    " names no buffer of the program");
    Reference reference;
    reference.textOffset = relocation.address;
    reference.bar = target->bar;
    reference.isAddress = relocation.lengthLog2 == eightBytes;
    program.references.push_back(reference);
    if (target->distance == 0)
      continue;
    if (changed.empty())
      changed = text.bytes().vec();
    if (Error error = addDistance(changed, reference, target->distance))
      return error;
  }
  if (!changed.empty())
    program.blobs.front().contents = {
        object::Chunk::bytes(package.storage.emplace_back(std::move(changed)))};
  return Error::success();
}

} // namespace

Expected<Package>
ane::firmware::packageContainer(const object::Object &container) {
  const auto *text = container.findSection(object::SectionType::Text);
  const auto *descriptor = container.first<object::ProgramDescriptor>();
  if (!text || !descriptor)
    return refuse("the container has no text or no program descriptor, so it "
                  "holds nothing to package");
  if (Error error = object::checkObject(
          container,
          container.buffer ? container.buffer->getBufferIdentifier() : ""))
    return error;
  size_t procedures = container.all<object::ProgramDescriptor>().size();
  if (procedures > 1)
    return refuse("the container has " + Twine(procedures) +
                  " procedures, each with registers of its own; a package has "
                  "one, so compile each function by itself");
  Package package;
  Program &program = package.programs.emplace_back();
  program.blobs.push_back(makeBlob(SectionKind::Text, *text));
  for (const object::Section *section : container.sections())
    if (section->type() == object::SectionType::Coefficients)
      program.blobs.push_back(makeBlob(SectionKind::Kernel, *section));
  if (const auto *ident = container.first<object::Ident>()) {
    Blob banner;
    banner.contents = {object::Chunk::bytes(
        llvm::arrayRefFromStringRef(llvm::StringRef(ident->text)))};
    program.blobs.push_back(std::move(banner));
  }
  addBars(container, *descriptor, program);
  if (Error error = addReferences(container, *text, package))
    return error;
  Procedure procedure;
  procedure.name = descriptor->procedure;
  procedure.entryOffset = descriptor->entry - text->address;
  procedure.firstTaskWords = descriptor->firstTaskWordsLessOne + 1;
  procedure.taskCount = descriptor->taskCount;
  procedure.ioBuffers = container.all<object::Port>().size();
  program.procedures.push_back(std::move(procedure));
  return package;
}
