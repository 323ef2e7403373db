//===- SourceDiagnostic.cpp - Diagnostics that quote text -----------------===//

#include "ane/Support/SourceDiagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane;

namespace {

constexpr llvm::StringLiteral cutMark = "...";

void appendEscaped(std::string &text, char c) {
  auto byte = static_cast<unsigned char>(c);
  text += "\\x";
  text += llvm::hexdigit(byte >> 4, /*LowerCase=*/true);
  text += llvm::hexdigit(byte & 15, /*LowerCase=*/true);
}

/// The columns that a byte of a line takes.
size_t widthOf(char c) { return llvm::isPrint(c) || c == '\t' ? 1 : 4; }

/// The length of the printable UTF-8 character that a text starts with, 0 if it
/// starts with none.
size_t printableLength(llvm::StringRef text) {
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t length = llvm::getNumBytesForUTF8(*bytes);
  if (length > text.size() ||
      !llvm::isLegalUTF8Sequence(bytes, bytes + length) ||
      llvm::sys::unicode::columnWidthUTF8(text.take_front(length)) < 0)
    return 0;
  return length;
}

std::string escapeMessage(llvm::StringRef text) {
  std::string escaped;
  while (!text.empty()) {
    size_t length = text.front() == '\n' ? 1 : printableLength(text);
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

} // namespace

Excerpt ane::makeExcerpt(llvm::StringRef line, size_t column) {
  column = std::min(column, line.size());
  size_t begin = column, end = column, width = 0;
  auto extendLeft = [&](size_t limit) {
    while (begin != 0 && width + widthOf(line[begin - 1]) <= limit)
      width += widthOf(line[--begin]);
  };
  // What stands in front and behind each get half, and what the other leaves.
  size_t usable = Excerpt::maxWidth - 2 * cutMark.size();
  extendLeft(usable / 2);
  while (end != line.size() && width + widthOf(line[end]) <= usable)
    width += widthOf(line[end++]);
  extendLeft(usable);

  Excerpt excerpt = {begin == 0 ? "" : cutMark.str(), 0};
  for (size_t i = begin; i != end; ++i) {
    if (i == column)
      excerpt.caret = excerpt.text.size();
    if (llvm::isPrint(line[i]))
      excerpt.text += line[i];
    else if (line[i] == '\t')
      excerpt.text += ' ';
    else
      appendEscaped(excerpt.text, line[i]);
  }
  if (column == end)
    excerpt.caret = excerpt.text.size();
  if (end != line.size())
    excerpt.text += cutMark;
  return excerpt;
}

std::string ane::makePrintable(llvm::StringRef message) {
  constexpr size_t maxLength = 1024, tail = 128;
  if (message.size() <= maxLength)
    return escapeMessage(message);
  return escapeMessage(message.take_front(maxLength - tail)) + " ... " +
         escapeMessage(message.take_back(tail));
}

void ane::printDiagnostic(const llvm::SMDiagnostic &diagnostic,
                          llvm::raw_ostream &os) {
  std::string place = diagnostic.getFilename().str();
  int line = diagnostic.getLineNo(), column = diagnostic.getColumnNo();
  if (line > 0)
    place += ":" + std::to_string(line);
  if (line > 0 && column >= 0)
    place += ":" + std::to_string(column + 1);
  llvm::SMDiagnostic(place, diagnostic.getKind(),
                     makePrintable(diagnostic.getMessage()))
      .print(/*ProgName=*/nullptr, os);
  if (line <= 0 || column < 0)
    return;
  Excerpt excerpt = makeExcerpt(diagnostic.getLineContents(), column);
  os << excerpt.text << '\n';
  os.indent(excerpt.caret);
  llvm::WithColor(os, llvm::raw_ostream::GREEN, /*Bold=*/true) << '^';
  os << '\n';
}

void ane::quoteExcerpts(llvm::SourceMgr &sources) {
  sources.setDiagHandler([](const llvm::SMDiagnostic &diagnostic, void *) {
    printDiagnostic(diagnostic, llvm::errs());
  });
}
