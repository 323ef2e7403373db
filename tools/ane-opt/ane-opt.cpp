//===- ane-opt.cpp - Run passes -------------------------------------------===//

#include "ane/Frontend/Bytecode.h"
#include "ane/InitAll.h"
#include "ane/Support/FileError.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

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

/// Whether MLIR's reader survives a file; false after reporting that it does
/// not. What cannot be opened is for the reader to tell, and streams cannot be
/// read twice.
bool isSafeToRead(llvm::StringRef path, const mlir::DialectRegistry &registry) {
  if (!llvm::sys::fs::is_regular_file(path))
    return true;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return true;
  llvm::Error error = ane::frontend::checkBytecode(**file, registry);
  bool isSafe = !error;
  if (error)
    ane::reportErrors(std::move(error), path);
  return isSafe;
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
  auto [input, output] = mlir::registerAndParseCLIOptions(
      args.size(), args.data(),
      "Runs passes on the dialects of ane-mlir, in textual IR or bytecode",
      registry);
  if (!isSafeToRead(input, registry))
    return EXIT_FAILURE;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(args.size(), args.data(), input, output, registry));
}
