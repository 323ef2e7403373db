//===- CpuText.h - A segment of the processor as MIL text -------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_PARTITION_CPUTEXT_H
#define ANE_LIB_PIPELINE_PARTITION_CPUTEXT_H

#include "ane/E5/E5.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// Writes a module of one function as MIL text into a stage. Elements of large
/// constants go to its weights; the module refers to them afterwards. Reports
/// and fails where MIL text cannot say something.
llvm::LogicalResult writeCpuText(mlir::ModuleOp module, e5::Stage &stage);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PARTITION_CPUTEXT_H
