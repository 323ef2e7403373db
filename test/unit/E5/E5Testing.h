//===- E5Testing.h - What the tests of descriptors share --------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_E5_E5TESTING_H
#define ANE_TEST_UNIT_E5_E5TESTING_H

#include "ane/E5/E5.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "gmock/gmock.h"
#include <random>

namespace ane::e5 {

inline std::string write(const Descriptor &model) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeE5(model, os);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return bytes;
}

inline llvm::Expected<Descriptor> read(llvm::StringRef bytes) {
  // A copy, because FlatBuffers want an aligned start.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.e5");
  return readE5(buffer->getMemBufferRef());
}

inline std::string errorOf(llvm::StringRef bytes) {
  llvm::Expected<Descriptor> model = read(bytes);
  return model ? "no error" : llvm::toString(model.takeError());
}

/// Whatever is accepted must be fit to be written.
inline void checkSpoilt(llvm::StringRef bytes) {
  llvm::Expected<Descriptor> model = read(bytes);
  if (model)
    write(*model);
  else
    EXPECT_THAT(llvm::toString(model.takeError()),
                testing::StartsWith("test.e5:0:"));
}

inline void spoilEveryByte(const std::string &bytes) {
  for (size_t offset = 0; offset < bytes.size(); ++offset)
    for (int value : {0x00, 0x01, 0x03, 0x04, 0x7f, 0x80, 0xff}) {
      std::string spoilt = bytes;
      spoilt[offset] = char(value);
      checkSpoilt(spoilt);
    }
}

/// Words, because offsets, lengths and symbols are words.
inline void spoilWords(const std::string &bytes) {
  std::mt19937 random;
  for (int round = 0; round < 20000; ++round) {
    std::string spoilt = bytes;
    for (unsigned i = 0, e = 1 + random() % 4; i < e; ++i) {
      size_t offset = random() % (spoilt.size() / 4) * 4;
      size_t source = random() % (spoilt.size() / 4) * 4;
      if (random() % 2)
        spoilt.replace(offset, 4, spoilt.substr(source, 4));
      else
        spoilt[offset] = char(spoilt[offset] + int(random() % 17) - 8);
    }
    checkSpoilt(spoilt);
  }
}

/// Edits a descriptor as JSON, in the hands of flatc.
class FlatcTest : public testing::Test {
protected:
  void start(const Descriptor &model) {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ane-e5", directory));
    json = toJson(write(model));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> result = directory;
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

  void run(std::vector<llvm::StringRef> arguments) {
    arguments.insert(arguments.begin(), FLATC);
    std::string message;
    ASSERT_EQ(llvm::sys::ExecuteAndWait(FLATC, arguments, std::nullopt, {}, 0,
                                        0, &message),
              0)
        << message;
  }

  std::string load(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    EXPECT_TRUE(bool(buffer)) << name.str();
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  void store(llvm::StringRef name, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path(name), error) << bytes;
    ASSERT_FALSE(error);
  }

  std::string toJson(llvm::StringRef bytes) {
    store("test.e5", bytes);
    run({"-t", "--strict-json", "--defaults-json", "--raw-binary", "-o",
         directory.str(), SCHEMA, "--", path("test.e5")});
    return load("test.json");
  }

  std::string toBinary(llvm::StringRef text) {
    store("test.json", text);
    run({"-b", "--force-defaults", "-o", directory.str(), SCHEMA,
         path("test.json")});
    return load("test.bin");
  }

  /// The error for the descriptor after replacing `from`, which must occur, by
  /// `to` in its JSON form; `skip` occurrences are left alone.
  std::string errorAfter(const std::string &from, const std::string &to,
                         unsigned skip = 0) {
    std::string text = json;
    size_t place = text.find(from);
    for (; skip > 0; --skip)
      place = text.find(from, place + 1);
    EXPECT_NE(place, std::string::npos) << from;
    if (place == std::string::npos)
      return "";
    text.replace(place, from.size(), to);
    std::string bytes = toBinary(text);
    return errorOf(bytes);
  }

  llvm::SmallString<128> directory;
  std::string json;
};

} // namespace ane::e5

#endif // ANE_TEST_UNIT_E5_E5TESTING_H
