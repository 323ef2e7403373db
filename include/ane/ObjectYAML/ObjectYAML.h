//===- ObjectYAML.h - Containers as text that people can write --*- C++ -*-===//
//
// The text form of a container says what the container says, without what
// follows from that: no address, no file offset, no length of a table. Tasks
// are register fields by name. docs/objdump.md describes the form.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECTYAML_OBJECTYAML_H
#define ANE_OBJECTYAML_OBJECTYAML_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::objectyaml {

/// Writes the text of a container that was read from a file. What is written
/// gives the bytes of the file again; a container for which that is not so is
/// refused, at the first byte that would differ.
llvm::Error writeYaml(const object::Object &object, llvm::raw_ostream &os);

/// Reads a text. Errors name the buffer's identifier, line and column. Takes
/// memory in proportion to the text; the container that it describes can be
/// larger, up to `maxContentBytes` of coefficients.
llvm::Expected<object::Object> readYaml(llvm::MemoryBufferRef buffer);

/// Bytes of a coefficient section: file offsets of sections have 32 bits.
inline constexpr uint64_t maxContentBytes = uint64_t(1) << 32;

} // namespace ane::objectyaml

#endif // ANE_OBJECTYAML_OBJECTYAML_H
