//===- SourceDiagnostic.cpp - Diagnostics that quote text -----------------===//

#include "ane/Support/SourceDiagnostic.h"
#include "ane/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane;

namespace {

constexpr llvm::StringLiteral cutMark = "...";

/// The columns that a byte of a line takes.
size_t widthOf(char c) { return llvm::isPrint(c) || c == '\t' ? 1 : 4; }

/// The lines of a message stay lines.
std::string escapeMessage(llvm::StringRef text) {
  return llvm::join(llvm::map_range(llvm::split(text, '\n'), escapeUnprintable),
                    "\n");
}

/// Passes on what is printable, byte by byte: the rest of a character may come
/// later.
class PrintableStream : public llvm::raw_ostream {
public:
  PrintableStream() : raw_ostream(/*unbuffered=*/true) {}

private:
  void write_impl(const char *bytes, size_t size) override {
    std::string escaped;
    for (char c : llvm::StringRef(bytes, size))
      if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f')
        appendEscaped(escaped, c);
      else
        escaped += c;
    llvm::errs() << escaped;
  }
  uint64_t current_pos() const override { return llvm::errs().tell(); }
};

} // namespace

llvm::raw_ostream &ane::printableErrors() {
  static PrintableStream stream;
  return stream;
}

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
  std::string place = escapeUnprintable(diagnostic.getFilename());
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
