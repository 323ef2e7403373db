//===- WidthSlices.h - Columns that begin within a row ----------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_WIDTHSLICES_H
#define ANE_LIB_PIPELINE_OUTPUT_WIDTHSLICES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace ane {

/// The layouts of the inputs of a program, by name.
using InputLayouts = llvm::SmallDenseMap<mlir::StringAttr, zin::ViewAttr, 8>;
InputLayouts layoutsOfInputs(zin::ProgramOp program);

/// Whether a task fetches columns of an input that begin within a row. The
/// engine multiplies them by 16 on the way, so that from 4096 on they are
/// infinite (measured on an M1; rows, channels and batches that begin anywhere
/// are right, and so are columns from the first on). Columns of a signal can be
/// rows or channels of the task, which are right, too.
bool slicesColumns(zin::TaskOp task, const InputLayouts &inputs);

/// Warns of the first such task of each program.
void warnOfWidthSlices(mlir::ModuleOp module);

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_WIDTHSLICES_H
