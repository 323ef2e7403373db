//===- InputFile.cpp - Files that are read whole --------------------------===//

#include "ane/Support/InputFile.h"
#include "ane/Support/FileError.h"

using llvm::Expected;
using llvm::MemoryBuffer;

static Expected<std::unique_ptr<MemoryBuffer>> read(llvm::StringRef path,
                                                    bool isText) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(path, isText,
                                             /*RequiresNullTerminator=*/isText);
  if (std::error_code code = buffer.getError())
    return ane::makeFileError(path, 0,
                              "cannot read the file: " + code.message());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>>
ane::readInputFile(llvm::StringRef path) {
  return read(path, /*isText=*/false);
}

Expected<std::unique_ptr<MemoryBuffer>>
ane::readInputText(llvm::StringRef path) {
  return read(path, /*isText=*/true);
}
