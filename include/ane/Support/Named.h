//===- Named.h - Values with names ------------------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_NAMED_H
#define ANE_SUPPORT_NAMED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>

namespace ane {

/// A value and the word for it on command lines and in files: an array of these
/// is the one place that has the words of a type.
template <typename Value> struct Named {
  Value value;
  llvm::StringLiteral name;
};

/// The word for a value of the table.
template <typename Value, size_t count>
llvm::StringRef nameIn(const Named<Value> (&table)[count], Value value) {
  for (const Named<Value> &entry : table)
    if (entry.value == value)
      return entry.name;
  llvm_unreachable("every value has a name");
}

/// The value that a word stands for; nothing if it is none of the table.
template <typename Value, size_t count>
std::optional<Value> valueIn(const Named<Value> (&table)[count],
                             llvm::StringRef name) {
  for (const Named<Value> &entry : table)
    if (entry.name == name)
      return entry.value;
  return std::nullopt;
}

} // namespace ane

#endif // ANE_SUPPORT_NAMED_H
