//===- InputFile.h - Files that are read whole ------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_INPUTFILE_H
#define ANE_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace ane {

/// Reads the file `path`, or standard input for "-". A failure names the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path);

/// The same with a zero behind the text, which its readers stop at.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputText(llvm::StringRef path);

} // namespace ane

#endif // ANE_SUPPORT_INPUTFILE_H
