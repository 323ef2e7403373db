//===- RunOptions.h - What the command line of ane-run asks for -*- C++ -*-===//

#ifndef ANE_TOOLS_ANERUN_RUNOPTIONS_H
#define ANE_TOOLS_ANERUN_RUNOPTIONS_H

#include "ane/Engine/Watch.h"
#include "ane/Loader/Loader.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <optional>
#include <string>
#include <vector>

namespace ane {

namespace engine {
class Runner;
}

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
  unsigned threads = 0;                     ///< 0 for one per processor
  std::string modelPath;           ///< of MIL text: what @model_path stands for
  std::string function;            ///< of MIL text; empty for the only one
  std::vector<std::string> shapes; ///< of MIL text, as NAME=1x2x3
  bool seedMissingWeights = false; ///< of MIL text
  bool list = false;               ///< print the ports and do not run

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
    bool runs = list || !inputs.empty() || !outputs.empty() || traceHost ||
                dumpTask || breakOn;
    return asks && !runs;
  }

  /// Whether the model is MIL text; otherwise it is a container.
  bool isMil() const { return llvm::StringRef(model).ends_with(".mil"); }
};

/// Runs a hardware container from its bytes.
llvm::Error runContainer(const RunOptions &options);

/// Checks the program and estimates its cost, as far as that is asked for.
llvm::Error inspect(engine::LoadedProgram &program, const RunOptions &options);

/// Runs a program whose inputs are set, watched as asked for.
llvm::Error runWatched(engine::Runner &runner, const RunOptions &options);

/// Runs MIL text with the reference interpreter. Everything that is wrong has
/// been reported to standard error when this fails.
llvm::LogicalResult runMil(const RunOptions &options);

} // namespace ane

#endif // ANE_TOOLS_ANERUN_RUNOPTIONS_H
