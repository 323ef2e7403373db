//===- Disassembler.h - Task descriptors as text ----------------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_DISASSEMBLER_H
#define ANE_TASKDESCRIPTOR_DISASSEMBLER_H

#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/Support/raw_ostream.h"

namespace ane::td {

/// What a disassembly shows.
struct DisassemblyOptions {
  /// Every field; otherwise those that are not zero.
  bool all = false;
  /// What a field means, behind its value.
  bool meanings = true;
};

/// A summary line, then one line a field with its value: decimal, with its name
/// if it has one, hexadecimal where that reads better, and bytes where the
/// field counts steps. Equal elements of an array field share a line. Bits of
/// no known field are shown as such.
void printTask(llvm::raw_ostream &os, const TaskDescriptor &task,
               unsigned index, const DisassemblyOptions &options = {});

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_DISASSEMBLER_H
