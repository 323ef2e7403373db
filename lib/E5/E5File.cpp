//===- E5File.cpp - Checked access to the tables of an .e5 file -----------===//

#include "E5File.h"
#include "CheckE5.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane::e5;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fb = E5RT::fb;

llvm::SmallVector<uint64_t, 5>
ane::e5::numbers(const flatbuffers::Vector<uint64_t> *vector) {
  llvm::SmallVector<uint64_t, 5> values(
      std::min<size_t>(length(vector), maxRank + 1));
  for (auto [index, value] : llvm::enumerate(values))
    value = llvm::support::endian::read64le(vector->Data() +
                                            index * sizeof(uint64_t));
  return values;
}

Error E5File::open() {
  if (Error error = verify())
    return error;
  root = fb::GetE5Program(bytes.data());
  if (root->format_version() != formatVersion)
    return fail(root, "format_version " + Twine(root->format_version()) +
                          ", expected " + Twine(formatVersion));
  return indexSections();
}

Error E5File::verify() const {
  // FlatBuffers' own limit, which its verifier asserts.
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return in.error(0, "not a dispatch descriptor: " + Twine(bytes.size()) +
                           " bytes, but a FlatBuffer has at most " +
                           Twine(FLATBUFFERS_MAX_BUFFER_SIZE));
  flatbuffers::Verifier verifier(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  if (!fb::VerifyE5ProgramBuffer(verifier))
    return in.error(0, "not a dispatch descriptor: its " + Twine(bytes.size()) +
                           " bytes are no FlatBuffer of the schema");
  return Error::success();
}

Error E5File::indexSections() {
  for (size_t i = 0; i < length(root->sections()); ++i) {
    const fb::Section *section = root->sections()->Get(i);
    auto name = readString(section, section->name(), "Section.name");
    if (!name)
      return name.takeError();
    if (!sections.try_emplace(*name, section).second)
      return fail(section, "two sections are named '" + *name + "'");
  }
  return Error::success();
}

Expected<const fb::Section *>
E5File::findSection(const fb::Operation *operation,
                    const flatbuffers::String *name, StringRef what,
                    fb::SectionKind kind) const {
  if (!name)
    return fail(operation, what + " is missing");
  StringRef text(name->data(), name->size());
  auto found = sections.find(text);
  if (found == sections.end())
    return fail(operation, what + ": no section is named '" + text + "'");
  if (found->second->kind() != kind)
    return fail(found->second, "section '" + text + "': kind " +
                                   Twine(int32_t(found->second->kind())) +
                                   ", expected " + Twine(int32_t(kind)));
  return found->second;
}

Expected<std::string> E5File::readSymbol(const fb::Operation *operation,
                                         uint32_t symbol) {
  if (symbol >= length(root->symbol_names()))
    return fail(operation, "symbol " + Twine(symbol) + " of " +
                               Twine(length(root->symbol_names())));
  return readString(operation, root->symbol_names()->Get(symbol),
                    "a tensor's symbol");
}

Expected<std::string> E5File::readString(const void *place,
                                         const flatbuffers::String *text,
                                         StringRef what) {
  if (!text)
    return fail(place, what + " is missing");
  if (Error error = spend(place, text->size(), what))
    return error;
  std::string copy = text->str();
  if (StringRef(copy).contains('\0'))
    return fail(text, what + " contains a NUL");
  return copy;
}

Error E5File::spend(const void *place, size_t amount, const Twine &what) {
  if (amount > bytes.size() - copied)
    return fail(place, what + ": the contents of the file add up to more than "
                              "it has bytes");
  copied += amount;
  return Error::success();
}
