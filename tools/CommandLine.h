//===- CommandLine.h - What all command lines share -------------*- C++ -*-===//

#ifndef ANE_TOOLS_COMMANDLINE_H
#define ANE_TOOLS_COMMANDLINE_H

#include "ane/Support/Version.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <CLI/CLI.hpp>
#include <optional>

namespace ane {

/// How a tool ends.
enum ExitCode : int {
  ExitDone = 0,
  ExitRefused = 1, ///< bad input, with diagnostics
  ExitBadCommandLine = 2,
};

/// Adds `--version` to an application.
inline void addVersionFlag(CLI::App &app) {
  app.set_version_flag("--version", app.get_name() + " " + version);
}

/// Parses the arguments. `finish`, if there is one, looks at them as a whole
/// and throws CLI::ValidationError. The code to end with at once, if there is
/// one: help was asked for, or an argument is wrong.
inline std::optional<ExitCode>
parseCommandLine(CLI::App &app, int argc, char **argv,
                 llvm::function_ref<void()> finish = nullptr) {
  try {
    app.parse(argc, argv);
    if (finish)
      finish();
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? ExitDone : ExitBadCommandLine;
  }
  return std::nullopt;
}

} // namespace ane

#endif // ANE_TOOLS_COMMANDLINE_H
