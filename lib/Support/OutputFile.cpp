//===- OutputFile.cpp - Output that appears whole or not at all -----------===//

#include "ane/Support/OutputFile.h"
#include "ane/Support/FileError.h"

using namespace ane;

llvm::Error ane::writeOutputFile(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  llvm::Error error = llvm::writeToOutput(
      path, [&](llvm::raw_ostream &os) { return write(os); });
  // What `write` reports has a place already; only the file system's own
  // errors need the path.
  return llvm::handleErrors(
      std::move(error), [&](std::unique_ptr<llvm::ECError> info) {
        return makeFileError(path, 0,
                             "cannot write the file: " + info->message());
      });
}
