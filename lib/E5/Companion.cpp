//===- Companion.cpp - A container and the descriptor beside it -----------===//

#include "ane/E5/Companion.h"
#include "ane/Support/FileError.h"
#include "ane/Support/HashingStream.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ane;
using llvm::Error;

llvm::SmallString<128> e5::companionPath(llvm::StringRef path) {
  llvm::SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, "e5");
  return result;
}

bool e5::hasCompanion(llvm::StringRef path) {
  if (path == "-")
    return false;
  llvm::sys::fs::file_status status;
  return llvm::sys::fs::status(path, status) ||
         llvm::sys::fs::is_regular_file(status);
}

Error e5::writeWithCompanion(
    llvm::StringRef path, llvm::function_ref<Error(llvm::raw_ostream &)> write,
    Descriptor descriptor) {
  if (!hasCompanion(path))
    return writeOutputFile(path, write);
  if (companionPath(path) == path)
    return makeFileError(path, 0,
                         "this is the name of the dispatch descriptor beside "
                         "the container; name the container *.hwx");
  descriptor.containerPath = llvm::sys::path::filename(path).str();
  return writeOutputFile(path, [&](llvm::raw_ostream &os) -> Error {
    HashingStream hashing(os);
    if (Error error = write(hashing))
      return error;
    descriptor.containerHash = hashing.hexDigest();
    return writeE5(descriptor, companionPath(path));
  });
}
