//===- Relocate.cpp - Applies the relocations of a container --------------===//

#include "Relocate.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <map>
#include <optional>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using llvm::support::endian::write32le;
using llvm::support::endian::write64le;
using td::Field;

namespace {

/// Values of Relocation::lengthLog2.
constexpr unsigned laneLength = 2;
constexpr unsigned slotLength = 3;

/// Something in the text that a relocation may complete.
struct Site {
  bool isSlot;
  std::optional<unsigned> kernelBar; ///< of a lane base
};

/// Sites by their offset in the text.
using Sites = std::map<uint64_t, Site>;

/// A descriptor and where it lies.
struct PlacedTask {
  const td::TaskDescriptor &task;
  uint64_t offset;
  uint32_t words;

  std::optional<unsigned> kernelBar() const {
    if (!task.image.isSet(Field::KBE0))
      return std::nullopt;
    return task.image.get(Field::KBase0);
  }
  /// Where the records start.
  uint64_t body() const {
    unsigned headerWords = td::blockInfo(td::Block::Header).words;
    return offset +
           4 * (task.image.isSet(Field::TDE) ? headerWords : headerWords - 1);
  }
};

/// The lane base words of a v7 descriptor. Its records follow each other, each
/// a word and the registers of a run.
void addSitesV7(const PlacedTask &placed, Sites &sites) {
  const td::FieldInfo &base = td::fieldInfo(Field::CoeffBase);
  uint64_t position = placed.body();
  for (const td::RegisterRun &run : placed.task.runs) {
    position += 4;
    for (unsigned i = 0; i < run.words; ++i, position += 4) {
      unsigned lane = run.firstWord + i - base.offset / 4;
      if (run.block == base.block && lane < base.count)
        sites[position] = {false, placed.kernelBar()};
    }
  }
}

/// Slots and lane bases of a v10 descriptor.
void addSitesV10(const PlacedTask &placed, llvm::ArrayRef<uint8_t> text,
                 Sites &sites) {
  const td::FieldInfo &base = td::fieldInfo(Field::CoeffBase);
  uint32_t firstLane = td::v10::registerAperture +
                       td::groupTable()[base.v10.group].aperture +
                       4 * base.v10.word;
  auto isLane = [&](uint32_t address) {
    return address >= firstLane && address < firstLane + 4 * base.count;
  };
  uint64_t end = placed.offset + 4 * uint64_t(placed.words);
  for (uint64_t position = placed.body();
       position + sizeof(td::v10::Record) <= end;
       position += sizeof(td::v10::Record)) {
    td::v10::Record record;
    std::memcpy(&record, text.data() + position, sizeof(record));
    uint64_t value = position + offsetof(td::v10::Record, values);
    switch (td::v10::RecordMarker::decode(record.marker).kind) {
    case td::v10::RecordKind::Slot:
      sites[value] = {true, std::nullopt};
      break;
    case td::v10::RecordKind::Progression:
      if (isLane(record.address))
        sites[value] = {false, placed.kernelBar()};
      break;
    case td::v10::RecordKind::Run:
      for (unsigned i = 0; i < td::v10::runWindow; ++i) {
        if (!(record.mask & (1u << i)))
          continue;
        if (isLane(record.address + 4 * i))
          sites[value] = {false, placed.kernelBar()};
        value += 4;
      }
      break;
    }
  }
}

Sites findSites(const td::EncodedText &text,
                llvm::ArrayRef<td::TaskDescriptor> tasks) {
  Sites sites;
  bool isV10 = td::detectFormat(text.bytes) == td::Format::V10;
  uint64_t offset = text.entry;
  uint32_t words = text.firstTaskWords;
  for (const td::TaskDescriptor &task : tasks) {
    PlacedTask placed{task, offset, words};
    if (isV10)
      addSitesV10(placed, text.bytes, sites);
    else
      addSitesV7(placed, sites);
    offset = task.image.get(Field::NextPointer);
    words = task.image.get(Field::NextSize) + 1;
  }
  return sites;
}

/// Completes a lane base; a message if that is not possible.
std::optional<std::string> completeLane(const Site &site, uint64_t target,
                                        llvm::ArrayRef<uint64_t> bars,
                                        uint8_t *word) {
  if (!site.kernelBar)
    return "the descriptor uses no kernel BAR";
  uint64_t bar = bars[*site.kernelBar];
  if (bar == 0)
    return llvm::formatv("kernel BAR {0} holds no address", *site.kernelBar)
        .str();
  int64_t moved = int64_t(target) - int64_t(bar);
  int64_t value = int64_t(read32le(word)) + moved;
  if (moved % td::fieldInfo(Field::CoeffBase).unit != 0 || value < 0 ||
      value > UINT32_MAX)
    return llvm::formatv("the section at {0:x} cannot be reached from kernel "
                         "BAR {1} at {2:x}",
                         target, *site.kernelBar, bar)
        .str();
  write32le(word, value);
  return std::nullopt;
}

std::optional<std::string> completeSlot(uint64_t target, uint8_t *words) {
  uint64_t addend = read64le(words);
  constexpr uint64_t limit = uint64_t(1) << td::v10::deviceAddressBits;
  if (addend >= limit || target >= limit - addend)
    return llvm::formatv("offset {0:x} from {1:x} is no 42-bit address", addend,
                         target)
        .str();
  write64le(words, addend + target);
  return std::nullopt;
}

} // namespace

Error engine::relocate(const object::Object &object,
                       const object::Section &section,
                       const td::EncodedText &text,
                       llvm::ArrayRef<uint64_t> bars,
                       llvm::MutableArrayRef<uint8_t> bytes) {
  if (section.relocations.empty())
    return Error::success();
  Expected<std::vector<td::TaskDescriptor>> tasks = td::decodeProgram(text);
  if (!tasks)
    return tasks.takeError();
  Sites sites = findSites(text, *tasks);

  for (auto [index, relocation] : llvm::enumerate(section.relocations)) {
    std::string what = ("relocation " + llvm::Twine(index) + ": ").str();
    uint64_t place = section.relocationOffset +
                     index * sizeof(llvm::MachO::any_relocation_info);
    auto fail = [&](const llvm::Twine &message) {
      return makeFileError(text.file, place, what + message);
    };
    if (relocation.isExtern || relocation.type != 0)
      return fail("only relocations against sections of type 0 are known");
    auto found = sites.find(relocation.address);
    if (found == sites.end())
      return fail(llvm::formatv("text offset {0:x} is not a lane base or slot "
                                "of a descriptor, or is relocated twice",
                                relocation.address));
    const Site &site = found->second;
    if (relocation.lengthLog2 != (site.isSlot ? slotLength : laneLength))
      return fail(llvm::formatv("it has {0} bytes; a lane base has 4 and a "
                                "slot 8",
                                1u << relocation.lengthLog2));
    if (relocation.pcRelative == site.isSlot)
      return fail(site.isSlot ? "that of a slot has no relative bit"
                              : "that of a lane base has the relative bit");
    auto sections = object.sections();
    if (relocation.target == 0 || relocation.target > sections.size())
      return fail(llvm::formatv("there is no section {0}", relocation.target));
    uint64_t target = sections[relocation.target - 1]->address;
    uint8_t *word = bytes.data() + relocation.address;
    if (std::optional<std::string> problem =
            site.isSlot ? completeSlot(target, word)
                        : completeLane(site, target, bars, word))
      return fail(*problem);
    sites.erase(found);
  }
  return Error::success();
}
