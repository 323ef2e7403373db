//===- BlobStorage.h - Weight files -----------------------------*- C++ -*-===//
//
// weight.bin, MIL Blob Storage version 2. A file header is followed by blobs;
// each is a 64-byte metadata record at a multiple of 64 and its payload. All
// numbers are little endian. The layout is documented (coremltools' storage
// format) and verified on real files.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FRONTEND_BLOBSTORAGE_H
#define ANE_FRONTEND_BLOBSTORAGE_H

#include "ane/Support/ReadAhead.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <vector>

namespace ane::frontend {

/// Element types, by their code in the file.
enum class BlobType : uint32_t {
  Float16 = 1,
  Float32 = 2,
  UInt8 = 3,
  Int8 = 4,
  BFloat16 = 5,
  Int16 = 6,
  UInt16 = 7,
  Int4 = 8,
  UInt1 = 9,
  UInt2 = 10,
  UInt4 = 11,
  UInt3 = 12,
  UInt6 = 13,
  Int32 = 14,
  UInt32 = 15,
  Float8E4M3FN = 16,
  Float8E5M2 = 17,
};

/// The name of an element type in MIL text, and its width. Empty and 0 for a
/// code that does not exist.
llvm::StringRef blobTypeName(BlobType type);
/// The element type of that name, if files have it.
std::optional<BlobType> blobTypeOf(llvm::StringRef name);
unsigned blobTypeBits(BlobType type);

/// The file header.
struct BlobFileHeader {
  static constexpr uint32_t currentVersion = 2;

  llvm::support::ulittle32_t count;
  llvm::support::ulittle32_t version;
  llvm::support::ulittle64_t reserved[7];
};
static_assert(sizeof(BlobFileHeader) == 64);

/// The record in front of each payload, at a multiple of 64.
struct BlobMetadata {
  static constexpr uint32_t expectedSentinel = 0xdeadbeef;

  llvm::support::ulittle32_t sentinel;
  llvm::support::ulittle32_t type;
  llvm::support::ulittle64_t size;   ///< of the payload, in bytes
  llvm::support::ulittle64_t offset; ///< of the payload, from the file start
  llvm::support::ulittle64_t paddingBits; ///< unused bits of the last byte
  llvm::support::ulittle64_t reserved[4]; ///< unspecified before iOS 18
};
static_assert(sizeof(BlobMetadata) == 64);

/// Metadata records start at multiples of this.
inline constexpr uint64_t blobAlignment = 64;

/// One weight of a file.
struct Blob {
  BlobType type;
  /// Payload. Elements narrower than a byte are packed from the least
  /// significant bit of each byte on; one may cross into the next byte.
  llvm::ArrayRef<uint8_t> data;
  /// Unused bits of the last byte.
  unsigned paddingBits = 0;
  /// Place of the payload in the file.
  uint64_t payloadOffset = 0;
  /// Whether the record says where it is.
  bool isPlaced = true;

  uint64_t numElements() const {
    return (data.size() * 8 - paddingBits) / blobTypeBits(type);
  }
};

/// A weight file, mapped read-only or in memory. Blobs point into it.
class BlobFile {
public:
  /// Maps a file and checks its header. The errors carry the file's name and,
  /// as column, the byte offset of what is wrong. A large file is read ahead.
  static llvm::Expected<std::shared_ptr<const BlobFile>>
  open(llvm::StringRef path);

  /// The same for a file in memory; its identifier is the name.
  static llvm::Expected<std::shared_ptr<const BlobFile>>
  create(std::unique_ptr<llvm::MemoryBuffer> buffer);

  llvm::StringRef path() const { return filePath; }
  uint64_t size() const { return bytes().size(); }

  /// The number of blobs that the header claims.
  uint32_t count() const { return blobCount; }

  /// The blob whose metadata record is at `offset`. Refuses a record without
  /// sentinel, of unknown type, with a payload that is outside the file, that
  /// overlaps the record, or that is not a whole number of elements; but of
  /// `expectedSize` bytes a payload may be whatever the record calls it, and
  /// where the record has 0 for its place, which is not valid but what some
  /// benchmarks write, so many bytes behind the record are the payload.
  llvm::Expected<Blob>
  blob(uint64_t offset,
       std::optional<uint64_t> expectedSize = std::nullopt) const;

private:
  llvm::ArrayRef<uint8_t> bytes() const {
    if (buffer)
      return llvm::arrayRefFromStringRef(buffer->getBuffer());
    return {reinterpret_cast<const uint8_t *>(mapping.const_data()),
            mapping.size()};
  }
  llvm::Error readHeader();

  std::string filePath;
  /// One of the two holds the file.
  llvm::sys::fs::mapped_file_region mapping;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  uint32_t blobCount = 0;
  /// The last member: it ends before what it reads.
  std::optional<ReadAhead> readAhead;
};

/// Lays out and writes a weight file. The payloads are referenced until the
/// file is written.
class BlobWriter {
public:
  /// Adds a blob and returns the offset of its metadata record, which is what
  /// BLOBFILE names in MIL text.
  uint64_t add(BlobType type, llvm::ArrayRef<uint8_t> data,
               unsigned paddingBits = 0);

  /// Writes the file: header, then records and payloads, each padded with
  /// zeros to a multiple of 64.
  void write(llvm::raw_ostream &os) const;

private:
  std::vector<Blob> blobs;
  uint64_t next = sizeof(BlobFileHeader);
};

} // namespace ane::frontend

#endif // ANE_FRONTEND_BLOBSTORAGE_H
