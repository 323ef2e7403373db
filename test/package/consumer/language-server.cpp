//===- language-server.cpp - MLIR's language server, with the dialects ----===//

#include "ane/InitAll.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ane::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
