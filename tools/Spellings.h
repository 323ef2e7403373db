//===- Spellings.h - Names that options take --------------------*- C++ -*-===//

#ifndef ANE_TOOLS_SPELLINGS_H
#define ANE_TOOLS_SPELLINGS_H

#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/Support/ErrorHandling.h"
#include <string>
#include <vector>

namespace ane {

/// The names of values, for CLI::IsMember.
template <typename Values, typename Name>
std::vector<std::string> namesOf(const Values &values, Name name) {
  std::vector<std::string> names;
  for (const auto &value : values)
    names.push_back(name(value).str());
  return names;
}

/// The one that new containers have comes first.
inline constexpr td::Format allFormats[] = {td::Format::V10, td::Format::V7};

inline std::vector<std::string> formatNames() {
  return namesOf(allFormats, td::stringifyFormat);
}

/// The format of a name from `formatNames`.
inline td::Format formatNamed(llvm::StringRef name) {
  for (td::Format format : allFormats)
    if (name == td::stringifyFormat(format))
      return format;
  llvm_unreachable("unknown format");
}

} // namespace ane

#endif // ANE_TOOLS_SPELLINGS_H
