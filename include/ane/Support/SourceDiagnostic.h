//===- SourceDiagnostic.h - Diagnostics that quote text ---------*- C++ -*-===//
//
// A line of MIL text can have megabytes, and a file that is taken for text can
// be binary. What a diagnostic quotes of it is short and printable.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_SOURCEDIAGNOSTIC_H
#define ANE_SUPPORT_SOURCEDIAGNOSTIC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace llvm {
class SMDiagnostic;
class SourceMgr;
} // namespace llvm

namespace ane {

/// A piece of a line as a terminal can show it.
struct Excerpt {
  static constexpr size_t maxWidth = 160;

  /// At most maxWidth columns, and `...` at an end that was cut. A byte that is
  /// no printable ASCII is `\x` and two digits; a tab is a blank.
  std::string text;
  /// The column of the text that shows the column asked for.
  size_t caret;
};

/// The surroundings of a column of a line, both counted from 0.
Excerpt makeExcerpt(llvm::StringRef line, size_t column);

/// A message with its unprintable bytes escaped, and without its middle where
/// it is longer than 1024 bytes. Printable UTF-8 and newlines stay.
std::string makePrintable(llvm::StringRef message);

/// Prints `file:line:col: error: message`, the excerpt and the caret.
void printDiagnostic(const llvm::SMDiagnostic &diagnostic,
                     llvm::raw_ostream &os);

/// Makes diagnostics over `sources`, such as those of a
/// mlir::SourceMgrDiagnosticHandler, print like that, to standard error.
void quoteExcerpts(llvm::SourceMgr &sources);

/// Standard error, with control codes escaped. For what quotes no text: names
/// of files in the locations of IR are anything.
llvm::raw_ostream &printableErrors();

} // namespace ane

#endif // ANE_SUPPORT_SOURCEDIAGNOSTIC_H
