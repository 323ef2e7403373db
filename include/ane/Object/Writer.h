//===- Writer.h - Writes hardware containers --------------------*- C++ -*-===//

#ifndef ANE_OBJECT_WRITER_H
#define ANE_OBJECT_WRITER_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// Writes the bytes of a laid-out container, front to back, so that `os` need
/// not seek. Fails if regions overlap or a chunk produced a wrong number of
/// bytes, which no Object of the Reader or the Layout does.
llvm::Error writeObject(const Object &object, llvm::raw_ostream &os);

/// The same into a file that appears whole or not at all; "-" is standard
/// output.
llvm::Error writeObject(const Object &object, llvm::StringRef path);

} // namespace ane::object

#endif // ANE_OBJECT_WRITER_H
