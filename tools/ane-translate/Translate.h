//===- Translate.h - Between MIL text and IR --------------------*- C++ -*-===//

#ifndef ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
#define ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace ane::translate {

struct Options {
  std::string importPath;
  std::string exportPath;
  std::string outputPath = "-";
  /// Where an export puts the weights, below the folder of the output; nothing
  /// where they stay in the text.
  std::string weightsPath;
  bool emitBytecode = false;
  bool printLocations = false;
  bool verifyDiagnostics = false;
  unsigned errorLimit = 20;
};

/// Whether a path stays in the folder that it starts from.
bool isBelow(llvm::StringRef path);

/// Everything that is wrong has been reported to standard error when these
/// fail.
llvm::LogicalResult importProgram(const Options &options);
llvm::LogicalResult exportProgram(const Options &options);

} // namespace ane::translate

#endif // ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
