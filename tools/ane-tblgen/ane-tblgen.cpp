//===- ane-tblgen.cpp - Generator for the task descriptor field table -----===//
//
// The emitters register themselves; see RegisterEmitter.cpp.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Generator for the register field table\n");
  return llvm::TableGenMain(argv[0], llvm::TableGenMainFn(nullptr));
}
