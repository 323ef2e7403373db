//===- RunPartition.cpp - Runs a program that was cut ---------------------===//

#include "RunOptions.h"
#include "ane/Engine/PartitionRunner.h"
#include "ane/Pipeline/CpuSegment.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Printable.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

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

/// One line a segment, and below those of the engine what their tasks should
/// cost.
static void printStages(PartitionRunner &runner) {
  for (auto [index, stage] : llvm::enumerate(runner.partition().stages)) {
    llvm::outs() << "segment " << index << ": "
                 << (stage.isEngine() ? "engine, procedure " +
                                            escapeUnprintable(stage.procedure)
                                      : "processor")
                 << ", " << stage.inputs.size() << " in, "
                 << stage.outputs.size() << " out\n";
    if (Runner *engine = runner.engineStage(index))
      printStats(engine->program().machine());
  }
}

/// `segment 1 of 4, task 3 of 40`.
static std::string progressOf(PartitionRunner &runner) {
  size_t index = runner.currentStage();
  std::string text = llvm::formatv("segment {0} of {1}", index,
                                   runner.partition().stages.size());
  if (Runner *engine = runner.engineStage(index))
    text += ", " + progressOf(engine->program().machine());
  return text;
}

static Expected<std::vector<NpyFile>> run(PartitionRunner &runner,
                                          const RunOptions &options) {
  {
    auto progress = showProgress([&] { return progressOf(runner); });
    if (Error error = runner.run(options.threads.value_or(0),
                                 options.numerics.value_or(defaultNumerics)))
      return error;
  }
  std::vector<NpyFile> files;
  if (Error error = addOutputs(runner, options, files))
    return error;
  return files;
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
  if (options.needsRun())
    if (Error error = setInputs(*runner, options))
      return error;
  for (size_t index : llvm::seq(runner->partition().stages.size()))
    if (Runner *engine = runner->engineStage(index))
      if (Error error = inspect(engine->program(), options))
        return error;
  if (options.needsRun()) {
    Expected<std::vector<NpyFile>> files = run(*runner, options);
    if (!files)
      return files.takeError();
    if (Error error = writeNpyFiles(*files))
      return error;
  }
  if (!options.stats.empty())
    printStages(*runner);
  return Error::success();
}
