//===- MIL.h - The MIL dialect ----------------------------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_MIL_H
#define ANE_DIALECT_MIL_IR_MIL_H

#include "ane/Dialect/MIL/IR/Defaults.h"
#include "ane/Dialect/MIL/IR/OpSpec.h"
#include "ane/Dialect/MIL/IR/Traits.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
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
#include "ane/Dialect/MIL/IR/MILOps.h.inc"

namespace ane::mil {

/// The layout of a `tensor_buffer`; null for any other type.
inline BufferLayoutAttr getBufferLayout(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? mlir::dyn_cast_or_null<BufferLayoutAttr>(tensor.getEncoding())
                : BufferLayoutAttr();
}

/// The layout that the attributes of a parameter or an output state, which may
/// be null; null where they state none.
inline BufferLayoutAttr getPortLayout(mlir::DictionaryAttr attrs) {
  return attrs ? attrs.getAs<BufferLayoutAttr>(MILDialect::layoutAttrName)
               : BufferLayoutAttr();
}

/// The places of a return that are ports: of a value that is returned twice,
/// under its one name, the first.
llvm::SmallVector<unsigned> portsOf(ReturnOp op);

/// What a `tensor_buffer` is of; a tensor stays what it is.
inline mlir::RankedTensorType withoutLayout(mlir::RankedTensorType type) {
  return type.getEncoding() ? type.dropEncoding() : type;
}

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_MIL_H
