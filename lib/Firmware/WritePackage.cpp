//===- WritePackage.cpp - Writes firmware packages ------------------------===//
//
// File: package header, program headers, section headers of all programs, then
// contents, each at a multiple of its alignment.
//
//===----------------------------------------------------------------------===//

#include "PackageFile.h"
#include "ane/Firmware/Package.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"

using namespace ane;
using namespace ane::firmware;
using llvm::Error;

namespace {

/// Hashes what is written to it.
class HashStream : public llvm::raw_ostream {
public:
  explicit HashStream(IdentityHash &hash) : hash(hash) { SetUnbuffered(); }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update({reinterpret_cast<const uint8_t *>(data), size});
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  IdentityHash &hash;
  uint64_t position = 0;
};

template <typename F> class PackageWriter {
public:
  explicit PackageWriter(const Package &package) : package(package) {}

  Error write(llvm::raw_ostream &os) {
    if (Error error = layout())
      return error;
    put(os, header);
    for (const Laid &program : programs)
      put(os, program.header);
    for (const Laid &program : programs)
      for (const typename F::SectionHeader &section : program.sections)
        put(os, section);
    for (const Laid &program : programs)
      for (auto [section, contents] :
           llvm::zip_equal(program.sections, program.contents)) {
        os.write_zeros(section.offset - position);
        position = section.offset;
        for (const object::Chunk &chunk : contents)
          if (Error error = chunk.write(os))
            return error;
        position += section.size;
      }
    return Error::success();
  }

private:
  using Contents = llvm::SmallVector<object::Chunk, 1>;

  /// A program with every offset decided.
  struct Laid {
    typename F::ProgramHeader header = {};
    std::vector<typename F::SectionHeader> sections;
    std::vector<Contents> contents;
    std::string operations, procedures;
  };

  Error layout() {
    uint64_t tables = sizeof(header) + package.programs.size() *
                                           sizeof(typename F::ProgramHeader);
    for (const Program &program : package.programs) {
      Laid &laid = programs.emplace_back();
      if (Error error = makeSections(program, laid))
        return error;
      laid.header.magic = programMagic;
      laid.header.programId = program.id;
      laid.header.sectionCount = laid.sections.size();
      if (tables > UINT32_MAX)
        return refuse("the section headers pass 4 GiB");
      laid.header.sectionOffset = tables;
      laid.header.checksum = checksumSentinel;
      tables += laid.sections.size() * sizeof(typename F::SectionHeader);
    }
    uint64_t end = tables;
    for (Laid &program : programs)
      for (typename F::SectionHeader &section : program.sections) {
        end = llvm::alignTo(end, uint64_t(1) << section.alignLog2);
        section.offset = end;
        end += section.size;
      }
    header.magic = packageMagic;
    header.version = layoutVersion;
    header.fileSize = end;
    header.programCount = programs.size();
    header.programOffset = sizeof(header);
    header.checksum = checksumSentinel;
    return Error::success();
  }

  Error makeSections(const Program &program, Laid &laid) {
    laid.operations = makeOperations(program);
    if (Error error = makeProcedures(program, laid.procedures))
      return error;
    for (const Blob &blob : program.blobs)
      addSection(laid, blob.kind, blob.deviceAddress, blob.contents);
    for (auto [kind, text] :
         {std::pair(SectionKind::Operation, llvm::StringRef(laid.operations)),
          std::pair(SectionKind::Procedure, llvm::StringRef(laid.procedures))})
      addSection(laid, kind, /*deviceAddress=*/0,
                 {object::Chunk::bytes(llvm::arrayRefFromStringRef(text))});
    IdentityHash hash;
    HashStream stream(hash);
    for (auto [section, contents] :
         llvm::zip_equal(laid.sections, laid.contents)) {
      hash.beginSection(section.kind, section.size);
      for (const object::Chunk &chunk : contents)
        if (Error error = chunk.write(stream))
          return error;
    }
    llvm::copy(hash.final(), laid.header.identity);
    return Error::success();
  }

  void addSection(Laid &laid, SectionKind kind, uint64_t deviceAddress,
                  Contents contents) {
    typename F::SectionHeader section = {};
    section.magic = sectionMagic;
    section.kind = uint32_t(kind);
    section.size = object::totalSize(contents);
    section.deviceAddress = deviceAddress;
    section.alignLog2 =
        kind == SectionKind::Text ? textAlignLog2 : contentsAlignLog2;
    section.checksum = checksumSentinel;
    laid.sections.push_back(section);
    laid.contents.push_back(std::move(contents));
  }

  std::string makeOperations(const Program &program) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    typename F::OperationHeader head = {};
    head.barCount = program.bars.size();
    head.referenceCount = program.references.size();
    append(os, head);
    for (const Bar &bar : program.bars) {
      typename F::BarRecord record = {};
      record.type = barTypeGeneric;
      record.config = barConfig32Bit;
      record.barId = bar.id;
      record.value = bar.address;
      record.size = bar.size;
      append(os, record);
    }
    for (const Reference &reference : program.references) {
      typename F::ReferenceRecord record = {};
      record.textOffset = reference.textOffset;
      record.barId = reference.bar;
      record.bytes = reference.isAddress ? 8 : 4;
      append(os, record);
    }
    return bytes;
  }

  Error makeProcedures(const Program &program, std::string &bytes) {
    llvm::raw_string_ostream os(bytes);
    for (auto [index, procedure] : llvm::enumerate(program.procedures)) {
      if (procedure.name.size() >= nameBytes)
        return refuse("the name '" + procedure.name + "' has " +
                      llvm::Twine(procedure.name.size()) +
                      " bytes; a procedure's has at most " +
                      llvm::Twine(nameBytes - 1));
      typename F::ProcedureRecord record = {};
      record.procedureId = index;
      record.entryOffset = procedure.entryOffset;
      record.firstTaskWords = procedure.firstTaskWords;
      record.taskCount = procedure.taskCount;
      record.partitions = partitionCount;
      record.outputSets = outputSetCount;
      record.ioBuffers = procedure.ioBuffers;
      llvm::copy(procedure.name, record.name);
      append(os, record);
    }
    return Error::success();
  }

  static Error refuse(const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  }

  template <typename T>
  static void append(llvm::raw_ostream &os, const T &value) {
    os.write(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  template <typename T> void put(llvm::raw_ostream &os, const T &value) {
    append(os, value);
    position += sizeof(value);
  }

  const Package &package;
  typename F::PackageHeader header = {};
  std::vector<Laid> programs;
  uint64_t position = 0;
};

} // namespace

Error ane::firmware::writePackage(const Package &package,
                                  llvm::raw_ostream &os) {
  if (package.order == llvm::endianness::little)
    return PackageWriter<Little>(package).write(os);
  return PackageWriter<Big>(package).write(os);
}
