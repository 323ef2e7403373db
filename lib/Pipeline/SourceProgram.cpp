//===- SourceProgram.cpp - A MIL file as IR -------------------------------===//

#include "ane/Pipeline/SourceProgram.h"
#include "ane/Frontend/Bytecode.h"
#include "ane/Frontend/Import.h"
#include "ane/InitAll.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Support/FileError.h"
#include "ane/Support/SourceDiagnostic.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ane;

namespace {

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

StringRef nameOf(Operation *function) {
  return SymbolTable::getSymbolName(function);
}

/// Leaves the function that is named, or the only one. What a function became
/// in a later phase has its name.
LogicalResult selectFunction(ModuleOp module, const std::string &name,
                             bool allowSeveral) {
  SmallVector<Operation *> functions;
  for (Operation &op : *module.getBody())
    functions.push_back(&op);
  if (name.empty() &&
      (functions.size() == 1 || (allowSeveral && !functions.empty())))
    return success();
  auto *chosen = llvm::find_if(
      functions, [&](Operation *func) { return nameOf(func) == name; });
  if (functions.empty())
    return module.emitError() << "the program has no function";
  if (chosen == functions.end())
    return module.emitError()
           << (name.empty()
                   ? "the program has several functions; choose one with "
                     "--function: "
                   : "there is no function '" + name + "'; there are: ")
           << llvm::join(llvm::map_range(functions, nameOf), ", ");
  for (Operation *func : functions)
    if (func != *chosen)
      func->erase();
  return success();
}

/// Whether a file holds IR instead of MIL text.
bool isIR(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

/// Gives what a function returns names, by which the host asks for it: IR may
/// have none, and results of ops with blocks never do.
void nameOutputs(mil::FuncOp func) {
  llvm::StringSet<> taken;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    taken.insert(func.getParameterName(i));
  Block &body = func.getBody().front();
  for (Operation &op : body)
    for (OpResult result : op.getResults())
      taken.insert(mil::getResultName(result));
  for (OpOperand &output : body.getTerminator()->getOpOperands()) {
    auto result = dyn_cast<OpResult>(output.get());
    if (!result || !mil::getResultName(result).empty())
      continue;
    std::string name;
    unsigned number = output.getOperandNumber();
    do
      name = "output_" + llvm::utostr(number++);
    while (!taken.insert(name).second);
    Operation *op = result.getOwner();
    if (isa<mil::CondOp, mil::WhileLoopOp>(op)) {
      OpBuilder builder(body.getTerminator());
      Value named = mil::IdentityOp::create(
          builder, op->getLoc(), result.getType(), result,
          /*label=*/std::nullopt, /*result_names=*/name);
      result.replaceUsesWithIf(named, [&](OpOperand &use) {
        return use.getOwner() == output.getOwner();
      });
      continue;
    }
    SmallVector<std::string> names(mil::getResultNames(op));
    names.resize(op->getNumResults());
    names[result.getResultNumber()] = name;
    mil::setResultNames(op, names);
  }
}

OwningOpRef<ModuleOp> readIR(llvm::SourceMgr &sources, MLIRContext *context) {
  llvm::MemoryBufferRef text =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (failed(frontend::checkBytecode(text, context->getDialectRegistry())))
    return nullptr;
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  if (!module)
    return module;
  for (auto func : module->getOps<mil::FuncOp>())
    nameOutputs(func);
  if (phaseOf(*module))
    return module;
  module->emitError() << "expected functions of MIL, procedures of layers or "
                         "programs of tasks, of one kind";
  return nullptr;
}

} // namespace

SourceProgram::SourceProgram()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      diagnostics(sources, &context, printableErrors()) {
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
  program->module =
      isIR(path) ? readIR(program->sources, &program->context)
                 : frontend::importMIL(program->sources, &program->context);
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
