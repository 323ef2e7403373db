//===- TapProducts.h - An image times each tap of a kernel ------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_TAPPRODUCTS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_TAPPRODUCTS_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::mil {

/// A convolution in two steps: each element of an image times each tap, and
/// these products added up where a window sees their elements. The second step
/// is convolutions with ones, dimension by dimension. Of more taps than the
/// engine's windows have along a dimension, the sums are sums of sums, of as
/// many taps as factors say.
class TapProducts {
public:
  explicit TapProducts(const Window &window);

  /// The taps, with zeros behind that fill up the factors.
  int64_t count() const { return llvm::product_of(taps); }
  /// Products of x, [N, Cin, *X], with weight, [Cout, Cin, *K], added up over
  /// Cin: [N, Cout * count, *X].
  mlir::Value multiply(Replacer &r, mlir::Value x, mlir::Value weight) const;
  /// Adds up such products of an image with what is padded around it:
  /// [N, Cout, *output of the window].
  mlir::Value addUp(Replacer &r, mlir::Value products) const;

private:
  /// Taps that a window of the engine has, and the places from the first one to
  /// the last one that are needed of their sums.
  struct Stage {
    int64_t taps, dilation, stride, places;
  };

  static mlir::Value addStage(Replacer &r, mlir::Value y, size_t dim,
                              const Stage &stage);

  const Window &window;
  llvm::SmallVector<llvm::SmallVector<int64_t>> factors; ///< of each dimension
  llvm::SmallVector<int64_t> taps;                       ///< their products
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_TAPPRODUCTS_H
