//===- PackageContainer.cpp - From a container to a firmware package ------===//

#include "ane/Firmware/Package.h"
#include "ane/Object/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// The address that a relocation is relative to.
std::optional<uint64_t> targetAddress(const object::Object &container,
                                      const object::Relocation &relocation) {
  if (!relocation.isExtern) {
    auto sections = container.sections();
    if (relocation.target == 0 || relocation.target > sections.size())
      return std::nullopt;
    return sections[relocation.target - 1]->address;
  }
  const auto *table = container.first<object::SymbolTable>();
  if (!table || relocation.target >= table->symbols.size())
    return std::nullopt;
  return table->symbols[relocation.target].value;
}

Error addReferences(const object::Object &container,
                    const object::Section &text, Program &program) {
  constexpr uint8_t eightBytes = 3;
  for (const object::Relocation &relocation : text.relocations) {
    std::optional<uint64_t> address = targetAddress(container, relocation);
    std::optional<unsigned> bar =
        address ? container.barOfAddress(*address) : std::nullopt;
    if (!bar)
      return refuse("the relocation of text offset " +
                    Twine(relocation.address) +
                    " names no buffer of the program");
    Reference reference;
    reference.textOffset = relocation.address;
    reference.bar = *bar;
    reference.isAddress = relocation.lengthLog2 == eightBytes;
    program.references.push_back(reference);
  }
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
  if (Error error = addReferences(container, *text, program))
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
