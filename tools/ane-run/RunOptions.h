//===- RunOptions.h - What the command line of ane-run asks for -*- C++ -*-===//

#ifndef ANE_TOOLS_ANERUN_RUNOPTIONS_H
#define ANE_TOOLS_ANERUN_RUNOPTIONS_H

#include "ane/Engine/PartitionRunner.h"
#include "ane/Engine/Watch.h"
#include "ane/Loader/Loader.h"
#include "ane/Pipeline/Choices.h"
#include "ane/Support/FilePlan.h"
#include "ane/Support/Progress.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <optional>
#include <string>
#include <vector>

namespace ane {

/// A tensor of the model and the .npy file it comes from or goes to.
struct TensorFile {
  std::string name;
  std::string path;
};

struct RunOptions {
  std::string model;
  std::string descriptor;   ///< empty for the one beside the model, if any
  std::string procedure;    ///< of a container; empty for the only one
  loader::LoadOptions load; ///< of a container
  std::string loadedImage;  ///< of a container: where its loaded image goes
  std::vector<TensorFile> inputs;
  std::vector<TensorFile> outputs;
  std::vector<TensorFile> states;           ///< of MIL text: before the run
  std::vector<TensorFile> statesAfter;      ///< of MIL text: after the run
  std::optional<engine::Numerics> numerics; ///< of a container
  /// Of a container; 0, as nothing, for one per processor.
  std::optional<unsigned> threads;
  std::string modelPath;           ///< of MIL text: what @model_path stands for
  std::string function;            ///< of MIL text; empty for the only one
  std::vector<std::string> shapes; ///< of MIL text, as NAME=1x2x3
  MissingWeights missingWeights = MissingWeights::Error; ///< of MIL text
  WeightTypes weightTypes = WeightTypes::Strict;         ///< of MIL text
  bool list = false; ///< print the ports and do nothing else

  // Of a container.
  std::string stats; ///< where the estimate goes: `-` for a table, or a file
  std::string trace; ///< where the trace goes
  bool traceHost = false; ///< with measured times
  bool check = false;     ///< what the program does with memory
  std::optional<unsigned> dumpTask;
  std::string dumpDirectory = ".";
  std::optional<engine::BreakOn> breakOn;

  /// Whether anything is asked for that takes a run, or nothing at all.
  bool needsRun() const {
    bool asks =
        !loadedImage.empty() || !stats.empty() || !trace.empty() || check;
    bool runs =
        !inputs.empty() || !outputs.empty() || traceHost || dumpTask || breakOn;
    return runs || !asks;
  }

  /// Whether the model is MIL text; otherwise it is a container.
  bool isMil() const { return llvm::StringRef(model).ends_with(".mil"); }
};

/// Refuses a file of task descriptors without a container, which says nothing
/// of operands. Other files are left to whoever reads them.
llvm::Error checkIsNoTaskStream(llvm::MemoryBufferRef file);

/// Collects the files of the command line. Refuses outputs that would replace
/// the model or its descriptor, or each other, and those that are folders. A
/// tensor may replace an input: so it is carried from run to run.
llvm::Error planFiles(const RunOptions &options, FilePlan &files);

/// Runs a hardware container from its bytes.
llvm::Error runContainer(const RunOptions &options);

/// Runs a program that was cut into segments, which `descriptor` lists.
llvm::Error runPartition(const RunOptions &options,
                         const engine::RunnerOptions &runnerOptions,
                         e5::Descriptor descriptor);

/// Prints a line for each input and output.
void printPorts(llvm::ArrayRef<engine::HostPort> ports);

/// The error for an input without a file.
llvm::Error makeMissingInput(const RunOptions &options, llvm::StringRef name,
                             llvm::StringRef type);

/// That every input has a file.
llvm::Error checkInputs(llvm::ArrayRef<engine::HostPort> ports,
                        const RunOptions &options);

/// Sets the inputs of a runner from files. Refuses names that it does not have,
/// which should not cost the time of a run, and inputs that are not given.
/// `look` sees each array that was taken, and its path.
template <typename AnyRunner>
llvm::Error
setInputs(AnyRunner &runner, const RunOptions &options,
          llvm::function_ref<void(const engine::HostPort &, const NpyArray &,
                                  llvm::StringRef)>
              look = nullptr) {
  using object::PortDirection;
  llvm::Error names = llvm::Error::success();
  for (const TensorFile &output : options.outputs)
    if (auto port = runner.findPort(output.name, PortDirection::Output); !port)
      names = llvm::joinErrors(std::move(names), port.takeError());
  for (const TensorFile &input : options.inputs)
    if (auto port = runner.findPort(input.name, PortDirection::Input); !port)
      names = llvm::joinErrors(std::move(names), port.takeError());
  if (names)
    return names;
  for (const TensorFile &input : options.inputs) {
    llvm::Expected<NpyArray> array = readNpy(input.path);
    if (!array)
      return array.takeError();
    if (llvm::Error error = runner.setInput(input.name, *array, input.path))
      return error;
    if (look)
      look(*llvm::cantFail(runner.findPort(input.name, PortDirection::Input)),
           *array, input.path);
  }
  return checkInputs(runner.ports(), options);
}

/// Adds what a run left in the outputs, and the files it goes to.
template <typename AnyRunner>
llvm::Error addOutputs(AnyRunner &runner, const RunOptions &options,
                       std::vector<NpyFile> &files) {
  for (const TensorFile &output : options.outputs) {
    llvm::Expected<NpyArray> array = runner.output(output.name);
    if (!array)
      return array.takeError();
    files.push_back({output.path, std::move(*array)});
  }
  return llvm::Error::success();
}

/// The files that a task is dumped to, some of which it may not have.
std::vector<std::string> dumpPaths(const RunOptions &options);

/// What --check finds, and a task to dump that is not there.
llvm::Error inspect(engine::LoadedProgram &program, const RunOptions &options);

/// Prints the estimate of --stats.
void printStats(const engine::Machine &machine);

/// What a run is watched for.
struct Watched {
  std::vector<NpyFile> files;
  std::vector<double> microseconds; ///< by task; only with --trace-host
};

/// Runs a program whose inputs are set, watched as asked for.
llvm::Error runWatched(engine::Runner &runner, const RunOptions &options,
                       Watched &watched);

/// Writes all files that are asked for, or none: arrays, estimate, trace and
/// loaded image.
llvm::Error writeFiles(engine::Runner &runner, const RunOptions &options,
                       const Watched &watched);

/// Tells how far a run is where standard error is a terminal; otherwise null.
std::unique_ptr<Progress> showProgress(std::function<std::string()> where);

/// `task 3 of 40`.
std::string progressOf(const engine::Machine &machine);

/// Runs MIL text with the reference interpreter. Adds the files of its weights
/// to the plan. Everything that is wrong has been reported to standard error
/// when this fails.
llvm::LogicalResult runMil(const RunOptions &options, FilePlan &plan);

} // namespace ane

#endif // ANE_TOOLS_ANERUN_RUNOPTIONS_H
