//===- Listing.h - What a file holds, before it is spelled ------*- C++ -*-===//
//
// Each part of a file is listed once, as items of named fields. Text, JSON and
// the comparison of two files are three ways to spell a listing, so that none
// of them knows a field that the others do not.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_OBJDUMP_LISTING_H
#define ANE_TOOLS_OBJDUMP_LISTING_H

#include "ane/Support/Hex.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ane::objdump {

using td::Evidence;

/// `text` without bytes that a terminal would act on: what is not printable
/// ASCII becomes `\xNN`.
std::string printable(llvm::StringRef text);

/// A field: its name, value, meaning and evidence.
struct Entry {
  /// A line of text. Only runs of equal elements of an array need several.
  struct Line {
    std::string name;
    std::string value;
  };

  std::string name; ///< the key in JSON
  llvm::json::Value value = nullptr;
  llvm::SmallVector<Line, 1> lines;
  std::string meaning;
  std::optional<Evidence> evidence; ///< none for what follows from elsewhere
};

Entry decimalEntry(llvm::StringRef name, uint64_t value,
                   std::optional<Evidence> evidence,
                   llvm::StringRef meaning = "");
Entry hexEntry(llvm::StringRef name, uint64_t value,
               std::optional<Evidence> evidence, llvm::StringRef meaning = "");
Entry textEntry(llvm::StringRef name, llvm::StringRef value,
                std::optional<Evidence> evidence, llvm::StringRef meaning = "");
/// A JSON value that text spells as `text`.
Entry valueEntry(llvm::StringRef name, llvm::json::Value value,
                 llvm::StringRef text, std::optional<Evidence> evidence,
                 llvm::StringRef meaning = "");

/// A header, a load command, a section, a row of a table, a task, a block.
struct Item {
  std::string title;
  /// Items of different kinds have different fields. Empty where a part has one
  /// kind only.
  llvm::StringRef kind;
  std::vector<Entry> entries;
  std::vector<Item> items;
};

/// A column of a part that text shows as a table.
struct Column {
  llvm::StringLiteral name;
  unsigned width;
  std::optional<Evidence> evidence; ///< of all its values, if it is one
  bool alignRight = true;
};

/// What one option of the command line shows. Items are made one at a time,
/// so that the listing of a file takes little more memory than its tables.
struct Part {
  std::string name;  ///< the key in JSON
  std::string title; ///< the first line in text; empty for none
  /// The part is one item, not a list of them.
  bool isSingle = false;
  /// Columns of the table; otherwise text shows a line a field.
  std::vector<Column> columns;
  unsigned nameWidth = 18;
  size_t count = 0;
  std::function<Item(size_t)> item;
};

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_LISTING_H
