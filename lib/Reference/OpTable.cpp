//===- OpTable.cpp - The reference of each op -----------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace ane::reference;

const OpTable::Function *OpTable::lookup(Operation *op) const {
  auto found = functions.find(op->getName().getTypeID());
  return found == functions.end() ? nullptr : &found->second;
}

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable table;
    registerActivationOps(table);
    registerConvOps(table);
    registerElementwiseOps(table);
    registerLinearOps(table);
    registerNormalizationOps(table);
    registerPoolOps(table);
    registerReductionOps(table);
    registerTensorOps(table);
    return table;
  }();
  return table;
}

InFlightDiagnostic ane::reference::report(Operation *op) {
  return op->emitError() << op->getName().stripDialect() << ": ";
}
