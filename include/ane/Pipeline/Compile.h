//===- Compile.h - From a MIL file to container files -----------*- C++ -*-===//

#ifndef ANE_PIPELINE_COMPILE_H
#define ANE_PIPELINE_COMPILE_H

#include "ane/Object/Style.h"
#include "ane/Pipeline/InputRange.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Pipeline/StatisticsReport.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "mlir/Support/Timing.h"

namespace ane {

/// How to watch a compilation. Nothing of it changes the output.
struct WatchOptions {
  /// Print the IR after each pass, and the time each step took, to standard
  /// error.
  bool printIRAfterAll = false;
  bool timing = false;
  /// Where `compile` has the times of its steps added up; null for nowhere.
  mlir::TimingScope *timer = nullptr;
  /// Print what passes have counted to standard error.
  bool statistics = false;
  /// Where `compile` has that added up; null for nowhere.
  StatisticsReport *counts = nullptr;
  /// Verify the IR after each pass, not only where it is written down or code
  /// is generated from it.
  bool verifyEach = false;
  /// Folder for a file of each phase that was reached; empty for none.
  std::string dumpFolder;
  /// File for a program that repeats the failure of a pass under
  /// `ane-opt --run-reproducer`; empty for none.
  std::string crashReproducer;
};

/// What ane-compile is told, all but the form of its command line.
struct CompileOptions {
  std::string input;
  /// Where the output of the phase goes; "-" is standard output. The dispatch
  /// descriptor of a container goes beside it, with the extension `.e5`.
  std::string output;
  PhaseKind emit = PhaseKind::Container;
  std::string function;
  PhaseOptions phases;
  td::Format format = td::Format::V10;
  /// The spelling of the container; nothing for the one that goes with
  /// `format`.
  std::optional<object::Dialect> container;
  /// Leave the elements of large constants out of IR that is written as text.
  bool elideConstants = false;
  /// Write the place in the source of each op into IR that is text, dumped
  /// phases too.
  bool printLocations = false;
  WatchOptions watch;
  /// Run the container and the reference interpreter on the same inputs and
  /// print how far apart they are.
  bool verify = false;
  /// What inputs are, for `verify` and the hazards of a report.
  std::vector<InputRange> inputRanges;
  /// Cut the program where the engine cannot run it, instead of refusing it.
  bool partition = false;
  /// Where a report of the costs goes, empty for none: JSON into a file named
  /// *.json, a page into one named *.html, text into any other or, for "-", to
  /// standard output.
  std::string report;
  /// Leave IR and context to the system: for a process that ends with this
  /// compilation, and has nothing to gain from taking them apart.
  bool leavesMemory = false;
};

/// The spelling of the container: the verified one for v7, which real programs
/// of it have, and v9.509 for v10, which comes from the same source.
object::Dialect containerDialect(const CompileOptions &options);

/// Compiles. Everything that is wrong has been reported to standard error when
/// this fails, and no output exists.
llvm::LogicalResult compile(const CompileOptions &options);

} // namespace ane

#endif // ANE_PIPELINE_COMPILE_H
