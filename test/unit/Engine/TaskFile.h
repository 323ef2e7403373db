//===- TaskFile.h - Decoded task descriptors as JSON ------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_TASKFILE_H
#define ANE_TEST_UNIT_ENGINE_TASKFILE_H

#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::engine::test {

/// Sets the register at an address, behind the header.
llvm::Error setRegister(td::RegisterImage &image, uint32_t address,
                        uint32_t value);

/// Reads register words that Apple's compiler wrote. Registers of a written
/// record that the file does not list are 0.
llvm::Expected<std::vector<td::TaskDescriptor>>
readTaskFile(llvm::StringRef path);

/// A task of the words of its header and of some registers, the coefficient
/// lanes and streams idle otherwise and all other registers 0.
td::TaskDescriptor
taskOf(llvm::ArrayRef<uint32_t> header,
       llvm::ArrayRef<std::pair<uint32_t, uint32_t>> registers);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_TASKFILE_H
