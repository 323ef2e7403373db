//===- Layout.h - Decides every address and file offset ---------*- C++ -*-===//

#ifndef ANE_OBJECT_LAYOUT_H
#define ANE_OBJECT_LAYOUT_H

#include "ane/Object/Builder.h"

namespace ane::object {

/// Lays a container out as compiler version v4.2.1 does (verified: seven real
/// containers come out byte for byte).
///
/// Device memory, from `deviceBase`, each segment at a multiple of `pageBytes`:
/// text and coefficients, scratch if any (its place is assigned), inputs,
/// outputs. File: load commands, symbols, strings, relocations, zeros up to a
/// multiple of `pageBytes`, text, coefficients.
///
/// A program without coefficients gets `pageBytes` of zeros for them
/// (verified). A port of depth > 1 gets a depth axis in its shape symbol
/// (assigned).
///
/// Fails with the violated limit if `spec` names something that does not exist
/// or does not fit.
llvm::Expected<Object> layoutObject(ContainerSpec spec);

} // namespace ane::object

#endif // ANE_OBJECT_LAYOUT_H
