//===- InputFile.h - Files that are read whole ------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_INPUTFILE_H
#define ANE_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace ane {

/// How many bytes an input may have (assigned). A file is mapped; what comes
/// through a pipe or from a device is held in memory, and need not end.
struct InputLimit {
  uint64_t file, stream;
};

/// Containers, weights, tensors, bytecode.
constexpr InputLimit binaryLimit = {uint64_t(1) << 36, uint64_t(1) << 31};
/// Of text, places have lines and columns of 32 bits.
constexpr InputLimit textLimit = {(uint64_t(1) << 32) - 1, uint64_t(1) << 29};

/// Reads the file `path`, or standard input for "-". A failure names the path.
/// What is longer than the limit is refused.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path, InputLimit limit = binaryLimit);

/// The same with a zero behind the text, which its readers stop at.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputText(llvm::StringRef path, InputLimit limit = textLimit);

} // namespace ane

#endif // ANE_SUPPORT_INPUTFILE_H
