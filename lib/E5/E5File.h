//===- E5File.h - Checked access to the tables of an .e5 file ---*- C++ -*-===//

#ifndef ANE_LIB_E5_E5FILE_H
#define ANE_LIB_E5_E5FILE_H

#include "ane/E5/E5.h"
#include "ane/E5/E5_generated.h"
#include "ane/Support/BinaryReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace ane::e5 {

template <typename T>
using TableVector = flatbuffers::Vector<flatbuffers::Offset<T>>;

/// Numbers of a vector that may be absent, which means empty; no more than one
/// past the largest rank. The verifier does not hold elements to their
/// alignment, so they are not read in place.
llvm::SmallVector<uint64_t, 5>
numbers(const flatbuffers::Vector<uint64_t> *vector);

template <typename T> size_t length(const T *vector) {
  return vector ? vector->size() : 0;
}

/// The part of a port that the descriptor of its surface tells.
void readSurfaceTensor(const E5RT::fb::TensorDescriptor *tensor, Port &port);

/// A file whose bytes are a FlatBuffer of the schema. Accessors of the
/// generated code are safe then; what they return may still be absent or make
/// no sense.
class E5File {
public:
  /// An operation with its two sections.
  struct Step {
    const E5RT::fb::Operation *operation;
    const E5RT::fb::Section *frame;
    const E5RT::fb::Section *attrs;

    E5RT::fb::OpType type() const { return operation->op_type(); }
  };

  explicit E5File(llvm::MemoryBufferRef buffer)
      : in(buffer.getBufferIdentifier(),
           llvm::arrayRefFromStringRef(buffer.getBuffer())),
        bytes(buffer.getBuffer()) {}

  /// Verifies the bytes, the version, and that sections have names of their
  /// own.
  llvm::Error open();

  llvm::Expected<Step> readStep(const E5RT::fb::Operation *operation) const;

  /// The name of a tensor.
  llvm::Expected<std::string> readSymbol(const E5RT::fb::Operation *operation,
                                         uint32_t symbol);

  /// A copy of a string, which must be there.
  llvm::Expected<std::string> readString(const void *place,
                                         const flatbuffers::String *text,
                                         llvm::StringRef what);

  /// Counts what is copied out of the file. Strings and vectors of a FlatBuffer
  /// may overlap, so only the limit on their total keeps memory in proportion
  /// to the size of the file.
  llvm::Error spend(const void *place, size_t amount, const llvm::Twine &what);

  llvm::Error fail(const void *place, const llvm::Twine &message) const {
    return in.error(reinterpret_cast<const char *>(place) - bytes.data(),
                    message);
  }

  const E5RT::fb::E5Program *root = nullptr;

private:
  /// The section that a field `what` of `operation` names.
  llvm::Expected<const E5RT::fb::Section *>
  findSection(const E5RT::fb::Operation *operation,
              const flatbuffers::String *name, llvm::StringRef what,
              E5RT::fb::SectionKind kind) const;
  llvm::Error verify() const;
  llvm::Error indexSections();

  BinaryReader in;
  llvm::StringRef bytes;
  llvm::StringMap<const E5RT::fb::Section *> sections;
  size_t copied = 0;
};

/// Reads the block of a program that was cut: `block` of the function in
/// `section`.
llvm::Error readPartition(E5File &file, const E5RT::fb::Section *section,
                          const E5RT::fb::Block *block, Descriptor &model);

/// Reads the names of an AneInference. Those of the container and the options
/// must be the same in all of them; `isFirst` says that there was none before.
llvm::Expected<std::string> readInferenceAttrs(E5File &file,
                                               const E5RT::fb::Section *section,
                                               Descriptor &model, bool isFirst);

/// Holds the types of a Cast against those of its port.
llvm::Error checkCastTypes(const E5File &file, const E5RT::fb::Section *section,
                           const Port &port, bool isInput);

} // namespace ane::e5

#endif // ANE_LIB_E5_E5FILE_H
