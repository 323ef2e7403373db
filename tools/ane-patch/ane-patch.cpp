//===- ane-patch.cpp - New weights for a compiled program -----------------===//

#include "CommandLine.h"
#include "ane/E5/Companion.h"
#include "ane/Pipeline/Patch.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ane::PatchOptions options;
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
             "Exit status: 0 done; 1 the container or the model was refused, "
             "and no file changed; 2 bad command line.");
  ane::addVersionFlag(app);
  app.add_option("container", options.container, "the container to patch")
      ->required()
      ->type_name("FILE.hwx");
  ane::takeFolders(
      app.add_option("--model", options.model,
                     "MIL text with the new weights, or a folder with a "
                     "model.mil")
          ->required()
          ->type_name("FILE.mil|DIR"));
  auto *output = app.add_option("-o,--output", options.output,
                                "where the patched container goes")
                     ->type_name("FILE.hwx");
  app.add_flag("--in-place", inPlace, "replace the container")
      ->excludes(output);
  app.add_option("--model-path", options.modelPath,
                 "the folder that @model_path stands for; default: that of the "
                 "text")
      ->type_name("DIR");
  app.add_option("--function", options.function,
                 "the function of the model, of a program that has several; "
                 "default: the one that the dispatch descriptor names")
      ->type_name("NAME");
  auto finish = [&] {
    if (!inPlace && options.output.empty())
      throw CLI::ValidationError("-o or --in-place is required");
    if (!inPlace)
      return;
    // Behind a link as well, unless the descriptor is beside the link alone.
    std::string real = ane::behindLinks(options.container);
    auto companion = ane::e5::companionPath(options.container);
    if (!llvm::sys::fs::exists(companion) ||
        ane::isSamePlace(companion, ane::e5::companionPath(real)))
      options.container = real;
    options.output = options.container;
  };
  if (std::optional<int> code = ane::parseCommandLine(app, argc, argv, finish))
    return *code;
  return llvm::succeeded(ane::patchWeights(options)) ? ane::ExitDone
                                                     : ane::ExitRefused;
}
