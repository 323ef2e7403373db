//===- PlistText.h - Property lists with places -----------------*- C++ -*-===//
//
// libplist turns text into values, but it says nothing of where they stand,
// takes the last of two equal keys, takes any text for a number, and runs out
// of stack on text that nests deep enough. So the text is gone through before:
// that finds these, and where each value starts.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_NETPLIST_PLISTTEXT_H
#define ANE_LIB_NETPLIST_PLISTTEXT_H

#include "ane/NetPlist/NetPlist.h"

namespace ane::netplist {

/// Containers inside containers.
inline constexpr unsigned maxDepth = 16;

/// A place in a text file, both from 1.
struct Place {
  uint64_t line = 1, column = 1;
};

/// A value of a property list and where it starts.
struct Node {
  Place place;
  std::variant<bool, int64_t, double, std::string, std::vector<Node>,
               std::vector<std::pair<std::string, Node>>>
      data = false;
};
using NodeArray = std::vector<Node>;
using NodeDict = std::vector<std::pair<std::string, Node>>;

/// Places of all values in the order of their start tags, for text that is a
/// property list of dict, array, string, integer, real, true and false.
llvm::Expected<std::vector<Place>> scanPlist(llvm::MemoryBufferRef buffer);

/// The value of the text.
llvm::Expected<Node> parsePlist(llvm::MemoryBufferRef buffer);

} // namespace ane::netplist

#endif // ANE_LIB_NETPLIST_PLISTTEXT_H
