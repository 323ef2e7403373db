//===- PrintText.cpp - A listing as text ----------------------------------===//

#include "Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

using namespace ane;
using namespace ane::objdump;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr unsigned valueWidth = 24;
constexpr unsigned evidenceWidth = 10;
constexpr unsigned indexWidth = 6;

class TextPrinter {
public:
  TextPrinter(raw_ostream &os, bool color)
      : os(os),
        mode(color ? llvm::ColorMode::Enable : llvm::ColorMode::Disable) {}

  void print(const Part &part) {
    if (!part.title.empty())
      title(part.title, 0);
    if (!part.columns.empty())
      return printTable(part);
    for (size_t index = 0; index < part.count; ++index)
      printItem(part.item(index), part.nameWidth, 0);
  }

private:
  /// Titles are indented less than the fields below them.
  void title(StringRef text, unsigned indent) {
    os.indent(indent);
    llvm::WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true, /*BG=*/false,
                    mode)
        << text;
    os << "\n";
  }

  void printItem(const Item &item, unsigned nameWidth, unsigned indent) {
    title(item.title, indent);
    for (const Entry &entry : item.entries)
      for (const Entry::Line &line : entry.lines)
        printLine(entry, line, nameWidth, indent);
    for (const Item &child : item.items)
      printItem(child, nameWidth, indent + 2);
  }

  void printLine(const Entry &entry, const Entry::Line &line,
                 unsigned nameWidth, unsigned indent) {
    bool isLast = !entry.evidence && entry.meaning.empty();
    os.indent(indent + 4) << line.name;
    if (line.value.empty() && isLast) {
      os << "\n";
      return;
    }
    pad(line.name.size(), nameWidth);
    llvm::WithColor(os, raw_ostream::CYAN, /*Bold=*/false, /*BG=*/false, mode)
        << line.value;
    if (!isLast) {
      pad(line.value.size(), valueWidth);
      StringRef evidence =
          entry.evidence ? td::stringifyEvidence(*entry.evidence) : "-";
      printEvidence(evidence, entry.evidence);
      if (!entry.meaning.empty()) {
        pad(evidence.size(), evidenceWidth);
        os << entry.meaning;
      }
    }
    os << "\n";
  }

  void printEvidence(StringRef text, std::optional<Evidence> evidence) {
    raw_ostream::Colors color = raw_ostream::SAVEDCOLOR;
    if (evidence == Evidence::Verified)
      color = raw_ostream::GREEN;
    else if (evidence == Evidence::Documented)
      color = raw_ostream::YELLOW;
    else if (evidence == Evidence::Assigned)
      color = raw_ostream::MAGENTA;
    llvm::WithColor(os, color, /*Bold=*/false, /*BG=*/false, mode) << text;
  }

  /// A row of column names, one of their evidence, then the items.
  void printTable(const Part &part) {
    os << "    " << llvm::right_justify("index", indexWidth);
    for (const Column &column : part.columns)
      cell(column.name, column);
    os << "\n";
    if (llvm::any_of(part.columns,
                     [](const Column &column) { return column.evidence; })) {
      os.indent(4 + indexWidth);
      for (const Column &column : part.columns)
        cell(column.evidence ? td::stringifyEvidence(*column.evidence) : "",
             column, column.evidence);
      os << "\n";
    }
    for (size_t index = 0; index < part.count; ++index) {
      Item item = part.item(index);
      os << "    " << llvm::right_justify(item.title, indexWidth);
      for (auto [entry, column] : llvm::zip_equal(item.entries, part.columns))
        cell(entry.lines.front().value, column);
      os << "\n";
    }
  }

  void cell(StringRef text, const Column &column,
            std::optional<Evidence> evidence = std::nullopt) {
    os << "  ";
    if (column.alignRight && text.size() < column.width)
      os.indent(column.width - text.size());
    if (evidence)
      printEvidence(text, evidence);
    else
      os << text;
  }

  void pad(size_t used, unsigned width) {
    os.indent(used < width ? width - used + 1 : 1);
  }

  raw_ostream &os;
  llvm::ColorMode mode;
};

} // namespace

void objdump::printText(raw_ostream &os, llvm::ArrayRef<Part> parts,
                        bool color) {
  TextPrinter printer(os, color);
  for (const Part &part : parts)
    printer.print(part);
}
