//===- ane-opt.cpp - Run passes -------------------------------------------===//

#include "ane/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

namespace {

/// Weights make IR unreadable, so they are elided unless the user says how much
/// to show.
constexpr llvm::StringLiteral elideFlag =
    "mlir-elide-resource-strings-if-larger";
constexpr const char *elideByDefault =
    "--mlir-elide-resource-strings-if-larger=1024";

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ane::registerAllDialects(registry);
  ane::registerAllPasses();
  mlir::registerTransformsPasses();

  llvm::SmallVector<char *> args(argv, argv + argc);
  bool isGiven = llvm::any_of(llvm::drop_begin(args), [](llvm::StringRef arg) {
    return arg.ltrim('-').starts_with(elideFlag);
  });
  if (!isGiven)
    args.insert(args.begin() + 1, const_cast<char *>(elideByDefault));
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      args.size(), args.data(),
      "Runs passes on the dialects of ane-mlir, in textual IR or bytecode",
      registry));
}
