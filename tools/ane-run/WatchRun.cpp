//===- WatchRun.cpp - Watching a container work ---------------------------===//

#include "RunOptions.h"
#include "ane/Engine/Runner.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;

static cost::ProgramCost estimate(const Machine &machine) {
  return cost::estimateProgram(machine.registers(), *findTarget("h13"));
}

static Error writeStats(const cost::ProgramCost &cost, llvm::StringRef path) {
  if (path == "-") {
    cost::printCost(llvm::outs(), cost);
    return Error::success();
  }
  return writeOutputFile(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}", llvm::json::Value(cost::costToJson(cost)))
       << '\n';
    return Error::success();
  });
}

static Error writeTraceFile(const cost::ProgramCost &cost, llvm::StringRef path,
                            llvm::ArrayRef<double> hostMicroseconds) {
  return writeOutputFile(path, [&](llvm::raw_ostream &os) {
    writeTrace(os, cost, hostMicroseconds);
    return Error::success();
  });
}

Error ane::inspect(LoadedProgram &program, const RunOptions &options) {
  if (options.check) {
    Error errors = Error::success();
    for (const Finding &finding : checkProgram(program))
      errors =
          llvm::joinErrors(std::move(errors),
                           makeFileError(program.fileName(), finding.fileOffset,
                                         "task " + llvm::Twine(finding.task) +
                                             ": " + finding.message));
    if (errors)
      return errors;
  }
  const Machine &machine = program.machine();
  if (!options.stats.empty())
    if (Error error = writeStats(estimate(machine), options.stats))
      return error;
  if (!options.trace.empty() && !options.traceHost)
    return writeTraceFile(estimate(machine), options.trace, {});
  return Error::success();
}

Error ane::runWatched(Runner &runner, const RunOptions &options) {
  const Machine &machine = runner.program().machine();
  unsigned numTasks = machine.numTasks();
  Observers observers;
  if (options.dumpTask) {
    if (*options.dumpTask >= numTasks)
      return makeFileError(
          options.model, 0,
          llvm::formatv("there is no task {0} to dump; there are {1}, the "
                        "first is 0",
                        *options.dumpTask, numTasks));
    observers.add(dumpTask(machine, *options.dumpTask, options.dumpDirectory));
  }
  if (options.breakOn)
    observers.add(breakOn(machine, *options.breakOn));
  if (llvm::errs().is_displayed())
    observers.add(showProgress(numTasks, llvm::errs()));
  auto stopwatch = std::make_unique<Stopwatch>(numTasks);
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
  if (options.traceHost)
    return writeTraceFile(estimate(machine), options.trace,
                          times.microseconds());
  return Error::success();
}
