//===- RunPartition.cpp - Runs a program that was cut ---------------------===//

#include "RunOptions.h"
#include "ane/Engine/PartitionRunner.h"
#include "ane/Pipeline/CpuSegment.h"
#include "ane/Support/FileError.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;

/// Refuses what is about the tasks of one procedure.
static Error checkOptions(const RunOptions &options) {
  auto refuse = [&](llvm::StringRef option) {
    return makeFileError(options.model, 0,
                         "the program was cut into segments; " + option +
                             " is about one procedure, choose it with "
                             "--procedure");
  };
  if (!options.loadedImage.empty())
    return refuse("--dump-loaded");
  if (!options.trace.empty())
    return refuse("--trace");
  if (options.dumpTask)
    return refuse("--dump-task");
  if (options.breakOn)
    return refuse("--break-on-nan");
  if (!options.stats.empty() && options.stats != "-")
    return refuse("--stats with a file");
  return Error::success();
}

/// One line a segment, and below those of the engine what is to be said of
/// their procedures.
static Error inspectStages(PartitionRunner &runner, RunOptions options) {
  bool printsStats = !options.stats.empty();
  for (auto [index, stage] : llvm::enumerate(runner.partition().stages)) {
    if (printsStats)
      llvm::outs() << "segment " << index << ": "
                   << (stage.isEngine() ? "engine, procedure " + stage.procedure
                                        : "processor")
                   << ", " << stage.inputs.size() << " in, "
                   << stage.outputs.size() << " out\n";
    if (Runner *engine = runner.engineStage(index))
      if (Error error = inspect(engine->program(), options))
        return error;
  }
  return Error::success();
}

Error ane::runPartition(const RunOptions &options,
                        const RunnerOptions &runnerOptions,
                        e5::Descriptor descriptor) {
  if (Error error = checkOptions(options))
    return error;
  Expected<PartitionRunner> runner = PartitionRunner::load(
      options.model, runnerOptions, std::move(descriptor), loadCpuSegment);
  if (!runner)
    return runner.takeError();
  if (options.list) {
    printPorts(runner->ports());
    return Error::success();
  }
  if (Error error = inspectStages(*runner, options))
    return error;
  if (options.needsNoRun())
    return Error::success();
  return runOnFiles(*runner, options, [&] {
    return runner->run(options.threads.value_or(0),
                       options.numerics.value_or(defaultNumerics));
  });
}
