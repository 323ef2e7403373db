//===- Companion.h - A container and the descriptor beside it ---*- C++ -*-===//

#ifndef ANE_E5_COMPANION_H
#define ANE_E5_COMPANION_H

#include "ane/E5/E5.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"

namespace ane::e5 {

/// Where the descriptor of the container `path` is: the same name with the
/// extension `.e5`.
llvm::SmallString<128> companionPath(llvm::StringRef path);

/// Where that of one function is, if the container has procedures of several:
/// `model.<function>.e5` (assigned).
llvm::SmallString<128> companionPath(llvm::StringRef path,
                                     llvm::StringRef function);

/// The function that a procedure was made of, by their names: some spellings of
/// the container append `_ane`.
llvm::StringRef functionOfProcedure(llvm::StringRef procedure);

/// Refuses to write a container with descriptors to `output` if they would have
/// the names of those of another container, `input`.
llvm::Error checkCompanion(llvm::StringRef output, llvm::StringRef input);

/// Whether a descriptor belongs beside the container `path`: not beside
/// standard output ("-"), a pipe or a device.
bool hasCompanion(llvm::StringRef path);

/// Writes a container with `write`, and beside it `descriptor` with the name
/// and SHA-256 of the container filled in. The descriptor gets its name just
/// before the container does; until both have theirs, the hash keeps readers
/// from taking one of them with the other's predecessor. Refuses a path that is
/// the descriptor's own, and to replace or remove the descriptor of another
/// container that is there. Descriptors of functions that the container's
/// predecessor had go, of a program that was cut those that its procedures had
/// in any case.
llvm::Error
writeWithCompanion(llvm::StringRef path,
                   llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write,
                   Descriptor descriptor);

/// The same for a container of several procedures, with descriptors of some of
/// them, each at the path of its function. A descriptor of all of them, which
/// is that of the container's predecessor, goes, and so do those of functions
/// that it had and this one has not.
llvm::Error
writeWithCompanions(llvm::StringRef path,
                    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write,
                    std::vector<Descriptor> descriptors);

} // namespace ane::e5

#endif // ANE_E5_COMPANION_H
