//===- CheckOutputs.cpp - Where the outputs of a run go -------------------===//

#include "RunOptions.h"
#include "ane/E5/Companion.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ane;
using llvm::Error;
namespace fs = llvm::sys::fs;

/// All files that the run writes.
static std::vector<std::string> outputPaths(const RunOptions &options) {
  std::vector<std::string> paths;
  for (const TensorFile &file : options.outputs)
    paths.push_back(file.path);
  for (const TensorFile &file : options.statesAfter)
    paths.push_back(file.path);
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

/// Standard output, a pipe or a device takes several outputs and loses none.
static bool isStream(llvm::StringRef path) {
  fs::file_status status;
  return path == "-" ||
         (!fs::status(path, status) && !fs::is_regular_file(status) &&
          !fs::is_directory(status));
}

Error ane::checkOutputs(const RunOptions &options) {
  std::string descriptor = options.descriptor;
  if (descriptor.empty() && !options.isMil())
    descriptor = e5::companionPath(options.model).str().str();
  if (!options.loadedImage.empty())
    if (Error error = e5::checkCompanion(options.loadedImage, options.model))
      return error;
  std::vector<std::string> before;
  for (const std::string &path : outputPaths(options)) {
    if (isStream(path))
      continue;
    if (Error error = refuseFolder(path))
      return error;
    if (isSamePlace(path, options.model))
      return makeFileError(path, 0,
                           "the output would replace the model; choose another "
                           "name");
    if (!descriptor.empty() && isSamePlace(path, descriptor))
      return makeFileError(path, 0,
                           "the output would replace the dispatch descriptor; "
                           "choose another name");
    for (const std::string &other : before)
      if (isSamePlace(path, other))
        return makeFileError(path, 0,
                             "two outputs would go to this file; give each its "
                             "own");
    before.push_back(path);
  }
  return Error::success();
}
