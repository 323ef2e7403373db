//===- OpTable.cpp - The reference of each op -----------------------------===//

#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;

const OpTable::Function *OpTable::lookup(Operation *op) const {
  auto found = functions.find(op->getName().getTypeID());
  return found == functions.end() ? nullptr : &found->second;
}

OpTable::ShapeFrom OpTable::getShapeFrom(Operation *op) const {
  auto found = shapes.find(op->getName().getTypeID());
  return found == shapes.end() ? ShapeFrom::Types : found->second;
}

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable table;
    registerActivationOps(table);
    registerControlFlowOps(table);
    registerConvOps(table);
    registerElementwiseOps(table);
    registerFillOps(table);
    registerImageOps(table);
    registerIndexingOps(table);
    registerLinearOps(table);
    registerNormalizationOps(table);
    registerPoolOps(table);
    registerQuantizationOps(table);
    registerRecurrentOps(table);
    registerReductionOps(table);
    registerSliceOps(table);
    registerSortOps(table);
    registerTensorOps(table);
    registerTransformOps(table);
    registerUnaryOps(table);
    return table;
  }();
  return table;
}

StringRef ane::reference::getString(mil::MILOp op, StringRef name) {
  const mil::OpSpec &spec = op.getOpSpec();
  unsigned index = spec.indexOf(name);
  OperandRange operands = op.getInput(index);
  if (operands.empty())
    return spec.args[index].defaultValue;
  return mil::getConstantString(operands.front()).value_or("");
}

InFlightDiagnostic ane::reference::report(Operation *op) {
  return op->emitError() << op->getName().stripDialect() << ": ";
}
