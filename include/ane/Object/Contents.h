//===- Contents.h - Tasks and coefficient lanes of a container --*- C++ -*-===//
//
// What lies inside the two sections with contents: where each task descriptor
// is, without what it says, and where each lane of coefficients is.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_CONTENTS_H
#define ANE_OBJECT_CONTENTS_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// One task descriptor. Those of a program are a list linked by their headers,
/// in the order of their offsets.
struct TaskRange {
  uint64_t offset = 0; ///< in the text
  llvm::ArrayRef<uint8_t> bytes;
};

/// The task descriptors of a procedure, from its entry on. Fails at the file
/// offset of a header whose successor lies before its end, which also excludes
/// cycles, passes the text, or is one more or less than the procedure states.
/// `file` names the container in errors.
llvm::Expected<std::vector<TaskRange>>
taskRanges(const Object &object, const ProgramDescriptor &program,
           llvm::StringRef file);

/// The bytes of a command that none of its fields holds, or which differ from
/// what its fields would be written as; by their offset in the file. None for a
/// command that is understood as a whole or not at all.
std::vector<FileRange> bytesOfNoField(const LoadCommand &command);

/// The part of a kernel that one neural engine streams, or a table.
struct CoefficientLane {
  llvm::StringRef name;  ///< of the symbol, in the string table
  llvm::StringRef block; ///< the name without lane number
  std::optional<unsigned> lane;
  const Section *section = nullptr;
  uint64_t offset = 0; ///< in the section
  /// Up to the next lane or the end of the section. Empty for a lane that the
  /// kernel does not use.
  llvm::ArrayRef<uint8_t> bytes;
};

/// The lanes that symbols name, in the order of the symbols.
std::vector<CoefficientLane> coefficientLanes(const Object &object);

} // namespace ane::object

#endif // ANE_OBJECT_CONTENTS_H
