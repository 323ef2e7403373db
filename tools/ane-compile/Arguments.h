//===- Arguments.h - The command line of ane-compile ------------*- C++ -*-===//

#ifndef ANE_TOOLS_ANECOMPILE_ARGUMENTS_H
#define ANE_TOOLS_ANECOMPILE_ARGUMENTS_H

#include "CommandLine.h"
#include "ane/Pipeline/Compile.h"

namespace ane {

struct Arguments {
  CompileOptions options;

  void addTo(CLI::App &app);
  /// Completes the options from what was parsed. Throws CLI::ValidationError.
  void finish();

private:
  std::vector<std::string> ranges;

  // In the order of the help text.
  void addFiles(CLI::App &app);
  /// What the program does not say of itself.
  void addProgram(CLI::App &app);
  void addNumerics(CLI::App &app);
  /// How much of the program is compiled.
  void addParts(CLI::App &app);
  void addOutput(CLI::App &app);
  void addWatch(CLI::App &app);
};

} // namespace ane

#endif // ANE_TOOLS_ANECOMPILE_ARGUMENTS_H
