//===- embed.cpp - The compiler as a part of another program --------------===//
//
// usage: embed MODEL.mil OUTPUT.hwx
//
// Compiles MIL text as ane-compile does, with two passes of its own: one over
// the ops of MIL, before they become layers, one over the layers.
//
//===----------------------------------------------------------------------===//

#include "ane/Codegen/Codegen.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Frontend/Import.h"
#include "ane/InitAll.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Writer.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Support/FileError.h"
#include "ane/Target/Target.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {

#include "Rewrites.inc"

/// A pass over functions of MIL, whose patterns come from Rewrites.td.
struct ClipRelus : PassWrapper<ClipRelus, OperationPass<ane::mil::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ClipRelus)

  StringRef getArgument() const override { return "embed-clip-relus"; }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

/// A pass over layers.
struct ListLayers
    : PassWrapper<ListLayers, OperationPass<ane::zin::ProcedureOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ListLayers)

  StringRef getArgument() const override { return "embed-list-layers"; }

  void runOnOperation() override {
    getOperation().walk([](ane::zin::UnitOp layer) {
      llvm::outs() << "layer: " << *layer << '\n';
    });
    markAllAnalysesPreserved();
  }
};

/// The project's phases, with the passes from above behind two of them.
void buildPipeline(OpPassManager &pm) {
  for (const ane::Phase &phase : ane::allPhases()) {
    if (!phase.isIR())
      continue;
    phase.addPasses(pm, ane::PhaseOptions());
    if (phase.kind == ane::PhaseKind::MIL)
      pm.addNestedPass<ane::mil::FuncOp>(std::make_unique<ClipRelus>());
    if (phase.kind == ane::PhaseKind::Zin)
      pm.addNestedPass<ane::zin::ProcedureOp>(std::make_unique<ListLayers>());
  }
}

LogicalResult report(llvm::Error error, StringRef path) {
  if (!error)
    return success();
  ane::reportErrors(std::move(error), path);
  return failure();
}

LogicalResult compile(StringRef input, StringRef output) {
  DialectRegistry registry;
  ane::registerAllDialects(registry);
  MLIRContext context(registry);

  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  if (failed(report(ane::frontend::openSource(sources, input), input)))
    return failure();
  OwningOpRef<ModuleOp> module = ane::frontend::importMIL(sources, &context);
  if (!module)
    return failure();

  PassManager pm(&context);
  buildPipeline(pm);
  if (failed(pm.run(*module)))
    return failure();

  // The container refers to constants of the IR until it is written.
  FailureOr<ane::GeneratedProgram> program = ane::generatePrograms(
      llvm::to_vector(module->getOps<ane::zin::ProgramOp>()),
      *ane::findTarget("h13"), ane::td::Format::V10);
  if (failed(program))
    return failure();
  llvm::Expected<ane::object::Object> container =
      ane::object::layoutObject(std::move(program->container));
  if (!container)
    return report(container.takeError(), input);
  return report(ane::object::writeObject(*container, output), output);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return llvm::errs() << "usage: embed MODEL.mil OUTPUT.hwx\n", 2;
  return failed(compile(argv[1], argv[2])) ? 1 : 0;
}
