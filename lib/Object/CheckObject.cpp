//===- CheckObject.cpp - What must hold between load commands -------------===//

#include "ane/Object/Check.h"
#include "ane/Support/CheckedProduct.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::Error;
using llvm::Twine;

namespace ane::object {
namespace {

class ObjectChecker {
public:
  ObjectChecker(const Object &object, llvm::StringRef file)
      : object(object), file(file), sections(object.sections()),
        segments(object.all<Segment>()) {}

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

  Error check(const LoadCommand &command, const Port &port) {
    if (port.name.empty())
      return error(command.fileOffset, "a port without a name");
    std::optional<uint64_t> size = memoryFrom(port.address);
    if (!size)
      return error(command.fileOffset, "port '" + port.name + "': address " +
                                           hex(port.address) +
                                           " is not the start of a section");
    if (!ports.try_emplace(port.name, *size).second)
      return error(command.fileOffset,
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
        return error(field, what + "BAR " + Twine(bar) +
                                " is in use, but task descriptors can only "
                                "name 0 to " +
                                Twine(maxBars - 1));
      if (!sectionWith(address) && !memoryFrom(address))
        return error(field, what + "BAR " + Twine(bar) + " is " + hex(address) +
                                ", which no section holds");
    }
    const Section *text = sectionWith(program.entry);
    if (!text || text->contents.empty())
      return error(state + offsetof(ProgramState, entry),
                   what + "entry " + hex(program.entry) +
                       " is in no section with file contents");
    if ((program.entry - text->address) % sizeof(uint32_t))
      return error(state + offsetof(ProgramState, entry),
                   what + "entry " + hex(program.entry) +
                       " is not at a multiple of 4 in its section");
    uint64_t words = uint64_t(program.firstTaskWordsLessOne) + 1;
    uint64_t room = text->size - (program.entry - text->address);
    if (words > room / sizeof(uint32_t))
      return error(state + offsetof(ProgramState, firstTaskWordsLessOne),
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
      return error(state + offsetof(OperandState, portName),
                   what + "no port has this name");
    uint64_t limit = port->second;
    if (operand.byteSize > limit)
      return error(state + offsetof(OperandState, byteSize),
                   what + "byte size " + hex(operand.byteSize) +
                       " passes the port's section of " + hex(limit));
    const TensorLayout &layout = operand.layout;
    if (layout.interleave == 0)
      return error(state + offsetof(OperandState, interleave),
                   what + "interleave 0, expected at least 1");
    std::optional<uint64_t> bytes = layout.exactBytes();
    // With strides that lay elements over each other, a few bytes would do for
    // more of them than a host can hold.
    std::optional<uint64_t> elements = checkedProduct<uint64_t>(
        layout.elementStride,
        {layout.n, layout.c, layout.h, layout.w, layout.d});
    // What interleaved surfaces need besides has not been seen.
    if (bytes && elements && *elements <= limit &&
        (*bytes <= limit || layout.interleave != 1))
      return Error::success();
    if (bytes)
      bytes = elements ? std::max(bytes, elements) : std::nullopt;
    return error(state + offsetof(OperandState, n),
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

  Error error(uint64_t offset, const Twine &message) const {
    return makeFileError(file, offset, message);
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

  const Object &object;
  llvm::StringRef file;
  llvm::SmallVector<const Section *, 16> sections;
  llvm::SmallVector<const Segment *, 8> segments;
  llvm::StringMap<uint64_t> ports; ///< bytes of their memory
};

} // namespace

bool isKnownInterleave(uint32_t interleave) {
  return llvm::is_contained({1u, 2u, 3u, 4u, 8u}, interleave);
}

Error checkObject(const Object &object, llvm::StringRef file) {
  return ObjectChecker(object, file).check();
}

} // namespace ane::object
