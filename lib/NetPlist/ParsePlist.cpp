//===- ParsePlist.cpp - From text to values -------------------------------===//

#include "PlistText.h"
#include "ane/Support/FileError.h"
#include <cstdlib>
#include <memory>
#include <plist/plist.h>

using namespace ane;
using namespace ane::netplist;
using llvm::Expected;

namespace {

struct FreePlist {
  void operator()(void *plist) const { plist_free(plist); }
};
struct FreeMemory {
  void operator()(char *text) const { std::free(text); }
};
using OwnedPlist = std::unique_ptr<void, FreePlist>;
using OwnedText = std::unique_ptr<char, FreeMemory>;

/// Copies the tree, handing out places in the order of start tags.
class Converter {
public:
  explicit Converter(llvm::ArrayRef<Place> places) : places(places) {}

  /// False if the tree is not the one that was scanned.
  bool convert(plist_t item, Node &node) {
    if (places.empty())
      return false;
    node.place = places.front();
    places = places.drop_front();
    switch (plist_get_node_type(item)) {
    case PLIST_BOOLEAN: {
      uint8_t value = 0;
      plist_get_bool_val(item, &value);
      node.data = value != 0;
      return true;
    }
    case PLIST_UINT: {
      uint64_t value = 0;
      plist_get_uint_val(item, &value);
      node.data = int64_t(value);
      return true;
    }
    case PLIST_REAL: {
      double value = 0;
      plist_get_real_val(item, &value);
      node.data = value;
      return true;
    }
    case PLIST_STRING: {
      char *value = nullptr;
      plist_get_string_val(item, &value);
      OwnedText owned(value);
      node.data = std::string(value ? value : "");
      return true;
    }
    case PLIST_ARRAY:
      return convertArray(item, node);
    case PLIST_DICT:
      return convertDict(item, node);
    default:
      return false;
    }
  }

  bool done() const { return places.empty(); }

private:
  bool convertArray(plist_t array, Node &node) {
    NodeArray items;
    plist_array_iter iterator = nullptr;
    plist_array_new_iter(array, &iterator);
    OwnedText owned(static_cast<char *>(iterator));
    while (true) {
      plist_t item = nullptr;
      plist_array_next_item(array, iterator, &item);
      if (!item)
        break;
      if (!convert(item, items.emplace_back()))
        return false;
    }
    node.data = std::move(items);
    return true;
  }

  bool convertDict(plist_t dict, Node &node) {
    NodeDict entries;
    plist_dict_iter iterator = nullptr;
    plist_dict_new_iter(dict, &iterator);
    OwnedText owned(static_cast<char *>(iterator));
    while (true) {
      char *key = nullptr;
      plist_t item = nullptr;
      plist_dict_next_item(dict, iterator, &key, &item);
      OwnedText ownedKey(key);
      if (!item)
        break;
      if (!key)
        return false;
      entries.emplace_back(key, Node());
      if (!convert(item, entries.back().second))
        return false;
    }
    node.data = std::move(entries);
    return true;
  }

  llvm::ArrayRef<Place> places;
};

} // namespace

Expected<Node> ane::netplist::parsePlist(llvm::MemoryBufferRef buffer) {
  Expected<std::vector<Place>> places = scanPlist(buffer);
  if (!places)
    return places.takeError();
  plist_t parsed = nullptr;
  plist_from_xml(buffer.getBufferStart(), buffer.getBufferSize(), &parsed);
  OwnedPlist owned(parsed);
  Node root;
  Converter converter(*places);
  if (!parsed || !converter.convert(parsed, root) || !converter.done())
    return llvm::make_error<FileError>(buffer.getBufferIdentifier(), 1, 1,
                                       "libplist cannot read this text");
  return root;
}
