//===- OutputFile.cpp - Output that appears whole or not at all -----------===//

#include "ane/Support/OutputFile.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <system_error>

using namespace ane;
namespace fs = llvm::sys::fs;

using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

static llvm::Error cannotWrite(llvm::StringRef path, std::error_code code) {
  return makeFileError(path, 0, "cannot write the file: " + code.message());
}

/// Writes, and leaves nothing for the destructor of the stream to do: that
/// comes too late to keep an incomplete file from getting its name, and aborts
/// where the file cannot take it.
static llvm::Error writeTo(llvm::raw_fd_ostream &os, llvm::StringRef path,
                           Writer write) {
  llvm::Error error = write(os);
  os.flush();
  if (!os.has_error())
    return error;
  std::error_code code = os.error();
  os.clear_error();
  return error ? std::move(error) : cannotWrite(path, code);
}

bool ane::isSpecial(llvm::StringRef path) {
  fs::file_status status;
  return !fs::status(path, status) && !fs::is_regular_file(status) &&
         !fs::is_directory(status);
}

llvm::Error ane::refuseFolder(llvm::StringRef path) {
  return fs::is_directory(path)
             ? cannotWrite(path,
                           std::make_error_code(std::errc::is_a_directory))
             : llvm::Error::success();
}

std::error_code ane::makeFolder(llvm::StringRef path) {
  return fs::create_directories(path, /*IgnoreExisting=*/true, fs::all_all);
}

bool ane::isSamePlace(llvm::StringRef a, llvm::StringRef b) {
  auto plain = [](llvm::StringRef path) {
    llvm::SmallString<128> result(path);
    llvm::sys::path::remove_dots(result);
    return result;
  };
  if (plain(a) == plain(b) || fs::equivalent(a, b))
    return true;
  auto folder = [](llvm::StringRef path) {
    llvm::StringRef parent = llvm::sys::path::parent_path(path);
    return parent.empty() ? llvm::StringRef(".") : parent;
  };
  return llvm::sys::path::filename(a) == llvm::sys::path::filename(b) &&
         fs::equivalent(folder(a), folder(b));
}

llvm::Error ane::flushOutput() {
  return writeTo(llvm::outs(), "-",
                 [](llvm::raw_ostream &) { return llvm::Error::success(); });
}

llvm::Error ane::writeOutputFile(llvm::StringRef path, Writer write) {
  if (path == "-")
    return writeTo(llvm::outs(), path, write);
  if (isSpecial(path)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code, fs::CD_OpenExisting);
    return code ? cannotWrite(path, code) : writeTo(os, path, write);
  }

  // Before anything is written: of several outputs none gets its name then.
  if (llvm::Error error = refuseFolder(path))
    return error;
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(path + ".%%%%%%", fs::all_read | fs::all_write);
  if (!file)
    return cannotWrite(path, llvm::errorToErrorCode(file.takeError()));
  // What is there already stays as private as it is.
  fs::file_status replaced;
  if (!fs::status(path, replaced))
    if (std::error_code code =
            fs::setPermissions(file->FD, replaced.permissions())) {
      llvm::consumeError(file->discard());
      return cannotWrite(path, code);
    }
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  if (llvm::Error error = writeTo(os, path, write)) {
    // The error that counts is the one there is.
    llvm::consumeError(file->discard());
    return error;
  }
  if (llvm::Error kept = file->keep(path))
    return cannotWrite(path, llvm::errorToErrorCode(std::move(kept)));
  return llvm::Error::success();
}
