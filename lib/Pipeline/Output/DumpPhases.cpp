//===- DumpPhases.cpp - A file for each phase -----------------------------===//

#include "Output/DumpPhases.h"
#include "Output/Emit.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;

namespace {

/// The options under which the usual emitter writes the file of a phase.
CompileOptions dumpOptions(const Phase &phase, const CompileOptions &options) {
  CompileOptions dump = options;
  dump.output = dumpPath(phase, options);
  return dump;
}

} // namespace

std::string ane::dumpPath(const Phase &phase, const CompileOptions &options) {
  if (options.watch.dumpFolder.empty() || phase.dumpExtension.empty())
    return "";
  // Numbered in order, among those that have a file.
  unsigned number = 1;
  for (const Phase *before = allPhases().begin(); before != &phase; ++before)
    number += !before->dumpExtension.empty();
  SmallString<128> path(options.watch.dumpFolder);
  llvm::sys::path::append(path, Twine(number) + "-" + phase.name +
                                    phase.dumpExtension);
  return path.str().str();
}

LogicalResult ane::makeDumpFolder(const CompileOptions &options) {
  StringRef folder = options.watch.dumpFolder;
  if (folder.empty())
    return success();
  std::error_code error = makeFolder(folder);
  if (!error && !llvm::sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error)
    return success();
  reportErrors(
      makeFileError(folder, 0, "cannot make the folder: " + error.message()),
      options.input);
  return failure();
}

LogicalResult ane::removeDumps(const CompileOptions &options) {
  for (const Phase &phase : allPhases()) {
    std::string path = dumpPath(phase, options);
    // A folder of that name is refused when its phase is written.
    if (path.empty() || llvm::sys::fs::is_directory(path))
      continue;
    if (std::error_code error = llvm::sys::fs::remove(path)) {
      reportErrors(
          makeFileError(path, 0,
                        "cannot remove what an earlier run has left: " +
                            error.message()),
          options.input);
      return failure();
    }
  }
  return success();
}

LogicalResult ane::dumpPhase(const Phase &phase, ModuleOp module,
                             const CompileOptions &options) {
  if (dumpPath(phase, options).empty())
    return success();
  return emitIR(module, dumpOptions(phase, options));
}

LogicalResult ane::dumpTaskDescriptors(const GeneratedProgram &program,
                                       const CompileOptions &options) {
  const Phase &phase = getPhase(PhaseKind::TaskDescriptors);
  if (dumpPath(phase, options).empty())
    return success();
  return emitTaskDescriptors(program, dumpOptions(phase, options));
}
