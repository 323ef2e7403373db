//===- CheckObject.cpp - What must hold between load commands -------------===//

#include "ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm::MachO;
using llvm::Error;
using llvm::Twine;

namespace ane::object {
namespace {

class ObjectChecker {
public:
  ObjectChecker(const BinaryReader &in, const Object &object)
      : in(in), object(object), sections(object.sections()),
        segments(object.all<Segment>()) {
    if (const auto *table = object.first<SymbolTable>())
      symbolCount = table->symbols.size();
  }

  Error check() {
    for (const LoadCommand &command : object.commands)
      if (Error error =
              std::visit([&](const auto &body) { return check(command, body); },
                         command.body))
        return error;
    // Operand descriptors may stand before the ports they name.
    for (const LoadCommand &command : object.commands)
      if (const auto *operand = std::get_if<OperandDescriptor>(&command.body))
        if (Error error = checkOperand(command, *operand))
          return error;
    return Error::success();
  }

private:
  template <typename T> Error check(const LoadCommand &, const T &) {
    return Error::success();
  }

  Error check(const LoadCommand &, const Segment &segment) {
    for (const Section &section : segment.sections)
      for (auto [i, relocation] : llvm::enumerate(section.relocations))
        if (Error error = checkRelocation(section, i, relocation))
          return error;
    return Error::success();
  }

  Error checkRelocation(const Section &section, size_t i,
                        const Relocation &relocation) {
    uint64_t first = relocation.isExtern ? 0 : 1;
    uint64_t count = relocation.isExtern ? symbolCount : sections.size();
    if (relocation.target >= first && relocation.target - first < count)
      return Error::success();
    return in.error(section.relocationOffset + i * sizeof(any_relocation_info) +
                        offsetof(any_relocation_info, r_word1),
                    "relocation " + Twine(i) + " of section '" +
                        section.segmentName + "," + section.name +
                        "': r_symbolnum " + Twine(relocation.target) +
                        (relocation.isExtern ? " is no symbol; there are "
                                             : " is no section; there are ") +
                        Twine(count));
  }

  Error check(const LoadCommand &, const SymbolTable &table) {
    for (auto [i, symbol] : llvm::enumerate(table.symbols))
      if (symbol.section > sections.size())
        return in.error(table.symbolOffset + i * sizeof(nlist_64) +
                            offsetof(nlist_64, n_sect),
                        "symbol " + Twine(i) + " '" + table.name(symbol) +
                            "': n_sect " + Twine(unsigned(symbol.section)) +
                            " is no section; there are " +
                            Twine(sections.size()));
    return Error::success();
  }

  Error check(const LoadCommand &command, const Port &port) {
    if (port.name.empty())
      return in.error(command.fileOffset, "a port without a name");
    std::optional<uint64_t> size = memoryFrom(port.address);
    if (!size)
      return in.error(command.fileOffset, "port '" + port.name + "': address " +
                                              hex(port.address) +
                                              " is not the start of a section");
    if (!ports.try_emplace(port.name, *size).second)
      return in.error(command.fileOffset,
                      "port '" + port.name + "' is declared twice");
    return Error::success();
  }

  Error check(const LoadCommand &command, const ProgramDescriptor &program) {
    constexpr llvm::StringRef what = "LC_THREAD program descriptor: ";
    uint64_t state = command.fileOffset + sizeof(ThreadHead);
    for (auto [bar, address] : llvm::enumerate(program.bars)) {
      if (address == 0)
        continue;
      uint64_t field =
          state + offsetof(ProgramState, bars) + bar * sizeof(ulittle64_t);
      if (bar >= maxBars && object.cpuSubtype == cpuSubtypeH13)
        return in.error(field, what + "BAR " + Twine(bar) +
                                   " is in use, but task descriptors can only "
                                   "name 0 to " +
                                   Twine(maxBars - 1));
      if (!sectionWith(address) && !memoryFrom(address))
        return in.error(field, what + "BAR " + Twine(bar) + " is " +
                                   hex(address) + ", which no section holds");
    }
    const Section *text = sectionWith(program.entry);
    if (!text || text->contents.empty())
      return in.error(state + offsetof(ProgramState, entry),
                      what + "entry " + hex(program.entry) +
                          " is in no section with file contents");
    if ((program.entry - text->address) % sizeof(uint32_t))
      return in.error(state + offsetof(ProgramState, entry),
                      what + "entry " + hex(program.entry) +
                          " is not at a multiple of 4 in its section");
    uint64_t words = uint64_t(program.firstTaskWordsLessOne) + 1;
    uint64_t room = text->size - (program.entry - text->address);
    if (words > room / sizeof(uint32_t))
      return in.error(state + offsetof(ProgramState, firstTaskWordsLessOne),
                      what + "the first task of " + Twine(words) +
                          " words passes the end of its section, " + hex(room) +
                          " bytes away");
    return Error::success();
  }

  Error checkOperand(const LoadCommand &command,
                     const OperandDescriptor &operand) {
    std::string what =
        "LC_THREAD operand descriptor of '" + operand.port + "': ";
    uint64_t state = command.fileOffset + sizeof(ThreadHead);
    auto port = ports.find(operand.port);
    if (port == ports.end())
      return in.error(state + offsetof(OperandState, portName),
                      what + "no port has this name");
    uint64_t limit = port->second;
    if (operand.byteSize > limit)
      return in.error(state + offsetof(OperandState, byteSize),
                      what + "byte size " + hex(operand.byteSize) +
                          " passes the port's section of " + hex(limit));
    const TensorLayout &layout = operand.layout;
    std::optional<uint64_t> bytes = layout.exactBytes();
    // What interleaved surfaces need besides has not been seen.
    if (bytes && (*bytes <= limit || layout.interleave != 1))
      return Error::success();
    return in.error(state + offsetof(OperandState, n),
                    what + "extents N=" + Twine(layout.n) +
                        " C=" + Twine(layout.c) + " H=" + Twine(layout.h) +
                        " W=" + Twine(layout.w) + " D=" + Twine(layout.d) +
                        " with strides " + hex(layout.batchStride) + ", " +
                        hex(layout.planeStride) + ", " + hex(layout.rowStride) +
                        ", " + hex(layout.elementStride) + ", " +
                        hex(layout.depthStride) +
                        (bytes ? " need " + hex(*bytes) +
                                     " bytes, but the port's section "
                                     "has " +
                                     hex(limit)
                               : std::string(" are empty or pass 64 bits")));
  }

  const Section *sectionWith(uint64_t address) const {
    for (const Section *section : sections)
      if (address >= section->address &&
          address - section->address < section->size)
        return section;
    return nullptr;
  }

  /// The bytes from `address` on, which is the start of a section or of a
  /// segment without sections.
  std::optional<uint64_t> memoryFrom(uint64_t address) const {
    for (const Section *section : sections)
      if (section->address == address)
        return section->size;
    for (const Segment *segment : segments)
      if (segment->sections.empty() && segment->address == address)
        return segment->memorySize;
    return std::nullopt;
  }

  const BinaryReader &in;
  const Object &object;
  llvm::SmallVector<const Section *, 16> sections;
  llvm::SmallVector<const Segment *, 8> segments;
  uint64_t symbolCount = 0;
  llvm::StringMap<uint64_t> ports; ///< bytes of their memory
};

} // namespace

Error ObjectReader::checkObject() { return ObjectChecker(in, object).check(); }

} // namespace ane::object
