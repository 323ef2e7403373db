//===- Compile.h - From a MIL file to container files -----------*- C++ -*-===//

#ifndef ANE_PIPELINE_COMPILE_H
#define ANE_PIPELINE_COMPILE_H

#include "ane/Pipeline/Phases.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane {

struct CompileOptions {
  std::string input;
  /// Where the output of the phase goes; "-" is standard output. The dispatch
  /// descriptor of a container goes beside it, with the extension `.e5`.
  std::string output;
  std::string emit = "hwx";
  std::string function;
  PhaseOptions phases;
  td::Format format = td::Format::V10;
  /// Leave the elements of large constants out of IR that is written as text.
  bool elideConstants = false;
  /// Print the IR after each pass, and the time each pass took, to standard
  /// error.
  bool printIRAfterAll = false;
  bool timing = false;
  /// Run the container and the reference interpreter on the same inputs and
  /// print how far apart they are.
  bool verify = false;
};

/// Compiles. Everything that is wrong has been reported to standard error when
/// this fails, and no output exists.
llvm::LogicalResult compile(const CompileOptions &options);

} // namespace ane

#endif // ANE_PIPELINE_COMPILE_H
