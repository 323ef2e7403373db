//===- Printable.h - Text of files on a terminal ----------------*- C++ -*-===//

#ifndef ANE_SUPPORT_PRINTABLE_H
#define ANE_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ane {

/// `\x` and the two digits of a byte, behind `text`.
void appendEscaped(std::string &text, char c);

/// A text without control codes, so that a name of a file does to a terminal
/// what a name does: all bytes that are not of printable UTF-8 are escaped,
/// newlines, too.
std::string escapeUnprintable(llvm::StringRef text);

} // namespace ane

#endif // ANE_SUPPORT_PRINTABLE_H
