//===- Translate.h - Between MIL text and IR --------------------*- C++ -*-===//

#ifndef ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
#define ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H

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

/// Each gives the exit status: 0, or 1 after diagnostics.
int importProgram(const Options &options);
int exportProgram(const Options &options);

} // namespace ane::translate

#endif // ANE_TOOLS_ANE_TRANSLATE_TRANSLATE_H
