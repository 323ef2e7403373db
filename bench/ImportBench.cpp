//===- ImportBench.cpp - How fast MIL text becomes IR ---------------------===//
//
// For each program: the time in which the front end reads and verifies its
// text, the time in which MLIR's own parser, that of ane-opt, reads and
// verifies the same program as textual IR, and the time that mlir-opt takes to
// parse it in generic form. The first two run in this process, one after the
// other, in a fresh context; the least processor time of several runs counts.
//
//===----------------------------------------------------------------------===//

#include "MlirOpt.h"
#include "Programs.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/Import.h"
#include "ane/InitAll.h"
#include "ane/Support/FileError.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <CLI/CLI.hpp>
#include <ctime>
#include <functional>

using namespace mlir;
using namespace ane;

namespace {

struct Result {
  size_t numOps = 0;
  double import = 0;  ///< seconds
  double parse = 0;   ///< seconds of MLIR's parser
  double mlirOpt = 0; ///< seconds of mlir-opt's parser
};

using Reader = std::function<OwningOpRef<ModuleOp>(const llvm::SourceMgr &,
                                                   MLIRContext *)>;

OwningOpRef<ModuleOp> importText(const llvm::SourceMgr &sources,
                                 MLIRContext *context) {
  return frontend::importMIL(sources, context);
}

OwningOpRef<ModuleOp> parseIR(const llvm::SourceMgr &sources,
                              MLIRContext *context) {
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

/// Reads a text in a new context and gives the module to `use`. The seconds of
/// processor time that reading took; exits after diagnostics if it fails.
double read(const Reader &reader, llvm::StringRef text,
            llvm::function_ref<void(ModuleOp)> use) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The argument alone leaves the tables of the context with their locks.
  context.disableMultithreading();
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "input"),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::clock_t start = std::clock();
  OwningOpRef<ModuleOp> module = reader(sources, &context);
  double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
  if (!module)
    std::exit(1);
  use(*module);
  return taken;
}

Result measure(llvm::StringRef text, unsigned runs) {
  Result result;
  std::string ir, genericIR;
  read(importText, text, [&](ModuleOp module) {
    module.walk([&](Operation *op) { result.numOps += isa<mil::MILOp>(op); });
    module.walk([&](mil::ConstOp) { ++result.numOps; });
    llvm::raw_string_ostream os(ir);
    module.print(os);
    llvm::raw_string_ostream genericOs(genericIR);
    module.print(genericOs, OpPrintingFlags().printGenericOpForm());
  });
  result.import = result.parse = std::numeric_limits<double>::infinity();
  auto ignore = [](ModuleOp) {};
  for (unsigned i = 0; i < runs; ++i) {
    result.import = std::min(result.import, read(importText, text, ignore));
    result.parse = std::min(result.parse, read(parseIR, ir, ignore));
  }
  result.mlirOpt = llvm::ExitOnError("ane-bench-import: ")(
      bench::timeMlirOpt(genericIR, runs));
  return result;
}

Result report(llvm::StringRef name, llvm::StringRef text, unsigned runs) {
  Result result = measure(text, runs);
  double size = text.size() / 1e6;
  llvm::outs() << llvm::formatv(
      "| {0} | {1:f2} | {2:N} | {3:f1} | {4:f1} | {5:N0} | {6:f1} | {7:N0} | "
      "{8:f1} | {9:f1} | {10:f1} |\n",
      name, size, result.numOps, result.import * 1e3, size / result.import,
      size_t(result.numOps / result.import), result.parse * 1e3,
      size_t(result.numOps / result.parse), result.parse / result.import,
      result.mlirOpt * 1e3, result.mlirOpt / result.import);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Measures how fast MIL text becomes IR, beside MLIR's parser, "
               "and prints a table in Markdown.",
               "ane-bench-import");
  unsigned runs = 7;
  std::vector<std::string> files;
  app.add_option("--runs", runs, "Runs of which the fastest counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("models", files, "MIL text beside the generated programs");
  CLI11_PARSE(app, argc, argv);

  llvm::outs() << "| program | MB | ops | import ms | MB/s | ops/s | MLIR ms | "
                  "MLIR ops/s | ratio | mlir-opt ms | ratio |\n"
                  "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const std::string &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      reportErrors(makeFileError(path, 0, buffer.getError().message()), path);
      return 1;
    }
    report(llvm::sys::path::filename(path), (*buffer)->getBuffer(), runs);
  }
  report("generated, a literal of 100 MB", bench::makeLiteral(100'000'000), 2);
  Result small =
      report("generated, 10,000 ops", bench::makeChain(10'000), runs);
  Result large =
      report("generated, 100,000 ops", bench::makeChain(100'000), runs);

  llvm::outs() << llvm::formatv(
      "\n10 times the ops take {0:f1} times the time to import, {1:f1} times "
      "to parse.\n",
      large.import / small.import, large.parse / small.parse);
  return 0;
}
