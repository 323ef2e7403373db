//===- RegistersPart.cpp - The words of the task descriptors --------------===//

#include "Parts.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;

namespace {

constexpr size_t wordsOfLine = 8;

/// Walks the words of one descriptor, which was decoded before and so is well
/// formed.
class WordLister {
public:
  WordLister(const Input &input, const PlacedTask &task)
      : input(input), task(task),
        bytes(input.procedureOf(task).text.bytes.slice(
            task.offset, task.words * sizeof(uint32_t))) {}

  Item list() {
    Item item;
    item.title =
        "task " + llvm::utostr(task.index) + input.describe(task.procedure);
    // DTID is in the header of a descriptor that waits for another.
    unsigned header = td::blockInfo(td::Block::Header).words -
                      !task.task.image.isSet(td::Field::TDE);
    addWords(item, "header", 0, 0, header);
    if (input.procedureOf(task).format == td::Format::V7)
      addRuns(item, header);
    else
      addRecords(item, header);
    return item;
  }

private:
  uint32_t word(unsigned position) const {
    return llvm::support::endian::read32le(bytes.data() +
                                           position * sizeof(uint32_t));
  }

  static std::string fixed(uint32_t value, unsigned digits) {
    return llvm::utohexstr(value, /*LowerCase=*/true, digits);
  }

  /// `count` words from `position` on, the first of which is at `address`.
  void addWords(Item &item, StringRef name, uint32_t address, unsigned position,
                unsigned count) {
    Entry entry;
    entry.name = name.str();
    llvm::json::Array values;
    for (unsigned i = 0; i < count; ++i) {
      if (i % wordsOfLine == 0)
        entry.lines.push_back({fixed(address + 4 * i, 5) + ":", ""});
      std::string &text = entry.lines.back().value;
      text += (text.empty() ? "" : " ") + fixed(word(position + i), 8);
      values.push_back(int64_t(word(position + i)));
    }
    entry.value = std::move(values);
    item.entries.push_back(std::move(entry));
  }

  Item recordItem(StringRef what, unsigned position) {
    Item item;
    item.title = "+" + hex(position * sizeof(uint32_t)) + " record " +
                 fixed(word(position), 8) + ": " + what.str();
    return item;
  }

  void addRuns(Item &item, unsigned position) {
    for (const td::RegisterRun &run : task.task.runs) {
      const td::BlockInfo &block = td::blockInfo(run.block);
      uint32_t address = block.address + 4 * run.firstWord;
      Item record = recordItem(block.symbol, position);
      addWords(record, "words", address, position + 1, run.words);
      item.items.push_back(std::move(record));
      position += 1 + run.words;
    }
  }

  void addRecords(Item &item, unsigned position) {
    static constexpr llvm::StringLiteral kinds[] = {"run", "progression",
                                                    "slot"};
    for (; position + td::v10::recordWords <= task.words;
         position += td::v10::recordWords) {
      auto marker = td::v10::RecordMarker::decode(word(position));
      auto kind = static_cast<uint32_t>(marker.kind);
      Item record = recordItem(kind < std::size(kinds) ? kinds[kind] : "record",
                               position);
      addWords(record, "words", word(position + 1), position + 1,
               td::v10::recordWords - 1);
      // Address and mask are no registers: name the words by their place.
      Entry &entry = record.entries.back();
      for (auto [line, text] : llvm::enumerate(entry.lines))
        text.name =
            "+" + hex((position + 1 + line * wordsOfLine) * sizeof(uint32_t)) +
            ":";
      item.items.push_back(std::move(record));
    }
  }

  const Input &input;
  const PlacedTask &task;
  llvm::ArrayRef<uint8_t> bytes;
};

} // namespace

Part objdump::registersPart(const Input &input) {
  Part part;
  part.name = "registers";
  part.title = "registers, " + input.formatName();
  part.nameWidth = 8;
  part.count = input.tasks.size();
  part.item = [&input](size_t index) {
    return WordLister(input, input.tasks[index]).list();
  };
  return part;
}
