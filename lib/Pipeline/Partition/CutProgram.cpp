//===- CutProgram.cpp - Programs for engine and processor -----------------===//

#include "Partition/CutProgram.h"
#include "DiagnosticLog.h"
#include "Output/WidthSlices.h"
#include "Partition/FindFallen.h"
#include "ane/Reference/Interpreter.h"
#include "ane/Support/Constraint.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ane;
using mil::Processor;

namespace {

constexpr llvm::StringLiteral denseBuffers =
    "' is a tensor_buffer, but the program is cut: segments pass dense tensors "
    "of the host, and no layout that the program states is kept";

class ProgramCutter {
public:
  ProgramCutter(ModuleOp module, const CompileOptions &options,
                const TargetDescription &target)
      : original(module), options(options), target(target) {
    trial.watch = {};
    if (!getPhase(trial.emit).isCode())
      trial.emit = PhaseKind::Container;
  }

  FailureOr<std::optional<CutProgram>> run();

private:
  LogicalResult prepareSource();
  /// Compiles what a cut gives to the engine.
  LogicalResult compileEngine();
  LogicalResult cutUntilItCompiles(FallenFinder &fallen);
  /// Whether a refusal is one that no cut helps against.
  bool isFinal(const DiagnosticLog &log) const;
  LogicalResult checkCut();
  LogicalResult checkRounding();
  LogicalResult checkValue(Value value);
  void report(const mil::FallenOps &fallen);
  /// Says that tensors cross between segments without a layout.
  void reportBuffers();
  ConstraintId id(StringRef constraint) const {
    return ConstraintId(target.rule(constraint));
  }
  mil::FuncOp func() { return *result.source->getOps<mil::FuncOp>().begin(); }

  ModuleOp original;
  const CompileOptions &options;
  CompileOptions trial = options;
  const TargetDescription &target;
  CutProgram result;
};

} // namespace

OwningOpRef<ModuleOp>
ane::makeSegmentModule(const mil::FunctionSegments &cut,
                       llvm::function_ref<bool(size_t)> isWanted) {
  mil::FuncOp func = cut.func;
  OwningOpRef<ModuleOp> module = ModuleOp::create(func.getLoc());
  if (Attribute version =
          func->getParentOp()->getAttr(mil::MILDialect::versionAttrName))
    (*module)->setAttr(mil::MILDialect::versionAttrName, version);
  for (auto [index, segment] : llvm::enumerate(cut.segments)) {
    if (!isWanted(index))
      continue;
    mil::FuncOp made = mil::makeSegmentFunction(
        cut, segment, (func.getName() + "_" + Twine(index)).str(), *module);
    made->setLoc(segmentLocation(func, index));
  }
  return module;
}

std::optional<e5::TensorDataType> ane::hostTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      tensor.getRank() > mil::mostHostDims ||
      llvm::is_contained(tensor.getShape(), 0))
    return std::nullopt;
  return hostElementType(tensor.getElementType());
}

OwningOpRef<ModuleOp> ane::makeEngineModule(const mil::FunctionSegments &cut) {
  return makeSegmentModule(cut, [&](size_t index) {
    return cut.segments[index].processor == Processor::Engine;
  });
}

bool ProgramCutter::isFinal(const DiagnosticLog &log) const {
  // What the user asked of the precision holds for both processors.
  std::string precision = target.rule("precision-");
  return llvm::any_of(log.diagnostics(), [&](const Diagnostic &diagnostic) {
    return diagnostic.getSeverity() == DiagnosticSeverity::Error &&
           constraintOf(diagnostic).starts_with(precision);
  });
}

LogicalResult ProgramCutter::prepareSource() {
  result.source = original.clone();
  PassManager pm(original.getContext());
  addCutPasses(pm, options.phases);
  if (failed(pm.run(*result.source)))
    return failure();
  auto functions = llvm::to_vector(result.source->getOps<mil::FuncOp>());
  if (functions.size() != 1)
    return functions.front().emitError()
           << "one of " << functions.size()
           << " functions has to be cut; --partition does that to programs of "
              "one: choose it with "
           << (options.phases.enumeratedShapes
                   ? "--shape in the place of --enumerated-shapes"
                   : "--function")
           << id("partition-c1");
  for (Operation &op : func().getBody().front().without_terminator())
    if (!mil::canBeInSegment(&op))
      return op.emitError()
             << op.getName().stripDialect()
             << ": segments are written as MIL text, which has no known form "
                "for blocks; let the op follow from constants, or make its "
                "results inputs of the program"
             << id("partition-c5");
  return success();
}

LogicalResult ProgramCutter::compileEngine() {
  result.engine = makeEngineModule(result.cut);
  trial.phases.takeAsBound();
  if (failed(runPhases(*result.engine, trial)))
    return failure();
  FailureOr<GeneratedProgram> generated = generate(*result.engine, trial);
  if (failed(generated))
    return failure();
  result.generated = std::move(*generated);
  warnOfWidthSlices(*result.engine);
  return success();
}

LogicalResult ProgramCutter::cutUntilItCompiles(FallenFinder &fallen) {
  // Each round takes one more op at least from the engine.
  bool hasFailed = false;
  while (true) {
    result.cut = mil::cutFunction(func(), fallen.ops(), object::maxPorts);
    if (!result.cut.hasEngineSegment()) {
      report(fallen.ops());
      return func().emitError()
             << "nothing is left for the engine: no op of function '"
             << func().getName() << "' that computes something runs there; "
             << (llvm::any_of(func().getArgumentTypes(), mil::isDynamic)
                     ? "bind its inputs with --shape, or with --default-shapes "
                       "to those of the text"
                     : "run the text with ane-run")
             << id("partition-c2");
    }
    DiagnosticLog log(original.getContext());
    if (succeeded(compileEngine())) {
      log.stop();
      // What failed on the way is no failure of the whole.
      if (hasFailed && !options.watch.crashReproducer.empty())
        (void)llvm::sys::fs::remove(options.watch.crashReproducer);
      report(fallen.ops());
      log.replay();
      return success();
    }
    hasFailed = true;
    if (isFinal(log) || !fallen.add(log.diagnostics(), &result.cut)) {
      log.replay();
      return failure();
    }
  }
}

/// Says why ops of the program are on the processor.
void ProgramCutter::report(const mil::FallenOps &fallen) {
  SmallVector<Operation *> ops;
  for (const mil::Segment &segment : result.cut.segments)
    if (segment.processor == Processor::Cpu)
      llvm::append_range(ops, segment.ops);
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ops) {
    auto *own = fallen.find(op);
    op->emitWarning() << "runs on the processor: "
                      << (own != fallen.end() ? own->second
                                              : result.cut.drawn.lookup(op));
  }
}

void ProgramCutter::reportBuffers() {
  mil::FuncOp source = func();
  for (unsigned i = 0, e = source.getNumArguments(); i < e; ++i)
    if (mil::getPortLayout(source.getArgAttrDict(i)))
      return void(emitWarning(source.getArgument(i).getLoc())
                  << "'" << source.getParameterName(i) << denseBuffers);
  for (unsigned i = 0, e = source.getNumResults(); i < e; ++i)
    if (mil::getPortLayout(source.getResultAttrDict(i)))
      return void(source.emitWarning()
                  << "'" << source.getOutputName(i) << denseBuffers);
}

LogicalResult ProgramCutter::checkValue(Value value) {
  if (hostTensorType(value.getType()))
    return success();
  auto wayOut = [&]() -> StringRef {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || isa<mil::StringType>(tensor.getElementType()))
      return "give back the tensors that it is made of";
    if (!tensor.hasStaticShape())
      return "give back a part of known size in its place, which "
             "slice_by_size takes";
    return "cast or reshape it in the program";
  };
  Location location = value.getLoc();
  return emitError(location)
         << "'" << result.cut.names.lookup(value) << "' is "
         << mil::formatType(value.getType())
         << "; what enters, leaves or crosses between segments must be a "
            "tensor of fp16, fp32, bool or integers of 8 to 32 bits, of known "
            "shape and of rank 5 at most: "
         << wayOut() << id("partition-c3");
}

/// Says, once, that the engine takes fp32 of the processor as fp16; `strict`
/// refuses that.
LogicalResult ProgramCutter::checkRounding() {
  llvm::DenseSet<Value> madeByCpu;
  llvm::SetVector<Value> rounded;
  for (const mil::Segment &segment : result.cut.segments) {
    if (segment.processor == Processor::Cpu)
      madeByCpu.insert_range(segment.outputs);
    else
      for (Value input : segment.inputs)
        if (madeByCpu.contains(input) && getElementTypeOrSelf(input).isF32())
          rounded.insert(input);
  }
  if (rounded.empty())
    return success();
  Operation *first = rounded.front().getDefiningOp();
  std::string others =
      rounded.size() == 1
          ? " enters"
          : llvm::formatv(" and {0} more enter", rounded.size() - 1).str();
  std::string what = "'" + result.cut.names.lookup(rounded.front()) + "'" +
                     others + " the engine, which rounds fp32 to fp16";
  if (options.phases.precision == Precision::Strict)
    return mil::refuse(first, target.rule("precision-c1"),
                       what + "; cast it, or allow it");
  first->emitWarning() << what;
  return success();
}

/// Whether both processors can do what the cut asks of them.
LogicalResult ProgramCutter::checkCut() {
  bool isLegal = succeeded(checkRounding());
  for (const auto &[value, name] : result.cut.names)
    isLegal &= succeeded(checkValue(value));
  for (const mil::Segment &segment : result.cut.segments)
    for (Operation *op : segment.ops)
      if (segment.processor == Processor::Cpu && !reference::isInterpreted(op))
        isLegal &= succeeded(
            op->emitError()
            << op->getName().stripDialect()
            << ": neither the engine nor the interpreter runs this op; make "
               "its result an input of the program"
            << id("partition-c4"));
  return success(isLegal);
}

FailureOr<std::optional<CutProgram>> ProgramCutter::run() {
  DiagnosticLog whole(original.getContext());
  OwningOpRef<ModuleOp> copy = original.clone();
  if (succeeded(runPhases(*copy, trial)) && succeeded(generate(*copy, trial)))
    return std::optional<CutProgram>();
  whole.stop();
  trial.watch = options.watch;
  if (isFinal(whole)) {
    whole.replay();
    return failure();
  }
  if (failed(prepareSource()))
    return failure();
  FallenFinder fallen(func(), target);
  fallen.addByType();
  fallen.add(whole.diagnostics(), nullptr);
  llvm::DenseSet<Operation *> constants = mil::findConstants(func());
  bool returnsConstant = llvm::any_of(
      func().getBody().front().getTerminator()->getOperands(),
      [&](Value value) { return constants.contains(value.getDefiningOp()); });
  // A function without layers compiles, too, so something must have fallen out,
  // or have more inputs and outputs than one container. A segment leaves out
  // those that no layer reads or makes.
  if (fallen.ops().empty() && !returnsConstant) {
    mil::FunctionSegments cut = mil::cutFunction(func(), {}, object::maxPorts);
    if (cut.segments.size() == 1 &&
        cut.segments.front().inputs.size() == func().getNumArguments() &&
        cut.segments.front().outputs.size() == func().getNumResults()) {
      whole.replay();
      return failure();
    }
  }
  if (failed(cutUntilItCompiles(fallen)) || failed(checkCut()))
    return failure();
  reportBuffers();
  return std::optional<CutProgram>(std::move(result));
}

FailureOr<std::optional<CutProgram>>
ane::cutProgram(ModuleOp module, const CompileOptions &options) {
  const TargetDescription *target =
      findTargetFor(module, options.phases.target);
  if (!target)
    return failure();
  return ProgramCutter(module, options, *target).run();
}
