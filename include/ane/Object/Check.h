//===- Check.h - What must hold between load commands -----------*- C++ -*-===//
//
// The reader takes whatever it can write again: a file may be of a compiler
// that nobody here has seen. What runs a container or lays it out anew relies
// on more, and checks it first.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_CHECK_H
#define ANE_OBJECT_CHECK_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// Fails, at an offset in `file`, at the first of these that does not hold:
/// every port has a name of its own and the address of a section; every BAR is
/// in a section and one that a task descriptor can name; every procedure starts
/// in a section with contents that holds its first descriptor; every operand
/// descriptor names a port, whose section holds its tensor.
llvm::Error checkObject(const Object &object, llvm::StringRef file);

/// Whether as many channels may lie side by side: 1, 2, 3, 4 or 8.
bool isKnownInterleave(uint32_t interleave);

} // namespace ane::object

#endif // ANE_OBJECT_CHECK_H
