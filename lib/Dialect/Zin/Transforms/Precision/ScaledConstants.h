//===- ScaledConstants.h - Constants times numbers --------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PRECISION_SCALEDCONSTANTS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PRECISION_SCALEDCONSTANTS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"

namespace ane::zin {

/// Constants times numbers. Layers with the same coefficients still share them:
/// of a constant and a number there is one product, where it was first asked
/// for.
class ScaledConstants {
public:
  /// The elements of a constant times a number, one if it is one; null where
  /// fp16 does not hold a product exactly, or for a value that is no constant
  /// at hand. Asked for in the order of the layers.
  mlir::Value times(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Value value, double factor);

private:
  /// By the bits of the factor.
  llvm::DenseMap<std::pair<mlir::Value, uint64_t>, mlir::Value> known;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PRECISION_SCALEDCONSTANTS_H
