//===- Codegen.h - From tasks to container contents -------------*- C++ -*-===//

#ifndef ANE_CODEGEN_CODEGEN_H
#define ANE_CODEGEN_CODEGEN_H

#include "ane/Codegen/NameAhead.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/E5/E5.h"
#include "ane/Object/Builder.h"
#include "ane/Target/Target.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane {

/// A program ready to be laid out and written. Constants are still where the
/// IR has them, so the IR must outlive this.
struct GeneratedProgram {
  /// Of all procedures, one after the other; none unless they were asked for,
  /// as those of a long program take more memory than its container.
  std::vector<td::TaskDescriptor> tasks;
  object::ContainerSpec container;
  /// Where activation tables, td::LutRecord, start in the constants. They are
  /// part of the program, not of its weights.
  std::vector<uint64_t> tables;
  /// All but the container's path and hash. Of the first procedure, where there
  /// are several.
  e5::Descriptor descriptor;
  /// Those of the procedures behind the first.
  std::vector<e5::Descriptor> otherDescriptors;
  /// Where the first procedure was written; what is said of the whole is said
  /// there.
  std::optional<mlir::Location> location;
};

/// The type that a dispatch descriptor has for elements of the host; nothing
/// where it has none. There are no unsigned ones above 8 bits: the numbers that
/// fp16 holds exactly have the same bits in the signed ones.
std::optional<e5::TensorDataType> hostElementType(mlir::Type element);

/// Turns programs whose scratch is placed into container contents. Several
/// become procedures of one container, named as the programs are, in which
/// equal kernels are stored once. Those that have a name from `ahead` are taken
/// from it. Reports at the task or buffer what cannot be expressed.
llvm::FailureOr<GeneratedProgram>
generatePrograms(llvm::ArrayRef<zin::ProgramOp> programs,
                 const TargetDescription &target, td::Format format,
                 bool keepsTasks = false, NameAhead *ahead = nullptr);

} // namespace ane

#endif // ANE_CODEGEN_CODEGEN_H
