//===- ane-run.cpp - Runs a program on host tensors -----------------------===//

#include "CommandLine.h"
#include "RunOptions.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/StringSet.h"

using namespace ane;

namespace {

/// Splits `NAME=FILE` arguments; names must not repeat.
std::vector<TensorFile> tensorFiles(const std::vector<std::string> &arguments,
                                    const std::string &option) {
  std::vector<TensorFile> files;
  llvm::StringSet<> names;
  for (llvm::StringRef argument : arguments) {
    auto [name, path] = argument.split('=');
    if (name.empty() || path.empty())
      throw CLI::ValidationError(option, "expected NAME=FILE.npy, not '" +
                                             argument.str() + "'");
    if (!names.insert(name).second)
      throw CLI::ValidationError(option, "'" + name.str() + "' is given twice");
    files.push_back({name.str(), path.str()});
  }
  return files;
}

/// Refuses an option that means something for the other kind of model only.
void checkKind(const RunOptions &options) {
  auto refuse = [](const std::string &option, const std::string &kind) {
    throw CLI::ValidationError(option, "it goes with " + kind + " only");
  };
  if (options.isMil()) {
    if (!options.descriptor.empty())
      refuse("--e5", "a container");
    return;
  }
  if (!options.states.empty())
    refuse("--state", "MIL text");
  if (!options.statesAfter.empty())
    refuse("--state-out", "MIL text");
  if (options.seedMissingWeights)
    refuse("--missing-weights", "MIL text");
  if (!options.shapes.empty())
    refuse("--shape", "MIL text");
  if (!options.modelPath.empty())
    refuse("--model-path", "MIL text");
  if (!options.function.empty())
    refuse("--function", "MIL text");
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(
      "Runs a program on tensors from .npy files.\n\n"
      "A hardware container is executed from its bytes alone, register by "
      "register. Types and shapes of the tensors are those of the model where "
      "the dispatch descriptor (.e5) lies beside the container, otherwise fp16 "
      "[N, C, H, W].\n\n"
      "A file that ends in .mil is MIL text. The reference interpreter "
      "computes what it says, in wide precision; unknown extents are those of "
      "the inputs.\n",
      "ane-run");
  addVersionFlag(app);
  app.footer("Examples:\n"
             "  ane-run model.hwx --input x=x.npy --output y=y.npy\n"
             "  ane-run model.mil --input x=x.npy --output y=y.npy\n"
             "  ane-run model.mil --input x=x1.npy --state-out kv=kv.npy\n"
             "  ane-run model.mil --input x=x2.npy --state kv=kv.npy "
             "--state-out kv=kv.npy\n\n"
             "Exit status: 0 done; 1 the program or a tensor was refused; 2 "
             "bad command line.");

  RunOptions options;
  std::vector<std::string> inputs, outputs, states, statesAfter;
  std::string missingWeights = "error";
  app.add_option("model", options.model, "the container or MIL text to run")
      ->required()
      ->type_name("FILE.hwx|FILE.mil");
  app.add_option("--input", inputs,
                 "where an input comes from; give one for each input")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--output", outputs, "where an output goes")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--state", states,
                 "MIL text: what a state holds before the run; zeros where "
                 "it is not given")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--state-out", statesAfter,
                 "MIL text: where the content of a state goes after the run; "
                 "the same file as --state carries it from run to run")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--missing-weights", missingWeights,
                 "MIL text: what a weight file that does not exist is: an "
                 "error, or seeded: its weights get stand-in values, the same "
                 "in every run")
      ->check(CLI::IsMember({"error", "seeded"}))
      ->capture_default_str();
  app.add_option("--e5", options.descriptor,
                 "the dispatch descriptor, if it is not model.e5")
      ->type_name("FILE.e5");
  app.add_option("--shape", options.shapes,
                 "MIL text: the shape of an input, such as x=1x129x4")
      ->type_name("NAME=SHAPE")
      ->allow_extra_args(false);
  app.add_option("--model-path", options.modelPath,
                 "MIL text: the folder that @model_path stands for; default: "
                 "that of the text")
      ->type_name("DIR");
  app.add_option("--function", options.function,
                 "MIL text: the function to run, of a program that has several")
      ->type_name("NAME");
  app.add_option("--threads", options.threads,
                 "threads to use; 0, the default, is one per processor")
      ->type_name("N");
  app.add_flag("--list", options.list,
               "print the names, types and shapes of inputs and outputs");

  auto finish = [&] {
    options.inputs = tensorFiles(inputs, "--input");
    options.outputs = tensorFiles(outputs, "--output");
    options.states = tensorFiles(states, "--state");
    options.statesAfter = tensorFiles(statesAfter, "--state-out");
    options.seedMissingWeights = missingWeights == "seeded";
    checkKind(options);
  };
  if (std::optional<ExitCode> code = parseCommandLine(app, argc, argv, finish))
    return *code;

  if (options.isMil())
    return llvm::succeeded(runMil(options)) ? ExitDone : ExitRefused;
  if (llvm::Error error = runContainer(options)) {
    reportErrors(std::move(error), options.model);
    return ExitRefused;
  }
  return ExitDone;
}
