//===- InitAll.h - Dialects and passes of this project ----------*- C++ -*-===//
//
// What a host of MLIR calls once, in front of its first context. Whoever runs
// passes that it makes itself, as `mil::createFoldPadding()`, needs the
// dialects alone: passes load those that they make ops of. The pipelines of the
// compiler are registered by ane/Pipeline/Pipelines.h.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_INITALL_H
#define ANE_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir {
class OpPrintingFlags;
} // namespace mlir

namespace ane {

/// Makes the dialects `mil` and `zin` known to contexts of the registry.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes the passes known by their flags to what reads pipelines as text: all
/// of `mil-*`, `zin-*`, `convert-mil-to-zin` and `convert-zin-to-tasks`, for
/// the whole process.
void registerAllPasses();

/// How tools print IR for people to read: values of more than 1 KB elided.
mlir::OpPrintingFlags debugPrintingFlags();

} // namespace ane

#endif // ANE_INITALL_H
