//===- ane-run.cpp - Runs a program on host tensors -----------------------===//

#include "Arguments.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
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
             "Exit codes: 0 done, 1 the program or a tensor was refused, 2 "
             "bad command line.");
  Arguments arguments;
  arguments.addTo(app);
  if (std::optional<int> code =
          parseCommandLine(app, argc, argv, [&] { arguments.finish(); }))
    return *code;

  const RunOptions &options = arguments.options;
  FilePlan files;
  llvm::Error error = planFiles(options, files);
  if (!error && options.isMil())
    return endTool(llvm::succeeded(runMil(options, files)) ? ExitDone
                                                           : ExitRefused);
  if (!error)
    error = runContainer(options);
  if (!error)
    return endTool(ExitDone);
  reportErrors(std::move(error), options.model);
  return endTool(ExitRefused);
}
