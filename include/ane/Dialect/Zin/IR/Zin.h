//===- Zin.h - The Zin dialect ----------------------------------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_ZIN_H
#define ANE_DIALECT_ZIN_IR_ZIN_H

#include "ane/Dialect/Zin/IR/Traits.h"
#include "ane/Support/Half.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ane/Dialect/Zin/IR/ZinDialect.h.inc"
#include "ane/Dialect/Zin/IR/ZinEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/Zin/IR/ZinAttrs.h.inc"

#include "ane/Dialect/Zin/IR/ZinInterfaces.h.inc"

namespace ane::zin {

/// A view that a task reads or writes.
struct Access {
  enum Role { Source1, Source2, Kernel, Result } role;
  ViewAttr view;
  /// Where the task finds or leaves it; a computed kernel streams.
  Residence residence;

  mlir::StringAttr buffer() const { return view.getBuffer().getAttr(); }
};

} // namespace ane::zin

#define GET_OP_CLASSES
#include "ane/Dialect/Zin/IR/ZinOps.h.inc"

namespace ane::zin {

/// Dimensions of a value of the unit level, ZinIrDimension's set in the order
/// of the tensor type.
enum Dim : unsigned { N = 0, D = 1, C = 2, H = 3, W = 4 };
constexpr unsigned numDims = 5;

/// Rows of a second operand of the planar engine that is a pair of vectors, of
/// addends and of factors, beside a result of another number of rows.
constexpr int64_t pairRows = 2;

/// The extents of a value of the unit level, in the order of `Dim`.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// The bytes between neighbours in all dimensions but columns of a surface
/// whose rows start every `pitch` bytes and follow each other without gaps.
std::array<int64_t, numDims - 1> packedStrides(llvm::ArrayRef<int64_t> shape,
                                               int64_t pitch);

/// `N`, `D`, `C`, `H` or `W`.
llvm::StringRef stringifyDim(unsigned dim);

/// Bytes of an element; all values are fp16.
constexpr int64_t elementBytes = halfBytes;

/// Steps of L2 addresses in bytes.
constexpr int64_t l2Granule = 16;

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_ZIN_H
