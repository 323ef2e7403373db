//===- AttachLoadTables.cpp - Containers with tables for a load -----------===//

#include "AttachLoadTables.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::loader;
using llvm::MachO::note_command;

namespace {

template <typename T> void append(std::vector<uint8_t> &bytes, const T &value) {
  const auto *data = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), data, data + sizeof(T));
}

std::vector<uint8_t> encodeBars(const LoadTables &tables) {
  std::vector<uint8_t> bytes;
  CustomBarHead head;
  head.version = loadTableVersion;
  head.count = tables.bars.size();
  append(bytes, head);
  for (const CustomBar &bar : tables.bars)
    append(bytes, bar);
  return bytes;
}

std::vector<uint8_t> encodeLiveIns(const LoadTables &tables) {
  std::vector<uint8_t> bytes;
  LiveInHead head;
  head.version = loadTableVersion;
  head.parameters = tables.liveIns.size();
  head.fields = tables.fields.size();
  head.zero = 0;
  append(bytes, head);
  for (const LiveIn &liveIn : tables.liveIns)
    append(bytes, liveIn);
  for (const LiveInField &field : tables.fields)
    append(bytes, field);
  return bytes;
}

/// Moves whatever the load commands refer to `shift` bytes towards the end of
/// the file, contents of sections whole pages.
void moveTables(object::Object &object, uint64_t shift) {
  uint64_t pages = llvm::alignTo(shift, object::pageBytes);
  for (object::LoadCommand &command : object.commands) {
    if (auto *table = std::get_if<object::SymbolTable>(&command.body)) {
      table->symbolOffset += shift;
      table->stringOffset += shift;
    } else if (auto *segment = std::get_if<object::Segment>(&command.body)) {
      if (segment->fileSize)
        segment->fileOffset += pages;
      for (object::Section &section : segment->sections) {
        if (!section.relocations.empty())
          section.relocationOffset += shift;
        if (!section.contents.empty())
          section.fileOffset += pages;
      }
    }
  }
  for (object::FileRange &range : object.unclaimed)
    range.offset += pages;
  object.fileSize += pages;
}

} // namespace

void ane::attachLoadTables(object::Object &object, const LoadTables &tables) {
  uint64_t added = 0;
  auto attach = [&](llvm::StringRef owner, std::vector<uint8_t> bytes) {
    object::Note note;
    note.owner = owner.str();
    note.offset = sizeof(note_command);
    note.size = bytes.size();
    bytes.resize(llvm::alignTo(bytes.size(), object::commandAlign));
    note.trailing = object.storage.emplace_back(std::move(bytes));
    uint32_t size = sizeof(note_command) + note.trailing.size();
    const object::LoadCommand &last = object.commands.back();
    object.commands.push_back(
        {std::move(note), size, last.fileOffset + last.size, {}});
    added += size;
  };
  if (!tables.bars.empty())
    attach(customBarOwner, encodeBars(tables));
  if (!tables.liveIns.empty())
    attach(liveInOwner, encodeLiveIns(tables));
  moveTables(object, added);
}
