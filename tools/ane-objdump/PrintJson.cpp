//===- PrintJson.cpp - A listing as JSON ----------------------------------===//

#include "Print.h"

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;

namespace {

/// Version of the document's shape.
constexpr int schemaVersion = 1;

class JsonPrinter {
public:
  explicit JsonPrinter(llvm::raw_ostream &os) : json(os, /*IndentSize=*/1) {}

  void print(StringRef path, llvm::ArrayRef<Part> parts) {
    json.object([&] {
      json.attribute("schema", schemaVersion);
      json.attribute("file", llvm::json::fixUTF8(path));
      for (const Part &part : parts) {
        json.attributeBegin(part.name);
        if (part.isSingle)
          print(part.item(0));
        else
          json.array([&] {
            for (size_t index = 0; index < part.count; ++index)
              print(part.item(index));
          });
        json.attributeEnd();
      }
    });
    json.flush();
  }

private:
  void print(const Item &item) {
    json.object([&] {
      json.attribute("title", item.title);
      json.attributeObject("fields", [&] {
        for (const Entry &entry : item.entries)
          json.attributeObject(entry.name, [&] { print(entry); });
      });
      if (!item.items.empty())
        json.attributeArray("items", [&] {
          for (const Item &child : item.items)
            print(child);
        });
    });
  }

  void print(const Entry &entry) {
    json.attribute("value", entry.value);
    if (!entry.meaning.empty())
      json.attribute("meaning", entry.meaning);
    if (entry.evidence)
      json.attribute("evidence", td::stringifyEvidence(*entry.evidence));
  }

  llvm::json::OStream json;
};

} // namespace

void objdump::printJson(llvm::raw_ostream &os, StringRef path,
                        llvm::ArrayRef<Part> parts) {
  JsonPrinter(os).print(path, parts);
  os << "\n";
}
