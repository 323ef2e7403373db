//===- CommandLine.h - What all command lines share -------------*- C++ -*-===//

#ifndef ANE_TOOLS_COMMANDLINE_H
#define ANE_TOOLS_COMMANDLINE_H

#include "ExitCodes.h"
#include "ane/Support/Version.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <sstream>

namespace ane {

/// Adds `--version` to an application.
inline void addVersionFlag(CLI::App &app) {
  app.set_version_flag("--version", app.get_name() + " " + version);
}

/// Lets the folder of a compiled package (*.mlmodelc) stand for the MIL text in
/// it.
inline CLI::Option *takeFolders(CLI::Option *model) {
  return model->transform(
      [](const std::string &path) {
        llvm::SmallString<128> text(path);
        llvm::sys::path::append(text, "model.mil");
        bool isPackage =
            llvm::sys::fs::is_directory(path) && llvm::sys::fs::exists(text);
        return isPackage ? text.str().str() : path;
      },
      "");
}

/// Refuses an argument that is no number from 0 to what an unsigned holds.
inline CLI::Option *takeCount(CLI::Option *option) {
  return option->check(
      [](const std::string &text) {
        unsigned count;
        if (!llvm::StringRef(text).getAsInteger(10, count))
          return std::string();
        return "expected a number from 0 to " +
               std::to_string(std::numeric_limits<unsigned>::max()) +
               ", not '" + text + "'";
      },
      "");
}

/// Parses the arguments. `finish`, if there is one, looks at them as a whole
/// and throws CLI::ValidationError. The code to end with at once, if there is
/// one: help was asked for, or an argument is wrong.
inline std::optional<int>
parseCommandLine(CLI::App &app, int argc, char **argv,
                 llvm::function_ref<void()> finish = nullptr) {
  expectFullFiles();
  try {
    app.parse(argc, argv);
    if (finish)
      finish();
  } catch (const CLI::ParseError &error) {
    std::ostringstream help;
    if (app.exit(error, help) != 0)
      return ExitBadCommandLine;
    llvm::outs() << help.str();
    return endTool(ExitDone);
  }
  return std::nullopt;
}

} // namespace ane

#endif // ANE_TOOLS_COMMANDLINE_H
