//===- Arguments.h - The command line of ane-run ----------------*- C++ -*-===//

#ifndef ANE_TOOLS_ANERUN_ARGUMENTS_H
#define ANE_TOOLS_ANERUN_ARGUMENTS_H

#include "CommandLine.h"
#include "RunOptions.h"

namespace ane {

struct Arguments {
  RunOptions options;

  void addTo(CLI::App &app);
  /// Completes the options from what was parsed. Throws CLI::ValidationError.
  void finish();

private:
  // In the order of the help text.
  void addTensors(CLI::App &app);
  /// How a model is loaded: weights of MIL text, and containers.
  void addContainer(CLI::App &app);
  void addText(CLI::App &app);
  /// How it is run, and what is told of that.
  void addWatch(CLI::App &app);

  // Words that options come from.
  std::vector<std::string> inputs, outputs, states, statesAfter, liveIns;
  std::string address, breakOn;
};

} // namespace ane

#endif // ANE_TOOLS_ANERUN_ARGUMENTS_H
