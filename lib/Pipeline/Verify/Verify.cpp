//===- Verify.cpp - Comparing container and reference ---------------------===//

#include "Verify/Verify.h"
#include "Output/Emit.h"
#include "Verify/AskEngine.h"
#include "Verify/CompareOutputs.h"
#include "Verify/Excess.h"
#include "Verify/Ties.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Engine/PartitionRunner.h"
#include "ane/Pipeline/CpuSegment.h"
#include "ane/Reference/Conversions.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

/// A folder that goes away with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    error = llvm::sys::fs::createUniqueDirectory("ane-verify", path);
  }
  ~TemporaryFolder() {
    if (!error)
      (void)llvm::sys::fs::remove_directories(path);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::error_code error;
  llvm::SmallString<128> path;
};

class Verifier {
public:
  Verifier(ModuleOp original, const std::string &container,
           const CompileOptions &options)
      : original(original), container(container), options(options) {}

  /// Compares each function with the procedure that it became.
  LogicalResult run(ArrayRef<std::string> procedures) {
    PassManager pm(original.getContext());
    addReferencePasses(pm, options.phases);
    // States are ports of the container; so they are of the reference, and
    // those that a block writes are once there are no blocks.
    if (hasStates())
      pm.addNestedPass<mil::FuncOp>(mil::createFlattenBlocks(
          mil::FlattenBlocksOptions{options.phases.unrollLimit}));
    pm.addNestedPass<mil::FuncOp>(mil::createStatesToValues());
    // What decides the inputs of a trial looks at who reads a parameter.
    pm.addNestedPass<mil::FuncOp>(mil::createBuffersToTensors());
    {
      // What they warn of has been said when the program was compiled.
      ScopedDiagnosticHandler handler(
          original.getContext(), [](Diagnostic &diagnostic) {
            return success(diagnostic.getSeverity() ==
                           DiagnosticSeverity::Warning);
          });
      if (failed(pm.run(original)))
        return failure();
    }
    auto functions = llvm::to_vector(original.getOps<mil::FuncOp>());
    for (auto [func, procedure] : llvm::zip_equal(functions, procedures)) {
      if (functions.size() > 1)
        stream() << "verify: function " << func.getName() << '\n';
      if (failed(run(func, procedure)))
        return failure();
    }
    return success();
  }

private:
  llvm::raw_ostream &stream() const { return messageStream(options); }

  bool hasStates() {
    return llvm::any_of(original.getOps<mil::FuncOp>(), [](mil::FuncOp func) {
      return llvm::any_of(func.getArgumentTypes(),
                          llvm::IsaPred<mil::StateType>);
    });
  }

  LogicalResult run(mil::FuncOp func, const std::string &procedure) {
    llvm::Expected<std::optional<e5::Descriptor>> partition =
        engine::readPartition(container, {});
    if (!partition)
      return report(partition.takeError());
    isCut = partition->has_value();
    if (isCut)
      return compareRuns(
          func, engine::PartitionRunner::load(
                    container, {}, std::move(**partition), loadCpuSegment));
    engine::RunnerOptions runnerOptions;
    runnerOptions.procedure = procedure;
    runnerOptions.namesProcedure = true;
    return compareRuns(func, engine::Runner::load(container, runnerOptions));
  }

  template <typename... Ops> static bool has(mil::FuncOp func) {
    return func
        .walk([](Operation *op) {
          return isa<Ops...>(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// What else the user can try.
  std::string advice(mil::FuncOp func) const {
    std::string text;
    if (options.phases.sigmoid == SigmoidTables::Table &&
        has<mil::SigmoidOp, mil::SiluOp, mil::GeluOp>(func))
      text +=
          "; --sigmoid=refined computes sigmoid, silu and gelu more closely";
    if (options.phases.means != Means::Refined &&
        has<mil::LayerNormOp, mil::InstanceNormOp>(func))
      text += "; --means=refined computes norms more closely";
    return text;
  }

  template <typename AnyRunner>
  LogicalResult compareRuns(mil::FuncOp func,
                            llvm::Expected<AnyRunner> runner) {
    if (!runner)
      return report(runner.takeError());
    FailureOr<Trial> trial =
        drawTrial(func, runner->ports(), options.inputRanges);
    if (failed(trial))
      return failure();
    if (llvm::Error error = runTrial(*runner, runner->ports(), *trial))
      return report(std::move(error));

    std::vector<Compared> compared;
    for (auto [index, want] : llvm::enumerate(trial->outputs)) {
      llvm::Expected<NpyArray> made = runner->output(func.getOutputName(index));
      if (!made)
        return report(made.takeError());
      llvm::Expected<Tensor> got =
          reference::fromNpy(original.getContext(), *made);
      if (!got)
        return report(got.takeError());
      // The ports of a container have fewer integer types than outputs.
      if (!want.isFloat() && !got->isFloat())
        got = reference::convert(*got, want.getElementType());
      compared.push_back({std::move(*got), want, 0, {}});
    }
    acceptDecisions(func, *trial, runner->ports(), compared);
    return judge(func, *trial, compared);
  }

  /// What the container made of an output, and what it must agree with.
  struct Compared {
    Tensor got, want;
    size_t numTies;
    std::vector<Decision> decisions;
  };

  std::optional<Disagreement> compare(StringRef name, const Compared &output,
                                      llvm::raw_ostream &os) const {
    return compareOutput(name, output.got, output.want, output.numTies,
                         output.decisions, os);
  }

  /// Finds what rounding has decided, where outputs do not agree else.
  void acceptDecisions(mil::FuncOp func, const Trial &trial,
                       ArrayRef<engine::HostPort> ports,
                       std::vector<Compared> &compared) {
    llvm::SetVector<Value> deciding;
    SmallVector<std::pair<unsigned, Tensor>> disagreeing;
    bool hasRounded = false;
    for (auto [index, output] : llvm::enumerate(compared)) {
      Tensor own = output.got;
      output.numTies = acceptTies(func, trial, index, l2Limit, output.got);
      if (!compare("", output, llvm::nulls()))
        continue;
      hasRounded |= findDeciding(func, index, deciding);
      disagreeing.emplace_back(index, std::move(own));
    }
    if (isCut)
      return;
    NamedTensors engine;
    if (!deciding.empty())
      engine = askEngine(func, deciding.getArrayRef(), ports, trial,
                         llvm::sys::path::parent_path(container), options);
    if (engine.empty() && !hasRounded)
      return;
    FailureOr<Redecided> redecided = decideAs(engine, func, trial, l2Limit);
    if (failed(redecided))
      return;
    for (auto &[index, own] : disagreeing) {
      Compared other = {std::move(own), redecided->outputs[index], 0,
                        decisionsBehind(func, index, *redecided)};
      if (!compare("", other, llvm::nulls()))
        compared[index] = std::move(other);
    }
  }

  LogicalResult judge(mil::FuncOp func, const Trial &trial,
                      ArrayRef<Compared> compared) {
    std::vector<std::string> faults, undefined;
    for (auto [index, output] : llvm::enumerate(compared))
      if (std::optional<Disagreement> fault =
              compare(func.getOutputName(index), output, stream()))
        (fault->isUndefined ? undefined : faults)
            .push_back(std::move(fault->text));
    if (faults.empty() && undefined.empty())
      return success();
    InFlightDiagnostic error = func.emitError();
    if (faults.empty()) {
      error << "the container cannot be compared with the program: "
            << llvm::join(undefined, "; ")
            << "; nothing was written; compile without --verify, and compare "
               "on inputs of your own what ane-run makes of the container and "
               "of the text";
    } else {
      llvm::append_range(faults, undefined);
      error << "the container does not compute what the program says: "
            << llvm::join(faults, "; ") << "; nothing was written"
            << advice(func);
    }
    if (std::optional<Excess> excess = findExcess(func, trial))
      error.attachNote(excess->location)
          << excess->text
          << "; other inputs are drawn with --input-range NAME=LOW:HIGH";
    return error;
  }

  LogicalResult report(llvm::Error error) {
    reportErrors(std::move(error), options.input);
    return failure();
  }

  ModuleOp original;
  const std::string &container; ///< its file, in a folder of its own
  const CompileOptions &options;
  bool isCut = false; ///< whether the processor runs parts
};

} // namespace

LogicalResult ane::verifyFiles(ModuleOp original,
                               const object::Object &container,
                               const std::vector<e5::Descriptor> &descriptors,
                               const CompileOptions &options) {
  TemporaryFolder folder;
  if (folder.error) {
    reportErrors(llvm::errorCodeToError(folder.error), options.input);
    return failure();
  }
  CompileOptions trial = options;
  llvm::SmallString<128> path(folder.path);
  llvm::sys::path::append(path, "model.hwx");
  trial.output = path.str().str();
  trial.emit = PhaseKind::Container;
  std::vector<std::string> procedures;
  procedures.reserve(descriptors.size());
  for (const e5::Descriptor &descriptor : descriptors)
    procedures.push_back(descriptor.isPartitioned()
                             ? ""
                             : descriptor.segments.front().procedure);
  if (failed(writeFiles(container, descriptors, trial)))
    return failure();
  return Verifier(original, trial.output, options).run(procedures);
}
