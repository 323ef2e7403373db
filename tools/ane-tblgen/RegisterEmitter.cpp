//===- RegisterEmitter.cpp - Field table to C++ and Markdown --------------===//
//
// Reads the records of dialects/Zin/Registers.td and writes the C++ table that
// the codecs, the disassembler and the executor read, the enumerations of named
// values, or the register reference of the documentation. A table that
// contradicts itself (overlapping bits, a word outside its group, a default
// that does not fit) is an error here, so no such table can be compiled.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"
#include <map>
#include <set>
#include <vector>

using namespace llvm;

namespace {

/// Records of a class in the order of the source file.
std::vector<const Record *> recordsOf(const RecordKeeper &keeper,
                                      StringRef className) {
  std::vector<const Record *> records;
  for (const Record *record : keeper.getAllDerivedDefinitions(className))
    records.push_back(record);
  llvm::sort(records, [](const Record *a, const Record *b) {
    return a->getID() < b->getID();
  });
  return records;
}

/// The position of a field in the v10 image; null for a header field.
const Record *v10Of(const Record *field) {
  return dyn_cast<DefInit>(field->getValueInit("v10"))
             ? field->getValueAsDef("v10")
             : nullptr;
}

int64_t v10Lsb(const Record *field, const Record *v10) {
  int64_t lsb = v10->getValueAsInt("lsb");
  return lsb < 0 ? field->getValueAsInt("lsb") : lsb;
}

/// The named values of a field; null for a field whose values have no names.
const Record *valuesOf(const Record *field) {
  return dyn_cast<DefInit>(field->getValueInit("values"))
             ? field->getValueAsDef("values")
             : nullptr;
}

/// A named value as a reader expects it: bits of a mask in hexadecimal.
std::string formatValue(const Record *set, const Record *entry) {
  int64_t value = entry->getValueAsInt("value");
  return set->getValueAsBit("isMask") ? "0x" + utohexstr(value, true)
                                      : itostr(value);
}

/// Marks the bits of every word a field covers and reports an overlap.
class BitMap {
public:
  void claim(const Record *field, StringRef space, int64_t word, int64_t lsb,
             int64_t width) {
    if (lsb < 0 || width < 1 || lsb + width > 32)
      PrintFatalError(field, "field does not fit a 32-bit word");
    for (int64_t bit = lsb; bit < lsb + width; ++bit) {
      const Record *&owner = owners[{space.str(), word, bit}];
      if (owner)
        PrintFatalError(field, "bit " + Twine(bit) + " of word " + Twine(word) +
                                   " in " + space + " belongs to " +
                                   owner->getName() + " already");
      owner = field;
    }
  }

private:
  std::map<std::tuple<std::string, int64_t, int64_t>, const Record *> owners;
};

/// Names and values must be unique, and every value must fit every field.
void checkValues(const Record *set, const Record *field) {
  std::set<StringRef> names;
  std::set<int64_t> values;
  int64_t taken = 0;
  bool isMask = set->getValueAsBit("isMask");
  for (const Record *entry : set->getValueAsListOfDefs("values")) {
    int64_t value = entry->getValueAsInt("value");
    if (value < 0 || value >> field->getValueAsInt("width"))
      PrintFatalError(field, "the value '" + entry->getValueAsString("name") +
                                 "' does not fit the field");
    if (!names.insert(entry->getValueAsString("name")).second ||
        !values.insert(value).second)
      PrintFatalError(set, "the value '" + entry->getValueAsString("name") +
                               "' is named twice");
    if (isMask && (value == 0 || (taken & value)))
      PrintFatalError(set, "the mask '" + entry->getValueAsString("name") +
                               "' is 0 or shares bits with another one");
    taken |= value;
  }
}

void checkTable(ArrayRef<const Record *> fields) {
  BitMap bits;
  for (const Record *field : fields) {
    const Record *block = field->getValueAsDef("block");
    int64_t width = field->getValueAsInt("width");
    int64_t value = field->getValueAsInt("defaultValue");
    if (width < 32 && (value < 0 || value >= (int64_t(1) << width)))
      PrintFatalError(field, "the default does not fit the field");
    if (const Record *set = valuesOf(field))
      checkValues(set, field);
    const Record *v10 = v10Of(field);
    if (!v10 && block->getName() != "Header")
      PrintFatalError(field, "the field has no place in the v10 image");
    for (int64_t i = 0, count = field->getValueAsInt("count"); i < count; ++i) {
      int64_t word = field->getValueAsInt("offset") / 4 + i;
      if (word >= block->getValueAsInt("words"))
        PrintFatalError(field, "the register lies outside its block");
      bits.claim(field, block->getName(), word, field->getValueAsInt("lsb"),
                 width);
      if (!v10)
        continue;
      const Record *group = v10->getValueAsDef("group");
      int64_t word10 = v10->getValueAsInt("word") + i;
      if (word10 >= group->getValueAsInt("words"))
        PrintFatalError(field, "the v10 word lies outside its group");
      bits.claim(field, group->getName(), word10, v10Lsb(field, v10), width);
      int64_t slot = v10->getValueAsInt("slot");
      if (slot && slot * 4 != group->getValueAsInt("aperture") + 4 * word10)
        PrintFatalError(field, "the slot is not the register of the field");
    }
  }
}

/// The enumerations, and for every field the one that its values are of.
void emitValues(const RecordKeeper &keeper, raw_ostream &os) {
  std::vector<const Record *> fields = recordsOf(keeper, "Field");
  checkTable(fields);
  emitSourceFileHeader("Named values of task descriptor fields", os, keeper);

  os << "#ifdef GET_VALUE_ENUMS\n#undef GET_VALUE_ENUMS\n";
  for (const Record *set : recordsOf(keeper, "ValueSet")) {
    os << "/// " << set->getValueAsString("description") << "\n"
       << "enum class " << set->getValueAsString("name") << " : uint32_t {\n";
    for (const Record *entry : set->getValueAsListOfDefs("values"))
      os << "  " << entry->getValueAsString("name") << " = "
         << formatValue(set, entry) << ", ///< "
         << entry->getValueAsString("meaning") << "\n";
    os << "};\n";
  }

  os << "#endif\n\n#ifdef GET_VALUE_TRAITS\n#undef GET_VALUE_TRAITS\n";
  for (const Record *set : recordsOf(keeper, "ValueSet"))
    os << "template <> inline constexpr bool isValueSet<"
       << set->getValueAsString("name") << "> = true;\n";
  for (const Record *field : fields)
    if (const Record *set = valuesOf(field))
      os << "template <> struct FieldValues<Field::" << field->getName()
         << "> { using type = " << set->getValueAsString("name") << "; };\n";

  os << "#endif\n\n#ifdef GET_VALUE_TABLE\n#undef GET_VALUE_TABLE\n";
  for (const Record *set : recordsOf(keeper, "ValueSet")) {
    os << "constexpr NamedValue " << set->getName() << "[] = {\n";
    for (const Record *entry : set->getValueAsListOfDefs("values"))
      os << "  {\"" << entry->getValueAsString("name") << "\", "
         << entry->getValueAsInt("value") << "u, \""
         << entry->getValueAsString("meaning")
         << "\", Evidence::" << entry->getValueAsDef("evidence")->getName()
         << "},\n";
    os << "};\n";
  }
  os << "constexpr ValueSetInfo valueSets[] = {\n";
  for (const Record *set : recordsOf(keeper, "ValueSet"))
    os << "  {\"" << set->getValueAsString("name") << "\", \""
       << set->getValueAsString("description") << "\", "
       << (set->getValueAsBit("isMask") ? "true" : "false") << ", "
       << set->getName() << "},\n";
  os << "};\n#endif\n";
}

void emitCpp(const RecordKeeper &keeper, raw_ostream &os) {
  std::vector<const Record *> fields = recordsOf(keeper, "Field");
  checkTable(fields);
  emitSourceFileHeader("Task descriptor field table", os, keeper);

  os << "#ifdef GET_BLOCK_ENUM\n#undef GET_BLOCK_ENUM\n";
  for (const Record *block : recordsOf(keeper, "Block"))
    os << "  " << block->getName() << ",\n";
  os << "#endif\n\n#ifdef GET_BLOCK_TABLE\n#undef GET_BLOCK_TABLE\n";
  for (const Record *block : recordsOf(keeper, "Block"))
    os << "  {\"" << block->getValueAsString("symbol") << "\", "
       << format_hex(block->getValueAsInt("address"), 7) << ", "
       << block->getValueAsInt("words") << ", \""
       << block->getValueAsString("description") << "\"},\n";

  int64_t words = 0;
  for (const Record *block : recordsOf(keeper, "Block"))
    words += block->getValueAsInt("words");
  os << "#endif\n\n#ifdef GET_IMAGE_WORDS\n#undef GET_IMAGE_WORDS\n  " << words
     << "\n";

  os << "#endif\n\n#ifdef GET_GROUP_TABLE\n#undef GET_GROUP_TABLE\n";
  for (const Record *group : recordsOf(keeper, "Group"))
    os << "  {" << group->getValueAsInt("number") << ", "
       << format_hex(group->getValueAsInt("aperture"), 6) << ", "
       << group->getValueAsInt("words") << ", "
       << format_hex(group->getValueAsInt("imageBase"), 5) << ", "
       << format_hex(group->getValueAsInt("structBase"), 5) << ", \""
       << group->getValueAsString("description") << "\"},\n";

  os << "#endif\n\n#ifdef GET_FIELD_ENUM\n#undef GET_FIELD_ENUM\n";
  for (const Record *field : fields)
    os << "  " << field->getName() << ",\n";

  // A field without named values gets the number behind the last set.
  std::vector<const Record *> sets = recordsOf(keeper, "ValueSet");
  os << "#endif\n\n#ifdef GET_FIELD_TABLE\n#undef GET_FIELD_TABLE\n";
  for (const Record *field : fields) {
    const Record *v10 = v10Of(field);
    os << "  {\"" << field->getValueAsString("registerName") << "\", \""
       << field->getValueAsString("name") << "\", \""
       << field->getValueAsString("meaning")
       << "\", Block::" << field->getValueAsDef("block")->getName() << ", "
       << format_hex(field->getValueAsInt("offset"), 5) << ", "
       << field->getValueAsInt("lsb") << ", " << field->getValueAsInt("width")
       << ", " << field->getValueAsInt("count") << ", "
       << field->getValueAsInt("defaultValue") << "u, "
       << field->getValueAsInt("unit") << ", "
       << (field->getValueAsBit("isSigned") ? "true" : "false")
       << ", Evidence::" << field->getValueAsDef("evidence")->getName() << ", "
       << llvm::find(sets, valuesOf(field)) - sets.begin() << ", ";
    if (v10)
      os << "{" << v10->getValueAsDef("group")->getValueAsInt("number") << ", "
         << v10->getValueAsInt("word") << ", " << v10Lsb(field, v10) << ", "
         << format_hex(v10->getValueAsInt("slot"), 6)
         << ", Evidence::" << v10->getValueAsDef("evidence")->getName()
         << "}},\n";
    else
      os << "{-1, 0, 0, 0, Evidence::Assigned}},\n";
  }
  os << "#endif\n";
}

std::string bitRange(int64_t lsb, int64_t width) {
  if (width == 1)
    return "[" + itostr(lsb) + "]";
  return "[" + itostr(lsb + width - 1) + ":" + itostr(lsb) + "]";
}

/// How many words of each v10 group hold a field.
std::map<const Record *, std::set<int64_t>>
usedWords(ArrayRef<const Record *> fields) {
  std::map<const Record *, std::set<int64_t>> used;
  for (const Record *field : fields)
    if (const Record *v10 = v10Of(field))
      for (int64_t i = 0, count = field->getValueAsInt("count"); i < count; ++i)
        used[v10->getValueAsDef("group")].insert(v10->getValueAsInt("word") +
                                                 i);
  return used;
}

/// One table for each set of named values.
void emitValueDoc(const RecordKeeper &keeper, raw_ostream &os) {
  os << "\n## Named values\n\n"
        "What the fields above hold where a value has a name. The names are "
        "ours; the evidence is\nthat of the meaning.\n";
  for (const Record *set : recordsOf(keeper, "ValueSet")) {
    bool isMask = set->getValueAsBit("isMask");
    os << "\n### " << set->getValueAsString("name") << "\n\n"
       << set->getValueAsString("description")
       << (isMask ? "; bits that may stand together" : "")
       << "\n\n| value | name | evidence | meaning |\n|---|---|---|---|\n";
    for (const Record *entry : set->getValueAsListOfDefs("values")) {
      os << "| " << formatValue(set, entry) << " | "
         << entry->getValueAsString("name") << " | "
         << entry->getValueAsDef("evidence")->getValueAsString("name") << " | "
         << entry->getValueAsString("meaning") << " |\n";
    }
  }
}

/// A default as a reader expects it: large ones are bit patterns.
std::string formatDefault(int64_t value) {
  constexpr int64_t largestCount = 99;
  return value <= largestCount ? itostr(value) : "0x" + utohexstr(value, true);
}

/// The row of a field.
void emitFieldDoc(const Record *field, raw_ostream &os) {
  const Record *block = field->getValueAsDef("block");
  int64_t count = field->getValueAsInt("count");
  int64_t width = field->getValueAsInt("width");
  os << "| " << field->getValueAsString("registerName");
  if (count > 1)
    os << "[0.." << count - 1 << "]";
  os << "." << field->getValueAsString("name") << " | "
     << format_hex(
            block->getValueAsInt("address") + field->getValueAsInt("offset"), 7)
     << " " << bitRange(field->getValueAsInt("lsb"), width) << " | "
     << field->getValueAsDef("evidence")->getValueAsString("name") << " | ";
  if (const Record *v10 = v10Of(field)) {
    os << v10->getValueAsDef("group")->getName() << " word "
       << v10->getValueAsInt("word") << " "
       << bitRange(v10Lsb(field, v10), width);
    if (int64_t slot = v10->getValueAsInt("slot"))
      os << ", slot " << format_hex(slot, 6);
    os << " | " << v10->getValueAsDef("evidence")->getValueAsString("name");
  } else {
    os << "as v7 | assigned";
  }
  os << " | " << formatDefault(field->getValueAsInt("defaultValue")) << " | ";
  if (int64_t unit = field->getValueAsInt("unit"); unit > 1)
    os << unit << " bytes";
  os << (field->getValueAsBit("isSigned") ? ", signed | " : " | ")
     << field->getValueAsString("meaning");
  if (const Record *set = valuesOf(field))
    os << ": [" << set->getValueAsString("name") << "](#"
       << set->getValueAsString("name").lower() << ")";
  os << " |\n";
}

void emitDoc(const RecordKeeper &keeper, raw_ostream &os) {
  std::vector<const Record *> fields = recordsOf(keeper, "Field");
  checkTable(fields);
  os << "<!-- Generated by ane-tblgen from dialects/Zin/Registers.td; "
        "do not edit. -->\n\n"
        "# Task descriptor registers\n\n"
        "One row a field. *v7* is the register address and bit range in the "
        "stream of real H13\nprograms, *v10* the group, word and bit range in "
        "the v10 image, each with its evidence:\n`verified` (bytes of real "
        "programs), `documented` (a published description) or\n`assigned` "
        "(chosen here). Element i of an array field `[0..n]` lies i registers "
        "further.\nA *step* is what 1 in the field means, where that is not a "
        "plain number. *Default* is the\nfield's bits; the v10 stream leaves "
        "out registers that have it.\n\n"
        "## Groups of the v10 image\n\n"
        "| group | registers | in use | first register | image base | struct "
        "base | contents |\n|---|---|---|---|---|---|---|\n";
  auto used = usedWords(fields);
  for (const Record *group : recordsOf(keeper, "Group"))
    os << "| " << group->getName() << " | " << group->getValueAsInt("words")
       << " | " << used[group].size() << " | "
       << format_hex(group->getValueAsInt("aperture"), 6) << " | "
       << format_hex(group->getValueAsInt("imageBase"), 5) << " | "
       << format_hex(group->getValueAsInt("structBase"), 5) << " | "
       << group->getValueAsString("description") << " |\n";

  MapVector<const Record *, std::vector<const Record *>> byBlock;
  for (const Record *field : fields)
    byBlock[field->getValueAsDef("block")].push_back(field);
  for (auto &[block, blockFields] : byBlock) {
    os << "\n## " << block->getValueAsString("symbol") << "\n\n"
       << block->getValueAsString("description") << "\n\n"
       << "| field | v7 | evidence | v10 | evidence | default | step | meaning "
          "|\n|---|---|---|---|---|---|---|---|\n";
    for (const Record *field : blockFields)
      emitFieldDoc(field, os);
  }
  emitValueDoc(keeper, os);
}

const TableGen::Emitter::Opt cppEmitter("gen-register-table", emitCpp,
                                        "Generate the C++ field table");
const TableGen::Emitter::Opt valueEmitter("gen-register-values", emitValues,
                                          "Generate the named values");
const TableGen::Emitter::Opt docEmitter("gen-register-doc", emitDoc,
                                        "Generate the register reference");

} // namespace
