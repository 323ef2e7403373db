//===- BlobStorage.cpp - Weight files -------------------------------------===//

#include "ane/Frontend/BlobStorage.h"
#include "ane/Support/BinaryReader.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::frontend;

namespace {

struct BlobTypeInfo {
  BlobType type;
  llvm::StringLiteral name;
  unsigned bits;
};

/// Of a smaller file there is nothing to gain on another thread, and of a
/// larger one the first pages may have left memory when somebody wants them.
/// Assigned.
constexpr uint64_t leastReadAhead = 1 << 20, mostReadAhead = 1 << 30;

constexpr BlobTypeInfo blobTypes[] = {
    {BlobType::Float16, "fp16", 16},
    {BlobType::Float32, "fp32", 32},
    {BlobType::UInt8, "uint8", 8},
    {BlobType::Int8, "int8", 8},
    {BlobType::BFloat16, "bf16", 16},
    {BlobType::Int16, "int16", 16},
    {BlobType::UInt16, "uint16", 16},
    {BlobType::Int4, "int4", 4},
    {BlobType::UInt1, "uint1", 1},
    {BlobType::UInt2, "uint2", 2},
    {BlobType::UInt4, "uint4", 4},
    {BlobType::UInt3, "uint3", 3},
    {BlobType::UInt6, "uint6", 6},
    {BlobType::Int32, "int32", 32},
    {BlobType::UInt32, "uint32", 32},
    {BlobType::Float8E4M3FN, "fp8e4m3fn", 8},
    {BlobType::Float8E5M2, "fp8e5m2", 8},
};

const BlobTypeInfo *findType(BlobType type) {
  const BlobTypeInfo *info = llvm::find_if(
      blobTypes, [&](const BlobTypeInfo &row) { return row.type == type; });
  return info == std::end(blobTypes) ? nullptr : info;
}

llvm::Error tooSmall(llvm::StringRef path, uint64_t size) {
  return makeFileError(path, 0,
                       "the file has " + llvm::Twine(size) +
                           " bytes; a weight file starts with a header of " +
                           llvm::Twine(sizeof(BlobFileHeader)));
}

} // namespace

llvm::StringRef frontend::blobTypeName(BlobType type) {
  const BlobTypeInfo *info = findType(type);
  return info ? llvm::StringRef(info->name) : "";
}

std::optional<BlobType> frontend::blobTypeOf(llvm::StringRef name) {
  for (const BlobTypeInfo &info : blobTypes)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

unsigned frontend::blobTypeBits(BlobType type) {
  const BlobTypeInfo *info = findType(type);
  return info ? info->bits : 0;
}

//===----------------------------------------------------------------------===//
// BlobFile
//===----------------------------------------------------------------------===//

llvm::Expected<std::shared_ptr<const BlobFile>>
BlobFile::open(llvm::StringRef path) {
  namespace fs = llvm::sys::fs;
  auto systemError = [&](llvm::StringRef what, std::error_code code) {
    return makeFileError(path, 0, what + ": " + code.message());
  };
  // Opening a pipe would wait for its writer, so the kind is asked first.
  fs::file_status status;
  std::error_code code = fs::status(path, status);
  if (!code && !fs::is_regular_file(status))
    return makeFileError(path, 0, "the weight file is not a regular file");
  llvm::Expected<fs::file_t> descriptor = fs::openNativeFileForRead(path);
  if (!descriptor)
    return systemError("cannot open the weight file",
                       llvm::errorToErrorCode(descriptor.takeError()));
  llvm::scope_exit close([&] { (void)fs::closeFile(*descriptor); });
  code = fs::status(*descriptor, status);
  if (code)
    return systemError("cannot examine the weight file", code);
  auto file = std::make_shared<BlobFile>();
  file->filePath = path.str();
  // Nothing cannot be mapped.
  if (status.getSize() == 0)
    return tooSmall(path, 0);
  file->mapping = fs::mapped_file_region(
      *descriptor, fs::mapped_file_region::readonly, status.getSize(), 0, code);
  if (code)
    return systemError("cannot map the weight file", code);

  if (llvm::Error error = file->readHeader())
    return error;
  if (file->size() >= leastReadAhead)
    file->readAhead.emplace(file->bytes().take_front(mostReadAhead));
  return file;
}

llvm::Expected<std::shared_ptr<const BlobFile>>
BlobFile::create(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  auto file = std::make_shared<BlobFile>();
  file->filePath = buffer->getBufferIdentifier().str();
  file->buffer = std::move(buffer);
  if (llvm::Error error = file->readHeader())
    return error;
  return file;
}

llvm::Error BlobFile::readHeader() {
  if (size() < sizeof(BlobFileHeader))
    return tooSmall(filePath, size());
  BinaryReader reader(filePath, bytes());
  llvm::Expected<BlobFileHeader> header =
      reader.read<BlobFileHeader>(0, "the file header");
  if (!header)
    return header.takeError();
  if (header->version != BlobFileHeader::currentVersion)
    return reader.error(offsetof(BlobFileHeader, version),
                        "the file has version " +
                            llvm::Twine(uint32_t(header->version)) +
                            "; only version 2 of blob storage is readable");
  blobCount = header->count;
  return llvm::Error::success();
}

llvm::Expected<Blob>
BlobFile::blob(uint64_t offset, std::optional<uint64_t> expectedSize) const {
  BinaryReader reader(filePath, bytes());
  llvm::Expected<BlobMetadata> metadata =
      reader.read<BlobMetadata>(offset, "a blob's metadata record");
  if (!metadata)
    return metadata.takeError();
  if (metadata->sentinel != BlobMetadata::expectedSentinel)
    return reader.error(offset,
                        "there is no blob at offset " + llvm::Twine(offset) +
                            ": the record starts with " +
                            hex(metadata->sentinel) + ", not 0xdeadbeef");

  const BlobTypeInfo *info =
      findType(static_cast<BlobType>(uint32_t(metadata->type)));
  if (!info)
    return reader.error(offset + offsetof(BlobMetadata, type),
                        "the blob has element type code " +
                            llvm::Twine(uint32_t(metadata->type)) +
                            "; known are 1 to 17");
  uint64_t start = metadata->offset, size = metadata->size;
  bool isPlaced = start != 0 || !expectedSize;
  if (!isPlaced) {
    start = offset + sizeof(BlobMetadata);
    size = *expectedSize;
  }
  // The record itself was readable, so its end does not overflow.
  if (start < offset + sizeof(BlobMetadata))
    return reader.error(offset + offsetof(BlobMetadata, offset),
                        "the payload starts at " + hex(start) +
                            ", in front of the end of its record at " +
                            hex(offset + sizeof(BlobMetadata)));
  if (start > reader.size() || size > reader.size() - start)
    return reader.error(offset + offsetof(BlobMetadata, size),
                        "the payload is " + llvm::Twine(size) + " bytes at " +
                            hex(start) + ", but the file ends at " +
                            hex(reader.size()));

  // Only types narrower than a byte use the padding; for the others the field
  // may hold anything.
  uint64_t padding = info->bits < 8 ? uint64_t(metadata->paddingBits) : 0;
  if (padding >= 8 || padding > size * 8)
    return reader.error(offset + offsetof(BlobMetadata, paddingBits),
                        "the last byte has " + llvm::Twine(padding) +
                            " unused bits; it must be fewer than 8");
  if (size != expectedSize && (size * 8 - padding) % info->bits != 0)
    return reader.error(offset + offsetof(BlobMetadata, size),
                        llvm::Twine(size) + " bytes with " +
                            llvm::Twine(padding) +
                            " unused bits are not a whole number of " +
                            info->name + " elements");
  return Blob{info->type, bytes().slice(start, size),
              static_cast<unsigned>(padding), start, isPlaced};
}

//===----------------------------------------------------------------------===//
// BlobWriter
//===----------------------------------------------------------------------===//

uint64_t BlobWriter::add(BlobType type, llvm::ArrayRef<uint8_t> data,
                         unsigned paddingBits) {
  uint64_t record = next;
  uint64_t payload = record + sizeof(BlobMetadata);
  blobs.push_back({type, data, paddingBits, payload});
  next = llvm::alignTo(payload + data.size(), blobAlignment);
  return record;
}

void BlobWriter::write(llvm::raw_ostream &os) const {
  auto writeStruct = [&](const auto &value) {
    os.write(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  BlobFileHeader header = {};
  header.count = blobs.size();
  header.version = BlobFileHeader::currentVersion;
  writeStruct(header);
  for (const Blob &blob : blobs) {
    BlobMetadata metadata = {};
    metadata.sentinel = BlobMetadata::expectedSentinel;
    metadata.type = static_cast<uint32_t>(blob.type);
    metadata.size = blob.data.size();
    metadata.offset = blob.payloadOffset;
    metadata.paddingBits = blob.paddingBits;
    writeStruct(metadata);
    os.write(reinterpret_cast<const char *>(blob.data.data()),
             blob.data.size());
    os.write_zeros(
        llvm::offsetToAlignment(blob.data.size(), llvm::Align(blobAlignment)));
  }
}
