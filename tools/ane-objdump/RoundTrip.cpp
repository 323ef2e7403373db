//===- RoundTrip.cpp - A file rewritten from what was decoded -------------===//

#include "Print.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// Compares what is written with bytes that are there, and keeps nothing.
class ComparingStream : public llvm::raw_ostream {
public:
  explicit ComparingStream(StringRef expected)
      : llvm::raw_ostream(/*unbuffered=*/true), expected(expected) {}

  /// The first offset at which the two differ.
  std::optional<uint64_t> difference() const {
    if (mismatch || position == expected.size())
      return mismatch;
    return std::min<uint64_t>(position, expected.size());
  }

private:
  void write_impl(const char *data, size_t size) override {
    if (!mismatch) {
      StringRef written(data, size);
      StringRef here = expected.substr(position, size);
      const char *end = std::mismatch(written.begin(), written.end(),
                                      here.begin(), here.end())
                            .first;
      if (end != written.end())
        mismatch = position + (end - written.begin());
    }
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  StringRef expected;
  uint64_t position = 0;
  std::optional<uint64_t> mismatch;
};

std::string describeText(const Input &input, uint64_t offset) {
  for (const PlacedTask &task : input.tasks)
    if (offset >= task.offset &&
        offset - task.offset < uint64_t(task.words) * sizeof(uint32_t))
      return "task " + llvm::utostr(task.index) +
             input.describe(task.procedure) + " at byte " +
             hex(offset - task.offset);
  return "the gap between tasks";
}

/// Adds the device addresses of a loaded image to what slots hold.
void resolveSlots(llvm::ArrayRef<uint64_t> bars, td::EncodedProgram &program) {
  if (bars.empty())
    return;
  for (const td::RelocationSite &site : program.relocations)
    if (site.target == td::RelocationSite::Target::Buffer) {
      uint8_t *slot = program.text.data() + site.offset;
      llvm::support::endian::write64le(
          slot, llvm::support::endian::read64le(slot) + bars[site.bar]);
    }
}

/// Encodes the tasks of a procedure anew, in their places of `text`.
Error encodeProcedure(const Input &input, size_t index,
                      std::vector<uint8_t> &text) {
  const Procedure &procedure = input.procedures[index];
  std::vector<td::TaskDescriptor> tasks;
  for (const PlacedTask &placed : input.tasks)
    if (placed.procedure == index)
      tasks.push_back(placed.task);
  auto encoded = td::encodeProgram(tasks, procedure.format);
  if (!encoded)
    return encoded.takeError();
  resolveSlots(procedure.text.bars, *encoded);

  // A v10 procedure that is not the first is encoded as if it were.
  uint32_t distance = procedure.text.entry - encoded->entry;
  llvm::ArrayRef<uint8_t> bytes = encoded->text;
  for (const PlacedTask &placed : input.tasks) {
    if (placed.procedure != index)
      continue;
    uint64_t from = placed.offset - distance;
    uint64_t size = uint64_t(placed.words) * sizeof(uint32_t);
    if (from > bytes.size() || size > bytes.size() - from)
      return makeFileError(
          input.path, procedure.text.fileOffset + placed.offset,
          "task " + llvm::Twine(placed.index) + input.describe(index) +
              " encodes to another number of words");
    llvm::copy(bytes.slice(from, size), text.begin() + placed.offset);
    uint8_t *next = text.data() + placed.offset +
                    td::fieldInfo(td::Field::NextPointer).offset;
    if (uint32_t pointer = llvm::support::endian::read32le(next))
      llvm::support::endian::write32le(next, pointer + distance);
  }
  return Error::success();
}

/// The text `section`, or of a file without container, with all tasks encoded
/// anew. What lies between tasks stays as it is.
Expected<std::vector<uint8_t>> encodeText(const Input &input,
                                          const Section *section) {
  std::vector<uint8_t> text;
  for (auto [index, procedure] : llvm::enumerate(input.procedures)) {
    if (procedure.section != section)
      continue;
    if (text.empty())
      text = procedure.text.bytes.vec();
    if (Error error = encodeProcedure(input, index, text))
      return error;
  }
  return text;
}

bool holds(uint64_t offset, uint64_t begin, uint64_t size) {
  return offset >= begin && offset - begin < size;
}

} // namespace

std::string objdump::describeOffset(const Input &input, uint64_t offset) {
  if (!input.object)
    return offset < input.procedures.front().text.bytes.size()
               ? describeText(input, offset)
           : offset < input.constantsOffset ? "the gap behind the tasks"
                                            : "the coefficients";
  if (offset < sizeof(llvm::MachO::mach_header_64))
    return "the header";
  for (auto [index, command] : llvm::enumerate(input.object->commands))
    if (holds(offset, command.fileOffset, command.size))
      return "load command " + llvm::utostr(index);
  for (const SymbolTable *table : input.object->all<SymbolTable>()) {
    if (holds(offset, table->symbolOffset,
              table->symbols.size() * sizeof(llvm::MachO::nlist_64)))
      return "the symbol table";
    if (holds(offset, table->stringOffset, table->strings.size()))
      return "the string table";
  }
  for (const Section *section : input.object->sections()) {
    std::string name =
        printable(section->segmentName) + "," + printable(section->name);
    if (holds(offset, section->relocationOffset,
              section->relocations.size() *
                  sizeof(llvm::MachO::any_relocation_info)))
      return "the relocations of " + name;
    if (holds(offset, section->fileOffset, totalSize(section->contents)))
      return section->type() == SectionType::Text
                 ? describeText(input, offset - section->fileOffset)
                 : "the contents of " + name;
  }
  return "bytes of no structure";
}

Error objdump::checkRoundTrip(Input &input) {
  ComparingStream stream(input.bytes());
  if (input.object) {
    // The text of the file gives way to the encoded one.
    for (LoadCommand &command : input.object->commands)
      if (auto *segment = std::get_if<Segment>(&command.body))
        for (Section &section : segment->sections) {
          Expected<std::vector<uint8_t>> text = encodeText(input, &section);
          if (!text)
            return text.takeError();
          if (!text->empty())
            section.contents.assign(
                1, Chunk::bytes(
                       input.object->storage.emplace_back(std::move(*text))));
        }
    if (Error error = writeObject(*input.object, stream))
      return error;
  } else {
    Expected<std::vector<uint8_t>> text = encodeText(input, nullptr);
    if (!text)
      return text.takeError();
    stream.write(reinterpret_cast<const char *>(text->data()), text->size());
    if (!input.constants.empty()) {
      uint64_t gap = std::max<uint64_t>(input.constantsOffset, text->size());
      stream.write_zeros(gap - text->size());
      stream << llvm::toStringRef(input.constants);
    }
  }
  if (std::optional<uint64_t> offset = stream.difference())
    return makeFileError(input.path, *offset,
                         "the rewritten file differs first at byte " +
                             hex(*offset) + ", in " +
                             describeOffset(input, *offset));
  return Error::success();
}
