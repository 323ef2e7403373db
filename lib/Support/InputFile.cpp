//===- InputFile.cpp - Files that are read whole --------------------------===//

#include "ane/Support/InputFile.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace ane;
using llvm::Expected;
using llvm::MemoryBuffer;
namespace fs = llvm::sys::fs;

static llvm::Error cannotRead(llvm::StringRef path, const llvm::Twine &why) {
  return makeFileError(path, 0, "cannot read the file: " + why);
}

/// Reads what does not say how long it is.
static Expected<std::unique_ptr<MemoryBuffer>>
readStream(fs::file_t file, llvm::StringRef path, uint64_t limit) {
  constexpr size_t step = 1 << 16;
  llvm::SmallVector<char, 0> bytes;
  while (true) {
    size_t size = bytes.size();
    // Twice as much would be too much at the limit.
    if (size + step > bytes.capacity())
      bytes.reserve(std::min<uint64_t>(2 * (size + step), limit + 2 * step));
    bytes.resize_for_overwrite(size + step);
    Expected<size_t> length = fs::readNativeFile(
        file, llvm::MutableArrayRef(bytes.data() + size, step));
    if (!length)
      return cannotRead(path,
                        llvm::errorToErrorCode(length.takeError()).message());
    bytes.truncate(size + *length);
    if (*length == 0)
      break;
    if (bytes.size() > limit)
      return cannotRead(path, "it does not end after " + llvm::Twine(limit) +
                                  " bytes, the limit of what comes from a pipe "
                                  "or a device");
  }
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), path == "-" ? "<stdin>" : path,
      /*RequiresNullTerminator=*/true);
}

static Expected<std::unique_ptr<MemoryBuffer>>
read(llvm::StringRef path, InputLimit limit, bool isText) {
  if (path == "-")
    return readStream(fs::getStdinHandle(), path, limit.stream);
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return cannotRead(path, llvm::errorToErrorCode(file.takeError()).message());
  llvm::scope_exit closing([&] { (void)fs::closeFile(*file); });
  fs::file_status status;
  if (std::error_code code = fs::status(*file, status))
    return cannotRead(path, code.message());
  if (!fs::is_regular_file(status))
    return readStream(*file, path, limit.stream);
  if (status.getSize() > limit.file)
    return cannotRead(path, "it has " + llvm::Twine(status.getSize()) +
                                " bytes, the limit is " +
                                llvm::Twine(limit.file));
  auto buffer = MemoryBuffer::getOpenFile(*file, path, status.getSize(),
                                          /*RequiresNullTerminator=*/isText);
  if (std::error_code code = buffer.getError())
    return cannotRead(path, code.message());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>> ane::readInputFile(llvm::StringRef path,
                                                           InputLimit limit) {
  return read(path, limit, /*isText=*/false);
}

Expected<std::unique_ptr<MemoryBuffer>> ane::readInputText(llvm::StringRef path,
                                                           InputLimit limit) {
  return read(path, limit, /*isText=*/true);
}
