//===- Reader.h - Reads hardware containers ---------------------*- C++ -*-===//

#ifndef ANE_OBJECT_READER_H
#define ANE_OBJECT_READER_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// Reads a container of any known dialect. The file is mapped, and section
/// contents refer to the mapping. Every offset, length, count and index is
/// checked; an error names file, byte offset, structure, value and limit. An
/// object that was read satisfies:
///  - tables and section contents lie inside the file and do not overlap;
///  - sections lie inside their segment, in memory and in the file;
///  - relocations lie inside their section and name a section or symbol that
///    exists; symbols name a string and a section that exist.
/// What must hold between its commands, checkObject tells.
llvm::Expected<Object> readObject(llvm::StringRef path);

/// The same from memory; errors name the buffer's identifier.
llvm::Expected<Object> readObject(std::unique_ptr<llvm::MemoryBuffer> buffer);

} // namespace ane::object

#endif // ANE_OBJECT_READER_H
