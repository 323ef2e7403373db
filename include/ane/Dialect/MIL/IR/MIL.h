//===- MIL.h - The MIL dialect ----------------------------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_MIL_H
#define ANE_DIALECT_MIL_IR_MIL_H

#include "ane/Dialect/MIL/IR/OpSpec.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ane/Dialect/MIL/IR/MILDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttrs.h.inc"

#include "ane/Dialect/MIL/IR/MILInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILActivationOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILConvOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILImageOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILIndexingOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILLinearOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILListOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILNormalizationOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILPoolOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILProgramOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILQuantizationOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILRandomOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILRecurrentOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILReductionOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILStateOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILTensorOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILTransformOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILUnaryOps.h.inc"

#endif // ANE_DIALECT_MIL_IR_MIL_H
