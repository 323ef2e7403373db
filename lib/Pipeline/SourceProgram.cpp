//===- SourceProgram.cpp - A MIL file as IR -------------------------------===//

#include "ane/Pipeline/SourceProgram.h"
#include "ane/Frontend/Import.h"
#include "ane/InitAll.h"
#include "ane/Support/FileError.h"
#include "ane/Support/SourceDiagnostic.h"

using namespace mlir;
using namespace ane;

namespace {

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

/// The functions of a program, for an error message.
std::string listFunctions(ModuleOp module) {
  std::string names;
  for (auto func : module.getOps<mil::FuncOp>())
    names += (names.empty() ? "" : ", ") + func.getName().str();
  return names;
}

/// Leaves the function that is named, or the only one.
LogicalResult selectFunction(ModuleOp module, const std::string &name,
                             bool allowSeveral) {
  auto functions = llvm::to_vector(module.getOps<mil::FuncOp>());
  if (name.empty() &&
      (functions.size() == 1 || (allowSeveral && !functions.empty())))
    return success();
  auto chosen = llvm::find_if(
      functions, [&](mil::FuncOp func) { return func.getName() == name; });
  if (functions.empty())
    return module.emitError() << "the program has no function";
  if (chosen == functions.end())
    return module.emitError()
           << (name.empty()
                   ? "the program has several functions; choose one with "
                     "--function: "
                   : "there is no function '" + name + "'; there are: ")
           << listFunctions(module);
  for (mil::FuncOp func : functions)
    if (func != *chosen)
      func.erase();
  return success();
}

} // namespace

SourceProgram::SourceProgram()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      diagnostics(sources, &context) {
  context.loadAllAvailableDialects();
  // The line of text, which is shown, tells a user more than the op in the IR.
  context.printOpOnDiagnostic(false);
}

std::unique_ptr<SourceProgram> SourceProgram::load(const std::string &path,
                                                   const std::string &function,
                                                   bool allowSeveral) {
  std::unique_ptr<SourceProgram> program(new SourceProgram());
  if (llvm::Error error = frontend::openSource(program->sources, path)) {
    reportErrors(std::move(error), path);
    return nullptr;
  }
  program->module = frontend::importMIL(program->sources, &program->context);
  if (!program->module ||
      failed(selectFunction(*program->module, function, allowSeveral)))
    return nullptr;
  return program;
}

std::unique_ptr<SourceProgram>
SourceProgram::parse(std::unique_ptr<llvm::MemoryBuffer> text) {
  std::unique_ptr<SourceProgram> program(new SourceProgram());
  program->sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  quoteExcerpts(program->sources);
  program->module = frontend::importMIL(program->sources, &program->context);
  if (!program->module ||
      failed(selectFunction(*program->module, "", /*allowSeveral=*/false)))
    return nullptr;
  return program;
}
