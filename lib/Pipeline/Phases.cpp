//===- Phases.cpp - The compiler's phases as a list -----------------------===//

#include "ane/Pipeline/Phases.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ane;

namespace {

void bindShapes(OpPassManager &pm, const PhaseOptions &options) {
  mil::SpecializeShapesOptions specialize;
  for (const std::string &shape : options.shapes)
    specialize.shapes.push_back(shape);
  pm.addPass(mil::createSpecializeShapes(specialize));
}

/// MIL as it was read; with shapes bound if the user gave some.
void addMIL(OpPassManager &pm, const PhaseOptions &options) {
  if (!options.shapes.empty())
    bindShapes(pm, options);
}

void addZin(OpPassManager &pm, const PhaseOptions &options) {
  // Once more where no shapes were given: an input may still be unbound.
  if (options.shapes.empty())
    bindShapes(pm, options);
  pm.addPass(mil::createLoadWeights({options.modelPath}));
  OpPassManager &functions = pm.nest<mil::FuncOp>();
  functions.addPass(mil::createFoldConstants());
  functions.addPass(mil::createFoldBatchNorm());
  pm.addPass(createConvertMILToZin({options.target}));
  OpPassManager &procedures = pm.nest<zin::ProcedureOp>();
  procedures.addPass(zin::createLegalize({options.target}));
  procedures.addPass(zin::createFuseEpilogue());
  procedures.addPass(createCSEPass());
}

void addTasks(OpPassManager &pm, const PhaseOptions &options) {
  pm.addPass(createLowerZinToTasks({options.target}));
  pm.nest<zin::ProgramOp>().addPass(zin::createPlaceDram());
}

constexpr Phase phases[] = {
    {"mil", "the program in the MIL dialect", addMIL},
    {"zin", "engine layers in the Zin dialect", addZin},
    {"tasks", "tasks in the Zin dialect", addTasks},
    {"td", "task descriptors, field by field", nullptr},
    {"hwx", "the hardware container, and the dispatch descriptor beside it",
     nullptr},
    {"e5", "the dispatch descriptor alone", nullptr},
};

} // namespace

void ane::addReferencePasses(OpPassManager &pm, const PhaseOptions &options) {
  addMIL(pm, options);
  pm.addPass(mil::createLoadWeights({options.modelPath}));
}

ArrayRef<Phase> ane::allPhases() { return phases; }

const Phase *ane::findPhase(StringRef name) {
  for (const Phase &phase : phases)
    if (phase.name == name)
      return &phase;
  return nullptr;
}
