//===- FileError.h - Errors located in a file -------------------*- C++ -*-===//
//
// Every refusal of this project reads `file:line:col: error: message`. Text has
// lines and columns; in a binary file the line is 0 and the column is the byte
// offset, so that one rule serves both and a script can parse either.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_FILEERROR_H
#define ANE_SUPPORT_FILEERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <string>

namespace ane {

/// An error at a place in a file.
class FileError : public llvm::ErrorInfo<FileError> {
public:
  static char ID;

  FileError(llvm::StringRef file, uint64_t line, uint64_t column,
            const llvm::Twine &message)
      : file(file), line(line), column(column), message(message.str()) {}

  /// Writes `file:line:col: error: message`, a line without control codes.
  void log(llvm::raw_ostream &os) const override;

  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string file;
  uint64_t line;
  uint64_t column;
  std::string message;
};

/// An error at byte `offset` of a binary file.
inline llvm::Error makeFileError(llvm::StringRef file, uint64_t offset,
                                 const llvm::Twine &message) {
  return llvm::make_error<FileError>(file, 0, offset, message);
}

/// Prints every error of `error` on its own line. An error without a place of
/// its own is reported at the start of `file`.
void reportErrors(llvm::Error error, llvm::StringRef file);

/// Prints `file:0:0: warning: message`, a line without control codes.
void reportWarning(llvm::StringRef file, const llvm::Twine &message);

/// Failure where there are errors, which are printed as reportErrors does.
llvm::LogicalResult reported(llvm::Error error, llvm::StringRef file);

} // namespace ane

#endif // ANE_SUPPORT_FILEERROR_H
