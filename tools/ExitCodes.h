//===- ExitCodes.h - How tools end ------------------------------*- C++ -*-===//

#ifndef ANE_TOOLS_EXITCODES_H
#define ANE_TOOLS_EXITCODES_H

#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"

namespace ane {

/// How a tool ends.
enum ExitCode : int {
  ExitDone = 0,
  ExitRefused = 1, ///< bad input, with diagnostics
  ExitBadCommandLine = 2,
};

/// The code to end with: `code`, or `trouble` where what the tool printed did
/// not arrive, which is reported.
inline int endTool(int code, int trouble = ExitRefused) {
  llvm::Error error = flushOutput();
  if (!error)
    return code;
  reportErrors(std::move(error), "-");
  return trouble;
}

} // namespace ane

#endif // ANE_TOOLS_EXITCODES_H
