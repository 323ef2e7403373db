//===- Contents.h - Bytes that nothing says what they are -------*- C++ -*-===//

#ifndef ANE_OBJECT_CONTENTS_H
#define ANE_OBJECT_CONTENTS_H

#include "ane/Object/Object.h"

namespace ane::object {

/// The bytes of a command that none of its fields holds, or which differ from
/// what its fields would be written as; by their offset in the file. None for a
/// command that is understood as a whole or not at all.
std::vector<FileRange> bytesOfNoField(const LoadCommand &command);

} // namespace ane::object

#endif // ANE_OBJECT_CONTENTS_H
