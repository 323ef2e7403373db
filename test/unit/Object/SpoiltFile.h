//===- SpoiltFile.h - Containers with wrong fields --------------*- C++ -*-===//
//
// A test takes the container of makeSpec(), spoils one field and expects the
// error that names it. Offsets come from the object that the reader makes of
// the unspoilt file, so no number in a test repeats the layout.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_OBJECT_SPOILTFILE_H
#define ANE_TEST_UNIT_OBJECT_SPOILTFILE_H

#include "Fixtures.h"
#include "ane/Object/Check.h"
#include "ane/Object/Contents.h"
#include "ane/Object/Reader.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"

namespace ane::object::test {

/// A file whose fields can be overwritten.
class SpoiltFile {
public:
  SpoiltFile() : bytes(makeFile()), object(llvm::cantFail(read(bytes))) {}

  /// The offset of the n-th command of a kind.
  template <typename T> uint64_t command(unsigned n = 0) const {
    for (const LoadCommand &command : object.commands)
      if (std::holds_alternative<T>(command.body) && n-- == 0)
        return command.fileOffset;
    ADD_FAILURE() << "no such command";
    return 0;
  }

  SpoiltFile &set32(uint64_t offset, uint32_t value) {
    llvm::support::endian::write32le(&bytes[offset], value);
    return *this;
  }
  SpoiltFile &set64(uint64_t offset, uint64_t value) {
    llvm::support::endian::write64le(&bytes[offset], value);
    return *this;
  }

  /// What the reader says, or those who need more than it does.
  std::string error() const {
    llvm::Expected<Object> result = read(bytes);
    if (!result)
      return llvm::toString(result.takeError());
    llvm::Error error = checkObject(*result, "test.hwx");
    return error ? llvm::toString(std::move(error)) : "no error";
  }

  /// Why the command at `offset` is kept without being understood; it has to be
  /// written as it was.
  std::string opaque(uint64_t offset) const {
    llvm::Expected<Object> result = read(bytes);
    if (!result)
      return llvm::toString(result.takeError());
    EXPECT_EQ(write(*result), bytes);
    for (const LoadCommand &command : result->commands)
      if (command.fileOffset == offset)
        if (const auto *kept = std::get_if<OpaqueCommand>(&command.body))
          return kept->reason;
    return "it is understood";
  }

  std::string bytes;
  Object object;
};

/// An error at an offset of the file.
inline std::string at(uint64_t offset, const std::string &message) {
  return "test.hwx:0:" + std::to_string(offset) + ": error: " + message;
}

/// Tests of one spoilt file each.
class ReaderErrors : public testing::Test {
protected:
  SpoiltFile file;
};

} // namespace ane::object::test

#endif // ANE_TEST_UNIT_OBJECT_SPOILTFILE_H
