//===- ane-compile.cpp - MIL text to Neural Engine containers -------------===//

#include "CommandLine.h"
#include "ane/Pipeline/Compile.h"
#include "ane/Target/Target.h"
#include "llvm/Support/InitLLVM.h"
#include <iostream>

namespace {

/// `mil`, `zin`, ... with what they stand for, for the help text.
std::string describePhases() {
  std::string text = "What to write:";
  for (const ane::Phase &phase : ane::allPhases())
    text += "\n  " + phase.name.str() + ": " + phase.description.str();
  return text + "\nIR goes as bytecode into a file named *.mlirbc";
}

std::vector<std::string> phaseNames() {
  std::vector<std::string> names;
  for (const ane::Phase &phase : ane::allPhases())
    names.push_back(phase.name.str());
  return names;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const ane::TargetDescription &target : ane::allTargets())
    names.push_back(target.name.str());
  return names;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ane::CompileOptions options;
  std::string format = "v10";

  CLI::App app("Compiles MIL text to a container for the Apple Neural Engine.",
               "ane-compile");
  app.footer("Example: ane-compile model.mil --shape x=1x129x4 -o model.hwx\n"
             "writes model.hwx and model.e5. Exit codes: 0 done, 1 refused or "
             "bad input, 2 bad command line.");
  ane::addVersionFlag(app);
  app.add_option("input", options.input,
                 "MIL text, such as the model.mil of a package; - for "
                 "standard input")
      ->required();
  app.add_option("-o,--output", options.output,
                 "Output file; - for standard output")
      ->required();
  app.add_option("--target", options.phases.target, "Chip to compile for")
      ->check(CLI::IsMember(targetNames()))
      ->capture_default_str();
  app.add_option("--td-format", format,
                 "Spelling of task descriptors: v10, or v7 of real M1 programs")
      ->check(CLI::IsMember({"v10", "v7"}))
      ->capture_default_str();
  std::string container;
  app.add_option("--container", container,
                 "Spelling of the container: v4.2.1 of real M1 programs, "
                 "macos26, or seed of the specification; default: v4.2.1 for "
                 "v7, seed for v10")
      ->check(CLI::IsMember({"v4.2.1", "macos26", "seed"}));
  app.add_option("--shape", options.phases.shapes,
                 "Shape of an input with unknown extents, such as x=1x129x4; "
                 "repeat for each input")
      ->type_name("NAME=SHAPE")
      ->allow_extra_args(false);
  app.add_flag("--default-shapes", options.phases.defaultShapes,
               "Give other inputs the default shapes that the program states");
  app.add_option("--model-path", options.phases.modelPath,
                 "Folder that @model_path stands for; default: that of the "
                 "input")
      ->type_name("DIR");
  std::string missingWeights = "error";
  app.add_option("--missing-weights", missingWeights,
                 "What a weight file that does not exist is: an error, or "
                 "seeded: its weights get stand-in values, the same in every "
                 "run")
      ->check(CLI::IsMember({"error", "seeded"}))
      ->capture_default_str();
  std::string precision = "engine";
  app.add_option("--precision", precision,
                 "What fp32 computes in: engine: in fp16, with a warning; "
                 "strict: it is refused")
      ->check(CLI::IsMember({"engine", "strict"}))
      ->capture_default_str();
  app.add_option("--function", options.function,
                 "Function to compile, of a program that has several");
  app.add_option("--emit", options.emit, describePhases())
      ->check(CLI::IsMember(phaseNames()))
      ->capture_default_str();
  app.add_flag("--elide-constants", options.elideConstants,
               "Leave the elements of large constants out of emitted IR, for "
               "reading it; it cannot be compiled further then");
  app.add_flag("--verify", options.verify,
               "Run the container and the reference interpreter on the same "
               "inputs and print how far apart they are");
  app.add_flag("--print-ir-after-all", options.printIRAfterAll,
               "Print the IR after each pass to standard error");
  app.add_flag("--mlir-timing", options.timing,
               "Print the time each pass took to standard error");
  if (std::optional<ane::ExitCode> code =
          ane::parseCommandLine(app, argc, argv))
    return *code;
  options.phases.seedMissingWeights = missingWeights == "seeded";
  options.phases.strictPrecision = precision == "strict";
  options.format = format == "v7" ? ane::td::Format::V7 : ane::td::Format::V10;
  options.container = ane::object::parseDialect(container);
  if (options.verify && options.emit != "hwx") {
    std::cerr << "--verify goes with --emit=hwx\n";
    return ane::ExitBadCommandLine;
  }
  return llvm::succeeded(ane::compile(options)) ? ane::ExitDone
                                                : ane::ExitRefused;
}
