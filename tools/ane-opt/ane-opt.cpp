//===- ane-opt.cpp - Run passes -------------------------------------------===//

#include "ExitCodes.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/Frontend/Bytecode.h"
#include "ane/InitAll.h"
#include "ane/Pipeline/Pipelines.h"
#include "ane/Pipeline/StatisticsReport.h"
#include "ane/Support/FilePlan.h"
#include "ane/Support/InputFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace ane;
namespace cl = llvm::cl;

namespace {

/// Weights make IR unreadable, so standard output has them elided unless the
/// user says how much to show. A file is whole.
constexpr llvm::StringLiteral elideFlag =
    "mlir-elide-resource-strings-if-larger";
constexpr const char *elideByDefault =
    "--mlir-elide-resource-strings-if-larger=1024";

/// Whether arguments say `-o FILE`, in a form that the option parser takes.
bool hasOutputFile(llvm::ArrayRef<char *> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef arg(args[i]);
    if (arg == "--")
      break;
    if (!arg.consume_front("-"))
      continue;
    arg.consume_front("-");
    if (arg == "o" && i + 1 < args.size())
      return llvm::StringRef(args[i + 1]) != "-";
    if (arg.consume_front("o="))
      return arg != "-";
  }
  return false;
}

/// How to print the statistics of passes, if that is asked for. MLIR's own
/// report has nothing of them, and is not printed.
std::optional<PassDisplayMode> takeStatisticsMode() {
  auto &options = cl::getRegisteredOptions();
  auto *asked =
      static_cast<cl::opt<bool> *>(options.lookup("mlir-pass-statistics"));
  auto *mode = static_cast<cl::opt<PassDisplayMode> *>(
      options.lookup("mlir-pass-statistics-display"));
  if (!*asked)
    return std::nullopt;
  asked->setValue(false);
  return *mode;
}

/// Finds an output that would replace a file of weights, when these are read.
class WeightsPlanner : public PassInstrumentation {
public:
  WeightsPlanner(FilePlan &files, llvm::Error &error)
      : files(files), error(error) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (auto modelPath = mil::modelPathOf(*pass))
      error = llvm::joinErrors(std::move(error),
                               mil::addWeightFiles(op, *modelPath, files));
  }

private:
  FilePlan &files;
  llvm::Error &error;
};

/// Whether the passes that are asked for exist; false after reporting which
/// does not. The command line is wrong then, and not what would go through.
bool hasPasses(const MlirOptMainConfig &config) {
  // The list would be printed twice.
  if (config.shouldDumpPassPipeline())
    return true;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  PassManager pm(&context, PassManager::getAnyOpAnchorName(),
                 PassManager::Nesting::Implicit);
  return succeeded(config.setupPassPipeline(pm));
}

/// Refuses outputs that would replace the input or each other.
llvm::Error planFiles(FilePlan &files, llvm::StringRef input,
                      llvm::StringRef output, const MlirOptMainConfig &config) {
  files.addInput(input, "the input");
  if (llvm::Error error = files.addOutput(output, "-o"))
    return error;
  if (llvm::StringRef path = config.getReproducerFilename(); !path.empty())
    if (llvm::Error error = files.addOutput(path, "--mlir-generate-reproducer"))
      return error;
  if (std::string path = config.getRemarksOutputFile(); !path.empty())
    return files.addOutput(path, "--remarks-output-file");
  return llvm::Error::success();
}

/// Reads a program, runs the passes and writes what they made, if all went
/// well.
LogicalResult optimize(const std::string &input, const std::string &output,
                       DialectRegistry &registry, MlirOptMainConfig config,
                       StatisticsReport *statistics) {
  FilePlan files;
  if (llvm::Error error = planFiles(files, input, output, config))
    return reported(std::move(error), output);
  auto buffer = readInputText(input, binaryLimit);
  if (!buffer)
    return reported(buffer.takeError(), input);
  frontend::BytecodeReading reading;
  reading.allowsUnregisteredDialects = config.shouldAllowUnregisteredDialects();
  reading.verifies = config.shouldVerifyOnParsing();
  if (failed(frontend::checkBytecode(**buffer, registry, reading)))
    return failure();

  llvm::Error weights = llvm::Error::success();
  MlirOptMainConfig planning = config;
  planning.setPassPipelineSetupFn([&](PassManager &pm) {
    pm.addInstrumentation(std::make_unique<WeightsPlanner>(files, weights));
    if (statistics)
      statistics->watch(pm);
    return config.setupPassPipeline(pm);
  });
  bool isReported = false;
  llvm::Error error =
      writeOutputFile(output, [&](llvm::raw_ostream &os) -> llvm::Error {
        bool isDone =
            succeeded(MlirOptMain(os, std::move(*buffer), registry, planning));
        if (weights)
          return std::move(weights);
        if (isDone)
          return llvm::Error::success();
        isReported = true;
        return llvm::createStringError("nothing was made");
      });
  if (!isReported)
    return reported(std::move(error), output);
  llvm::consumeError(std::move(error));
  return failure();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  expectFullFiles();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  registerAllPipelines();
  registerTransformsPasses();

  llvm::SmallVector<const char *> args(argv, argv + argc);
  bool isGiven = llvm::any_of(llvm::drop_begin(args), [](llvm::StringRef arg) {
    return arg.ltrim('-').starts_with(elideFlag);
  });
  if (!isGiven && !hasOutputFile(llvm::ArrayRef(argv, argc)))
    args.insert(args.begin() + 1, elideByDefault);
  static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                                    cl::init("-"));
  static cl::opt<std::string> output("o", cl::desc("Output filename"),
                                     cl::value_desc("filename"), cl::init("-"));
  std::string overview = registerCLIOptions(
      "Runs passes on the dialects of ane-mlir, in textual IR or bytecode",
      registry);
  if (!cl::ParseCommandLineOptions(args.size(), args.data(), overview,
                                   &llvm::errs()))
    return ExitBadCommandLine;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: "
                 << llvm::join(registry.getDialectNames(), ",") << '\n';
    return endTool(ExitDone);
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return endTool(ExitDone);
  }
  if (!hasPasses(config))
    return ExitBadCommandLine;
  std::optional<PassDisplayMode> mode = takeStatisticsMode();
  StatisticsReport statistics;
  LogicalResult result =
      optimize(input, output, registry, config, mode ? &statistics : nullptr);
  if (mode)
    statistics.print(*llvm::CreateInfoOutputFile(), *mode);
  return endTool(succeeded(result) ? ExitDone : ExitRefused);
}
