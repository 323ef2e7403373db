//===- PlanFiles.cpp - What a run reads and writes ------------------------===//

#include "RunOptions.h"
#include "ane/E5/Companion.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using llvm::Error;

/// The files that tell of a run, or hold the program.
static std::vector<std::string> recordPaths(const RunOptions &options) {
  std::vector<std::string> paths;
  for (const std::string &path : {options.stats, options.trace})
    if (!path.empty())
      paths.push_back(path);
  llvm::append_range(paths, dumpPaths(options));
  if (options.loadedImage.empty())
    return paths;
  paths.push_back(options.loadedImage);
  std::string descriptor = e5::companionPath(options.loadedImage).str().str();
  if (e5::hasCompanion(options.loadedImage) &&
      descriptor != options.loadedImage)
    paths.push_back(descriptor);
  return paths;
}

Error ane::planFiles(const RunOptions &options, FilePlan &files) {
  std::string descriptor = options.descriptor;
  if (descriptor.empty() && !options.isMil())
    descriptor = e5::companionPath(options.model).str().str();
  if (!options.loadedImage.empty())
    if (Error error = e5::checkCompanion(options.loadedImage, options.model))
      return error;
  files.addInput(options.model, "the model");
  if (!descriptor.empty())
    files.addInput(descriptor, "the dispatch descriptor");
  for (const auto *tensors : {&options.outputs, &options.statesAfter})
    for (const TensorFile &file : *tensors)
      if (Error error = files.addOutput(file.path))
        return error;
  // Tensors alone are carried from run to run.
  for (const auto *tensors : {&options.inputs, &options.states})
    for (const TensorFile &file : *tensors)
      files.addInput(file.path, "an input");
  for (const std::string &path : recordPaths(options))
    if (Error error = files.addOutput(path))
      return error;
  return Error::success();
}
