//===- MadeKernels.h - Kernels that several layers may have -----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MADEKERNELS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MADEKERNELS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"
#include <map>
#include <vector>

namespace ane::zin {

/// What has been made of the elements of kernels, of which several layers may
/// have the same.
class MadeKernels {
public:
  /// The elements that `make` gives, or that it gave for the same kernel and
  /// numbers.
  mlir::Value get(mlir::OpBuilder &builder, ConstantOp kernel,
                  std::vector<int64_t> numbers,
                  llvm::function_ref<mlir::Value()> make) {
    mlir::TypedAttr &made =
        known[{kernel.getElements().getAsOpaquePointer(), std::move(numbers)}];
    if (made)
      return ConstantOp::create(builder, kernel.getLoc(), made);
    mlir::Value value = make();
    made = value.getDefiningOp<ConstantOp>().getValue();
    return value;
  }

  bool isEmpty() const { return known.empty(); }

private:
  std::map<std::pair<const void *, std::vector<int64_t>>, mlir::TypedAttr>
      known;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MADEKERNELS_H
