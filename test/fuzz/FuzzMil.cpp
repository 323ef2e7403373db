//===- FuzzMil.cpp - Any text through the MIL front end -------------------===//
//
// Imports the input as MIL text. What is accepted must verify, print as text
// that is accepted again, and print the same from there. What is not accepted
// must have been reported.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/Export.h"
#include "ane/Frontend/Import.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ane;
using fuzz::fail;

namespace {

OwningOpRef<ModuleOp> import(MLIRContext *context, llvm::StringRef text,
                             unsigned &numErrors) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    numErrors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    // Formatting is part of what is tested.
    (void)diagnostic.str();
    return success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, "input.mil",
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  return frontend::importMIL(sources, context);
}

std::string print(ModuleOp module, llvm::StringRef source) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(frontend::exportMIL(module, os)))
    fail("a program that was imported is not exported", source);
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef source(reinterpret_cast<const char *>(data), size);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<mil::MILDialect>();

  unsigned numErrors = 0;
  OwningOpRef<ModuleOp> module = import(&context, source, numErrors);
  if (!module) {
    if (numErrors == 0)
      fail("a program was refused without an error", source);
    return 0;
  }
  if (numErrors != 0)
    fail("a program was accepted with an error", source);
  if (failed(verify(*module)))
    fail("a program that was imported does not verify", source);

  std::string first = print(*module, source);
  OwningOpRef<ModuleOp> again = import(&context, first, numErrors);
  if (!again)
    fail("what was exported is not imported", first);
  std::string second = print(*again, first);
  if (first != second)
    fail("the second export differs from the first", first + "\n" + second);
  return 0;
}
