//===- InitAll.cpp - Dialects and passes of this project ------------------===//

#include "ane/InitAll.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "mlir/IR/OperationSupport.h"

void ane::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mil::MILDialect, zin::ZinDialect>();
}

void ane::registerAllPasses() {
  mil::registerAneMILPasses();
  registerAneConversionPasses();
  zin::registerAneZinPasses();
}

mlir::OpPrintingFlags ane::debugPrintingFlags() {
  constexpr int64_t maxElements = 256;
  constexpr int64_t maxResourceString = 1024;
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(maxElements);
  flags.elideLargeResourceString(maxResourceString);
  return flags;
}
