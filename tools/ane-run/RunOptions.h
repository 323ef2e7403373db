//===- RunOptions.h - What the command line of ane-run asks for -*- C++ -*-===//

#ifndef ANE_TOOLS_ANERUN_RUNOPTIONS_H
#define ANE_TOOLS_ANERUN_RUNOPTIONS_H

#include "ane/Engine/PartitionRunner.h"
#include "ane/Engine/Watch.h"
#include "ane/Loader/Loader.h"
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
  bool seedMissingWeights = false; ///< of MIL text
  bool list = false;               ///< print the ports and do nothing else

  // Of a container.
  std::string stats; ///< where the estimate goes: `-` for a table, or a file
  std::string trace; ///< where the trace goes
  bool traceHost = false; ///< with measured times
  bool check = false;     ///< what the program does with memory
  std::optional<unsigned> dumpTask;
  std::string dumpDirectory = ".";
  std::optional<engine::BreakOn> breakOn;

  /// Whether something is asked for that takes no run, and nothing that takes
  /// one.
  bool needsNoRun() const {
    bool asks =
        !loadedImage.empty() || !stats.empty() || !trace.empty() || check;
    bool runs =
        !inputs.empty() || !outputs.empty() || traceHost || dumpTask || breakOn;
    return asks && !runs;
  }

  /// Whether the model is MIL text; otherwise it is a container.
  bool isMil() const { return llvm::StringRef(model).ends_with(".mil"); }
};

/// Refuses outputs that would replace the model or its descriptor, or each
/// other, and those that are folders. An input may be replaced: so a tensor is
/// carried from run to run.
llvm::Error checkOutputs(const RunOptions &options);
/// Refuses a file of task descriptors without a container, which says nothing
/// of operands. Other files are left to whoever reads them.
llvm::Error checkIsNoTaskStream(llvm::StringRef path);


/// Runs a hardware container from its bytes.
llvm::Error runContainer(const RunOptions &options);

/// Runs a program that was cut into segments, which `descriptor` lists.
llvm::Error runPartition(const RunOptions &options,
                         const engine::RunnerOptions &runnerOptions,
                         e5::Descriptor descriptor);

/// Prints a line for each input and output.
void printPorts(llvm::ArrayRef<engine::HostPort> ports);

/// Sets the inputs of a runner from files, runs it, and writes its outputs into
/// files: all of them or none.
template <typename AnyRunner>
llvm::Error runOnFiles(AnyRunner &runner, const RunOptions &options,
                       llvm::function_ref<llvm::Error()> run) {
  using object::PortDirection;
  // Names first: a wrong one should not cost the time of a run.
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
  }
  if (llvm::Error error = run())
    return error;

  std::vector<NpyFile> results;
  for (const TensorFile &output : options.outputs) {
    llvm::Expected<NpyArray> array = runner.output(output.name);
    if (!array)
      return array.takeError();
    results.push_back({output.path, std::move(*array)});
  }
  return writeNpyFiles(results);
}

/// Checks the program and estimates its cost, as far as that is asked for.
llvm::Error inspect(engine::LoadedProgram &program, const RunOptions &options);

/// Runs a program whose inputs are set, watched as asked for.
llvm::Error runWatched(engine::Runner &runner, const RunOptions &options);

/// Runs MIL text with the reference interpreter. Everything that is wrong has
/// been reported to standard error when this fails.
llvm::LogicalResult runMil(const RunOptions &options);

} // namespace ane

#endif // ANE_TOOLS_ANERUN_RUNOPTIONS_H
