//===- RunOptions.h - What the command line of ane-run asks for -*- C++ -*-===//

#ifndef ANE_TOOLS_ANERUN_RUNOPTIONS_H
#define ANE_TOOLS_ANERUN_RUNOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
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
  std::string descriptor; ///< empty for the one beside the model, if any
  std::vector<TensorFile> inputs;
  std::vector<TensorFile> outputs;
  std::vector<TensorFile> states;      ///< of MIL text: before the run
  std::vector<TensorFile> statesAfter; ///< of MIL text: after the run
  unsigned threads = 0;                ///< 0 for one per processor
  std::string modelPath;           ///< of MIL text: what @model_path stands for
  std::string function;            ///< of MIL text; empty for the only one
  std::vector<std::string> shapes; ///< of MIL text, as NAME=1x2x3
  bool seedMissingWeights = false; ///< of MIL text
  bool list = false;               ///< print the ports and do not run

  /// Whether the model is MIL text; otherwise it is a container.
  bool isMil() const { return llvm::StringRef(model).ends_with(".mil"); }
};

/// Runs a hardware container from its bytes.
llvm::Error runContainer(const RunOptions &options);

/// Runs MIL text with the reference interpreter. Everything that is wrong has
/// been reported to standard error when this fails.
llvm::LogicalResult runMil(const RunOptions &options);

} // namespace ane

#endif // ANE_TOOLS_ANERUN_RUNOPTIONS_H
