//===- Translate.h - Between MIL text and IR --------------------*- C++ -*-===//

#ifndef ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
#define ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H

#include "llvm/Support/LogicalResult.h"
#include <string>

namespace ane::translate {

struct Options {
  std::string importPath;
  std::string exportPath;
  std::string outputPath = "-";
  bool emitBytecode = false;
  bool printLocations = false;
  bool verifyDiagnostics = false;
  unsigned errorLimit = 20;
};

/// Everything that is wrong has been reported to standard error when these
/// fail.
llvm::LogicalResult importProgram(const Options &options);
llvm::LogicalResult exportProgram(const Options &options);

} // namespace ane::translate

#endif // ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
