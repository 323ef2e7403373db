//===- BinaryReader.h - Bounds-checked access to file bytes -----*- C++ -*-===//
//
// Readers treat every offset and length of a file as hostile. They go through
// this class, which turns each access outside the file into a located error.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_BINARYREADER_H
#define ANE_SUPPORT_BINARYREADER_H

#include "ane/Support/FileError.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstring>
#include <type_traits>

namespace ane {

/// A named run of bytes that can only be read inside its bounds.
class BinaryReader {
public:
  BinaryReader(llvm::StringRef file, llvm::ArrayRef<uint8_t> bytes)
      : file(file), bytes(bytes) {}

  uint64_t size() const { return bytes.size(); }
  llvm::StringRef fileName() const { return file; }

  /// The bytes [offset, offset + length); `what` names them in the error.
  llvm::Expected<llvm::ArrayRef<uint8_t>>
  slice(uint64_t offset, uint64_t length, const llvm::Twine &what) const {
    if (offset > bytes.size() || length > bytes.size() - offset)
      return error(offset, what + " needs " + llvm::Twine(length) +
                               " bytes at offset " + hex(offset) +
                               ", but the file ends at " + hex(bytes.size()));
    return bytes.slice(offset, length);
  }

  /// A copy of the structure at `offset`.
  template <typename T>
  llvm::Expected<T> read(uint64_t offset, const llvm::Twine &what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    llvm::Expected<llvm::ArrayRef<uint8_t>> data =
        slice(offset, sizeof(T), what);
    if (!data)
      return data.takeError();
    T value;
    std::memcpy(&value, data->data(), sizeof(T));
    return value;
  }

  /// The NUL-terminated string that starts at `offset` and ends before `end`.
  llvm::Expected<llvm::StringRef> readString(uint64_t offset, uint64_t end,
                                             const llvm::Twine &what) const;

  /// An error at byte `offset` of this file.
  llvm::Error error(uint64_t offset, const llvm::Twine &message) const {
    return makeFileError(file, offset, message);
  }

private:
  llvm::StringRef file;
  llvm::ArrayRef<uint8_t> bytes;
};

} // namespace ane

#endif // ANE_SUPPORT_BINARYREADER_H
