//===- Phases.cpp - The compiler's phases as a table ----------------------===//

#include "ane/Pipeline/Phases.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include <limits>

using namespace mlir;
using namespace ane;

namespace {

void bindShapes(OpPassManager &pm, const PhaseOptions &options) {
  mil::SpecializeShapesOptions specialize;
  for (const std::string &shape : options.shapes)
    specialize.shapes.push_back(shape);
  specialize.defaultShapes = options.defaultShapes;
  specialize.enumerated = options.enumeratedShapes;
  pm.addPass(mil::createSpecializeShapes(specialize));
}

bool asksForShapes(const PhaseOptions &options) {
  return !options.shapes.empty() || options.defaultShapes ||
         options.enumeratedShapes;
}

void loadWeights(OpPassManager &pm, const PhaseOptions &options) {
  pm.addPass(mil::createLoadWeights(
      {options.modelPath, options.missingWeights, options.weightTypes}));
}

/// What depends on constants alone becomes constants, and blocks become part of
/// the function.
void resolveConstants(OpPassManager &functions, const PhaseOptions &options,
                      mil::FoldConstantsOptions fold = {}) {
  functions.addPass(mil::createFoldConstants(fold));
  functions.addPass(
      mil::createFlattenBlocks(mil::FlattenBlocksOptions{options.unrollLimit}));
}

/// Ports and what lies between are dense tensors, and nothing but tensors.
void makeTensors(OpPassManager &functions) {
  functions.addPass(mil::createStatesToValues());
  functions.addPass(mil::createBuffersToTensors());
}

/// MIL as it was read; with other outputs and shapes bound if the user asked
/// for that.
void addMIL(OpPassManager &pm, const PhaseOptions &options) {
  if (!options.returns.empty()) {
    mil::ReturnValuesOptions returns;
    llvm::append_range(returns.values, options.returns);
    pm.addNestedPass<mil::FuncOp>(mil::createReturnValues(returns));
  }
  if (asksForShapes(options))
    bindShapes(pm, options);
}

/// Functions of ops that the conversion has rules for, by as few and as cheap
/// ones as can be.
void rewriteFunctions(OpPassManager &functions, const PhaseOptions &options) {
  // The passes from here on read the elements of every weight.
  constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();
  resolveConstants(functions, options, {unlimited});
  // What was in blocks is computed of constants now, too.
  functions.addPass(mil::createFoldConstants({unlimited}));
  functions.addPass(mil::createCheckParameters());
  functions.addPass(mil::createUnwrapIndices());
  functions.addPass(mil::createUnflattenIndices());
  functions.addPass(mil::createRecognize({/*leaveImages=*/true}));
  functions.addPass(mil::createFactorWeights());
  functions.addPass(mil::createFoldBatchNorm());
  functions.addPass(mil::createFoldPadding());
  // An unknown target is for the passes to report that lower to it.
  const TargetDescription *target = findTarget(options.target);
  if (target) {
    functions.addPass(mil::createTurnPairs({target->l2Bytes}));
    functions.addPass(mil::createDeferJoins({target->l2Bytes}));
    // Parts of constants are constants again.
    functions.addPass(mil::createFoldConstants({unlimited}));
  }
  functions.addPass(mil::createCancelReshapes());
  functions.addPass(mil::createCancelTransposes());
  // What was between transposes may be so between reshapes of images now, and
  // weights of what became a convolution are constants again.
  functions.addPass(mil::createFoldConstants({unlimited}));
  functions.addPass(mil::createCancelReshapes());
  // What has not become images.
  functions.addPass(mil::createRecognize());
  functions.addPass(mil::createSplitBroadcasts());
  functions.addPass(mil::createDeferResizes());
  makeTensors(functions);
  functions.addPass(mil::createGroupQueries());
  functions.addPass(mil::createSplitPlaces());
  functions.addPass(mil::createUnrollRecurrent(
      mil::UnrollRecurrentOptions{options.unrollLimit}));
  if (target)
    functions.addPass(mil::createJoinBatches({target->l2Bytes}));
  functions.addPass(mil::createFrameSignals());
  if (target) {
    functions.addPass(mil::createBandSignals({target->l2Bytes}));
    functions.addPass(mil::createFoldLoneRows({target->maxWidth}));
    functions.addPass(mil::createFoldLongRows({target->maxWidth}));
    functions.addPass(mil::createFoldLongColumns({target->maxHeight}));
    functions.addPass(mil::createSplitLongRows({target->maxWidth}));
  }
  // The first step of a layer may work on a constant state, a part of a row on
  // a part of a constant.
  functions.addPass(mil::createFoldConstants({unlimited}));
  functions.addPass(mil::createDecompose());
}

void convertToLayers(OpPassManager &pm, const PhaseOptions &options) {
  ConvertMILToZinOptions convert;
  convert.target = options.target;
  convert.strictPrecision = options.precision == Precision::Strict;
  if (options.means != Means::Automatic)
    convert.refineMeansUpTo = options.means == Means::Refined
                                  ? std::numeric_limits<int64_t>::max()
                                  : 0;
  pm.addPass(createConvertMILToZin(convert));
}

/// Layers that the engine has, with what is around them inside of them.
void rewriteLayers(OpPassManager &procedures, const PhaseOptions &options) {
  procedures.addPass(zin::createFoldLayout({options.target}));
  procedures.addPass(zin::createLegalize({options.target}));
  procedures.addPass(zin::createFoldScale());
  procedures.addPass(zin::createMergeConstants());
  procedures.addPass(zin::createKeepKernels({options.target}));
  if (options.sigmoid == SigmoidTables::Refined)
    procedures.addPass(zin::createRefineSigmoid());
  procedures.addPass(zin::createFuseEpilogue());
  procedures.addPass(zin::createScaleKernels());
  procedures.addPass(zin::createTurnProducts({options.target}));
  procedures.addPass(zin::createMergeConstants());
  procedures.addPass(zin::createMergeLayers());
}

void addZin(OpPassManager &pm, const PhaseOptions &options) {
  // Where nobody asked for shapes an input may still be unbound.
  if (!asksForShapes(options))
    bindShapes(pm, options);
  loadWeights(pm, options);
  rewriteFunctions(pm.nest<mil::FuncOp>(), options);
  convertToLayers(pm, options);
  rewriteLayers(pm.nest<zin::ProcedureOp>(), options);
}

void addTasks(OpPassManager &pm, const PhaseOptions &options) {
  OpPassManager &procedures = pm.nest<zin::ProcedureOp>();
  procedures.addPass(zin::createWeighMeans({options.target}));
  procedures.addPass(zin::createFuseReduction());
  procedures.addPass(zin::createPartNorms({options.target}));
  procedures.addPass(zin::createScaleSoftmax());
  procedures.addPass(zin::createTurnScores({options.target}));
  procedures.addPass(zin::createPartProducts({options.target}));
  procedures.addPass(zin::createSplitAttention({options.target}));
  procedures.addPass(zin::createSplitLayers({options.target}));
  // Blocks of layers that read one constant have made it several.
  procedures.addPass(zin::createMergeConstants());
  pm.addPass(createConvertZinToTasks({options.target}));
  OpPassManager &programs = pm.nest<zin::ProgramOp>();
  programs.addPass(zin::createDropDeadTasks());
  programs.addPass(zin::createCompressKernels());
  programs.addPass(zin::createSchedule({options.target}));
  programs.addPass(zin::createTileRows({options.target}));
  programs.addPass(zin::createShareStates({options.target}));
  programs.addPass(zin::createPlaceL2({options.target}));
  programs.addPass(zin::createPlaceDram());
  programs.addPass(zin::createPairEngines({options.target}));
}

using Form = Phase::Form;
using Procedures = Phase::Procedures;
using Beside = Phase::Beside;

constexpr Phase phases[] = {
    {PhaseKind::MIL, "mil", "the program in the MIL dialect", Form::IR,
     Procedures::Several, Beside::Nothing, ".mlir", addMIL},
    {PhaseKind::Zin, "zin", "engine layers in the Zin dialect", Form::IR,
     Procedures::Several, Beside::Nothing, ".mlir", addZin},
    {PhaseKind::NetPlist, "plist",
     "engine layers as a network description, with its weights beside",
     Form::Spelling, Procedures::One, Beside::Weights, ""},
    {PhaseKind::Tasks, "tasks", "tasks in the Zin dialect", Form::IR,
     Procedures::Several, Beside::Nothing, ".mlir", addTasks},
    {PhaseKind::TaskDescriptors, "td", "task descriptors, field by field",
     Form::Code, Procedures::Several, Beside::Nothing, ".txt"},
    {PhaseKind::Container, "hwx",
     "the hardware container, and the dispatch descriptor beside it",
     Form::Code, Procedures::Several, Beside::Descriptor, ""},
    // The descriptor of a program that was cut names several procedures.
    {PhaseKind::Descriptor, "e5", "the dispatch descriptor alone", Form::Code,
     Procedures::Several, Beside::Nothing, ""},
    {PhaseKind::Firmware, "fw", "the firmware package of the container",
     Form::Code, Procedures::One, Beside::Nothing, ""},
};

/// Kinds are positions in the table.
constexpr bool areInOrder() {
  size_t position = 0;
  for (const Phase &phase : phases)
    if (size_t(phase.kind) != position++)
      return false;
  return true;
}
static_assert(areInOrder());

} // namespace

void ane::addReferencePasses(OpPassManager &pm, const PhaseOptions &options) {
  addMIL(pm, options);
  loadWeights(pm, options);
}

void ane::addCutPasses(OpPassManager &pm, const PhaseOptions &options) {
  addReferencePasses(pm, options);
  OpPassManager &functions = pm.nest<mil::FuncOp>();
  resolveConstants(functions, options);
  makeTensors(functions);
}

ArrayRef<Phase> ane::allPhases() { return phases; }

const Phase &ane::getPhase(PhaseKind kind) { return phases[size_t(kind)]; }

const Phase *ane::phaseOf(ModuleOp module) {
  const Phase *found = nullptr;
  for (Operation &op : *module.getBody()) {
    const Phase *phase = isa<mil::FuncOp>(op)        ? &getPhase(PhaseKind::MIL)
                         : isa<zin::ProcedureOp>(op) ? &getPhase(PhaseKind::Zin)
                         : isa<zin::ProgramOp>(op) ? &getPhase(PhaseKind::Tasks)
                                                   : nullptr;
    if (!phase || (found && found != phase))
      return nullptr;
    found = phase;
  }
  return found;
}
