//===- OutputFile.h - Output that appears whole or not at all ---*- C++ -*-===//

#ifndef ANE_SUPPORT_OUTPUTFILE_H
#define ANE_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ane {

/// Runs `write` on a temporary file beside `path` and renames it to `path` when
/// all went well, so that no reader ever sees part of a file. The file has the
/// permissions of the one that it replaces, if there is one. A link stays, and
/// what it leads to is replaced. A path of "-" is standard output; it, an open
/// descriptor (/dev/fd/3), a pipe or a device is written in place. A failure of
/// the file system names `path`.
///
/// `then` writes what belongs to the file: it starts when all of `path` has
/// been written, and `path` gets its name if it goes well.
llvm::Error
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write,
                llvm::function_ref<llvm::Error()> then = nullptr);

/// Makes a write to a file that has reached the size the system allows fail, as
/// on a full disk, instead of ending the process.
void expectFullFiles();

/// Refuses a folder in the place of an output file, for those who write several
/// files: writeOutputFile finds out when the others may have their names.
llvm::Error refuseFolder(llvm::StringRef path);

/// What `path` leads to through links.
std::string behindLinks(llvm::StringRef path);

/// Whether `path` is a pipe, a device or an open descriptor, which a renamed
/// file would replace.
bool isSpecial(llvm::StringRef path);

/// Makes a folder and those around it, if they are not there, open to whom the
/// process lets in (its umask).
std::error_code makeFolder(llvm::StringRef path);

/// Whether two names are of one file, or would be.
bool isSamePlace(llvm::StringRef a, llvm::StringRef b);

/// Whether all that was printed to standard output has arrived. Otherwise the
/// stream would end the process, without a word of the place.
llvm::Error flushOutput();

} // namespace ane

#endif // ANE_SUPPORT_OUTPUTFILE_H
