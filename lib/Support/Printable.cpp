//===- Printable.cpp - Text of files on a terminal ------------------------===//

#include "ane/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

using namespace ane;

/// The length of the printable UTF-8 character that a text starts with, 0 if it
/// starts with none.
static size_t printableLength(llvm::StringRef text) {
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t length = llvm::getNumBytesForUTF8(*bytes);
  if (length > text.size() ||
      !llvm::isLegalUTF8Sequence(bytes, bytes + length) ||
      llvm::sys::unicode::columnWidthUTF8(text.take_front(length)) < 0)
    return 0;
  return length;
}

void ane::appendEscaped(std::string &text, char c) {
  auto byte = static_cast<unsigned char>(c);
  text += "\\x";
  text += llvm::hexdigit(byte >> 4, /*LowerCase=*/true);
  text += llvm::hexdigit(byte & 15, /*LowerCase=*/true);
}

std::string ane::escapeUnprintable(llvm::StringRef text) {
  std::string escaped;
  while (!text.empty()) {
    size_t length = printableLength(text);
    if (length == 0) {
      appendEscaped(escaped, text.front());
      text = text.drop_front();
      continue;
    }
    escaped += text.take_front(length);
    text = text.drop_front(length);
  }
  return escaped;
}
