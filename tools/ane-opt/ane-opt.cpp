//===- ane-opt.cpp - Run passes -------------------------------------------===//

#include "ane/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

namespace {

/// Weights make IR unreadable, so standard output has them elided unless the
/// user says how much to show. A file is whole.
constexpr llvm::StringLiteral elideFlag =
    "mlir-elide-resource-strings-if-larger";
constexpr const char *elideByDefault =
    "--mlir-elide-resource-strings-if-larger=1024";

/// Whether arguments say `-o FILE`, in a form that the option parser takes.
bool hasOutputFile(llvm::ArrayRef<char *> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef arg(args[i]);
    if (arg == "--")
      break;
    if (!arg.consume_front("-"))
      continue;
    arg.consume_front("-");
    if (arg == "o" && i + 1 < args.size())
      return llvm::StringRef(args[i + 1]) != "-";
    if (arg.consume_front("o="))
      return arg != "-";
  }
  return false;
}

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
  if (!isGiven && !hasOutputFile(args))
    args.insert(args.begin() + 1, const_cast<char *>(elideByDefault));
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      args.size(), args.data(),
      "Runs passes on the dialects of ane-mlir, in textual IR or bytecode",
      registry));
}
