//===- Compile.cpp - From a MIL file to container files -------------------===//

#include "ane/Pipeline/Compile.h"
#include "Emit.h"
#include "Generate.h"
#include "Verify.h"
#include "ane/InitAll.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Target/Target.h"

using namespace mlir;
using namespace ane;

LogicalResult ane::runPhases(ModuleOp module, const CompileOptions &options) {
  PassManager pm(module.getContext());
  if (options.printIRAfterAll)
    pm.enableIRPrinting(
        /*shouldPrintBeforePass=*/nullptr,
        [](Pass *, Operation *) { return true; },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, llvm::errs(), debugPrintingFlags());
  if (options.timing)
    pm.enableTiming();
  for (const Phase &phase : allPhases()) {
    if (!phase.addPasses)
      break;
    phase.addPasses(pm, options.phases);
    if (phase.name == options.emit)
      break;
  }
  return pm.run(module);
}

FailureOr<GeneratedProgram> ane::generate(ModuleOp module,
                                          const CompileOptions &options) {
  const TargetDescription *target = findTarget(options.phases.target);
  auto program = *module.getOps<zin::ProgramOp>().begin();
  return generateProgram(program, *target, options.format);
}

LogicalResult ane::compile(const CompileOptions &options) {
  if (failed(checkOutput(options)))
    return failure();
  std::unique_ptr<SourceProgram> source =
      SourceProgram::load(options.input, options.function);
  if (!source)
    return failure();
  ModuleOp module = source->getModule();
  // The reference must see the program as it was written.
  OwningOpRef<ModuleOp> original;
  if (options.verify)
    original = module.clone();
  if (failed(runPhases(module, options)))
    return failure();
  if (options.emit == "plist")
    return emitNetPlist(module, options);
  if (findPhase(options.emit)->addPasses)
    return emitIR(module, options);

  FailureOr<GeneratedProgram> generated = generate(module, options);
  if (failed(generated))
    return failure();
  if (options.emit == "td")
    return emitTaskDescriptors(*generated, options);
  if (options.verify)
    return verifyAndEmit(*original, std::move(*generated), options);
  return emitContainer(std::move(*generated), options);
}
