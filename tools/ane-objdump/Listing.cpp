//===- Listing.cpp - What a file holds, before it is spelled --------------===//

#include "Listing.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane::objdump;
using llvm::StringRef;

std::string ane::objdump::printable(StringRef text) {
  std::string result;
  for (unsigned char byte : text) {
    if (byte == '\\')
      result += "\\\\";
    else if (byte == '\t')
      result += "\\t";
    else if (llvm::isPrint(byte))
      result += byte;
    else
      result += "\\x" + llvm::utohexstr(byte, /*LowerCase=*/true, /*Width=*/2);
  }
  return result;
}

Entry ane::objdump::valueEntry(StringRef name, llvm::json::Value value,
                               StringRef text, std::optional<Evidence> evidence,
                               StringRef meaning) {
  Entry entry;
  entry.name = printable(name);
  entry.value = std::move(value);
  entry.lines.push_back({entry.name, text.str()});
  entry.meaning = printable(meaning);
  entry.evidence = evidence;
  return entry;
}

Entry ane::objdump::decimalEntry(StringRef name, uint64_t value,
                                 std::optional<Evidence> evidence,
                                 StringRef meaning) {
  return valueEntry(name, value, llvm::utostr(value), evidence, meaning);
}

Entry ane::objdump::hexEntry(StringRef name, uint64_t value,
                             std::optional<Evidence> evidence,
                             StringRef meaning) {
  return valueEntry(name, value, hex(value), evidence, meaning);
}

Entry ane::objdump::textEntry(StringRef name, StringRef value,
                              std::optional<Evidence> evidence,
                              StringRef meaning) {
  return valueEntry(name, llvm::json::fixUTF8(value), printable(value),
                    evidence, meaning);
}
