//===- ConvertTd.h - A container with its tasks respelled -------*- C++ -*-===//

#ifndef ANE_TOOLS_OBJDUMP_CONVERTTD_H
#define ANE_TOOLS_OBJDUMP_CONVERTTD_H

#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::objdump {

/// Writes the container `input` to `output` with its tasks in `format`. Ports,
/// coefficients, BARs and the dialect of the container stay; addresses and
/// offsets are decided anew, because the text has another size. The `.e5`
/// beside the input, if there is one, goes beside the output with the new
/// addresses and hash.
///
/// Refuses what td::convertProgram and object::semanticModel refuse, a slot
/// whose BAR is no port, constants or scratch, and an output whose descriptor
/// would replace that of the input.
llvm::Error convertTd(llvm::StringRef input, td::Format format,
                      llvm::StringRef output);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_CONVERTTD_H
