//===- Pipelines.cpp - The phases by name ---------------------------------===//

#include "ane/Pipeline/Pipelines.h"
#include "ane/Pipeline/Phases.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include <utility>

using namespace mlir;
using namespace ane;
namespace cl = llvm::cl;

namespace {

/// The words of a choice, from their one table.
template <typename Value, size_t count, size_t... index>
cl::ValuesClass wordsOf(const Named<Value> (&table)[count],
                        std::index_sequence<index...>) {
  return cl::values(
      cl::OptionEnumValue{table[index].name, int(table[index].value), ""}...);
}
template <typename Value, size_t count>
cl::ValuesClass wordsOf(const Named<Value> (&table)[count]) {
  return wordsOf(table, std::make_index_sequence<count>());
}

/// The fields of PhaseOptions, each with the default that it has there.
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  const PhaseOptions defaults;

  Option<std::string> target{*this, "target", cl::desc("Chip to compile for"),
                             cl::init(defaults.target)};
  Option<std::string> modelPath{*this, "model-path",
                                cl::desc("Folder that @model_path stands for"),
                                cl::init(defaults.modelPath)};
  ListOption<std::string> returns{
      *this, "return",
      cl::desc("Values to return in the place of the outputs, by name")};
  ListOption<std::string> shapes{
      *this, "shape",
      cl::desc("Shapes of inputs with unknown extents, such as x=1x129x4")};
  Option<bool> defaultShapes{
      *this, "default-shapes",
      cl::desc("Give other inputs the default shapes that the program states"),
      cl::init(defaults.defaultShapes)};
  Option<bool> enumeratedShapes{
      *this, "enumerated-shapes",
      cl::desc("Make a function for each set of shapes that one lists"),
      cl::init(defaults.enumeratedShapes)};
  Option<MissingWeights> missingWeights{
      *this, "missing-weights",
      cl::desc(
          "What a weight file that does not exist is: an error, or seeded: "
          "stand-in values"),
      cl::init(defaults.missingWeights), wordsOf(missingWeightsNames)};
  Option<WeightTypes> weightTypes{
      *this, "weight-types",
      cl::desc("What a weight is whose record names another type than the "
               "program does, or no place: strict: an error; by-size: integers "
               "are read if their size is right, and what has no place from "
               "behind its record"),
      cl::init(defaults.weightTypes), wordsOf(weightTypesNames)};
  Option<Precision> precision{
      *this, "precision",
      cl::desc("What fp32 computes in: engine: in fp16; strict: it is refused"),
      cl::init(defaults.precision), wordsOf(precisionNames)};
  Option<SigmoidTables> sigmoid{
      *this, "sigmoid",
      cl::desc("How sigmoid, silu and gelu are computed: refined: by tables of "
               "our own; table: by those of Apple's compiler"),
      cl::init(defaults.sigmoid), wordsOf(sigmoidNames)};
  Option<Means> means{
      *this, "means",
      cl::desc("How layer_norm and instance_norm subtract a mean: rounded: to "
               "fp16; refined: twice; auto: refined in norms of few numbers"),
      cl::init(defaults.means), wordsOf(meansNames)};
  Option<int64_t> unrollLimit{
      *this, "unroll-limit",
      cl::desc("Steps of the longest layer or loop to write out"),
      cl::init(defaults.unrollLimit)};

  PhaseOptions get() const {
    PhaseOptions options;
    options.target = target;
    options.modelPath = modelPath;
    options.returns.assign(returns.begin(), returns.end());
    options.shapes.assign(shapes.begin(), shapes.end());
    options.defaultShapes = defaultShapes;
    options.enumeratedShapes = enumeratedShapes;
    options.missingWeights = missingWeights;
    options.weightTypes = weightTypes;
    options.precision = precision;
    options.sigmoid = sigmoid;
    options.means = means;
    options.unrollLimit = unrollLimit;
    return options;
  }
};

} // namespace

void ane::registerAllPipelines() {
  for (const Phase &last : allPhases()) {
    if (!last.isIR())
      continue;
    PassPipelineRegistration<PipelineOptions>(
        ("ane-to-" + last.name).str(), ("To " + last.description).str(),
        [&last](OpPassManager &pm, const PipelineOptions &given) {
          PhaseOptions options = given.get();
          for (const Phase &phase : allPhases())
            if (phase.isIR() && phase.kind <= last.kind)
              phase.addPasses(pm, options);
        });
  }
}
