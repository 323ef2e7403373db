//===- BlobStorageTest.cpp - Weight files ---------------------------------===//

#include "ane/Frontend/BlobStorage.h"
#include "../TestData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

using namespace ane::frontend;
using ane::testData;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

namespace {

/// A file that is gone when the test is over.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef content) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("weight", "bin", descriptor,
                                                    filePath));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(filePath); }
  llvm::StringRef path() const { return filePath; }

private:
  llvm::SmallString<128> filePath;
};

std::string write(const BlobWriter &writer) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  writer.write(os);
  return bytes;
}

/// The error of a failed operation; empty for one that succeeded.
template <typename T> std::string messageOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

/// The offsets of the records of a file in which blob follows blob.
std::vector<uint64_t> offsetsOf(const BlobFile &file) {
  std::vector<uint64_t> offsets;
  uint64_t next = 64;
  for (uint32_t i = 0; i < file.count(); ++i) {
    Blob blob = llvm::cantFail(file.blob(next));
    offsets.push_back(next);
    next = llvm::alignTo(blob.payloadOffset + blob.data.size(), 64);
  }
  return offsets;
}

TEST(BlobStorage, WritesTheDocumentedLayout) {
  const uint8_t weights[] = {1, 2, 3};
  const uint8_t flags[] = {0x05};
  BlobWriter writer;
  EXPECT_EQ(writer.add(BlobType::UInt8, weights), 64u);
  EXPECT_EQ(writer.add(BlobType::UInt1, flags, /*paddingBits=*/5), 192u);
  std::string bytes = write(writer);
  ASSERT_EQ(bytes.size(), 320u);

  auto word = [&](size_t offset) {
    return llvm::support::endian::read32le(bytes.data() + offset);
  };
  EXPECT_EQ(word(0), 2u);
  EXPECT_EQ(word(4), 2u);
  EXPECT_EQ(word(64), 0xdeadbeefu);
  EXPECT_EQ(word(68), 3u);
  EXPECT_EQ(word(72), 3u);   // size
  EXPECT_EQ(word(80), 128u); // payload
  EXPECT_EQ(word(88), 0u);   // padding
  EXPECT_EQ(bytes.substr(128, 4), std::string("\1\2\3\0", 4));
  EXPECT_EQ(word(192), 0xdeadbeefu);
  EXPECT_EQ(word(196), 9u);
  EXPECT_EQ(word(200), 1u);
  EXPECT_EQ(word(208), 256u);
  EXPECT_EQ(word(216), 5u);
  EXPECT_EQ(bytes[256], 5);
}

TEST(BlobStorage, ReadsWhatItWrites) {
  constexpr BlobType types[] = {
      BlobType::Float16,      BlobType::Float32,   BlobType::UInt8,
      BlobType::Int8,         BlobType::BFloat16,  BlobType::Int16,
      BlobType::UInt16,       BlobType::Int4,      BlobType::UInt1,
      BlobType::UInt2,        BlobType::UInt4,     BlobType::UInt3,
      BlobType::UInt6,        BlobType::Int32,     BlobType::UInt32,
      BlobType::Float8E4M3FN, BlobType::Float8E5M2};
  std::vector<uint8_t> payload(192);
  for (size_t i = 0; i < payload.size(); ++i)
    payload[i] = static_cast<uint8_t>(i * 7);
  BlobWriter writer;
  std::vector<uint64_t> offsets;
  for (BlobType type : types)
    offsets.push_back(writer.add(type, payload));
  TemporaryFile file(write(writer));

  auto blobs = llvm::cantFail(BlobFile::open(file.path()));
  EXPECT_EQ(blobs->count(), std::size(types));
  EXPECT_THAT(offsetsOf(*blobs), ElementsAreArray(offsets));
  for (auto [type, offset] : llvm::zip_equal(types, offsets)) {
    Blob blob = llvm::cantFail(blobs->blob(offset));
    EXPECT_EQ(blob.type, type);
    EXPECT_EQ(blob.payloadOffset, offset + 64);
    EXPECT_EQ(blob.numElements(), 192 * 8 / blobTypeBits(type));
    EXPECT_EQ(blob.data, llvm::ArrayRef(payload));
    EXPECT_FALSE(blobTypeName(type).empty());
  }
}

TEST(BlobStorage, CountsElementsNarrowerThanAByte) {
  const uint8_t bytes[] = {0xff, 0x0f};
  BlobWriter writer;
  uint64_t threes = writer.add(BlobType::UInt3, bytes, /*paddingBits=*/1);
  uint64_t fours = writer.add(BlobType::Int4, bytes, /*paddingBits=*/4);
  uint64_t broken = writer.add(BlobType::UInt3, bytes, /*paddingBits=*/2);
  // Wider types do not use the field, so old files may hold anything there.
  uint64_t ignored = writer.add(BlobType::Int8, bytes, /*paddingBits=*/77);
  TemporaryFile file(write(writer));
  auto blobs = llvm::cantFail(BlobFile::open(file.path()));
  EXPECT_EQ(llvm::cantFail(blobs->blob(threes)).numElements(), 5u);
  EXPECT_EQ(llvm::cantFail(blobs->blob(fours)).numElements(), 3u);
  EXPECT_EQ(llvm::cantFail(blobs->blob(ignored)).numElements(), 2u);
  EXPECT_THAT(messageOf(blobs->blob(broken)),
              HasSubstr("not a whole number of uint3 elements"));
  // Who knows the size need not believe the type.
  EXPECT_EQ(llvm::cantFail(blobs->blob(broken, 2)).data.size(), 2u);
  EXPECT_THAT(messageOf(blobs->blob(broken, 1)),
              HasSubstr("not a whole number of uint3 elements"));
}

/// Codes, names and widths, as the format has them.
TEST(BlobStorage, TypesHaveTheirCodes) {
  struct Row {
    uint32_t code;
    llvm::StringRef name;
    unsigned bits;
  };
  constexpr unsigned count = 17;
  const Row rows[count] = {
      {1, "fp16", 16},      {2, "fp32", 32},   {3, "uint8", 8},
      {4, "int8", 8},       {5, "bf16", 16},   {6, "int16", 16},
      {7, "uint16", 16},    {8, "int4", 4},    {9, "uint1", 1},
      {10, "uint2", 2},     {11, "uint4", 4},  {12, "uint3", 3},
      {13, "uint6", 6},     {14, "int32", 32}, {15, "uint32", 32},
      {16, "fp8e4m3fn", 8}, {17, "fp8e5m2", 8}};
  for (const Row &row : rows) {
    EXPECT_EQ(blobTypeName(BlobType(row.code)), row.name);
    EXPECT_EQ(blobTypeBits(BlobType(row.code)), row.bits);
    const uint8_t bytes[12] = {};
    BlobWriter writer;
    writer.add(BlobType(row.code), bytes);
    std::string file = write(writer);
    EXPECT_EQ(llvm::support::endian::read32le(file.data() + 68), row.code);
  }
  EXPECT_EQ(blobTypeBits(BlobType(0)), 0u);
  EXPECT_EQ(blobTypeBits(BlobType(count + 1)), 0u);
}

/// Elements of 1, 2 and 4 bits do not cross bytes, so the unused bits are whole
/// elements.
TEST(BlobStorage, UnusedBitsMustFitTheWidth) {
  const uint8_t bytes[] = {0xff, 0xff, 0xff};
  constexpr unsigned maxPadding = 7;
  for (BlobType type : {BlobType::UInt1, BlobType::UInt2, BlobType::UInt4,
                        BlobType::Int4, BlobType::UInt3, BlobType::UInt6}) {
    for (unsigned padding = 0; padding <= maxPadding + 1; ++padding) {
      BlobWriter writer;
      uint64_t offset = writer.add(type, bytes, padding);
      TemporaryFile file(write(writer));
      auto blobs = llvm::cantFail(BlobFile::open(file.path()));
      unsigned used = sizeof(bytes) * 8 - padding;
      bool isValid = padding <= maxPadding && used % blobTypeBits(type) == 0;
      EXPECT_EQ(messageOf(blobs->blob(offset)).empty(), isValid)
          << blobTypeName(type).str() << ' ' << padding;
    }
  }
}

TEST(BlobStorage, AnEmptyFileAndAnEmptyBlob) {
  BlobWriter writer;
  EXPECT_EQ(write(writer).size(), 64u);
  EXPECT_EQ(writer.add(BlobType::Float16, {}), 64u);
  EXPECT_EQ(writer.add(BlobType::Float16, {}), 128u);
  TemporaryFile file(write(writer));
  auto blobs = llvm::cantFail(BlobFile::open(file.path()));
  EXPECT_THAT(offsetsOf(*blobs), ElementsAre(64, 128));
  EXPECT_EQ(llvm::cantFail(blobs->blob(128)).numElements(), 0u);
}

TEST(BlobStorage, FilesInMemory) {
  const uint8_t weights[] = {1, 2, 3};
  BlobWriter writer;
  uint64_t offset = writer.add(BlobType::UInt8, weights);
  auto create = [](llvm::StringRef bytes) {
    return BlobFile::create(llvm::MemoryBuffer::getMemBufferCopy(bytes, "w"));
  };
  auto file = create(write(writer));
  ASSERT_TRUE(bool(file)) << messageOf(std::move(file));
  EXPECT_EQ((*file)->path(), "w");
  EXPECT_EQ((*file)->count(), 1u);
  EXPECT_THAT((*file)->blob(offset)->data, ElementsAreArray(weights));
  EXPECT_THAT(messageOf((*file)->blob(128)), HasSubstr("w:0:128: error: "));
  EXPECT_THAT(messageOf(create("")),
              HasSubstr("w:0:0: error: the file has 0 bytes"));
  EXPECT_THAT(messageOf(create(std::string(64, '\1'))),
              HasSubstr("w:0:4: error: the file has version 16843009"));
}

TEST(BlobStorage, NamesOfTypesAreTheirs) {
  for (uint32_t code = 1; code <= 17; ++code)
    EXPECT_EQ(blobTypeOf(blobTypeName(BlobType(code))), BlobType(code));
  EXPECT_EQ(blobTypeOf("fp64"), std::nullopt);
  EXPECT_EQ(blobTypeOf(""), std::nullopt);
}

TEST(BlobStorage, AcceptsATailWithoutPadding) {
  const uint8_t bytes[] = {1, 2};
  BlobWriter writer;
  writer.add(BlobType::Int8, bytes);
  TemporaryFile file(llvm::StringRef(write(writer)).drop_back(62));
  auto blobs = llvm::cantFail(BlobFile::open(file.path()));
  EXPECT_EQ(llvm::cantFail(blobs->blob(64)).data, llvm::ArrayRef(bytes));
}

TEST(BlobStorage, OutlivesItsOpener) {
  const uint8_t bytes[] = {1, 2};
  BlobWriter writer;
  writer.add(BlobType::Int8, bytes);
  TemporaryFile file(write(writer));
  auto blobs = llvm::cantFail(BlobFile::open(file.path()));
  auto copy = blobs;
  blobs.reset();
  EXPECT_EQ(llvm::cantFail(copy->blob(64)).data[1], 2);
}

TEST(BlobStorage, TruncatedFilesAreRefusedEverywhere) {
  std::vector<uint8_t> payload(100, 1);
  BlobWriter writer;
  writer.add(BlobType::Int8, payload);
  std::string bytes = write(writer);
  for (size_t length = 0; length < 128 + payload.size(); ++length) {
    TemporaryFile file(llvm::StringRef(bytes).take_front(length));
    auto blobs = BlobFile::open(file.path());
    if (!blobs) {
      EXPECT_LT(length, 64u);
      EXPECT_THAT(messageOf(std::move(blobs)),
                  HasSubstr(":0:0: error: the file has"));
      continue;
    }
    EXPECT_GE(length, 64u);
    EXPECT_NE(messageOf((*blobs)->blob(64)), "");
  }
}

TEST(BlobStorage, EveryFlippedBitOfARecordIsSafe) {
  std::vector<uint8_t> payload(6, 1);
  BlobWriter writer;
  writer.add(BlobType::UInt6, payload);
  std::string bytes = write(writer);
  for (size_t bit = 64 * 8; bit < 96 * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= 1 << (bit % 8);
    TemporaryFile file(damaged);
    auto blobs = llvm::cantFail(BlobFile::open(file.path()));
    llvm::Expected<Blob> blob = blobs->blob(64);
    if (!blob) {
      llvm::consumeError(blob.takeError());
      continue;
    }
    EXPECT_GE(blob->payloadOffset, 128u);
    EXPECT_LE(blob->payloadOffset + blob->data.size(), bytes.size());
  }
}

TEST(BlobStorage, RealFilesAreReadWhole) {
  std::optional<std::string> folder = testData("real/mil/packages");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::error_code code;
  unsigned files = 0;
  for (llvm::sys::fs::recursive_directory_iterator it(*folder, code), end;
       it != end && !code; it.increment(code)) {
    if (llvm::sys::path::filename(it->path()) != "weight.bin")
      continue;
    ++files;
    auto blobs = llvm::cantFail(BlobFile::open(it->path()));

    // The writer makes the file again, byte for byte.
    BlobWriter writer;
    for (uint64_t offset : offsetsOf(*blobs)) {
      Blob blob = llvm::cantFail(blobs->blob(offset));
      EXPECT_EQ(writer.add(blob.type, blob.data, blob.paddingBits), offset);
    }
    auto content = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(content);
    EXPECT_TRUE(write(writer) == (*content)->getBuffer()) << it->path();
  }
  EXPECT_GT(files, 0u);
}

} // namespace
