//===- Verify.cpp - Comparing container and reference ---------------------===//

#include "Verify.h"
#include "Emit.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Engine/PartitionRunner.h"
#include "ane/Pipeline/CpuSegment.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Half.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <bit>
#include <cmath>
#include <random>

using namespace mlir;
using namespace ane;

namespace {

// What counts as agreement; see Verify.h.
constexpr double l2Limit = 0.01;
constexpr double elementLimit = 0.05;
constexpr double errorFloor = 0.002;

/// The inputs are the same in every run.
constexpr std::mt19937::result_type seed = std::mt19937::default_seed;

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

/// Numbers in [-1, 1) that fp16 holds exactly, the same in every run. Of bool,
/// whether they are positive; of integers, 1 or 2 or less, below the limit: a
/// length or an index that most programs take.
NpyArray randomArray(const engine::HostPort &port, std::mt19937 &random) {
  NpyArray array;
  array.type = port.type;
  array.shape.assign(port.shape.begin(), port.shape.end());
  array.bytes.resize(array.numElements() * byteSize(port.type));
  for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
    constexpr int halfSteps = 1024;
    double value = int(random() % (2 * halfSteps)) - halfSteps;
    value /= halfSteps;
    uint8_t *place = array.bytes.data() + i * byteSize(port.type);
    if (port.type == ElementType::Bool)
      *place = value > 0;
    else if (engine::isInteger(port.type))
      // Little endian; the other bytes are 0.
      *place = std::min<uint64_t>(value > 0 ? 2 : 1, port.limit - 1);
    else if (port.type == ElementType::Float16)
      llvm::support::endian::write16le(place, halfFromDouble(value));
    else
      llvm::support::endian::write32le(
          place, std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
  return array;
}

/// The elements of a tensor of any type as numbers.
std::vector<double> numbers(const reference::Tensor &tensor) {
  if (tensor.isFloat())
    return {tensor.floats().begin(), tensor.floats().end()};
  return {tensor.ints().begin(), tensor.ints().end()};
}

/// Compares one output, prints a line, and says whether it agrees.
bool compare(StringRef name, const reference::Tensor &got,
             const reference::Tensor &want, llvm::raw_ostream &os) {
  double worst = 0, largest = 0, errorSquares = 0, squares = 0;
  bool sameSpecials = true;
  for (auto [a, b] : llvm::zip_equal(numbers(got), numbers(want))) {
    if (!std::isfinite(a) || !std::isfinite(b)) {
      sameSpecials &= a == b;
      continue;
    }
    worst = std::max(worst, std::fabs(a - b));
    largest = std::max(largest, std::fabs(b));
    errorSquares += (a - b) * (a - b);
    squares += b * b;
  }
  double count = want.getNumElements();
  double l2 = squares > 0 ? std::sqrt(errorSquares / squares) : 0;
  os << llvm::formatv(
            "verify: {0} {1}: worst absolute error {2:e3}, worst relative "
            "error {3:P4} of the largest magnitude {4:e3}, relative L2 error "
            "{5:P4}",
            name, formatShape(want.getShape()), worst,
            largest > 0 ? worst / largest : 0.0, largest, l2)
     << '\n';
  return sameSpecials && worst <= elementLimit * largest + errorFloor &&
         std::sqrt(errorSquares) <=
             l2Limit * std::sqrt(squares) + errorFloor * std::sqrt(count);
}

class Verifier {
public:
  Verifier(ModuleOp original, const CompileOptions &options)
      : original(original), options(options) {}

  /// Compares each function with the procedure that it became.
  LogicalResult run(const std::string &container,
                    ArrayRef<std::string> procedures) {
    PassManager pm(original.getContext());
    addReferencePasses(pm, options.phases);
    // States are ports of the container; so they are of the reference.
    pm.addNestedPass<mil::FuncOp>(mil::createStatesToValues());
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
      if (failed(run(func, container, procedure)))
        return failure();
    }
    return success();
  }

private:
  llvm::raw_ostream &stream() const { return messageStream(options); }

  LogicalResult run(mil::FuncOp func, const std::string &container,
                    const std::string &procedure) {
    llvm::Expected<std::optional<e5::Descriptor>> partition =
        engine::readPartition(container, {});
    if (!partition)
      return report(partition.takeError());
    if (*partition)
      return compareRuns(
          func, engine::PartitionRunner::load(
                    container, {}, std::move(**partition), loadCpuSegment));
    engine::RunnerOptions runnerOptions;
    runnerOptions.procedure = procedure;
    return compareRuns(func, engine::Runner::load(container, runnerOptions));
  }

  bool canRefine(mil::FuncOp func) const {
    return !options.phases.refineSigmoid &&
           func.walk([](Operation *op) {
                 return isa<mil::SigmoidOp, mil::SiluOp, mil::GeluOp>(op)
                            ? WalkResult::interrupt()
                            : WalkResult::advance();
               })
               .wasInterrupted();
  }

  template <typename AnyRunner>
  LogicalResult compareRuns(mil::FuncOp func,
                            llvm::Expected<AnyRunner> runner) {
    if (!runner)
      return report(runner.takeError());
    std::mt19937 random(seed);
    SmallVector<reference::Tensor> inputs;
    for (const engine::HostPort &port : runner->ports()) {
      if (!port.isInput())
        continue;
      NpyArray array = randomArray(port, random);
      if (llvm::Error error = runner->setInput(port.name, array, "verify"))
        return report(std::move(error));
      llvm::Expected<reference::Tensor> tensor =
          reference::fromNpy(original.getContext(), array);
      if (!tensor)
        return report(tensor.takeError());
      inputs.push_back(std::move(*tensor));
    }
    if (llvm::Error error = runner->run())
      return report(std::move(error));

    FailureOr<SmallVector<reference::Tensor>> wanted =
        reference::evaluate(func, std::move(inputs));
    if (failed(wanted))
      return failure();

    bool agrees = true;
    for (auto [index, want] : llvm::enumerate(*wanted)) {
      StringRef name = func.getOutputName(index);
      llvm::Expected<NpyArray> array = runner->output(name);
      if (!array)
        return report(array.takeError());
      llvm::Expected<reference::Tensor> got =
          reference::fromNpy(original.getContext(), *array);
      if (!got)
        return report(got.takeError());
      agrees &= compare(name, *got, want, stream());
    }
    if (agrees)
      return success();
    return func.emitError()
           << "the container does not compute what the program says: an "
              "error above passes its limit, "
           << llvm::formatv("{0:P0}", l2Limit).str() << " in L2 or "
           << llvm::formatv("{0:P0}", elementLimit).str()
           << " of the largest magnitude; nothing was written"
           << (canRefine(func) ? "; --sigmoid=refined computes sigmoid, silu "
                                 "and gelu more closely"
                               : "");
  }

  LogicalResult report(llvm::Error error) {
    reportErrors(std::move(error), options.input);
    return failure();
  }

  ModuleOp original;
  const CompileOptions &options;
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
  trial.emit = "hwx";
  std::vector<std::string> procedures;
  for (const e5::Descriptor &descriptor : descriptors)
    procedures.push_back(descriptor.isPartitioned()
                             ? ""
                             : descriptor.segments.front().procedure);
  if (failed(writeFiles(container, descriptors, trial)))
    return failure();
  return Verifier(original, options).run(trial.output, procedures);
}

LogicalResult ane::verifyAndEmit(ModuleOp original, GeneratedProgram program,
                                 const CompileOptions &options) {
  FailureOr<object::Object> container = layout(program, options);
  if (failed(container))
    return failure();
  std::vector<e5::Descriptor> descriptors = descriptorsOf(program);
  if (failed(verifyFiles(original, *container, descriptors, options)))
    return failure();
  return writeFiles(*container, std::move(descriptors), options);
}
