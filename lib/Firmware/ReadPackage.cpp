//===- ReadPackage.cpp - Reads firmware packages --------------------------===//

#include "PackageFile.h"
#include "ane/Firmware/Audit.h"
#include "ane/Firmware/Package.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::firmware;
using llvm::Expected;

namespace {

/// Reads what passed the audit, so nothing is checked here.
template <typename F> class PackageReader {
public:
  explicit PackageReader(llvm::ArrayRef<uint8_t> bytes) : bytes(bytes) {}

  void read(Package &package) {
    package.order = F::order;
    auto header = load<typename F::PackageHeader>(bytes, 0);
    for (uint64_t index : llvm::seq<uint64_t>(header.programCount))
      package.programs.push_back(readProgram(load<typename F::ProgramHeader>(
          bytes,
          header.programOffset + index * sizeof(typename F::ProgramHeader))));
  }

private:
  Program readProgram(const typename F::ProgramHeader &header) {
    Program program;
    program.id = header.programId;
    for (uint64_t index : llvm::seq<uint64_t>(header.sectionCount)) {
      auto section = load<typename F::SectionHeader>(
          bytes,
          header.sectionOffset + index * sizeof(typename F::SectionHeader));
      auto kind = SectionKind(uint32_t(section.kind));
      llvm::ArrayRef<uint8_t> contents =
          bytes.slice(section.offset, section.size);
      if (kind == SectionKind::Operation)
        readOperations(contents, program);
      else if (kind == SectionKind::Procedure)
        readProcedures(contents, program);
      else
        program.blobs.push_back(
            {kind, section.deviceAddress, {object::Chunk::bytes(contents)}});
    }
    return program;
  }

  static void readOperations(llvm::ArrayRef<uint8_t> contents,
                             Program &program) {
    auto header = load<typename F::OperationHeader>(contents, 0);
    uint64_t offset = sizeof(header);
    for (uint32_t i = 0; i < header.barCount; ++i) {
      auto bar = load<typename F::BarRecord>(contents, offset);
      program.bars.push_back({bar.barId, bar.value, bar.size});
      offset += sizeof(bar);
    }
    for (uint32_t i = 0; i < header.referenceCount; ++i) {
      auto reference = load<typename F::ReferenceRecord>(contents, offset);
      program.references.push_back(
          {reference.textOffset, reference.barId, reference.bytes == 8});
      offset += sizeof(reference);
    }
  }

  static void readProcedures(llvm::ArrayRef<uint8_t> contents,
                             Program &program) {
    using Record = typename F::ProcedureRecord;
    for (uint64_t offset = 0; offset < contents.size();
         offset += sizeof(Record)) {
      auto record = load<Record>(contents, offset);
      program.procedures.push_back({record.name, record.entryOffset,
                                    record.firstTaskWords, record.taskCount,
                                    record.ioBuffers});
    }
  }

  llvm::ArrayRef<uint8_t> bytes;
};

} // namespace

Expected<Package>
ane::firmware::readPackage(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  AuditReport report = auditPackage(buffer->getMemBufferRef());
  if (!report.passed()) {
    const Finding &first = report.findings.front();
    return makeFileError(report.file, first.offset, first.message);
  }
  Package package;
  package.buffer = std::move(buffer);
  llvm::ArrayRef<uint8_t> bytes =
      llvm::arrayRefFromStringRef(package.buffer->getBuffer());
  if (load<Little::Word>(bytes, 0) == packageMagic)
    PackageReader<Little>(bytes).read(package);
  else
    PackageReader<Big>(bytes).read(package);
  return package;
}

Expected<Package> ane::firmware::readPackage(llvm::StringRef path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  return readPackage(std::move(*buffer));
}
