//===- RunContainer.cpp - Runs a hardware container -----------------------===//

#include "RunOptions.h"
#include "ane/Engine/PartitionRunner.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FormatShape.h"
#include "ane/Support/Half.h"
#include "ane/Support/InputFile.h"
#include "ane/Support/Printable.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;

void ane::printPorts(llvm::ArrayRef<HostPort> ports) {
  for (const HostPort &port : ports)
    llvm::outs() << (port.isInput() ? "input  " : "output ")
                 << escapeUnprintable(port.name) << ' ' << milName(port.type)
                 << ' ' << formatShape(port.shape) << '\n';
}

/// Warns of numbers in the array of an input that are infinities for the
/// engine, which has fp16.
static void warnOfInfinities(const HostPort &port, const NpyArray &array,
                             llvm::StringRef path) {
  if (port.type != ElementType::Float32 || port.surface != ElementType::Float16)
    return;
  int64_t first = 0, count = 0;
  auto valueOf = [&](int64_t index) {
    return llvm::support::endian::read<float, llvm::endianness::little>(
        array.bytes.data() + index * sizeof(float));
  };
  for (int64_t index : llvm::seq(array.numElements())) {
    double magnitude = std::fabs(valueOf(index));
    if (magnitude <= largestHalf || !std::isfinite(magnitude) ||
        halfFromDouble(magnitude) != halfInfinity)
      continue;
    if (count++ == 0)
      first = index;
  }
  if (count == 0)
    return;
  reportWarning(
      path,
      llvm::formatv("element {0} of input '{1}' is {2}, the first of {3} "
                    "beyond {4}, the largest fp16; for the engine they "
                    "are infinities: scale them, or what the program "
                    "makes of them",
                    first, port.name, llvm::format("%.9g", valueOf(first)),
                    count, int64_t(largestHalf)));
}

static Error listProcedures(llvm::ArrayRef<std::string> names,
                            const RunOptions &options,
                            RunnerOptions runnerOptions) {
  for (const std::string &name : names) {
    runnerOptions.procedure = name;
    runnerOptions.namesProcedure = true;
    Expected<Runner> runner = Runner::load(options.model, runnerOptions);
    if (!runner)
      return runner.takeError();
    llvm::outs() << "procedure " << escapeUnprintable(name) << '\n';
    printPorts(runner->ports());
  }
  return Error::success();
}

/// Whether a program takes exactly these inputs.
static bool takes(const Runner &runner, llvm::ArrayRef<TensorFile> files,
                  llvm::ArrayRef<NpyArray> arrays) {
  size_t count = llvm::count_if(
      runner.ports(), [](const HostPort &port) { return port.isInput(); });
  if (count != files.size())
    return false;
  for (auto [file, array] : llvm::zip_equal(files, arrays))
    if (llvm::none_of(runner.ports(), [&](const HostPort &port) {
          return port.isInput() && port.name == file.name &&
                 port.type == array.type &&
                 llvm::equal(port.shape, array.shape);
        }))
      return false;
  return true;
}

/// The one procedure whose inputs have the types and shapes of those given.
static Expected<std::string> chooseProcedure(llvm::ArrayRef<std::string> names,
                                             const RunOptions &options,
                                             RunnerOptions runnerOptions) {
  std::vector<NpyArray> arrays;
  for (const TensorFile &input : options.inputs) {
    Expected<NpyArray> array = readNpy(input.path);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
  }
  std::vector<std::string> fitting;
  for (const std::string &name : names) {
    runnerOptions.procedure = name;
    runnerOptions.namesProcedure = true;
    Expected<Runner> runner = Runner::load(options.model, runnerOptions);
    if (!runner)
      return runner.takeError();
    if (takes(*runner, options.inputs, arrays))
      fitting.push_back(name);
  }
  if (fitting.size() == 1)
    return fitting.front();
  return makeFileError(
      options.model, 0,
      "the inputs fit " +
          (fitting.empty() ? "none of the procedures " + llvm::join(names, ", ")
                           : "the procedures " + llvm::join(fitting, ", ")) +
          "; choose one with --procedure, and see --list for what each takes");
}

Error ane::makeMissingInput(const RunOptions &options, llvm::StringRef name,
                            llvm::StringRef type) {
  return makeFileError(options.model, 0,
                       "input '" + name + "' (" + type +
                           ") is not given; add --input " + name + "=" + name +
                           ".npy");
}

Error ane::checkInputs(llvm::ArrayRef<HostPort> ports,
                       const RunOptions &options) {
  Error errors = Error::success();
  for (const HostPort &port : ports)
    if (port.isInput() && !port.isState &&
        llvm::none_of(options.inputs, [&](const TensorFile &file) {
          return file.name == port.name;
        }))
      errors = llvm::joinErrors(
          std::move(errors),
          makeMissingInput(
              options, port.name,
              (milName(port.type) + " " + formatShape(port.shape)).str()));
  return errors;
}

Error ane::runContainer(const RunOptions &options) {
  // Once: it may be a pipe.
  auto contents = readInputFile(options.model);
  if (!contents)
    return contents.takeError();
  if (Error error = checkIsNoTaskStream(**contents))
    return error;
  RunnerOptions runnerOptions;
  runnerOptions.contents = contents->get();
  runnerOptions.descriptor = options.descriptor;
  runnerOptions.procedure = options.procedure;
  runnerOptions.load = options.load;
  if (options.procedure.empty()) {
    Expected<std::optional<e5::Descriptor>> partition =
        readPartition(options.model, runnerOptions);
    if (!partition)
      return partition.takeError();
    if (*partition)
      return runPartition(options, runnerOptions, std::move(**partition));
  }
  if (options.procedure.empty() && options.descriptor.empty()) {
    Expected<std::vector<std::string>> names = procedureNames(**contents);
    if (!names)
      return names.takeError();
    if (names->size() > 1 && options.list)
      return listProcedures(*names, options, runnerOptions);
    if (names->size() > 1 && !options.inputs.empty()) {
      Expected<std::string> chosen =
          chooseProcedure(*names, options, runnerOptions);
      if (!chosen)
        return chosen.takeError();
      runnerOptions.procedure = *chosen;
      runnerOptions.namesProcedure = true;
    }
  }
  Expected<Runner> runner = Runner::load(options.model, runnerOptions);
  if (!runner)
    return runner.takeError();
  if (options.list) {
    printPorts(runner->ports());
    return Error::success();
  }
  // Nothing runs where nothing is said of tensors.
  if (options.needsRun())
    if (Error error = setInputs(*runner, options, warnOfInfinities))
      return error;
  if (Error error = inspect(runner->program(), options))
    return error;
  Watched watched;
  if (options.needsRun()) {
    if (Error error = runWatched(*runner, options, watched))
      return error;
    if (Error error = addOutputs(*runner, options, watched.files))
      return error;
  }
  if (Error error = writeFiles(*runner, options, watched))
    return error;
  if (options.stats == "-")
    printStats(runner->program().machine());
  return Error::success();
}
