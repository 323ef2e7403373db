//===- RoundTrip.cpp - A file rewritten from what was decoded -------------===//

#include "Print.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::Error;
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
  for (auto [index, task] : llvm::enumerate(input.tasks))
    if (offset >= task.offset &&
        offset - task.offset < uint64_t(task.words) * sizeof(uint32_t))
      return "task " + llvm::utostr(index) + " at byte " +
             hex(offset - task.offset);
  return "the gap between tasks";
}

std::vector<uint8_t> encodeText(const Input &input, Error &error) {
  std::vector<td::TaskDescriptor> tasks;
  for (const PlacedTask &placed : input.tasks)
    tasks.push_back(placed.task);
  auto encoded = td::encodeProgram(tasks, input.format);
  if (encoded)
    return std::move(encoded->text);
  error = encoded.takeError();
  return {};
}

bool holds(uint64_t offset, uint64_t begin, uint64_t size) {
  return offset >= begin && offset - begin < size;
}

} // namespace

std::string objdump::describeOffset(const Input &input, uint64_t offset) {
  if (!input.object)
    return offset < input.text.bytes.size() ? describeText(input, offset)
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
  Error error = Error::success();
  std::vector<uint8_t> text = encodeText(input, error);
  if (error)
    return error;

  ComparingStream stream(input.bytes());
  if (input.object) {
    // The text of the file gives way to the encoded one.
    const Section *original = input.object->findSection(SectionType::Text);
    for (LoadCommand &command : input.object->commands)
      if (auto *segment = std::get_if<Segment>(&command.body))
        for (Section &section : segment->sections)
          if (&section == original) {
            if (text.size() != section.size)
              return makeFileError(input.path, section.fileOffset,
                                   "the tasks of " + llvm::Twine(section.size) +
                                       " bytes encode to " +
                                       llvm::Twine(text.size()));
            section.contents.assign(1, Chunk::bytes(text));
          }
    if (Error error = writeObject(*input.object, stream))
      return error;
  } else {
    stream.write(reinterpret_cast<const char *>(text.data()), text.size());
    if (!input.constants.empty()) {
      uint64_t gap = std::max<uint64_t>(input.constantsOffset, text.size());
      stream.write_zeros(gap - text.size());
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
