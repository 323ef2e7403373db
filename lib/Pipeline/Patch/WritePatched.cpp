//===- WritePatched.cpp - Writes a container that differs in weights ------===//

#include "Patch/WritePatched.h"
#include "Patch/SameProgram.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using llvm::Error;
using llvm::StringRef;
using object::SectionType;

namespace {

/// A run of bytes of the file.
struct FileSpan {
  uint64_t begin, end;
};

/// The sections that the constants of a program lie in, in order. A container
/// with sections for kernels has an empty page besides (documented).
std::vector<const object::Section *>
constantSections(const object::Object &object) {
  std::vector<const object::Section *> sections;
  for (const object::Section *section : object.sections())
    if (section->type() == SectionType::Coefficients &&
        object::totalSize(section->contents))
      sections.push_back(section);
  bool hasKernels = llvm::any_of(sections, [](const object::Section *section) {
    return StringRef(section->name).starts_with(object::sectKernelPrefix);
  });
  if (hasKernels)
    llvm::erase_if(sections, [](const object::Section *section) {
      return !StringRef(section->name).starts_with(object::sectKernelPrefix);
    });
  return sections;
}

/// Activation tables in the file, in order.
std::vector<FileSpan> tableBytes(const object::Object &object,
                                 llvm::ArrayRef<uint64_t> tables) {
  std::vector<FileSpan> spans;
  uint64_t start = 0;
  for (const object::Section *section : constantSections(object)) {
    for (uint64_t table : tables)
      if (table >= start && table - start < section->size) {
        uint64_t begin = section->fileOffset + (table - start);
        spans.push_back({begin, begin + sizeof(td::LutRecord)});
      }
    start += section->size;
  }
  llvm::sort(spans, [](const FileSpan &a, const FileSpan &b) {
    return a.begin < b.begin;
  });
  return spans;
}

/// The bytes that a patch may change, in order: coefficients but for `tables`,
/// and the digits in the names of their blocks.
std::vector<FileSpan> changingBytes(const object::Object &object,
                                    llvm::ArrayRef<FileSpan> tables) {
  constexpr uint64_t prefix = 1, digits = 64;
  std::vector<FileSpan> spans;
  for (const object::Section *section : constantSections(object)) {
    uint64_t begin = section->fileOffset, end = begin + section->size;
    for (; !tables.empty() && tables.front().begin < end;
         tables = tables.drop_front()) {
      spans.push_back({begin, tables.front().begin});
      begin = tables.front().end;
    }
    spans.push_back({begin, end});
  }
  auto sections = object.sections();
  for (const auto *table : object.all<object::SymbolTable>())
    for (const object::Symbol &symbol : table->symbols) {
      if (symbol.type != object::definedSymbol || symbol.section == 0 ||
          sections[symbol.section - 1]->type() != SectionType::Coefficients ||
          table->name(symbol).size() < prefix + digits)
        continue;
      uint64_t begin = table->stringOffset + symbol.nameOffset + prefix;
      spans.push_back({begin, begin + digits});
    }
  llvm::sort(spans, [](const FileSpan &a, const FileSpan &b) {
    return a.begin < b.begin;
  });
  return spans;
}

/// Passes bytes on and compares them with those of a file on the way.
class ComparingStream : public llvm::raw_ostream {
public:
  ComparingStream(llvm::raw_ostream &out, StringRef file,
                  llvm::ArrayRef<FileSpan> ignored)
      : out(out), file(file), ignored(ignored) {
    SetUnbuffered();
  }

  /// Where the first byte is that differs, or the end of the shorter file.
  std::optional<uint64_t> difference() const {
    if (!first && position != file.size())
      return std::min<uint64_t>(position, file.size());
    return first;
  }

private:
  void write_impl(const char *data, size_t size) override {
    out.write(data, size);
    StringRef bytes(data, size);
    while (!bytes.empty() && !first) {
      while (!ignored.empty() && ignored.front().end <= position)
        ignored = ignored.drop_front();
      bool ignore = !ignored.empty() && ignored.front().begin <= position;
      uint64_t end = ignored.empty() ? UINT64_MAX
                     : ignore        ? ignored.front().end
                                     : ignored.front().begin;
      StringRef piece = bytes.take_front(end - position);
      if (!ignore)
        compare(piece);
      position += piece.size();
      bytes = bytes.drop_front(piece.size());
    }
    position += bytes.size();
  }

  void compare(StringRef piece) {
    StringRef there = file.substr(position, piece.size());
    if (piece == there)
      return;
    auto [a, b] = std::mismatch(piece.begin(), piece.begin() + there.size(),
                                there.begin());
    first = position + (a - piece.begin());
  }

  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &out;
  StringRef file;
  llvm::ArrayRef<FileSpan> ignored;
  uint64_t position = 0;
  std::optional<uint64_t> first;
};

} // namespace

Error ane::writePatched(const object::Object &old, StringRef file,
                        const object::Object &made,
                        llvm::ArrayRef<uint64_t> tables,
                        llvm::raw_ostream &os) {
  std::vector<FileSpan> tableSpans = tableBytes(made, tables);
  std::vector<FileSpan> changing = changingBytes(made, tableSpans);
  ComparingStream comparing(os, old.buffer->getBuffer(), changing);
  if (Error error = object::writeObject(made, comparing))
    return error;
  std::optional<uint64_t> offset = comparing.difference();
  if (!offset)
    return Error::success();
  bool isTable = llvm::any_of(tableSpans, [&](const FileSpan &span) {
    return *offset >= span.begin && *offset < span.end;
  });
  return makeFileError(
      file, *offset,
      (isTable ? "the table of an activation here is another one for the model"
               : "this byte, which is none of the weights, is another one for "
                 "the model") +
          llvm::Twine(onlyWeights));
}
