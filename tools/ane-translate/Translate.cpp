//===- Translate.cpp - Between MIL text and IR ----------------------------===//

#include "Translate.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/Frontend/Bytecode.h"
#include "ane/Frontend/Export.h"
#include "ane/Frontend/ExportWeights.h"
#include "ane/Frontend/Import.h"
#include "ane/InitAll.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FilePlan.h"
#include "ane/Support/OutputFile.h"
#include "ane/Support/SourceDiagnostic.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ane;
using namespace ane::translate;

namespace {

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

/// Opens `path` for diagnostics that show the line; false after reporting that
/// it cannot be read, or that the output would replace it.
bool open(llvm::SourceMgr &sources, const std::string &path,
          const Options &options, FilePlan &files) {
  llvm::Error error = frontend::openSource(sources, path);
  files.addInput(path, "the input");
  if (!error)
    error = files.addOutput(options.outputPath, "-o");
  if (!error)
    return true;
  reportErrors(std::move(error), path);
  return false;
}

llvm::Error writeIR(ModuleOp module, const Options &options,
                    llvm::raw_ostream &os) {
  if (options.emitBytecode ||
      StringRef(options.outputPath).ends_with(".mlirbc")) {
    if (failed(writeBytecodeToFile(module, os)))
      return makeFileError(options.outputPath, 0, "cannot write bytecode");
    return llvm::Error::success();
  }
  OpPrintingFlags flags;
  flags.enableDebugInfo(options.printLocations);
  module.print(os, flags);
  return llvm::Error::success();
}

/// The path of the weight file below the folder of the output, with slashes.
std::string weightFileBelow(llvm::StringRef weightsPath) {
  llvm::SmallString<128> path(weightsPath);
  if (!path.ends_with(".bin"))
    llvm::sys::path::append(path, "weight.bin");
  llvm::sys::path::remove_dots(path);
  return std::string(path);
}

/// Where the weights go, beside the text. Refuses the place of another file.
llvm::Expected<std::string>
planWeights(const std::string &below, const Options &options, FilePlan &files) {
  llvm::SmallString<128> path =
      llvm::sys::path::parent_path(options.outputPath);
  llvm::sys::path::append(path, below);
  for (llvm::StringRef folder = llvm::sys::path::parent_path(path);
       !folder.empty(); folder = llvm::sys::path::parent_path(folder))
    if (isSamePlace(folder, options.outputPath))
      return makeFileError(path, 0,
                           "the folder of the weights would have the name of "
                           "the text; choose another name with --weights");
  if (llvm::Error error = files.addOutput(path, "--weights"))
    return error;
  return std::string(path);
}

/// Writes the weights, and makes their folder.
llvm::Error writeWeights(const frontend::WeightFile &weights,
                         llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  std::error_code code;
  if (!folder.empty())
    code = makeFolder(folder);
  if (code)
    return makeFileError(path, 0, "cannot make its folder: " + code.message());
  return writeOutputFile(path, [&](llvm::raw_ostream &os) {
    weights.write(os);
    return llvm::Error::success();
  });
}

} // namespace

bool translate::isBelow(llvm::StringRef path) {
  return !llvm::sys::path::is_absolute(path) &&
         !llvm::is_contained(llvm::make_range(llvm::sys::path::begin(path),
                                              llvm::sys::path::end(path)),
                             "..");
}

LogicalResult translate::importProgram(const Options &options) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  FilePlan files;
  if (!open(sources, options.importPath, options, files))
    return failure();
  frontend::ImportOptions importOptions;
  importOptions.errorLimit = options.errorLimit;
  if (options.verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler verifier(sources, &context);
    (void)frontend::importMIL(sources, &context, importOptions);
    return verifier.verify();
  }

  SourceMgrDiagnosticHandler handler(sources, &context, printableErrors());
  OwningOpRef<ModuleOp> module =
      frontend::importMIL(sources, &context, importOptions);
  if (!module)
    return failure();
  if (llvm::Error error = mil::addWeightFiles(*module, /*modelPath=*/"", files))
    return reported(std::move(error), options.outputPath);
  return reported(writeOutputFile(options.outputPath,
                                  [&](llvm::raw_ostream &os) {
                                    return writeIR(*module, options, os);
                                  }),
                  options.outputPath);
}

LogicalResult translate::exportProgram(const Options &options) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  FilePlan files;
  if (!open(sources, options.exportPath, options, files))
    return failure();
  if (failed(frontend::checkBytecode(
          *sources.getMemoryBuffer(sources.getMainFileID()),
          context.getDialectRegistry())))
    return failure();
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler handler(sources, &context, printableErrors());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return failure();
  std::string below = weightFileBelow(options.weightsPath);
  frontend::WeightFile weights("@model_path/" + below);
  std::string weightsPath;
  if (!options.weightsPath.empty()) {
    llvm::Expected<std::string> path = planWeights(below, options, files);
    if (!path)
      return reported(path.takeError(), options.outputPath);
    weightsPath = *path;
    if (failed(frontend::moveWeights(*module, weights)))
      return failure();
  }
  bool isReported = false;
  llvm::Error error = writeOutputFile(
      options.outputPath,
      [&](llvm::raw_ostream &os) -> llvm::Error {
        if (succeeded(frontend::exportMIL(*module, os)))
          return llvm::Error::success();
        isReported = true;
        return llvm::createStringError("not exported");
      },
      // The text appears after the weights.
      [&] {
        return weights.empty() ? llvm::Error::success()
                               : writeWeights(weights, weightsPath);
      });
  if (!isReported)
    return reported(std::move(error), options.outputPath);
  llvm::consumeError(std::move(error));
  return failure();
}
