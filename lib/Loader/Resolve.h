//===- Resolve.h - What a load writes into the text -------------*- C++ -*-===//
//
// All of these work on an object whose addresses are those of the load already.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_LOADER_RESOLVE_H
#define ANE_LIB_LOADER_RESOLVE_H

#include "TextPatch.h"
#include "TextSites.h"
#include "ane/Loader/LoadTables.h"
#include "ane/Loader/Loader.h"

namespace ane::loader {

/// Applies the relocations of `text`.
///
/// A relocation of 4 bytes completes a lane base: to the offset in the target
/// section that the word holds it adds where that section starts relative to
/// the kernel BAR. In real files the BAR is that start and nothing changes
/// (verified). One of 8 bytes completes a slot of a v10 stream: it adds the
/// address of the target section (assigned).
llvm::Error relocate(const object::Object &object, const object::Section &text,
                     const TextSites &sites, llvm::StringRef file,
                     TextPatch &patch);

/// Writes the values of custom bars. Data sets get the identifiers 1, 2, ... in
/// the order of their numbers (assigned).
llvm::Error writeCustomBars(const object::Object &object,
                            const LoadTables &tables, const TextSites &sites,
                            llvm::StringRef file, TextPatch &patch);

/// Checks the values of live-in parameters and writes what follows from them
/// into the text and the operand descriptors of `object`.
llvm::Error bindLiveIns(object::Object &object, const LoadTables &tables,
                        llvm::ArrayRef<LiveInValue> values,
                        const TextSites &sites, llvm::StringRef file,
                        TextPatch &patch);

} // namespace ane::loader

#endif // ANE_LIB_LOADER_RESOLVE_H
