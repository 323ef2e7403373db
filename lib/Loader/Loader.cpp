//===- Loader.cpp - From a container to its loaded image ------------------===//

#include "ane/Loader/Loader.h"
#include "AddressPlan.h"
#include "Resolve.h"
#include "ane/Object/Check.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using llvm::Expected;
using object::SectionType;

namespace {

/// The only property of a program that is known. Verified: files from v7.6.4
/// on.
constexpr uint32_t knownProperty = 9;

bool isKnown(SectionType type) {
  switch (type) {
  case SectionType::Input:
  case SectionType::Output:
  case SectionType::Scratch:
  case SectionType::Coefficients:
  case SectionType::Text:
    return true;
  }
  return false;
}

/// Refuses what a program may depend on and nobody knows.
Error checkKnown(const object::Object &object, llvm::StringRef file) {
  for (const object::LoadCommand &command : object.commands) {
    auto fail = [&](const llvm::Twine &message) {
      return makeFileError(file, command.fileOffset, message);
    };
    if (const auto *opaque = std::get_if<object::OpaqueCommand>(&command.body))
      return fail(
          llvm::formatv("load command {0:x} of {1} bytes is {2}",
                        llvm::support::endian::read32le(opaque->bytes.data()),
                        opaque->bytes.size(), opaque->reason));
    if (const auto *program =
            std::get_if<object::ProgramDescriptor>(&command.body))
      for (const object::Property &property : program->properties)
        if (property.id != knownProperty)
          return fail(llvm::formatv("property {0} of procedure '{1}' is not "
                                    "known",
                                    property.id, program->procedure));
    const auto *segment = std::get_if<object::Segment>(&command.body);
    if (!segment)
      continue;
    for (const object::Section &section : segment->sections) {
      if (!isKnown(section.type()))
        return fail(llvm::formatv("section '{0},{1}' is of type {2:x}, which "
                                  "is not known",
                                  section.segmentName, section.name,
                                  uint8_t(section.type())));
      if (section.type() != SectionType::Text && !section.relocations.empty())
        return makeFileError(
            file, section.relocationOffset,
            llvm::formatv("section '{0},{1}' has relocations; only the text "
                          "has places for them",
                          section.segmentName, section.name));
    }
  }
  return Error::success();
}

object::Section *findText(object::Object &object) {
  for (object::LoadCommand &command : object.commands)
    if (auto *segment = std::get_if<object::Segment>(&command.body))
      for (object::Section &section : segment->sections)
        if (section.type() == SectionType::Text)
          return &section;
  return nullptr;
}

/// Nothing is left to relocate.
void dropRelocations(object::Object &object) {
  for (object::LoadCommand &command : object.commands)
    if (auto *segment = std::get_if<object::Segment>(&command.body))
      for (object::Section &section : segment->sections)
        if (!section.relocations.empty()) {
          section.relocations.clear();
          section.relocationOffset = 0;
          section.flags &= ~uint32_t(llvm::MachO::S_ATTR_LOC_RELOC);
          segment->flags |= llvm::MachO::SG_NORELOC;
        }
}

Expected<object::Object> takeLoaded(object::Object object, llvm::StringRef file,
                                    const LoadOptions &options) {
  auto fail = [&](const llvm::Twine &message) {
    return makeFileError(file, offsetof(llvm::MachO::mach_header_64, flags),
                         message);
  };
  if (options.address)
    return fail("this is a loaded image, fixed to its addresses; a load "
                "address goes with the container it was made from");
  if (!options.liveIns.empty())
    return fail("this is a loaded image, whose live-in parameters are bound; "
                "they go with the container it was made from");
  for (const object::Section *section : object.sections())
    if (!section->relocations.empty())
      return makeFileError(file, section->relocationOffset,
                           "a loaded image has no relocations");
  return object;
}

} // namespace

bool loader::isLoadedImage(const object::Object &object) {
  return !(object.flags & llvm::MachO::MH_PIE);
}

Expected<object::Object> loader::loadImage(object::Object object,
                                           llvm::StringRef file,
                                           const LoadOptions &options) {
  if (Error error = checkKnown(object, file))
    return error;
  if (Error error = object::checkObject(object, file))
    return error;
  if (isLoadedImage(object))
    return takeLoaded(std::move(object), file, options);
  object::Section *text = findText(object);
  if (!text)
    return makeFileError(file, 0, "the container has no task descriptors");
  Expected<LoadTables> tables = readLoadTables(object, file);
  if (!tables)
    return tables.takeError();

  // What the text has where is read before its addresses change.
  bool hasTables = !tables->bars.empty() || !tables->fields.empty();
  TextSites sites;
  if (hasTables || !text->relocations.empty()) {
    Expected<TextSites> found =
        TextSites::create(object, *text, file, hasTables);
    if (!found)
      return found.takeError();
    sites = std::move(*found);
  }
  Expected<AddressPlan> plan = AddressPlan::create(
      object, file, options.address.value_or(defaultLoadAddress));
  if (!plan)
    return plan.takeError();
  if (Error error = plan->apply(object, file))
    return error;

  TextPatch patch(text->bytes());
  if (Error error = relocate(object, *text, sites, file, patch))
    return error;
  if (Error error = writeCustomBars(object, *tables, sites, file, patch))
    return error;
  if (Error error =
          bindLiveIns(object, *tables, options.liveIns, sites, file, patch))
    return error;
  text->contents = {
      object::Chunk::bytes(object.storage.emplace_back(patch.take()))};
  dropRelocations(object);
  detachLoadTables(object);
  object.flags &= ~uint32_t(llvm::MachO::MH_PIE);
  return object;
}
