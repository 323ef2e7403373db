//===- Scalars.cpp - Values of the text form ------------------------------===//

#include "Scalars.h"
#include "ane/Object/Check.h"
#include "ane/ObjectYAML/ObjectYAML.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ane::object;
using namespace ane::objectyaml;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr llvm::StringLiteral partNames[] = {
    "Text", "Kernels", "Scratch", "Spare", "Inputs", "Outputs", "Ports"};
constexpr llvm::StringLiteral zerosWord = "zeros ";

/// Bytes of a line; also the shortest run of zeros that gets its own.
constexpr size_t bytesOfLine = 64;

/// What YAML takes as it is, wherever it stands.
bool isPlain(char c) {
  return llvm::isAlnum(c) || StringRef("_./@+-").contains(c);
}

void writeText(StringRef text, raw_ostream &os) {
  bool isWord = !text.empty() && llvm::all_of(text, isPlain) &&
                (llvm::isAlnum(text.front()) || text.front() == '_');
  if (isWord) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text) {
    if (isPlain(c) || StringRef(" :;,=<>()!&*?$^~|#").contains(c))
      os << c;
    else
      os << '%' << llvm::utohexstr(uint8_t(c), /*LowerCase=*/false, 2);
  }
  os << '"';
}

bool readText(StringRef text, std::string &value) {
  value.clear();
  while (!text.empty()) {
    if (text.front() != '%') {
      value += text.front();
      text = text.drop_front();
      continue;
    }
    unsigned byte;
    if (text.size() < 3 || text.substr(1, 2).getAsInteger(16, byte))
      return false;
    value += char(byte);
    text = text.drop_front(3);
  }
  return true;
}

/// The first word of `text`, which loses it.
StringRef takeWord(StringRef &text) {
  auto [word, rest] = llvm::getToken(text, " ");
  text = rest.ltrim(' ');
  return word;
}

bool readBytes(StringRef text, std::vector<uint8_t> &bytes) {
  std::string raw;
  if (text.size() % 2 || !llvm::tryGetFromHex(text, raw))
    return false;
  bytes.assign(raw.begin(), raw.end());
  return true;
}

} // namespace

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void Content::append(llvm::ArrayRef<uint8_t> bytes) {
  auto isZero = [](uint8_t byte) { return byte == 0; };
  while (!bytes.empty()) {
    llvm::ArrayRef<uint8_t> line = bytes.take_front(bytesOfLine);
    bytes = bytes.drop_front(line.size());
    bool isRun = line.size() == bytesOfLine && llvm::all_of(line, isZero);
    if (!isRun)
      runs.push_back({0, line, {}});
    else if (!runs.empty() && runs.back().zeros != 0)
      runs.back().zeros += line.size();
    else
      runs.push_back({line.size(), {}, {}});
  }
}

Content Content::of(llvm::ArrayRef<uint8_t> bytes) {
  Content content;
  content.append(bytes);
  return content;
}

uint64_t Content::size() const {
  uint64_t size = 0;
  for (const Run &run : runs)
    size += run.size();
  return size;
}

std::vector<uint8_t> Content::bytes() const {
  std::vector<uint8_t> result;
  for (const Run &run : runs) {
    result.insert(result.end(), run.bytes.begin(), run.bytes.end());
    result.resize(result.size() + run.zeros);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace llvm::yaml {

void ScalarTraits<Text>::output(const Text &value, void *, raw_ostream &os) {
  writeText(value.value, os);
}

StringRef ScalarTraits<Text>::input(StringRef text, void *, Text &value) {
  if (!readText(text, value.value))
    return "a '%' that two hexadecimal digits do not follow; write %25";
  return {};
}

void ScalarTraits<Numbers>::output(const Numbers &value, void *,
                                   raw_ostream &os) {
  interleave(value.values, os, " ");
}

StringRef ScalarTraits<Numbers>::input(StringRef text, void *, Numbers &value) {
  value.values.clear();
  while (!text.empty()) {
    uint64_t number;
    if (takeWord(text).getAsInteger(0, number))
      return "expected numbers with blanks between";
    value.values.push_back(number);
  }
  return {};
}

void ScalarTraits<Shape>::output(const Shape &value, void *, raw_ostream &os) {
  os << value.n << 'x' << value.c << 'x' << value.h << 'x' << value.w;
  if (value.d != 1)
    os << 'x' << value.d;
}

StringRef ScalarTraits<Shape>::input(StringRef text, void *, Shape &value) {
  constexpr StringRef expected = "expected extents NxCxHxW or NxCxHxWxD";
  SmallVector<StringRef, 5> parts;
  text.split(parts, 'x');
  if (parts.size() != 4 && parts.size() != 5)
    return expected;
  uint32_t *extents[] = {&value.n, &value.c, &value.h, &value.w, &value.d};
  for (auto [part, extent] : zip(parts, extents))
    if (part.getAsInteger(10, *extent))
      return expected;
  return {};
}

void ScalarTraits<Element>::output(const Element &value, void *,
                                   raw_ostream &os) {
  uint32_t index = to_underlying(value.code) - 1;
  if (index < std::size(typeStabs))
    os << StringRef(typeStabs[index]).split(':').first;
  else
    os << to_underlying(value.code);
}

StringRef ScalarTraits<Element>::input(StringRef text, void *, Element &value) {
  uint32_t number;
  for (auto [index, stab] : enumerate(typeStabs))
    if (StringRef(stab).split(':').first == text) {
      value.code = ElementCode(index + 1);
      return {};
    }
  if (text.getAsInteger(0, number))
    return "expected the name or number of an element type, as float16";
  value.code = ElementCode(number);
  return {};
}

void ScalarTraits<Interleave>::output(const Interleave &value, void *,
                                      raw_ostream &os) {
  os << value.count;
}

StringRef ScalarTraits<Interleave>::input(StringRef text, void *,
                                          Interleave &value) {
  if (text.getAsInteger(0, value.count) || !isKnownInterleave(value.count))
    return "expected 1, 2, 3, 4 or 8 channels side by side";
  return {};
}

void ScalarTraits<Order>::output(const Order &value, void *, raw_ostream &os) {
  interleave(
      value.parts, os,
      [&](MemoryPart part) { os << partNames[to_underlying(part)]; }, " ");
}

StringRef ScalarTraits<Order>::input(StringRef text, void *, Order &value) {
  value.parts.clear();
  while (!text.empty()) {
    StringRef word = takeWord(text);
    const auto *name = find(partNames, word);
    if (name == std::end(partNames))
      return "expected Text, Kernels, Scratch, Spare, Inputs, Outputs or Ports";
    value.parts.push_back(MemoryPart(name - std::begin(partNames)));
  }
  return {};
}

void ScalarTraits<PropertyItem>::output(const PropertyItem &value, void *,
                                        raw_ostream &os) {
  os << value.property.id << ' '
     << toHex(value.property.value, /*LowerCase=*/true);
}

StringRef ScalarTraits<PropertyItem>::input(StringRef text, void *,
                                            PropertyItem &value) {
  std::vector<uint8_t> bytes;
  if (takeWord(text).getAsInteger(0, value.property.id) ||
      !readBytes(text, bytes))
    return "expected a number and hexadecimal bytes";
  value.property.value.assign(bytes.begin(), bytes.end());
  return {};
}

void ScalarTraits<SymbolItem>::output(const SymbolItem &value, void *,
                                      raw_ostream &os) {
  std::string name;
  raw_string_ostream stream(name);
  writeText(value.symbol.name, stream);
  // A name that needs quotes gets them around the whole scalar.
  StringRef inner = name;
  bool isQuoted = inner.consume_front("\"") && inner.consume_back("\"");
  os << (isQuoted ? "\"" : "") << format_hex(value.symbol.offset, 3) << ' '
     << inner << (isQuoted ? "\"" : "");
}

StringRef ScalarTraits<SymbolItem>::input(StringRef text, void *,
                                          SymbolItem &value) {
  if (takeWord(text).getAsInteger(0, value.symbol.offset) ||
      !readText(text, value.symbol.name))
    return "expected an offset in the coefficients and a name";
  return {};
}

void ScalarTraits<RelocationItem>::output(const RelocationItem &value, void *,
                                          raw_ostream &os) {
  const TextRelocation &relocation = value.relocation;
  os << format_hex(relocation.offset, 3) << ' ';
  switch (relocation.target.kind) {
  case RelocationTarget::Constants:
    os << "constants";
    break;
  case RelocationTarget::Scratch:
    os << "scratch";
    break;
  case RelocationTarget::Port:
    os << "port " << relocation.target.port;
    break;
  }
  if (relocation.isAddress)
    os << " address";
}

StringRef ScalarTraits<RelocationItem>::input(StringRef text, void *,
                                              RelocationItem &value) {
  constexpr StringRef expected =
      "expected an offset in the text, then constants, scratch or port with "
      "its number, then address if it is one";
  TextRelocation &relocation = value.relocation;
  if (takeWord(text).getAsInteger(0, relocation.offset))
    return expected;
  StringRef kind = takeWord(text);
  if (kind == "scratch")
    relocation.target.kind = RelocationTarget::Scratch;
  else if (kind == "port")
    relocation.target.kind = RelocationTarget::Port;
  else if (kind != "constants")
    return expected;
  if (kind == "port" && takeWord(text).getAsInteger(0, relocation.target.port))
    return expected;
  relocation.isAddress = text.consume_front("address");
  return text.empty() ? StringRef() : expected;
}

void ScalarTraits<Run>::output(const Run &value, void *, raw_ostream &os) {
  if (value.zeros)
    os << zerosWord << format_hex(value.zeros, 3);
  else
    os << toHex(value.bytes, /*LowerCase=*/true);
}

StringRef ScalarTraits<Run>::input(StringRef text, void *, Run &value) {
  if (text.consume_front(zerosWord)) {
    if (text.getAsInteger(0, value.zeros) || value.zeros == 0 ||
        value.zeros > maxContentBytes)
      return "expected a number of zeros from 1 to 4 GiB";
    return {};
  }
  if (text.empty() || !readBytes(text, value.owned))
    return "expected an even number of hexadecimal digits, or zeros and a "
           "number";
  value.bytes = value.owned;
  return {};
}

} // namespace llvm::yaml
