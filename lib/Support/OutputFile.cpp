//===- OutputFile.cpp - Output that appears whole or not at all -----------===//

#include "ane/Support/OutputFile.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unistd.h>

using namespace ane;
namespace fs = llvm::sys::fs;

using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;
using Follower = llvm::function_ref<llvm::Error()>;

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

namespace {

/// What writing to a path writes to: behind all links, a file, which need not
/// be there yet, or an open descriptor of this process.
struct Destination {
  std::string path;
  std::optional<int> descriptor;
};

} // namespace

/// The descriptor that a path such as /dev/fd/3 or /proc/self/fd/3 names. To
/// open it would be to open what it was opened from, at its start.
static std::optional<int> descriptorNamed(llvm::StringRef path) {
  int number;
  llvm::SmallString<128> folder;
  if (llvm::sys::path::filename(path).getAsInteger(10, number) ||
      fs::real_path(llvm::sys::path::parent_path(path), folder))
    return std::nullopt;
  std::string own =
      "/proc/" + std::to_string(llvm::sys::Process::getProcessId());
  bool isTask = folder.starts_with(own + "/task/") && folder.ends_with("/fd");
  if (isTask || folder == own + "/fd" || folder == "/dev/fd")
    return number;
  return std::nullopt;
}

/// Follows links, as many as systems follow.
static Destination follow(llvm::StringRef path) {
  constexpr int maxLinks = 40;
  Destination place = {path.str(), descriptorNamed(path)};
  for (int i = 0; i < maxLinks && !place.descriptor; ++i) {
    std::error_code code;
    std::filesystem::path link(place.path);
    std::filesystem::path target = std::filesystem::read_symlink(link, code);
    if (code)
      break;
    place.path = (link.parent_path() / target).string();
    place.descriptor = descriptorNamed(place.path);
  }
  return place;
}

std::string ane::behindLinks(llvm::StringRef path) { return follow(path).path; }

bool ane::isSpecial(llvm::StringRef path) {
  fs::file_status status;
  return follow(path).descriptor ||
         (!fs::status(path, status) && !fs::is_regular_file(status) &&
          !fs::is_directory(status));
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
    llvm::SmallString<128> result(behindLinks(path));
    llvm::sys::path::remove_dots(result);
    return result;
  };
  llvm::SmallString<128> first = plain(a), second = plain(b);
  if (first == second || fs::equivalent(a, b))
    return true;
  auto folder = [](llvm::StringRef path) {
    llvm::StringRef parent = llvm::sys::path::parent_path(path);
    return parent.empty() ? llvm::StringRef(".") : parent;
  };
  return llvm::sys::path::filename(first) ==
             llvm::sys::path::filename(second) &&
         fs::equivalent(folder(first), folder(second));
}

llvm::Error ane::flushOutput() {
  return writeTo(llvm::outs(), "-",
                 [](llvm::raw_ostream &) { return llvm::Error::success(); });
}

void ane::expectFullFiles() {
#ifdef SIGXFSZ
  // LLVM takes over signals once, when it is first asked to.
  llvm::sys::SetInterruptFunction(nullptr);
  ::signal(SIGXFSZ, SIG_IGN);
#endif
}

/// Writes to a stream and then, if that went well, what comes after.
static llvm::Error writeInPlace(llvm::raw_fd_ostream &os, llvm::StringRef path,
                                Writer write, Follower then) {
  if (llvm::Error error = writeTo(os, path, write))
    return error;
  return then ? then() : llvm::Error::success();
}

llvm::Error ane::writeOutputFile(llvm::StringRef path, Writer write,
                                 Follower then) {
  Destination place = follow(path);
  if (path == "-" || place.descriptor == STDOUT_FILENO)
    return writeInPlace(llvm::outs(), path, write, then);
  if (place.descriptor) {
    llvm::raw_fd_ostream os(*place.descriptor, /*shouldClose=*/false);
    return writeInPlace(os, path, write, then);
  }
  if (isSpecial(path)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code, fs::CD_OpenExisting);
    return code ? cannotWrite(path, code) : writeInPlace(os, path, write, then);
  }

  // Before anything is written: of several outputs none gets its name then.
  if (llvm::Error error = refuseFolder(path))
    return error;
  if (fs::is_symlink_file(place.path))
    return cannotWrite(
        path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(
      place.path + ".%%%%%%", fs::all_read | fs::all_write);
  if (!file)
    return cannotWrite(path, llvm::errorToErrorCode(file.takeError()));
  // What is there already stays as private as it is.
  fs::file_status replaced;
  if (!fs::status(place.path, replaced))
    if (std::error_code code =
            fs::setPermissions(file->FD, replaced.permissions())) {
      llvm::consumeError(file->discard());
      return cannotWrite(path, code);
    }
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  if (llvm::Error error = writeInPlace(os, path, write, then)) {
    // The error that counts is the one there is.
    llvm::consumeError(file->discard());
    return error;
  }
  if (llvm::Error kept = file->keep(place.path))
    return cannotWrite(path, llvm::errorToErrorCode(std::move(kept)));
  return llvm::Error::success();
}
