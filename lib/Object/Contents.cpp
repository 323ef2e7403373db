//===- Contents.cpp - Tasks and coefficient lanes of a container ----------===//

#include "ane/Object/Contents.h"
#include "Encode.h"
#include "ane/Object/HashName.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace ane;
using namespace ane::object;
using llvm::Twine;

static std::string hex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

llvm::Expected<std::vector<TaskRange>>
ane::object::taskRanges(const Object &object, const ProgramDescriptor &program,
                        llvm::StringRef file) {
  const Section *text = nullptr;
  for (const Section *section : object.sections())
    if (program.entry >= section->address &&
        program.entry - section->address < section->bytes().size())
      text = section;
  if (!text)
    return makeFileError(file, 0,
                         "entry " + hex(program.entry) +
                             " is in no section with file contents");
  llvm::ArrayRef<uint8_t> bytes = text->bytes();
  std::vector<TaskRange> tasks;
  uint64_t offset = program.entry - text->address;
  uint64_t words = uint64_t(program.firstTaskWordsLessOne) + 1;
  while (true) {
    std::string what = ("task descriptor " + Twine(tasks.size())).str();
    auto fail = [&](uint64_t field, const Twine &message) {
      return makeFileError(file, text->fileOffset + offset + field,
                           what + ": " + message);
    };
    if (words > (bytes.size() - offset) / sizeof(ulittle32_t) ||
        words * sizeof(ulittle32_t) < sizeof(TaskHead))
      return fail(0, Twine(words) + " words do not fit into the " +
                         hex(bytes.size() - offset) +
                         " bytes up to the end of the text, or are less than "
                         "the " +
                         Twine(sizeof(TaskHead) / sizeof(ulittle32_t)) +
                         " of a header");
    uint64_t size = words * sizeof(ulittle32_t);
    tasks.push_back({offset, bytes.slice(offset, size)});
    TaskHead head;
    std::memcpy(&head, bytes.data() + offset, sizeof(head));
    bool isLast = tasks.size() == program.taskCount;
    if (head.next == 0 && isLast)
      return tasks;
    if ((head.next == 0) != isLast)
      return fail(offsetof(TaskHead, next),
                  "NextPointer " + hex(head.next) + ", but the program has " +
                      Twine(program.taskCount) + " tasks");
    if (head.next < offset + size || head.next >= bytes.size() ||
        head.next % sizeof(ulittle32_t))
      return fail(offsetof(TaskHead, next),
                  "NextPointer " + hex(head.next) +
                      " is not a word between the end of the descriptor, " +
                      hex(offset + size) + ", and that of the text, " +
                      hex(bytes.size()));
    words = (head.nextSize >> taskSizeShift & taskSizeMask) + 1;
    offset = head.next;
  }
}

std::vector<FileRange> ane::object::bytesOfNoField(const LoadCommand &command) {
  std::vector<FileRange> ranges;
  if (command.verbatim.empty())
    return ranges;
  llvm::SmallVector<uint8_t, 0> known =
      encodeCommand(command.body, command.size);
  size_t size = command.verbatim.size();
  known.resize(size);
  auto isKnown = [&](size_t i) { return command.verbatim[i] == known[i]; };
  for (size_t i = 0; i < size; ++i) {
    if (isKnown(i))
      continue;
    size_t begin = i, end = i + 1;
    // Zeros inside a number are part of it.
    for (size_t j = end; j < size && j - end < sizeof(uint32_t); ++j)
      if (!isKnown(j))
        end = j + 1;
    ranges.push_back({command.fileOffset + begin,
                      command.verbatim.slice(begin, end - begin)});
    i = end;
  }
  return ranges;
}

std::vector<CoefficientLane>
ane::object::coefficientLanes(const Object &object) {
  std::vector<CoefficientLane> lanes;
  auto sections = object.sections();
  for (const SymbolTable *table : object.all<SymbolTable>())
    for (const Symbol &symbol : table->symbols) {
      const Section *section = symbol.section && symbol.type == definedSymbol
                                   ? sections[symbol.section - 1]
                                   : nullptr;
      if (!section || section->type() != SectionType::Coefficients ||
          symbol.value < section->address ||
          symbol.value - section->address > section->bytes().size())
        continue;
      CoefficientLane lane;
      lane.name = lane.block = table->name(symbol);
      if (std::optional<LaneName> name = parseLaneName(lane.name)) {
        lane.block = name->block;
        lane.lane = name->lane;
      }
      lane.section = section;
      lane.offset = symbol.value - section->address;
      lanes.push_back(lane);
    }

  // A lane ends where the next one of its section starts.
  llvm::SmallVector<std::pair<const Section *, uint64_t>> starts;
  for (const CoefficientLane &lane : lanes)
    starts.push_back({lane.section, lane.offset});
  llvm::sort(starts);
  for (CoefficientLane &lane : lanes) {
    const auto *next =
        llvm::upper_bound(starts, std::pair(lane.section, lane.offset));
    uint64_t end = next != starts.end() && next->first == lane.section
                       ? next->second
                       : lane.section->bytes().size();
    lane.bytes = lane.section->bytes().slice(lane.offset, end - lane.offset);
  }
  return lanes;
}
