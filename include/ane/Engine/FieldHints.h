//===- FieldHints.h - Fields without effect on results ----------*- C++ -*-===//

#ifndef ANE_ENGINE_FIELDHINTS_H
#define ANE_ENGINE_FIELDHINTS_H

#include "ane/TaskDescriptor/Fields.h"

namespace ane::engine {

/// Fields that matter to the hardware, its driver or its firmware, but to no
/// machine that runs tasks one after the other.
struct HintClass {
  llvm::StringLiteral title;
  llvm::StringLiteral reason; ///< why they have no effect
  llvm::ArrayRef<td::Field> fields;
  /// Whether a program may have other values where a task is the same. If not,
  /// they follow from other fields, or all tasks of an engine have the same.
  bool isFree = true;
};

/// Verified to vary among programs that compute the same, or inferred from what
/// they say.
llvm::ArrayRef<HintClass> hintClasses();

} // namespace ane::engine

#endif // ANE_ENGINE_FIELDHINTS_H
