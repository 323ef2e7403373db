//===- WatchRun.cpp - Watching a container work ---------------------------===//

#include "RunOptions.h"
#include "ane/Engine/Runner.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
namespace fs = llvm::sys::fs;

namespace {

/// A folder that is made for files. It goes again, with those above it that
/// were made for it, unless they are kept.
class Folder {
public:
  explicit Folder(llvm::StringRef path) : path(path) {}
  ~Folder() {
    for (const std::string &folder : made)
      fs::remove(folder);
  }

  Error make() {
    for (llvm::StringRef folder = path; !folder.empty() && !fs::exists(folder);
         folder = llvm::sys::path::parent_path(folder))
      made.push_back(folder.str());
    if (std::error_code code = makeFolder(path))
      return makeFileError(path, 0,
                           "cannot create the folder: " + code.message());
    return Error::success();
  }
  void keep() { made.clear(); }

private:
  llvm::StringRef path;
  std::vector<std::string> made; ///< innermost first
};

} // namespace

static cost::ProgramCost estimate(const Machine &machine) {
  return cost::estimateProgram(machine.registers(), *findTarget("h13"));
}

void ane::printStats(const Machine &machine) {
  cost::printCost(llvm::outs(), estimate(machine));
}

/// Where a file of --dump-task goes.
static std::string dumpPath(const RunOptions &options, llvm::StringRef name) {
  llvm::SmallString<128> path(options.dumpDirectory);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::vector<std::string> ane::dumpPaths(const RunOptions &options) {
  std::vector<std::string> paths;
  if (options.dumpTask)
    for (llvm::StringRef part : dumpedParts)
      paths.push_back(dumpPath(options, dumpFileName(*options.dumpTask, part)));
  return paths;
}

Error ane::inspect(LoadedProgram &program, const RunOptions &options) {
  unsigned numTasks = program.machine().numTasks();
  if (options.dumpTask && *options.dumpTask >= numTasks)
    return makeFileError(
        options.model, 0,
        llvm::formatv("there is no task {0} to dump; there are {1}, the "
                      "first is 0",
                      *options.dumpTask, numTasks));
  Error errors = Error::success();
  if (options.check)
    for (const Finding &finding : checkProgram(program))
      errors =
          llvm::joinErrors(std::move(errors),
                           makeFileError(program.fileName(), finding.fileOffset,
                                         "task " + llvm::Twine(finding.task) +
                                             ": " + finding.message));
  return errors;
}

std::unique_ptr<Progress>
ane::showProgress(std::function<std::string()> where) {
  if (!llvm::errs().is_displayed())
    return nullptr;
  return std::make_unique<Progress>(llvm::errs(), std::move(where));
}

std::string ane::progressOf(const Machine &machine) {
  return llvm::formatv("task {0} of {1}", currentTask(machine),
                       machine.numTasks());
}

Error ane::runWatched(Runner &runner, const RunOptions &options,
                      Watched &watched) {
  const Machine &machine = runner.program().machine();
  auto progress = showProgress([&] { return progressOf(machine); });
  Observers observers;
  if (options.dumpTask)
    observers.add(dumpTask(machine, *options.dumpTask, watched.files));
  if (options.breakOn)
    observers.add(breakOn(machine, *options.breakOn));
  auto stopwatch = std::make_unique<Stopwatch>(machine.numTasks());
  const Stopwatch &times = *stopwatch;
  if (options.traceHost)
    observers.add(std::move(stopwatch));
  Numerics numerics = options.numerics.value_or(defaultNumerics);
  unsigned threads = options.threads.value_or(0);
  // Unwatched, tasks may run together.
  if (observers.empty())
    return runner.run(threads, numerics);
  if (Error error = runner.run(observers, threads, numerics))
    return error;
  for (NpyFile &file : watched.files)
    file.path = dumpPath(options, file.path);
  if (options.traceHost)
    watched.microseconds = times.microseconds();
  return Error::success();
}

/// Writes a file that gets its name after all that `then` writes; without a
/// name, just that.
static Error writeAround(llvm::StringRef path,
                         llvm::function_ref<void(llvm::raw_ostream &)> print,
                         llvm::function_ref<Error()> then) {
  if (path.empty())
    return then();
  return writeOutputFile(
      path,
      [&](llvm::raw_ostream &os) {
        print(os);
        return Error::success();
      },
      then);
}

Error ane::writeFiles(Runner &runner, const RunOptions &options,
                      const Watched &watched) {
  const Machine &machine = runner.program().machine();
  Folder folder(options.dumpDirectory);
  if (options.dumpTask)
    if (Error error = folder.make())
      return error;
  auto writeImage = [&] {
    return options.loadedImage.empty() ? Error::success()
                                       : runner.writeImage(options.loadedImage);
  };
  auto writeTraceAndRest = [&] {
    return writeAround(
        options.trace,
        [&](llvm::raw_ostream &os) {
          writeTrace(os, estimate(machine), watched.microseconds);
        },
        [&] { return writeNpyFiles(watched.files, writeImage); });
  };
  Error error = writeAround(
      options.stats == "-" ? "" : options.stats,
      [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}", llvm::json::Value(
                                         cost::costToJson(estimate(machine))))
           << '\n';
      },
      writeTraceAndRest);
  if (!error)
    folder.keep();
  return error;
}
