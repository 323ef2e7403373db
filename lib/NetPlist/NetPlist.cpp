//===- NetPlist.cpp - Network descriptions --------------------------------===//

#include "ane/NetPlist/NetPlist.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::netplist;

Dict ane::netplist::makeDict(Dict entries) {
  llvm::sort(entries, llvm::less_first());
  return entries;
}

const Value *ane::netplist::find(const Dict &dict, llvm::StringRef key) {
  auto found = llvm::find_if(
      dict, [&](const auto &entry) { return entry.first == key; });
  return found == dict.end() ? nullptr : &found->second;
}

llvm::StringRef ane::netplist::stringify(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return "Float16";
  case ElementType::Float32:
    return "Float32";
  case ElementType::Int8:
    return "Int8";
  case ElementType::UInt8:
    return "UInt8";
  case ElementType::Int16:
    return "Int16";
  case ElementType::UInt16:
    return "UInt16";
  }
  return "";
}
