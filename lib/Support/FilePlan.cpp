//===- FilePlan.cpp - What a command reads and writes ---------------------===//

#include "ane/Support/FilePlan.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"

using namespace ane;
using llvm::Error;

void FilePlan::addInput(llvm::StringRef path, llvm::StringRef what) {
  if (path != "-")
    inputs.push_back({path.str(), what.str()});
}

Error FilePlan::refuse(const Output &output, const Input &input) {
  std::string message =
      "the output would replace " + input.what + "; choose another name";
  if (!output.option.empty())
    message += " with " + output.option;
  return makeFileError(output.path, 0, message);
}

Error FilePlan::addLateInput(llvm::StringRef path, llvm::StringRef what) {
  addInput(path, what);
  for (const Output &output : outputs)
    if (isSamePlace(output.path, path))
      return refuse(output, {path.str(), what.str()});
  return Error::success();
}

Error FilePlan::addOutput(llvm::StringRef path, llvm::StringRef option) {
  if (path.empty())
    return makeFileError("''", 0,
                         "an output needs a name, or - for standard "
                         "output");
  // What is written there replaces nothing.
  if (path == "-" || isSpecial(path))
    return Error::success();
  if (Error error = refuseFolder(path))
    return error;
  Output added = {path.str(), option.str()};
  for (const Input &input : inputs)
    if (isSamePlace(path, input.path))
      return refuse(added, input);
  for (const Output &other : outputs)
    if (isSamePlace(path, other.path))
      return makeFileError(path, 0,
                           "two outputs would go to this file; give each its "
                           "own");
  outputs.push_back(std::move(added));
  return Error::success();
}
