//===- TaskTraits.cpp - Tasks as register fields by name ------------------===//
//
// A task is a mapping from fields to values, of the fields that are not at
// their default. Bits of no known field have keys of their own, so that nothing
// is lost. The place and size of the next task follow from the tasks.
//
//===----------------------------------------------------------------------===//

#include "DocumentTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace ane;
using namespace ane::objectyaml;
using llvm::raw_ostream;
using llvm::StringRef;
using td::Block;
using td::Field;

namespace {

constexpr char recordsKey[] = "Records";
constexpr char offsetKey[] = "TextOffset";
constexpr char unnamedPrefix[] = "Unnamed.";

/// `Header.6.TDE`, `KernelDMASrc.CoeffBaseAddr.Addr`: the full name of a field
/// without the brackets, which are flow collections in YAML.
std::string keyOf(const td::FieldInfo &info) {
  std::string key;
  if (info.block != Block::Header)
    key = td::blockInfo(info.block).symbol.str() + ".";
  for (char c : info.registerName)
    if (c != ']')
      key += c == '[' ? '.' : c;
  return key + "." + info.name.str();
}

/// The encoder fills these in.
bool isLink(Field field) {
  return field == Field::NextSize || field == Field::NextPointer;
}

const llvm::StringMap<Field> &fieldsByKey() {
  static const llvm::StringMap<Field> fields = [] {
    llvm::StringMap<Field> result;
    for (auto [index, info] : llvm::enumerate(td::fieldTable()))
      result.try_emplace(keyOf(info), static_cast<Field>(index));
    return result;
  }();
  return fields;
}

/// The name of a value, if it is one word and the only value of that name.
std::string valueName(const td::FieldInfo &info, uint32_t bits) {
  const td::ValueSetInfo *values = td::valueSetOf(info);
  if (!values || values->isMask)
    return "";
  std::string name = values->nameOf(bits);
  auto isSame = [&](const td::NamedValue &value) { return value.name == name; };
  bool isWord = !name.empty() && !llvm::isDigit(name[0]) &&
                llvm::all_of(name, llvm::isAlnum);
  return isWord && llvm::count_if(values->values, isSame) == 1 ? name : "";
}

/// A field of an image, as a scalar.
struct FieldValue {
  td::RegisterImage *image;
  Field field;
  std::string error; ///< set before reading: the key is wrong

  const td::FieldInfo &info() const { return td::fieldInfo(field); }
};

void writeElement(const FieldValue &value, unsigned index, raw_ostream &os) {
  const td::FieldInfo &info = value.info();
  uint32_t bits = value.image->get(value.field, index);
  std::string name = valueName(info, bits);
  int64_t scaled = value.image->getScaled(value.field, index);
  bool isNegative = scaled < 0;
  bool isMask = td::valueSetOf(info) && td::valueSetOf(info)->isMask;
  if (!name.empty())
    os << name;
  else if (info.unit > 1 || isMask || info.width == 32)
    os << (isNegative ? "-" : "")
       << llvm::format_hex(isNegative ? -uint64_t(scaled) : scaled, 3);
  else
    os << scaled;
}

llvm::Error readElement(FieldValue &value, StringRef text, unsigned index) {
  const td::FieldInfo &info = value.info();
  if (const td::ValueSetInfo *values = td::valueSetOf(info))
    for (const td::NamedValue &named : values->values)
      if (named.name == text) {
        value.image->set(value.field, named.value & info.mask(), index);
        return llvm::Error::success();
      }
  int64_t number;
  if (text.getAsInteger(0, number))
    return llvm::createStringError("'" + text +
                                   "' is neither a number nor the name of a "
                                   "value of " +
                                   keyOf(info));
  return value.image->setScaled(value.field, number, index);
}

/// A run of registers that a record writes.
struct RecordItem {
  td::RegisterRun run;
};

/// Bits of a register that belong to no field; no image if there is no such
/// register.
struct UnnamedBits {
  td::RegisterImage *image = nullptr;
  Block block = {};
  unsigned word = 0;
};

UnnamedBits findRegister(StringRef name, td::RegisterImage &image) {
  auto [blockName, word] = name.split('.');
  for (auto [index, block] : llvm::enumerate(td::blockTable())) {
    unsigned number;
    if (block.symbol == blockName && !word.getAsInteger(10, number) &&
        number < block.words)
      return {&image, static_cast<Block>(index), number};
  }
  return {};
}

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(RecordItem)

namespace llvm::yaml {

template <> struct ScalarTraits<FieldValue> {
  /// Elements with blanks between; `0*13` are thirteen zeros.
  static void output(const FieldValue &value, void *, raw_ostream &os) {
    const td::FieldInfo &info = value.info();
    for (unsigned first = 0; first < info.count;) {
      unsigned last = first + 1;
      while (last < info.count && value.image->get(value.field, last) ==
                                      value.image->get(value.field, first))
        ++last;
      os << (first ? " " : "");
      writeElement(value, first, os);
      if (last - first > 1)
        os << '*' << last - first;
      first = last;
    }
  }

  static StringRef input(StringRef text, void *, FieldValue &value) {
    if (!value.error.empty())
      return value.error;
    const td::FieldInfo &info = value.info();
    unsigned index = 0;
    SmallVector<StringRef, 4> words;
    text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef word : words) {
      auto [element, times] = word.split('*');
      unsigned count = 1;
      if ((word.contains('*') && times.getAsInteger(10, count)) ||
          count > info.count - index) {
        index = info.count + 1;
        break;
      }
      for (; count; --count, ++index)
        if (Error error = readElement(value, element, index)) {
          value.error = toString(std::move(error));
          return value.error;
        }
    }
    if (index == info.count)
      return {};
    value.error = keyOf(info) + " has " + utostr(info.count) +
                  (info.count == 1 ? " element" : " elements");
    return value.error;
  }

  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<UnnamedBits> {
  static void output(const UnnamedBits &bits, void *, raw_ostream &os) {
    os << format_hex(bits.image->unnamedBits(bits.block, bits.word), 10);
  }

  static StringRef input(StringRef text, void *, UnnamedBits &bits) {
    uint32_t value;
    if (!bits.image)
      return "there is no such register";
    if (text.getAsInteger(0, value))
      return "expected a number of 32 bits";
    uint32_t word = bits.image->word(bits.block, bits.word);
    bits.image->setWord(bits.block, bits.word, word | value);
    if (bits.image->unnamedBits(bits.block, bits.word) != value)
      return "these bits belong to fields; use their names";
    return {};
  }

  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<RecordItem> {
  static void output(const RecordItem &record, void *, raw_ostream &os) {
    os << td::blockInfo(record.run.block).symbol << ' ' << record.run.firstWord
       << ' ' << record.run.words;
  }

  static StringRef input(StringRef text, void *, RecordItem &record) {
    SmallVector<StringRef, 3> words;
    text.split(words, ' ');
    const auto *block =
        find_if(td::blockTable(), [&](const td::BlockInfo &info) {
          return info.symbol == words[0];
        });
    uint16_t first, count;
    if (words.size() != 3 || words[1].getAsInteger(0, first) ||
        words[2].getAsInteger(0, count) || block == td::blockTable().end() ||
        block == &td::blockInfo(Block::Header))
      return "expected a register block, its first register and a number of "
             "registers";
    if (count == 0 || count > block->words || first > block->words - count)
      return "the registers of a record do not lie in their block";
    record.run = {static_cast<Block>(block - td::blockTable().begin()), first,
                  count};
    return {};
  }

  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

void CustomMappingTraits<TaskItem>::inputOne(IO &io, StringRef key,
                                             TaskItem &task) {
  task.place = placeOf(io);
  std::string name = key.str();
  td::RegisterImage &image = task.task.image;
  if (key == recordsKey) {
    std::vector<RecordItem> records;
    io.mapRequired(recordsKey, records);
    task.task.runs.clear();
    for (const RecordItem &record : records)
      task.task.runs.push_back(record.run);
    return;
  }
  if (key == offsetKey) {
    Hex32 offset;
    io.mapRequired(offsetKey, offset);
    // The encoder makes the gap in memory.
    if (uint32_t(offset) > maxTextBytes)
      return io.setError("TextOffset passes the 64 MiB of a text");
    task.task.textOffset = uint32_t(offset);
    return;
  }
  if (key.consume_front(unnamedPrefix)) {
    UnnamedBits bits = findRegister(key, image);
    io.mapRequired(name.c_str(), bits);
    return;
  }
  FieldValue value{&image, {}, {}};
  auto field = fieldsByKey().find(key);
  if (field == fieldsByKey().end()) {
    value.error = "'" + name + "' is no field of a task descriptor";
  } else {
    value.field = field->second;
    if (isLink(value.field))
      value.error = "'" + name + "' follows from the tasks; leave it out";
  }
  io.mapRequired(name.c_str(), value);
}

void CustomMappingTraits<TaskItem>::output(IO &io, TaskItem &task) {
  td::RegisterImage &image = task.task.image;
  const td::RegisterImage usual;
  if (task.task.textOffset) {
    Hex32 offset(*task.task.textOffset);
    io.mapRequired(offsetKey, offset);
  }
  if (!task.task.runs.empty()) {
    std::vector<RecordItem> records;
    for (const td::RegisterRun &run : task.task.runs)
      records.push_back({run});
    io.mapRequired(recordsKey, records);
  }
  for (auto [index, info] : enumerate(td::fieldTable())) {
    auto field = static_cast<Field>(index);
    auto isUsual = [&, field = field](unsigned element) {
      return image.get(field, element) == usual.get(field, element);
    };
    if (isLink(field) || all_of(seq<unsigned>(0, info.count), isUsual))
      continue;
    FieldValue value{&image, field, {}};
    io.mapRequired(keyOf(info).c_str(), value);
  }
  for (auto [index, info] : enumerate(td::blockTable()))
    for (unsigned word = 0; word < info.words; ++word) {
      UnnamedBits bits{&image, static_cast<Block>(index), word};
      if (image.unnamedBits(bits.block, word))
        io.mapRequired((Twine(unnamedPrefix) + info.symbol + "." + Twine(word))
                           .str()
                           .c_str(),
                       bits);
    }
}

} // namespace llvm::yaml
