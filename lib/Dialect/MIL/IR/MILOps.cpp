//===- MILOps.cpp - Generated op definitions ------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ane::mil;

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILOps.cpp.inc"

void MILDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILOps.cpp.inc"
      >();
}
