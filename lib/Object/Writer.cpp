//===- Writer.cpp - Writes hardware containers ----------------------------===//

#include "ane/Object/Writer.h"
#include "Encode.h"
#include "ane/Support/Hex.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::object;
using llvm::Error;

namespace {

class ObjectWriter {
public:
  ObjectWriter(const Object &object, llvm::raw_ostream &os)
      : object(object), os(os), start(os.tell()) {}

  Error write() {
    collectRegions();
    for (const Region &region : regions) {
      if (Error error = padTo(region.offset, region.what))
        return error;
      if (Error error = region.write())
        return error;
    }
    return padTo(object.fileSize, "the end of the file");
  }

private:
  struct Region {
    uint64_t offset;
    llvm::StringRef what;
    std::function<Error()> write;
  };

  void collectRegions() {
    regions.push_back({0, "the header", [this] { return writeHeader(); }});
    for (const LoadCommand &command : object.commands)
      regions.push_back({command.fileOffset, "a load command",
                         [&] { return writeCommand(command); }});
    for (const SymbolTable *table : object.all<SymbolTable>()) {
      if (!table->symbols.empty())
        regions.push_back({table->symbolOffset, "the symbol table",
                           [=, this] { return writeSymbols(*table); }});
      if (!table->strings.empty())
        regions.push_back({table->stringOffset, "the string table",
                           [=, this] { return writeStrings(*table); }});
    }
    for (const Section *section : object.sections()) {
      if (!section->relocations.empty())
        regions.push_back({section->relocationOffset, "a relocation table",
                           [=, this] { return writeRelocations(*section); }});
      if (totalSize(section->contents) != 0)
        regions.push_back({section->fileOffset, "the contents of a section",
                           [=, this] { return writeContents(*section); }});
    }
    for (const FileRange &range : object.unclaimed)
      regions.push_back({range.offset, "bytes between the tables",
                         [&] { return writeRange(range); }});
    llvm::sort(regions, [](const Region &a, const Region &b) {
      return a.offset < b.offset;
    });
  }

  Error writeHeader() {
    llvm::MachO::mach_header_64 header = {};
    header.magic = containerMagic;
    header.cputype = object.cpuType;
    header.cpusubtype = object.cpuSubtype;
    header.filetype = object.fileType;
    header.ncmds = object.commands.size();
    for (const LoadCommand &command : object.commands)
      header.sizeofcmds += command.size;
    header.flags = object.flags;
    header.reserved = object.reserved;
    put(fileOrder(header));
    return Error::success();
  }

  Error writeCommand(const LoadCommand &command) {
    if (command.verbatim.empty())
      putBytes(encodeCommand(command.body, command.size));
    else
      putBytes(command.verbatim);
    return Error::success();
  }

  Error writeSymbols(const SymbolTable &table) {
    for (const Symbol &symbol : table.symbols)
      put(fileOrder(encodeSymbol(symbol)));
    return Error::success();
  }

  Error writeStrings(const SymbolTable &table) {
    os << table.strings;
    return Error::success();
  }

  Error writeRelocations(const Section &section) {
    for (const Relocation &relocation : section.relocations)
      put(fileOrder(encodeRelocation(relocation)));
    return Error::success();
  }

  Error writeContents(const Section &section) {
    for (const Chunk &chunk : section.contents)
      if (Error error = chunk.write(os))
        return error;
    return Error::success();
  }

  Error writeRange(const FileRange &range) {
    putBytes(range.bytes);
    return Error::success();
  }

  Error padTo(uint64_t offset, llvm::StringRef what) {
    uint64_t position = os.tell() - start;
    if (offset < position)
      return llvm::createStringError(
          what + " should start at offset " + ane::hex(offset) + ", but " +
          ane::hex(position) + " bytes are written already");
    return Chunk::zeros(offset - position).write(os);
  }

  template <typename T> void put(const T &value) {
    os.write(reinterpret_cast<const char *>(&value), sizeof(T));
  }

  void putBytes(llvm::ArrayRef<uint8_t> bytes) {
    os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }

  const Object &object;
  llvm::raw_ostream &os;
  /// Where the file starts in the stream.
  uint64_t start;
  std::vector<Region> regions;
};

} // namespace

Error ane::object::writeObject(const Object &object, llvm::raw_ostream &os) {
  return ObjectWriter(object, os).write();
}

Error ane::object::writeObject(const Object &object, llvm::StringRef path) {
  return writeOutputFile(
      path, [&](llvm::raw_ostream &os) { return writeObject(object, os); });
}
