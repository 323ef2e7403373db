//===- Hex.h - Numbers as messages print them -------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_HEX_H
#define ANE_SUPPORT_HEX_H

#include "llvm/ADT/StringExtras.h"
#include <cstdint>
#include <string>

namespace ane {

/// `0x1f`.
inline std::string hex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

} // namespace ane

#endif // ANE_SUPPORT_HEX_H
