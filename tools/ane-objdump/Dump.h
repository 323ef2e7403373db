//===- Dump.h - A container as text -----------------------------*- C++ -*-===//

#ifndef ANE_TOOLS_OBJDUMP_DUMP_H
#define ANE_TOOLS_OBJDUMP_DUMP_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ane::objdump {

/// Which parts to print.
struct DumpOptions {
  bool header = false;
  bool commands = false;
  bool symbols = false;
  bool relocations = false;
  bool tasks = false;
  /// Also the fields of a task that are zero.
  bool allFields = false;
};

/// Prints the parts asked for. Task descriptors are decoded here, so this fails
/// with a place in the file where they are not well formed.
llvm::Error dump(const object::Object &object, llvm::StringRef path,
                 const DumpOptions &options, llvm::raw_ostream &os);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_DUMP_H
