//===- Relocate.h - Applies the relocations of a container ------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_RELOCATE_H
#define ANE_LIB_ENGINE_RELOCATE_H

#include "ane/Object/Object.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/Support/Error.h"

namespace ane::engine {

/// Applies the relocations of `section`, the text of `object`, to `bytes`, a
/// copy of it; `text` describes that copy before it is relocated.
///
/// A relocation of 4 bytes completes a lane base: to the offset in the target
/// section that the word holds it adds where that section starts relative to
/// the kernel BAR. In real files the BAR is that start and nothing changes
/// (verified). One of 8 bytes completes a slot of a v10 stream: it adds the
/// address of the target section (assigned).
///
/// Refuses a relocation that points at anything else, that another one points
/// at already, or whose result does not fit.
llvm::Error relocate(const object::Object &object,
                     const object::Section &section,
                     const td::EncodedText &text, llvm::ArrayRef<uint64_t> bars,
                     llvm::MutableArrayRef<uint8_t> bytes);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_RELOCATE_H
