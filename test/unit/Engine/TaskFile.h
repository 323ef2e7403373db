//===- TaskFile.h - Decoded task descriptors as JSON ------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_TASKFILE_H
#define ANE_TEST_UNIT_ENGINE_TASKFILE_H

#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::engine::test {

/// Reads register words that Apple's compiler wrote. Registers of a written
/// record that the file does not list are 0.
llvm::Expected<std::vector<td::TaskDescriptor>>
readTaskFile(llvm::StringRef path);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_TASKFILE_H
