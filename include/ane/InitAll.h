//===- InitAll.h - Dialects and passes of this project ----------*- C++ -*-===//

#ifndef ANE_INITALL_H
#define ANE_INITALL_H

namespace mlir {
class DialectRegistry;
class OpPrintingFlags;
} // namespace mlir

namespace ane {

void registerAllDialects(mlir::DialectRegistry &registry);
void registerAllPasses();

/// How tools print IR for people to read: values of more than 1 KB elided.
mlir::OpPrintingFlags debugPrintingFlags();

} // namespace ane

#endif // ANE_INITALL_H
