//===- Fixtures.h - A small firmware package --------------------*- C++ -*-===//

#ifndef ANE_UNITTEST_FIRMWARE_FIXTURES_H
#define ANE_UNITTEST_FIRMWARE_FIXTURES_H

#include "ane/Firmware/Audit.h"
#include "ane/Firmware/Package.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cstring>

namespace ane::firmware {

using F = Format<llvm::endianness::little>;

inline std::string textBytes = std::string(0x80, '\x11');
inline std::string kernelBytes = std::string(0x40, '\x22');
inline std::string bannerBytes = "ane-mlir";

inline object::Chunk chunk(llvm::StringRef bytes) {
  return object::Chunk::bytes(llvm::arrayRefFromStringRef(bytes));
}

/// Two programs, one with kernel, banner and references.
inline Package makePackage(llvm::endianness order = llvm::endianness::little) {
  Package package;
  package.order = order;
  Program first;
  first.id = 7;
  first.blobs = {{SectionKind::Text, 0x30000000, {chunk(textBytes)}},
                 {SectionKind::Kernel, 0x30004000, {chunk(kernelBytes)}},
                 {SectionKind::Generic, 0, {chunk(bannerBytes)}}};
  first.bars = {
      {0, 0x30000000, 0x80}, {1, 0x30004000, 0x40}, {4, 0x30008000, 0x100}};
  first.references = {{0x74, 1, false}, {0x10, 4, true}};
  first.procedures = {{"net", 0x20, 24, 1, 1}, {"net2", 0, 8, 2, 3}};
  Program second;
  second.id = 8;
  second.blobs = {{SectionKind::Text, 0x30000000, {chunk(kernelBytes)}}};
  second.procedures = {{"other", 0, 1, 1, 0}};
  package.programs.push_back(std::move(first));
  package.programs.push_back(std::move(second));
  return package;
}

inline std::string write(const Package &package) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writePackage(package, os);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return bytes;
}

inline AuditReport audit(llvm::StringRef bytes) {
  return auditPackage(llvm::MemoryBufferRef(bytes, "test.fw"));
}

inline llvm::Expected<Package> read(llvm::StringRef bytes) {
  return readPackage(llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.fw"));
}

/// A structure inside bytes, to look at and to change.
template <typename T> T *at(std::string &bytes, uint64_t offset) {
  EXPECT_LE(offset + sizeof(T), bytes.size());
  return reinterpret_cast<T *>(bytes.data() + offset);
}
inline F::PackageHeader *header(std::string &bytes) {
  return at<F::PackageHeader>(bytes, 0);
}
inline F::ProgramHeader *program(std::string &bytes, size_t index) {
  return at<F::ProgramHeader>(bytes, header(bytes)->programOffset +
                                         index * sizeof(F::ProgramHeader));
}
inline F::SectionHeader *section(std::string &bytes, size_t programIndex,
                                 size_t index) {
  return at<F::SectionHeader>(bytes,
                              program(bytes, programIndex)->sectionOffset +
                                  index * sizeof(F::SectionHeader));
}
/// Sections of the first program.
enum Place : size_t { Text, Kernel, Banner, Operations, Procedures };
inline F::OperationHeader *operations(std::string &bytes) {
  return at<F::OperationHeader>(bytes, section(bytes, 0, Operations)->offset);
}
inline F::BarRecord *bar(std::string &bytes, size_t index) {
  return at<F::BarRecord>(bytes, section(bytes, 0, Operations)->offset +
                                     sizeof(F::OperationHeader) +
                                     index * sizeof(F::BarRecord));
}
inline F::ReferenceRecord *reference(std::string &bytes, size_t index) {
  return at<F::ReferenceRecord>(bytes, section(bytes, 0, Operations)->offset +
                                           sizeof(F::OperationHeader) +
                                           3 * sizeof(F::BarRecord) +
                                           index * sizeof(F::ReferenceRecord));
}
inline F::ProcedureRecord *procedure(std::string &bytes, size_t index) {
  return at<F::ProcedureRecord>(bytes, section(bytes, 0, Procedures)->offset +
                                           index * sizeof(F::ProcedureRecord));
}

} // namespace ane::firmware

#endif // ANE_UNITTEST_FIRMWARE_FIXTURES_H
