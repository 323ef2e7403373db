//===- Counted.h - Numbers of things in texts -------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_COUNTED_H
#define ANE_SUPPORT_COUNTED_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ane {

/// `1 task`, `2 tasks`. Where more than one is no `s` behind the word, `many`
/// says it: `1 entry`, `2 entries`.
template <typename Integer>
std::string counted(Integer number, llvm::StringRef one,
                    llvm::StringRef many = {}) {
  std::string text = std::to_string(number) + " ";
  if (number == 1)
    return text + one.str();
  return text + (many.empty() ? one.str() + "s" : many.str());
}

} // namespace ane

#endif // ANE_SUPPORT_COUNTED_H
