//===- Companion.cpp - A container and the descriptor beside it -----------===//

#include "ane/E5/Companion.h"
#include "ane/Support/BackgroundHashingStream.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "ane/Support/OutputFile.h"
#include "ane/Support/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ane;
using namespace ane::e5;
using llvm::Error;

llvm::SmallString<128> e5::companionPath(llvm::StringRef path) {
  llvm::SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, "e5");
  return result;
}

llvm::SmallString<128> e5::companionPath(llvm::StringRef path,
                                         llvm::StringRef function) {
  llvm::SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, function + ".e5");
  return result;
}

llvm::StringRef e5::functionOfProcedure(llvm::StringRef procedure) {
  procedure.consume_back("_ane");
  return procedure;
}

Error e5::checkCompanion(llvm::StringRef output, llvm::StringRef input) {
  llvm::SmallString<128> companion = companionPath(output);
  if (!hasCompanion(output) || isSamePlace(output, input) ||
      !isSamePlace(companion, companionPath(input)))
    return Error::success();
  return makeFileError(companion, 0,
                       "the output would replace the dispatch descriptor of " +
                           input +
                           "; choose a name that differs in more than the "
                           "extension");
}

bool e5::hasCompanion(llvm::StringRef path) {
  if (path == "-" || isSpecial(path))
    return false;
  llvm::sys::fs::file_status status;
  return llvm::sys::fs::status(path, status) ||
         llvm::sys::fs::is_regular_file(status);
}

namespace {

/// A descriptor and where it goes.
struct Companion {
  Descriptor descriptor;
  llvm::SmallString<128> path;
};

} // namespace

/// Adds the descriptors of functions that name `container`, are those of what
/// it was before, and are not written anew.
static void addOutdated(llvm::StringRef container,
                        llvm::ArrayRef<Companion> companions,
                        llvm::SmallVectorImpl<llvm::SmallString<128>> &paths) {
  namespace fs = llvm::sys::fs;
  llvm::StringRef folder = llvm::sys::path::parent_path(container);
  std::string start = (llvm::sys::path::stem(container) + ".").str();
  std::error_code code;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, code), end;
       it != end && !code; it.increment(code)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    bool isKept = llvm::any_of(companions, [&](const Companion &companion) {
      return companion.path == path;
    });
    if (!name.consume_front(start) || !name.consume_back(".e5") || isKept ||
        llvm::is_contained(paths, path) || !fs::is_regular_file(path))
      continue;
    llvm::Expected<Descriptor> descriptor = readE5(path);
    if (!descriptor)
      llvm::consumeError(descriptor.takeError());
    else if (descriptor->containerPath == llvm::sys::path::filename(container))
      paths.push_back(path);
  }
}

bool Descriptor::isOf(llvm::StringRef container) const {
  return llvm::StringRef(containerHash).equals_insensitive(sha256Of(container));
}

/// Refuses to replace or remove the descriptor at `path` if it is that of
/// another container than `container` in this folder, by name and hash.
static Error checkReplaced(llvm::StringRef path, llvm::StringRef container) {
  if (!llvm::sys::fs::is_regular_file(path))
    return Error::success();
  llvm::Expected<Descriptor> descriptor = readE5(path);
  if (!descriptor) {
    llvm::consumeError(descriptor.takeError());
    return Error::success();
  }
  llvm::SmallString<128> other = llvm::sys::path::parent_path(path);
  llvm::sys::path::append(other, descriptor->containerPath);
  if (isSamePlace(other, container) || !llvm::sys::fs::is_regular_file(other))
    return Error::success();
  auto contents = readInputFile(other);
  if (!contents)
    return contents.takeError();
  if (!descriptor->isOf((*contents)->getBuffer()))
    return Error::success();
  return makeFileError(path, 0,
                       "this is the dispatch descriptor of " + other +
                           ", which would be lost; name the container "
                           "otherwise than " +
                           container);
}

/// Writes descriptors and removes others. None gets its name, and nothing is
/// removed, before all have been written.
static Error writeCompanions(llvm::ArrayRef<Companion> companions,
                             llvm::ArrayRef<llvm::SmallString<128>> outdated,
                             llvm::StringRef container) {
  if (!companions.empty())
    return writeE5(companions.front().descriptor, companions.front().path, [&] {
      return writeCompanions(companions.drop_front(), outdated, container);
    });
  for (const llvm::SmallString<128> &other : outdated)
    if (std::error_code code = llvm::sys::fs::remove(other))
      return makeFileError(other, 0,
                           "cannot remove the descriptor of what " + container +
                               " was before: " + code.message());
  return Error::success();
}

static Error writeAll(llvm::StringRef path,
                      llvm::function_ref<Error(llvm::raw_ostream &)> write,
                      std::vector<Companion> companions,
                      llvm::SmallVector<llvm::SmallString<128>> outdated) {
  if (!hasCompanion(path))
    return writeOutputFile(path, write);
  for (Companion &companion : companions) {
    if (companion.path == path)
      return makeFileError(path, 0,
                           "this is the name of the dispatch descriptor beside "
                           "the container; name the container *.hwx");
    if (Error error = checkReplaced(companion.path, path))
      return error;
    companion.descriptor.containerPath = llvm::sys::path::filename(path).str();
  }
  for (llvm::StringRef other : outdated)
    if (Error error = checkReplaced(other, path))
      return error;
  addOutdated(path, companions, outdated);
  return writeOutputFile(
      path,
      [&](llvm::raw_ostream &os) -> Error {
        BackgroundHashingStream hashing(os);
        if (Error error = write(hashing))
          return error;
        std::string hash = hashing.hexDigest();
        for (Companion &companion : companions)
          companion.descriptor.containerHash = hash;
        return Error::success();
      },
      [&] { return writeCompanions(companions, outdated, path); });
}

Error e5::writeWithCompanion(
    llvm::StringRef path, llvm::function_ref<Error(llvm::raw_ostream &)> write,
    Descriptor descriptor) {
  // A reader would take that of its function for a procedure.
  llvm::SmallVector<llvm::SmallString<128>> outdated;
  for (const Stage &stage : descriptor.partition.stages)
    if (stage.isEngine())
      outdated.push_back(
          companionPath(path, functionOfProcedure(stage.procedure)));
  return writeAll(path, write, {{std::move(descriptor), companionPath(path)}},
                  std::move(outdated));
}

Error e5::writeWithCompanions(
    llvm::StringRef path, llvm::function_ref<Error(llvm::raw_ostream &)> write,
    std::vector<Descriptor> descriptors) {
  std::vector<Companion> companions;
  for (Descriptor &descriptor : descriptors) {
    llvm::SmallString<128> place = companionPath(path, descriptor.function);
    companions.push_back({std::move(descriptor), place});
  }
  return writeAll(path, write, std::move(companions), {companionPath(path)});
}
