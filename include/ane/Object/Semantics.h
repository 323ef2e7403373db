//===- Semantics.h - What a container says, without its layout --*- C++ -*-===//

#ifndef ANE_OBJECT_SEMANTICS_H
#define ANE_OBJECT_SEMANTICS_H

#include "ane/Object/Builder.h"

namespace ane::object {

/// The emission model of a container that was read: every address, file offset,
/// size of a table and padding is dropped, and the spelling of its compiler
/// version becomes a ContainerStyle. layoutObject makes the same bytes of it
/// again (verified for compilers v4.2.1, v5.4.1 and v7.6.4 and for every
/// dialect of this project).
///
/// Refuses a container with something that the model has no word for, naming
/// it: several procedures, commands of unknown kind or content, bytes between
/// the tables, symbols of other kinds, more than one section of scratch.
/// Coefficients refer to `object`, which must outlive the result.
llvm::Expected<ContainerSpec> semanticModel(const Object &object);

} // namespace ane::object

#endif // ANE_OBJECT_SEMANTICS_H
