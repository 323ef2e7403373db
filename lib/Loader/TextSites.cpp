//===- TextSites.cpp - Where the text has registers -----------------------===//

#include "TextSites.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace ane;
using namespace ane::loader;
using llvm::Expected;
using td::Field;

namespace ane::loader {

/// Collects the sites of one descriptor after the other.
class SiteCollector {
public:
  SiteCollector(TextSites &sites, llvm::ArrayRef<uint8_t> text,
                unsigned procedure)
      : sites(sites), text(text), procedure(procedure),
        isV10(td::detectFormat(text) == td::Format::V10) {}

  /// Takes a descriptor of `words` words at `offset`; the offset of a site that
  /// is another procedure's, if there is one.
  std::optional<uint64_t> add(const td::TaskDescriptor &task, uint32_t index,
                              uint64_t offset, uint32_t words) {
    taskIndex = index;
    kernelBar = std::nullopt;
    if (task.image.isSet(Field::KBE0))
      kernelBar = task.image.get(Field::KBase0);
    unsigned header = td::blockInfo(td::Block::Header).words;
    uint64_t body =
        offset + 4 * (task.image.isSet(Field::TDE) ? header : header - 1);
    if (isV10)
      addV10(body, offset + 4 * uint64_t(words));
    else
      addV7(task, body);
    return shared;
  }

private:
  /// Records of v7 follow each other, each a word and the registers of a run.
  void addV7(const td::TaskDescriptor &task, uint64_t position) {
    for (const td::RegisterRun &run : task.runs) {
      position += 4;
      for (unsigned i = 0; i < run.words; ++i, position += 4) {
        unsigned word = run.firstWord + i;
        addRegister(td::blockInfo(run.block).address / 4 + word, position);
        if (td::coefficientSwitch(run.block, word))
          addRelocatable(position, false);
      }
    }
  }

  void addV10(uint64_t position, uint64_t end) {
    for (; position + sizeof(td::v10::Record) <= end;
         position += sizeof(td::v10::Record)) {
      td::v10::Record record;
      std::memcpy(&record, text.data() + position, sizeof(record));
      uint64_t value = position + offsetof(td::v10::Record, values);
      uint32_t index = (record.address - td::v10::registerAperture) / 4;
      switch (td::v10::RecordMarker::decode(record.marker).kind) {
      case td::v10::RecordKind::Slot:
        addRelocatable(value, true);
        addRegister(index, value);
        addRegister(index + 1, value + 4);
        break;
      case td::v10::RecordKind::Progression:
        // Moving the first value moves all.
        if (isLane(record.address))
          addRelocatable(value, false);
        break;
      case td::v10::RecordKind::Run:
        for (unsigned i = 0; i < td::v10::runWindow; ++i) {
          if (!(record.mask & (1u << i)))
            continue;
          addRegister(index + i, value);
          if (isLane(record.address + 4 * i))
            addRelocatable(value, false);
          value += 4;
        }
        break;
      }
    }
  }

  static bool isLane(uint32_t address) {
    const td::FieldInfo &base = td::fieldInfo(Field::CoeffBase);
    uint32_t first = td::v10::registerAperture +
                     td::groupTable()[base.v10.group].aperture +
                     4 * base.v10.word;
    return address >= first && address < first + 4 * base.count;
  }

  void addRegister(uint32_t index, uint64_t offset) {
    if (sites.withRegisters)
      sites.registers[{procedure, taskIndex, index}] = offset;
  }

  void addRelocatable(uint64_t offset, bool isSlot) {
    std::optional<unsigned> bar;
    if (!isSlot)
      bar = kernelBar;
    auto [site, isNew] =
        sites.relocatable.insert({offset, {isSlot, procedure, bar}});
    if (!isNew && site->second.procedure != procedure)
      shared = offset;
  }

  TextSites &sites;
  llvm::ArrayRef<uint8_t> text;
  unsigned procedure;
  bool isV10;
  uint32_t taskIndex = 0;
  std::optional<unsigned> kernelBar;
  std::optional<uint64_t> shared;
};

} // namespace ane::loader

Expected<TextSites> TextSites::create(const object::Object &object,
                                      const object::Section &text,
                                      llvm::StringRef file,
                                      bool withRegisters) {
  TextSites sites;
  sites.withRegisters = withRegisters;
  llvm::ArrayRef<uint8_t> bytes = text.bytes();
  for (auto [procedure, program] :
       llvm::enumerate(object.all<object::ProgramDescriptor>())) {
    uint64_t entry = program->entry - text.address;
    if (program->entry < text.address || entry >= bytes.size())
      return makeFileError(
          file, text.fileOffset,
          llvm::formatv("the first task of procedure '{0}' is at {1:x}, "
                        "outside the text of {2} bytes at {3:x}",
                        program->procedure, program->entry, bytes.size(),
                        text.address));
    uint32_t words = program->firstTaskWordsLessOne + 1;
    Expected<std::vector<td::TaskDescriptor>> tasks =
        td::decodeProgram({file,
                           text.fileOffset,
                           bytes,
                           uint32_t(entry),
                           words,
                           program->taskCount,
                           {}});
    if (!tasks)
      return tasks.takeError();
    SiteCollector collector(sites, bytes, procedure);
    uint64_t offset = entry;
    for (auto [index, task] : llvm::enumerate(*tasks)) {
      if (std::optional<uint64_t> shared =
              collector.add(task, index, offset, words))
        return makeFileError(
            file, text.fileOffset + *shared,
            llvm::formatv("task {0} of procedure '{1}' is another "
                          "procedure's, too; what a load writes into it could "
                          "not be right for both",
                          index, program->procedure));
      offset = task.image.get(Field::NextPointer);
      words = task.image.get(Field::NextSize) + 1;
    }
  }
  return sites;
}

const RelocatableSite *TextSites::find(uint64_t offset) const {
  auto found = relocatable.find(offset);
  return found == relocatable.end() ? nullptr : &found->second;
}

std::optional<uint64_t> TextSites::findRegister(uint32_t procedure,
                                                uint32_t task,
                                                uint32_t registerIndex) const {
  auto found = registers.find({procedure, task, registerIndex});
  if (found == registers.end())
    return std::nullopt;
  return found->second;
}
