//===- ZinOps.cpp - Generated op definitions ------------------------------===//

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ane::zin;

#define GET_OP_CLASSES
#include "ane/Dialect/Zin/IR/ZinOps.cpp.inc"

void ZinDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/Zin/IR/ZinOps.cpp.inc"
      >();
}
