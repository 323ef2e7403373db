//===- LoadTables.cpp - What a load fills in besides addresses ------------===//

#include "ane/Loader/LoadTables.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using llvm::Expected;
using llvm::MachO::note_command;

uint32_t *loader::extentOf(object::TensorLayout &layout, uint32_t axis) {
  uint32_t *extents[] = {&layout.n, &layout.d, &layout.c, &layout.h, &layout.w};
  return axis < std::size(extents) ? extents[axis] : nullptr;
}

namespace {

/// The bytes of a note and where they are in the file.
struct NoteBytes {
  llvm::StringRef file;
  llvm::StringRef owner;
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t fileOffset = 0;

  Error error(const llvm::Twine &message) const {
    return makeFileError(file, fileOffset,
                         "LC_NOTE '" + owner + "': " + message);
  }

  /// The head of the table, checked for its version.
  template <typename Head> Expected<Head> head() const {
    Head result;
    if (bytes.size() < sizeof(Head))
      return error(llvm::formatv("{0} bytes have no room for a head of {1}",
                                 bytes.size(), sizeof(Head)));
    std::memcpy(&result, bytes.data(), sizeof(Head));
    if (result.version != loadTableVersion)
      return error(llvm::formatv("version {0}; only {1} is known",
                                 uint32_t(result.version), loadTableVersion));
    return result;
  }

  template <typename Record>
  std::vector<Record> records(uint64_t offset, uint32_t count) const {
    std::vector<Record> result(count);
    if (count)
      std::memcpy(result.data(), bytes.data() + offset, count * sizeof(Record));
    return result;
  }
};

bool isTable(const object::LoadCommand &command, llvm::StringRef owner) {
  const auto *note = std::get_if<object::Note>(&command.body);
  return note && note->owner == owner;
}

/// The only note of an owner; nothing where there is none.
Expected<std::optional<NoteBytes>> findNote(const object::Object &object,
                                            llvm::StringRef file,
                                            llvm::StringRef owner) {
  std::optional<NoteBytes> found;
  for (const object::LoadCommand &command : object.commands) {
    if (!isTable(command, owner))
      continue;
    const auto &note = std::get<object::Note>(command.body);
    NoteBytes bytes{file, owner, {}, command.fileOffset};
    if (found)
      return bytes.error("the container has two");
    if (note.offset != sizeof(note_command) || note.size > note.trailing.size())
      return bytes.error(llvm::formatv(
          "{0} bytes at offset {1} of the command; they must follow its record "
          "of {2} and end before the command of {3} does",
          note.size, note.offset, sizeof(note_command), command.size));
    bytes.bytes = note.trailing.take_front(note.size);
    bytes.fileOffset += sizeof(note_command);
    found = bytes;
  }
  return found;
}

Error readBars(const NoteBytes &note, LoadTables &tables) {
  Expected<CustomBarHead> head = note.head<CustomBarHead>();
  if (!head)
    return head.takeError();
  uint32_t count = head->count;
  if (count > maxCustomBars)
    return note.error(llvm::formatv(
        "{0} custom bars; a program holds up to {1}", count, maxCustomBars));
  if (note.bytes.size() != sizeof(*head) + count * sizeof(CustomBar))
    return note.error(llvm::formatv("{0} bytes do not hold {1} custom bars",
                                    note.bytes.size(), count));
  tables.bars = note.records<CustomBar>(sizeof(*head), count);
  tables.barsOffset = note.fileOffset + sizeof(*head);
  return Error::success();
}

Error readLiveIns(const NoteBytes &note, LoadTables &tables) {
  Expected<LiveInHead> head = note.head<LiveInHead>();
  if (!head)
    return head.takeError();
  uint32_t parameters = head->parameters, fields = head->fields;
  uint64_t fieldsAt = sizeof(*head) + uint64_t(parameters) * sizeof(LiveIn);
  if (note.bytes.size() != fieldsAt + uint64_t(fields) * sizeof(LiveInField))
    return note.error(
        llvm::formatv("{0} bytes do not hold {1} parameters and {2} fields",
                      note.bytes.size(), parameters, fields));
  tables.liveIns = note.records<LiveIn>(sizeof(*head), parameters);
  tables.fields = note.records<LiveInField>(fieldsAt, fields);
  tables.liveInsOffset = note.fileOffset + sizeof(*head);
  tables.fieldsOffset = note.fileOffset + fieldsAt;
  return Error::success();
}

} // namespace

Expected<LoadTables> loader::readLoadTables(const object::Object &object,
                                            llvm::StringRef file) {
  LoadTables tables;
  Expected<std::optional<NoteBytes>> bars =
      findNote(object, file, customBarOwner);
  if (!bars)
    return bars.takeError();
  if (*bars)
    if (Error error = readBars(**bars, tables))
      return error;
  Expected<std::optional<NoteBytes>> liveIns =
      findNote(object, file, liveInOwner);
  if (!liveIns)
    return liveIns.takeError();
  if (*liveIns)
    if (Error error = readLiveIns(**liveIns, tables))
      return error;
  return tables;
}

void loader::detachLoadTables(object::Object &object) {
  std::erase_if(object.commands, [](const object::LoadCommand &command) {
    return isTable(command, customBarOwner) || isTable(command, liveInOwner);
  });
  uint64_t offset = sizeof(llvm::MachO::mach_header_64);
  for (object::LoadCommand &command : object.commands) {
    command.fileOffset = offset;
    offset += command.size;
  }
}
