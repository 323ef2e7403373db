//===- RunContainer.cpp - Runs a hardware container -----------------------===//

#include "RunOptions.h"
#include "ane/Engine/Runner.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FileSystem.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using object::PortDirection;

static void listPorts(const Runner &runner) {
  for (const HostPort &port : runner.ports())
    llvm::outs() << (port.isInput() ? "input  " : "output ") << port.name << ' '
                 << milName(port.type) << ' ' << formatShape(port.shape)
                 << '\n';
}

Error ane::runContainer(const RunOptions &options) {
  RunnerOptions runnerOptions;
  runnerOptions.descriptor = options.descriptor;
  runnerOptions.procedure = options.procedure;
  runnerOptions.load = options.load;
  Expected<Runner> runner = Runner::load(options.model, runnerOptions);
  if (!runner)
    return runner.takeError();
  if (!options.loadedImage.empty()) {
    if (llvm::sys::fs::equivalent(options.loadedImage, options.model))
      return makeFileError(options.loadedImage, 0,
                           "the image would replace the container; choose "
                           "another name");
    if (Error error = runner->writeImage(options.loadedImage))
      return error;
  }
  if (Error error = inspect(runner->program(), options))
    return error;
  // Nothing runs where nothing is said of tensors.
  if (options.needsNoRun())
    return Error::success();
  if (options.list) {
    listPorts(*runner);
    return Error::success();
  }

  // Names first: a wrong one should not cost the time of a run.
  Error names = Error::success();
  for (const TensorFile &output : options.outputs)
    if (auto port = runner->findPort(output.name, PortDirection::Output); !port)
      names = llvm::joinErrors(std::move(names), port.takeError());
  for (const TensorFile &input : options.inputs)
    if (auto port = runner->findPort(input.name, PortDirection::Input); !port)
      names = llvm::joinErrors(std::move(names), port.takeError());
  if (names)
    return names;

  for (const TensorFile &input : options.inputs) {
    Expected<NpyArray> array = readNpy(input.path);
    if (!array)
      return array.takeError();
    if (Error error = runner->setInput(input.name, *array, input.path))
      return error;
  }
  if (Error error = runWatched(*runner, options))
    return error;

  std::vector<NpyFile> results;
  for (const TensorFile &output : options.outputs) {
    Expected<NpyArray> array = runner->output(output.name);
    if (!array)
      return array.takeError();
    results.push_back({output.path, std::move(*array)});
  }
  return writeNpyFiles(results);
}
