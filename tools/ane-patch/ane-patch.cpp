//===- ane-patch.cpp - New weights for a compiled program -----------------===//

#include "CommandLine.h"
#include "ane/E5/Companion.h"
#include "ane/Pipeline/Patch.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  PatchOptions options;
  bool inPlace = false;

  CLI::App app("Packs the weights of a model into a container that was "
               "compiled from the same program with other weights.\n\n"
               "Coefficients and the names of their blocks are all that "
               "changes, in the result and in a dispatch descriptor (.e5) "
               "beside it the hash. A model whose program is another one is "
               "refused, and the first difference named. The options of the "
               "compilation come from the container.\n",
               "ane-patch");
  app.footer("Examples:\n"
             "  ane-patch model.hwx --model model.mil -o patched.hwx\n"
             "  ane-patch model.hwx --model model.mil --in-place\n\n"
             "Exit codes: 0 done, 1 the container or the model was refused "
             "and no file changed, 2 bad command line.");
  addVersionFlag(app);
  app.add_option("container", options.container, "The container to patch")
      ->required()
      ->type_name("FILE.hwx");
  takeFolders(
      app.add_option("--model", options.model,
                     "MIL text with the new weights, or a folder with a "
                     "model.mil")
          ->required()
          ->type_name("FILE.mil|DIR"));
  auto *output = app.add_option("-o,--output", options.output,
                                "Where the patched container goes")
                     ->type_name("FILE.hwx");
  app.add_flag("--in-place", inPlace, "Replace the container")
      ->excludes(output);
  app.add_option("--model-path", options.modelPath,
                 "The folder that @model_path stands for; default: that of the "
                 "text")
      ->type_name("DIR");
  app.add_option("--function", options.function,
                 "The function of the model, of a program that has several; "
                 "default: the one that the dispatch descriptor names")
      ->type_name("NAME");
  auto finish = [&] {
    if (!inPlace && options.output.empty())
      throw CLI::ValidationError("-o or --in-place is required");
    if (!inPlace)
      return;
    // Behind a link as well, unless the descriptor is beside the link alone.
    std::string real = behindLinks(options.container);
    auto companion = e5::companionPath(options.container);
    if (!llvm::sys::fs::exists(companion) ||
        isSamePlace(companion, e5::companionPath(real)))
      options.container = real;
    options.output = options.container;
  };
  if (std::optional<int> code = parseCommandLine(app, argc, argv, finish))
    return *code;
  return llvm::succeeded(patchWeights(options)) ? ExitDone : ExitRefused;
}
