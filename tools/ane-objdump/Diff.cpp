//===- Diff.cpp - Two files field by field --------------------------------===//

#include "Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;

namespace {

std::string spell(const Entry &entry) {
  std::string text;
  for (const Entry::Line &line : entry.lines)
    text += (text.empty() ? "" : " ") + line.value;
  return text.empty() ? "(empty)" : text;
}

class Comparison {
public:
  explicit Comparison(llvm::raw_ostream &os) : os(os) {}

  bool isSame = true;

  void compareParts(const Part &left, const Part &right) {
    for (size_t i = 0, e = std::max(left.count, right.count); i < e; ++i) {
      std::string path = left.name;
      if (!left.isSingle)
        path += "[" + llvm::utostr(i) + "]";
      if (i >= right.count)
        only(path, left.item(i).title, "first");
      else if (i >= left.count)
        only(path, right.item(i).title, "second");
      else
        compareItems(path, left.item(i), right.item(i));
    }
  }

  void compareBytes(StringRef what, llvm::ArrayRef<uint8_t> left,
                    llvm::ArrayRef<uint8_t> right) {
    if (left.size() != right.size())
      difference(what + " bytes", hex(left.size()), hex(right.size()));
    size_t common = std::min(left.size(), right.size());
    auto [l, r] =
        std::mismatch(left.begin(), left.begin() + common, right.begin());
    if (l == left.begin() + common)
      return;
    size_t count = 0;
    for (auto rest = l, other = r; rest != left.begin() + common;
         ++rest, ++other)
      count += *rest != *other;
    isSame = false;
    os << what << "+" << hex(l - left.begin()) << ": first of " << count
       << (count == 1 ? " byte" : " bytes") << " that differ\n";
  }

  void difference(const llvm::Twine &path, StringRef left, StringRef right) {
    isSame = false;
    os << path << ": " << left << " -> " << right << "\n";
  }

private:
  void only(const llvm::Twine &path, StringRef what, StringRef where) {
    isSame = false;
    os << path << ": only in the " << where << ": " << what << "\n";
  }

  void compareItems(const std::string &path, const Item &left,
                    const Item &right) {
    if (left.kind != right.kind)
      return difference(path, left.title, right.title);
    llvm::StringMap<const Entry *> rest;
    for (const Entry &entry : right.entries)
      rest[entry.name] = &entry;
    for (const Entry &entry : left.entries) {
      std::string name = path + "." + entry.name;
      auto other = rest.find(entry.name);
      if (other == rest.end()) {
        only(name, spell(entry), "first");
        continue;
      }
      if (entry.value != other->second->value)
        difference(name, spell(entry), spell(*other->second));
      rest.erase(other);
    }
    for (const Entry &entry : right.entries)
      if (rest.contains(entry.name))
        only(path + "." + entry.name, spell(entry), "second");

    compareChildren(path, left.items, right.items);
  }

  /// Blocks of a task go by name; sections and ports are in order.
  void compareChildren(const std::string &path, llvm::ArrayRef<Item> left,
                       llvm::ArrayRef<Item> right) {
    bool isNamed = StringRef(path).starts_with("tasks[");
    auto find = [&](llvm::ArrayRef<Item> items, const Item &item,
                    size_t index) -> const Item * {
      if (!isNamed)
        return index < items.size() ? &items[index] : nullptr;
      const auto *found = llvm::find_if(
          items, [&](const Item &other) { return other.title == item.title; });
      return found == items.end() ? nullptr : found;
    };
    for (auto [index, item] : llvm::enumerate(left)) {
      std::string name =
          path + (isNamed ? "." + item.title : "[" + llvm::utostr(index) + "]");
      if (const Item *other = find(right, item, index))
        compareItems(name, item, *other);
      else
        only(path, item.title, "first");
    }
    for (auto [index, item] : llvm::enumerate(right))
      if (!find(left, item, index))
        only(path, item.title, "second");
  }

  llvm::raw_ostream &os;
};

} // namespace

bool objdump::printDifferences(llvm::raw_ostream &os, const Input &left,
                               llvm::ArrayRef<Part> leftParts,
                               const Input &right,
                               llvm::ArrayRef<Part> rightParts) {
  Comparison comparison(os);
  for (auto [a, b] : llvm::zip_equal(leftParts, rightParts))
    comparison.compareParts(a, b);
  comparison.compareBytes("constants", left.constants, right.constants);
  if (!comparison.isSame)
    return false;
  // Gaps and padding belong to no field.
  StringRef a = left.bytes(), b = right.bytes();
  if (a == b)
    return true;
  size_t offset =
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  comparison.difference(
      "byte " + hex(offset) + " in " + describeOffset(left, offset),
      offset < a.size() ? hex(uint8_t(a[offset])) : "the end",
      offset < b.size() ? hex(uint8_t(b[offset])) : "the end");
  return false;
}
