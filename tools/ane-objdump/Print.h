//===- Print.h - Ways to spell a listing ------------------------*- C++ -*-===//

#ifndef ANE_TOOLS_OBJDUMP_PRINT_H
#define ANE_TOOLS_OBJDUMP_PRINT_H

#include "Input.h"
#include "Listing.h"
#include "llvm/Support/raw_ostream.h"

namespace ane::objdump {

/// A line a field: name, value, evidence, meaning. In colour if the stream has
/// colours enabled and `color` is set.
void printText(llvm::raw_ostream &os, llvm::ArrayRef<Part> parts, bool color);

/// docs/objdump.md describes the document.
void printJson(llvm::raw_ostream &os, llvm::StringRef path,
               llvm::ArrayRef<Part> parts);

/// A line for each field in which two files differ, and one for what follows:
/// coefficients, bytes of no field. True if the files are the same.
bool printDifferences(llvm::raw_ostream &os, const Input &left,
                      llvm::ArrayRef<Part> leftParts, const Input &right,
                      llvm::ArrayRef<Part> rightParts);

/// Rewrites the file from what was decoded, tasks included, and compares.
/// Fails at the first byte that differs, naming what lies there. Puts the
/// encoded tasks in place of the text of the file.
llvm::Error checkRoundTrip(Input &input);

/// What the bytes at `offset` of a file belong to: `load command 3`,
/// `task 1`, `the symbol table`.
std::string describeOffset(const Input &input, uint64_t offset);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_PRINT_H
