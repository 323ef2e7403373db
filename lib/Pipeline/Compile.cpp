//===- Compile.cpp - From a MIL file to container files -------------------===//

#include "ane/Pipeline/Compile.h"
#include "Generate.h"
#include "Output/DumpPhases.h"
#include "Output/Emit.h"
#include "Output/WidthSlices.h"
#include "Output/WriteReport.h"
#include "Partition/CutProgram.h"
#include "ProgramOptions.h"
#include "Verify/Verify.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/InitAll.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Target/Target.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;

/// A step of the compilation, as long as the scope lives.
static TimingScope timeStep(const CompileOptions &options, StringRef name) {
  return options.watch.timer ? options.watch.timer->nest(name) : TimingScope();
}

namespace {

/// Begins to name the kernels of a program behind the last pass that changes
/// them.
class BeginNames : public PassInstrumentation {
public:
  explicit BeginNames(NameAhead &ahead) : ahead(ahead) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    auto program = dyn_cast<zin::ProgramOp>(op);
    if (program && pass->getArgument() == "zin-compress-kernels")
      ahead.begin(program);
  }

private:
  NameAhead &ahead;
};

} // namespace

static void watch(PassManager &pm, const WatchOptions &options) {
  // Each verification walks the whole program: with one after each pass it
  // would be a large part of the compilation of a large one.
  pm.enableVerifier(options.verifyEach);
  if (options.printIRAfterAll)
    pm.enableIRPrinting(
        /*shouldPrintBeforePass=*/nullptr,
        [](Pass *, Operation *) { return true; },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, llvm::errs(), debugPrintingFlags());
  if (!options.crashReproducer.empty())
    pm.enableCrashReproducerGeneration(options.crashReproducer,
                                       /*genLocalReproducer=*/true);
}

/// Whether somebody but passes reads what a phase makes: it is written down, or
/// code is generated from it. A verification walks the whole program, and what
/// passes take up is covered by that of what they make.
static bool isReadAsItIs(const Phase &phase, const CompileOptions &options) {
  const Phase *last = nullptr;
  for (const Phase &each : allPhases()) {
    if (each.isIR())
      last = &each;
    if (each.kind == options.emit)
      break;
  }
  return &phase == last || !dumpPath(phase, options).empty();
}

/// Runs the passes of a phase and verifies what is read of what they made.
static LogicalResult runPhase(const Phase &phase, ModuleOp module,
                              const CompileOptions &options, NameAhead *ahead) {
  std::string title = ("'" + phase.name + "' Pipeline").str();
  TimingScope scope = timeStep(options, title);
  PassManager pm(module.getContext());
  watch(pm, options.watch);
  pm.enableTiming(scope);
  if (options.watch.counts)
    options.watch.counts->watch(pm, title);
  if (ahead)
    pm.addInstrumentation(std::make_unique<BeginNames>(*ahead));
  phase.addPasses(pm, options.phases);
  // What was read is verified already.
  if (pm.empty())
    return success();
  unsigned errors = 0;
  ScopedDiagnosticHandler counting(
      module.getContext(), [&](Diagnostic &diagnostic) {
        errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure(); // others report it
      });
  if (failed(pm.run(module))) {
    // Nobody is left without a reason.
    if (errors == 0)
      module.emitError() << "the phase '" << phase.name
                         << "' failed without a reason; this is a defect of "
                            "the compiler";
    return failure();
  }
  if (!isReadAsItIs(phase, options))
    return success();
  TimingScope verification = scope.nest("Verification");
  return verify(module);
}

LogicalResult ane::runPhases(ModuleOp module, const CompileOptions &options,
                             const std::function<void(ModuleOp)> &lookAtLayers,
                             NameAhead *ahead) {
  const Phase *reached = phaseOf(module), *first = allPhases().begin();
  for (const Phase &phase : allPhases()) {
    if (phase.isCode())
      break;
    // Shapes of MIL are bound in its own phase, of layers before.
    bool isReached = reached && reached != first && &phase <= reached;
    if (isReached && &phase != reached)
      continue;
    if (!isReached && phase.isIR() &&
        failed(runPhase(phase, module, options, ahead)))
      return failure();
    if (failed(dumpPhase(phase, module, options)))
      return failure();
    if (lookAtLayers && phase.kind == PhaseKind::Zin)
      lookAtLayers(module);
    if (phase.kind == options.emit)
      break;
  }
  return success();
}

FailureOr<GeneratedProgram> ane::generate(ModuleOp module,
                                          const CompileOptions &options,
                                          NameAhead *ahead) {
  TimingScope scope = timeStep(options, "Code generation");
  const TargetDescription *target =
      findTargetFor(module, options.phases.target);
  if (!target)
    return failure();
  const Phase &listing = getPhase(PhaseKind::TaskDescriptors);
  bool keepsTasks = options.emit == listing.kind || !options.report.empty() ||
                    !dumpPath(listing, options).empty();
  FailureOr<GeneratedProgram> program =
      generatePrograms(llvm::to_vector(module.getOps<zin::ProgramOp>()),
                       *target, options.format, keepsTasks, ahead);
  if (succeeded(program) && failed(dumpTaskDescriptors(*program, options)))
    return failure();
  return program;
}

/// Compiles a program that the engine runs alone. `original` is what it was
/// before, if `--verify` needs that.
static LogicalResult compileWhole(ModuleOp module, ModuleOp original,
                                  const CompileOptions &options,
                                  FilePlan &plan) {
  std::optional<ReportWriter> report;
  std::function<void(ModuleOp)> lookAtLayers;
  if (!options.report.empty()) {
    report.emplace(module);
    lookAtLayers = [&](ModuleOp layers) {
      report->lookAtLayers(layers, options.inputRanges);
    };
  }
  const Phase &phase = getPhase(options.emit);
  NameAhead ahead;
  if (failed(runPhases(module, options, lookAtLayers,
                       phase.isCode() ? &ahead : nullptr)))
    return failure();
  if (!phase.isCode()) {
    TimingScope scope = timeStep(options, "Output");
    return phase.isIR() ? emitIR(module, options)
                        : emitNetPlist(module, options);
  }

  warnOfWidthSlices(module);
  FailureOr<GeneratedProgram> generated = generate(module, options, &ahead);
  if (failed(generated))
    return failure();
  std::optional<report::Report> costs;
  if (report)
    costs = report->make(module, *generated, options);
  auto withReport = [&](llvm::function_ref<LogicalResult()> emit) {
    return costs ? writeReport(*costs, options, emit) : emit();
  };
  TimingScope scope = timeStep(
      options, options.verify ? "Output and its verification" : "Output");
  if (options.emit == PhaseKind::TaskDescriptors)
    return withReport([&] { return emitTaskDescriptors(*generated, options); });
  FailureOr<object::Object> container = layout(*generated, options);
  if (failed(container))
    return failure();
  std::vector<e5::Descriptor> descriptors = descriptorsOf(*generated);
  if (failed(planDescriptors(descriptors, options, plan)))
    return failure();
  if (options.verify &&
      failed(verifyFiles(original, *container, descriptors, options)))
    return failure();
  return withReport([&] {
    return options.emit == PhaseKind::Firmware
               ? emitFirmware(*container, options)
               : writeFiles(*container, std::move(descriptors), options);
  });
}

/// Refuses what is no longer possible with IR that has left MIL behind.
static LogicalResult checkReached(ModuleOp module,
                                  const CompileOptions &options) {
  const Phase *reached = phaseOf(module);
  if (!reached || reached == allPhases().begin())
    return success();
  if (options.emit < reached->kind)
    return module.emitError()
           << "the program is IR of the phase '" << reached->name
           << "' already; --emit=" << getPhase(options.emit).name
           << " comes before it";
  if (StringRef option = optionOfMIL(options); !option.empty())
    return module.emitError()
           << "the program is IR of the phase '" << reached->name
           << "' already; " << option << " is for MIL";
  return success();
}

/// Refuses bounds of what is no input of floats.
static LogicalResult checkInputRanges(ModuleOp module,
                                      const CompileOptions &options) {
  SmallVector<StringRef> inputs;
  for (auto func : module.getOps<mil::FuncOp>())
    for (BlockArgument argument : func.getArguments())
      if (Type element = getElementTypeOrSelf(argument);
          element.isF16() || element.isF32())
        inputs.push_back(func.getParameterName(argument.getArgNumber()));
  for (const InputRange &range : options.inputRanges)
    if (!llvm::is_contained(inputs, range.name))
      return module.emitError()
             << "there is no input '" << range.name
             << "' of floats to give a range; inputs of floats are: "
             << llvm::join(inputs, ", ");
  return success();
}

/// Keeps a program until the process ends, where leak checkers see it.
static void leave(std::unique_ptr<SourceProgram> source) {
  static auto *kept = new std::vector<std::unique_ptr<SourceProgram>>();
  kept->push_back(std::move(source));
}

/// Reads and compiles a program.
static LogicalResult compileFile(CompileOptions options) {
  FailureOr<FilePlan> plan = planFiles(options);
  if (failed(plan) || failed(makeDumpFolder(options)))
    return failure();
  TimingScope reading = timeStep(options, "Import");
  std::unique_ptr<SourceProgram> source = SourceProgram::load(
      options.input, options.function,
      /*allowSeveral=*/!getPhase(options.emit).hasOneProcedure());
  reading.stop();
  if (!source)
    return failure();
  llvm::scope_exit leaving([&] {
    if (options.leavesMemory)
      leave(std::move(source));
  });
  ModuleOp module = source->getModule();
  if (failed(checkReached(module, options)) ||
      failed(checkInputRanges(module, options)) ||
      failed(planWeights(module, options, *plan)) ||
      failed(removeDumps(options)))
    return failure();
  // Which tables to use is for who compiles the description of a network.
  if (options.emit == PhaseKind::NetPlist)
    options.phases.sigmoid = SigmoidTables::Table;
  // The reference must see the program as it was written.
  OwningOpRef<ModuleOp> original;
  if (options.verify)
    original = module.clone();
  if (options.partition) {
    FailureOr<std::optional<CutProgram>> cut = cutProgram(module, options);
    if (failed(cut))
      return failure();
    if (*cut)
      return emitCutProgram(std::move(**cut), original.get(), options, *plan);
  }
  // What runs whole is what it is without the option.
  options.partition = false;
  return compileWhole(module, original.get(), options, *plan);
}

LogicalResult ane::compile(const CompileOptions &options) {
  DefaultTimingManager manager;
  manager.setEnabled(options.watch.timing);
  TimingScope total = manager.getRootScope();
  CompileOptions own = options;
  own.watch.timer = &total;
  if (!options.watch.statistics)
    return compileFile(std::move(own));
  StatisticsReport counts;
  own.watch.counts = &counts;
  LogicalResult result = compileFile(std::move(own));
  counts.print(*llvm::CreateInfoOutputFile(), PassDisplayMode::List);
  return result;
}
