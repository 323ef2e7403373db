//===- HalfConstant.h - Constants that passes make --------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_HALFCONSTANT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_HALFCONSTANT_H

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"

namespace ane::zin {

/// A constant of fp16 with these bits.
inline mlir::Value makeConstant(mlir::OpBuilder &builder,
                                mlir::Location location,
                                llvm::ArrayRef<int64_t> shape,
                                std::vector<uint16_t> bits) {
  auto type = mlir::RankedTensorType::get(shape, builder.getF16Type());
  return ConstantOp::create(
      builder, location,
      mlir::cast<mlir::TypedAttr>(makeHalfElements(type, std::move(bits))));
}

inline mlir::Value makeZeros(mlir::OpBuilder &builder, mlir::Location location,
                             llvm::ArrayRef<int64_t> shape) {
  return makeConstant(builder, location, shape,
                      std::vector<uint16_t>(llvm::product_of(shape), 0));
}

/// Elements of a constant from `begin` on, in this shape.
inline mlir::Value makeSlice(mlir::OpBuilder &builder, mlir::Location location,
                             ConstantOp constant, llvm::ArrayRef<int64_t> shape,
                             int64_t begin) {
  auto type = mlir::RankedTensorType::get(shape, builder.getF16Type());
  return ConstantOp::create(builder, location,
                            mlir::cast<mlir::TypedAttr>(sliceElements(
                                constant.getElements(), type, begin)));
}

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_HALFCONSTANT_H
