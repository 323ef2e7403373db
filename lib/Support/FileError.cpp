//===- FileError.cpp - Errors located in a file ---------------------------===//

#include "ane/Support/FileError.h"
#include "ane/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane;

char FileError::ID = 0;

void FileError::log(llvm::raw_ostream &os) const {
  os << escapeUnprintable(file) << ':' << line << ':' << column
     << ": error: " << escapeUnprintable(message);
}

void ane::reportErrors(llvm::Error error, llvm::StringRef file) {
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    if (info.isA<FileError>())
      llvm::errs() << info.message() << '\n';
    else
      llvm::errs()
          << FileError(file, 0, 0, info.message()).ErrorInfoBase::message()
          << '\n';
  });
}

void ane::reportWarning(llvm::StringRef file, const llvm::Twine &message) {
  llvm::errs() << escapeUnprintable(file)
               << ":0:0: warning: " << escapeUnprintable(message.str()) << '\n';
}

llvm::LogicalResult ane::reported(llvm::Error error, llvm::StringRef file) {
  if (!error)
    return llvm::success();
  reportErrors(std::move(error), file);
  return llvm::failure();
}
