//===- Encode.h - Bytes of load commands and table entries ------*- C++ -*-===//

#ifndef ANE_LIB_OBJECT_ENCODE_H
#define ANE_LIB_OBJECT_ENCODE_H

#include "ane/Object/Object.h"

namespace ane::object {

/// The bytes of a command, zero-padded to `size`. Ignores what the body says of
/// tables elsewhere in the file except their offsets and lengths.
llvm::SmallVector<uint8_t, 0> encodeCommand(const LoadCommand::Body &body,
                                            uint32_t size);

/// The size a command has with nothing but the required padding.
uint32_t naturalSize(const LoadCommand::Body &body);

llvm::MachO::any_relocation_info encodeRelocation(const Relocation &relocation);
Relocation decodeRelocation(const llvm::MachO::any_relocation_info &info);

llvm::MachO::nlist_64 encodeSymbol(const Symbol &symbol);

} // namespace ane::object

#endif // ANE_LIB_OBJECT_ENCODE_H
