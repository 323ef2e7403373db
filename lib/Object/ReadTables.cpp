//===- ReadTables.cpp - Tables that load commands point to ----------------===//

#include "Encode.h"
#include "ObjectReader.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::object;
using namespace llvm::MachO;
using llvm::Error;
using llvm::Twine;

void ObjectReader::claim(uint64_t offset, uint64_t length, const Twine &what) {
  if (length != 0)
    claims.push_back({offset, offset + length, what.str()});
}

Error ObjectReader::checkInFile(uint64_t field, uint64_t offset,
                                uint64_t length, const Twine &what) {
  if (length != 0 && (offset > in.size() || length > in.size() - offset))
    return fail(field, what + " of " + hex(length) + " bytes at offset " +
                           hex(offset) + " pass the end of the file, " +
                           hex(in.size()));
  return Error::success();
}

Error ObjectReader::checkOverlaps() {
  llvm::sort(claims, [](const Claim &a, const Claim &b) {
    return std::tie(a.begin, a.end, a.what) < std::tie(b.begin, b.end, b.what);
  });
  for (size_t i = 1; i < claims.size(); ++i)
    if (claims[i].begin < claims[i - 1].end)
      return fail(claims[i].begin,
                  claims[i].what + " at [" + hex(claims[i].begin) + ", " +
                      hex(claims[i].end) + ") overlap " + claims[i - 1].what +
                      " at [" + hex(claims[i - 1].begin) + ", " +
                      hex(claims[i - 1].end) + ")");
  return Error::success();
}

Error ObjectReader::readTables() {
  size_t nextSection = 0, nextTable = 0;
  for (LoadCommand &command : object.commands) {
    if (auto *segment = std::get_if<Segment>(&command.body)) {
      for (Section &section : segment->sections)
        if (Error error =
                readRelocations(section, relocationCounts[nextSection++]))
          return error;
    } else if (auto *table = std::get_if<SymbolTable>(&command.body)) {
      if (Error error = readSymbols(*table, symbolTables[nextTable++]))
        return error;
    }
  }
  return Error::success();
}

Error ObjectReader::readRelocations(Section &section, uint32_t count) {
  section.relocations.reserve(count);
  uint64_t offset = section.relocationOffset;
  for (uint32_t i = 0; i < count; ++i, offset += sizeof(any_relocation_info)) {
    auto info = in.read<any_relocation_info>(offset, "a relocation");
    if (!info)
      return info.takeError();
    Relocation relocation = decodeRelocation(fileOrder(*info));
    uint64_t width = uint64_t(1) << relocation.lengthLog2;
    if (relocation.address > section.size ||
        width > section.size - relocation.address)
      return fail(offset, "relocation " + Twine(i) + " of section '" +
                              section.segmentName + "," + section.name +
                              "': r_address " + hex(relocation.address) +
                              " + " + Twine(width) +
                              " bytes pass the end of the section, " +
                              hex(section.size));
    section.relocations.push_back(relocation);
  }
  return Error::success();
}

Error ObjectReader::readSymbols(SymbolTable &table,
                                const symtab_command &record) {
  if (record.strsize) {
    auto strings = in.slice(record.stroff, record.strsize, "the string table");
    if (!strings)
      return strings.takeError();
    if (strings->back() != 0)
      return fail(uint64_t(record.stroff) + record.strsize - 1,
                  "string table: the last string is not terminated");
    table.strings = llvm::toStringRef(*strings).str();
  }
  table.symbols.reserve(record.nsyms);
  uint64_t offset = record.symoff;
  for (uint32_t i = 0; i < record.nsyms; ++i, offset += sizeof(nlist_64)) {
    auto raw = in.read<nlist_64>(offset, "a symbol");
    if (!raw)
      return raw.takeError();
    nlist_64 entry = fileOrder(*raw);
    if (entry.n_strx >= table.strings.size())
      return fail(offset + offsetof(nlist_64, n_strx),
                  "symbol " + Twine(i) + ": n_strx " + hex(entry.n_strx) +
                      " passes the end of the string table, " +
                      hex(table.strings.size()));
    table.symbols.push_back({entry.n_strx, entry.n_type, entry.n_sect,
                             entry.n_desc, entry.n_value});
  }
  return Error::success();
}

Error ObjectReader::checkIndices() {
  size_t sectionCount = relocationCounts.size(), symbolCount = 0;
  if (const auto *table = object.first<SymbolTable>())
    symbolCount = table->symbols.size();
  for (const Section *section : object.sections())
    for (auto [i, relocation] : llvm::enumerate(section->relocations)) {
      uint64_t first = relocation.isExtern ? 0 : 1;
      uint64_t count = relocation.isExtern ? symbolCount : sectionCount;
      if (relocation.target < first || relocation.target - first >= count)
        return fail(section->relocationOffset +
                        i * sizeof(any_relocation_info) +
                        offsetof(any_relocation_info, r_word1),
                    "relocation " + Twine(i) + " of section '" +
                        section->segmentName + "," + section->name +
                        "': r_symbolnum " + Twine(relocation.target) +
                        (relocation.isExtern ? " is no symbol; there are "
                                             : " is no section; there are ") +
                        Twine(count));
    }
  for (const SymbolTable *table : object.all<SymbolTable>())
    for (auto [i, symbol] : llvm::enumerate(table->symbols))
      if (symbol.section > sectionCount)
        return fail(table->symbolOffset + i * sizeof(nlist_64) +
                        offsetof(nlist_64, n_sect),
                    "symbol " + Twine(i) + " '" + table->name(symbol) +
                        "': n_sect " + Twine(unsigned(symbol.section)) +
                        " is no section; there are " + Twine(sectionCount));
  return Error::success();
}

void ObjectReader::collectUnclaimed() {
  uint64_t position = 0;
  auto collect = [&](uint64_t end) {
    if (position >= end)
      return;
    // The Writer fills gaps with zeros by itself.
    llvm::ArrayRef<uint8_t> gap =
        llvm::cantFail(in.slice(position, end - position, "a gap"));
    auto isZero = [](uint8_t byte) { return byte == 0; };
    llvm::ArrayRef<uint8_t> tail = gap.drop_while(isZero);
    uint64_t offset = position + (gap.size() - tail.size());
    while (!tail.empty() && tail.back() == 0)
      tail = tail.drop_back();
    if (!tail.empty())
      object.unclaimed.push_back({offset, tail});
  };
  for (const Claim &claim : claims) {
    collect(claim.begin);
    position = claim.end;
  }
  collect(in.size());
}

void ObjectReader::keepVerbatim() {
  for (LoadCommand &command : object.commands) {
    llvm::ArrayRef<uint8_t> bytes =
        llvm::cantFail(in.slice(command.fileOffset, command.size, "command"));
    if (llvm::ArrayRef<uint8_t>(encodeCommand(command.body, command.size)) !=
        bytes)
      command.verbatim = bytes;
  }
}
