//===- Import.cpp - MIL text to mil dialect -------------------------------===//

#include "ane/Frontend/Import.h"
#include "Parse/Parser.h"
#include "Spelling.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "ane/Support/SourceDiagnostic.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

namespace {

/// Verifies op by op, so that one wrong op does not hide the next. Where the
/// text had errors that is what could be read of it, up to as many errors in
/// all.
LogicalResult verifyProgram(ModuleOp module, unsigned errors,
                            unsigned errorLimit) {
  auto count = [&](llvm::function_ref<LogicalResult()> verify) {
    if (errorLimit == 0 || errors < errorLimit)
      errors += failed(verify());
  };
  for (auto func : module.getOps<mil::FuncOp>()) {
    Block &body = func.getBody().front();
    // Without its outputs a function is none that MLIR knows.
    bool isWhole = !body.empty() && isa<mil::ReturnOp>(body.back());
    count([&] {
      return isWhole ? func->getName().verifyInvariants(func) : func.verify();
    });
    for (Operation &op : body)
      count([&] { return op.getName().verifyInvariants(&op); });
  }
  return success(errors == 0);
}

} // namespace

llvm::Error frontend::openSource(llvm::SourceMgr &sources,
                                 llvm::StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return makeFileError(
        path, 0,
        "cannot read the file: " +
            std::make_error_code(std::errc::is_a_directory).message() +
            "; compiled packages (*.mlmodelc) have a model.mil in it, others "
            "have to be compiled first");
  // IR holds weights, MIL text refers to them.
  bool isIR = path.ends_with(".mlir") || path.ends_with(".mlirbc");
  auto buffer = readInputText(path, isIR ? binaryLimit : textLimit);
  if (!buffer)
    return buffer.takeError();
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  quoteExcerpts(sources);
  return llvm::Error::success();
}

OwningOpRef<ModuleOp> frontend::importMIL(const llvm::SourceMgr &sources,
                                          MLIRContext *context,
                                          const ImportOptions &options) {
  context->getOrLoadDialect<mil::MILDialect>();
  llvm::scope_exit restore([context,
                            printsOps = context->shouldPrintOpOnDiagnostic(),
                            isThreaded = context->isMultithreadingEnabled()] {
    context->printOpOnDiagnostic(printsOps);
    context->enableMultithreading(isThreaded);
  });
  // A diagnostic shows the line of text; the op it became says nothing more.
  context->printOpOnDiagnostic(false);
  // Attributes are made in one thread. A context in which others may make some
  // as well looks each of them up three times, twice under a lock.
  context->disableMultithreading();

  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  Parser parser(buffer->getBuffer(), buffer->getBufferIdentifier(), context,
                options);
  OwningOpRef<ModuleOp> module = parser.parseProgram();
  if (buffer->getBuffer().ends_with('\n'))
    (*module)->setAttr(finalNewlineAttrName, UnitAttr::get(context));
  unsigned errors = parser.getNumErrors();
  if (options.verify &&
      failed(verifyProgram(*module, errors, options.errorLimit)))
    return nullptr;
  return errors == 0 ? std::move(module) : nullptr;
}
