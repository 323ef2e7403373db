//===- ane-compile.cpp - MIL text to Neural Engine containers -------------===//

#include "Arguments.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CLI::App app("Compiles MIL text to a container for the Apple Neural Engine.",
               "ane-compile");
  app.footer("Example: ane-compile model.mil --shape x=1x129x4 -o model.hwx\n"
             "writes model.hwx and model.e5. Exit codes: 0 done, 1 refused or "
             "bad input, 2 bad command line.");
  addVersionFlag(app);
  Arguments arguments;
  arguments.addTo(app);
  if (std::optional<int> code =
          parseCommandLine(app, argc, argv, [&] { arguments.finish(); }))
    return *code;
  return endTool(llvm::succeeded(compile(arguments.options)) ? ExitDone
                                                             : ExitRefused);
}
