//===- TablesPart.cpp - Symbols and relocations ---------------------------===//

#include "Parts.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

static StringRef symbolKind(const Object &object, const Symbol &symbol) {
  switch (symbol.type) {
  case llvm::MachO::N_LSYM:
    return "type";
  case llvm::MachO::N_GSYM:
    return "shape";
  case definedSymbol:
    break;
  default:
    return "unknown";
  }
  auto sections = object.sections();
  if (symbol.section == 0 || symbol.section > sections.size())
    return "unknown";
  return sectionTypeName(sections[symbol.section - 1]->type());
}

Part objdump::symbolsPart(const Object &object) {
  Part part;
  part.name = "symbols";
  part.title = "symbols";
  part.columns = {{"type", 10, Verified}, {"section", 10, Verified},
                  {"desc", 10, Verified}, {"value", 12, Verified},
                  {"kind", 14, Verified}, {"name", 10, Verified, false}};
  const auto *table = object.first<SymbolTable>();
  if (!table)
    return part;
  part.count = table->symbols.size();
  part.item = [&object, table](size_t index) {
    const Symbol &symbol = table->symbols[index];
    Item item;
    item.title = llvm::utostr(index);
    item.entries = {
        hexEntry("type", symbol.type, Verified),
        decimalEntry("section", symbol.section, Verified),
        decimalEntry("desc", symbol.desc, Verified),
        hexEntry("value", symbol.value, Verified),
        textEntry("kind", symbolKind(object, symbol), Verified),
        textEntry("name", table->name(symbol), Verified),
    };
    return item;
  };
  return part;
}

Part objdump::relocationsPart(const Object &object) {
  Part part;
  part.name = "relocations";
  part.title = "relocations";
  part.columns = {
      {"address", 14, std::nullopt},      {"bytes", 6, std::nullopt},
      {"pcrel", 6, std::nullopt},         {"extern", 7, std::nullopt},
      {"type", 5, std::nullopt},          {"evidence", 9, std::nullopt},
      {"target", 10, std::nullopt, false}};
  std::vector<std::pair<const Section *, const Relocation *>> relocations;
  for (const Section *section : object.sections())
    for (const Relocation &relocation : section->relocations)
      relocations.push_back({section, &relocation});
  part.count = relocations.size();
  part.item = [&object, relocations = std::move(relocations)](size_t index) {
    auto [section, relocation] = relocations[index];
    auto sections = object.sections();
    std::string target = "symbol " + llvm::utostr(relocation->target);
    if (!relocation->isExtern && relocation->target >= 1 &&
        relocation->target <= sections.size()) {
      const Section *other = sections[relocation->target - 1];
      target = "section " + llvm::utostr(relocation->target) + " " +
               other->segmentName + "," + other->name;
    }
    // Those of coefficient lanes are in real files, those of v10 slots in files
    // of this project only.
    Evidence evidence = relocation->lengthLog2 == 2 ? Verified : Assigned;
    Item item;
    item.title = llvm::utostr(index);
    item.entries = {
        valueEntry("address", int64_t(relocation->address),
                   printable(section->name) + "+" + hex(relocation->address),
                   evidence),
        decimalEntry("bytes", 1u << relocation->lengthLog2, evidence),
        decimalEntry("pcrel", relocation->pcRelative, evidence),
        decimalEntry("extern", relocation->isExtern, evidence),
        decimalEntry("type", relocation->type, evidence),
        textEntry("evidence", td::stringifyEvidence(evidence), evidence),
        textEntry("target", target, evidence),
    };
    return item;
  };
  return part;
}
