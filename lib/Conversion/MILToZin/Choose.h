//===- Choose.h - Elements at places that the program computes --*- C++ -*-===//
//
// The engine has no addresses that it computes. An index is a number in fp16; a
// comparison with 0, 1, 2, ... makes it a row of zeros and a one, and a product
// with that row takes the element. Nothing is rounded: 0 times anything is 0 on
// the engine, infinities too (measured).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_CHOOSE_H
#define ANE_LIB_CONVERSION_MILTOZIN_CHOOSE_H

#include "AlongDim.h"
#include "ElementLayers.h"

namespace ane::lowering {

/// 1 where two values that broadcast are equal.
mlir::Value equal(const ElementLayers &layers, mlir::Value x, mlir::Value y);

/// Whether indices of that type may count from the end.
bool mayBeNegative(mlir::Value indices);
/// Indices in [-extent, extent) as those in [0, extent).
mlir::Value fromFront(const ElementLayers &layers, mlir::Value indices,
                      int64_t extent);

/// `first`, `first` + 1, ... along a dimension.
mlir::Value counting(const ElementLayers &layers, unsigned dim, int64_t count,
                     double first);

/// [..., length] tuples of indices into `extents` as one index into all of
/// them.
mlir::Value linearIndex(const ElementLayers &layers, mlir::Value tuples,
                        llvm::ArrayRef<int64_t> extents, bool countsFromEnd);

/// Turns values so that one of their dimensions is the last one.
class LastAxis {
public:
  explicit LastAxis(unsigned dim);
  /// An operand of an op, aligned to a rank.
  mlir::Value apply(const ElementLayers &layers, mlir::Value original,
                    mlir::Value converted, int64_t rank) const;
  mlir::Value back(const ElementLayers &layers, mlir::Value x) const;

private:
  llvm::SmallVector<int64_t> order;
};

/// Rows of zeros and ones, [1, 1, batch or 1, M, K], times [1, 1, batch, K,
/// columns]. On the planar engine, which keeps every number, unless that takes
/// very many products.
mlir::Value chooseRows(const ElementLayers &layers, mlir::Value rows,
                       mlir::Value x);

/// `x` with a dimension multiplied by a computed matrix of zeros and ones,
/// [1, 1, 1, M, K].
mlir::Value multiplyBy(const ElementLayers &layers, mlir::Value matrix,
                       mlir::Value x, unsigned dim);

void populateScatterPatterns(const MILToZinTypeConverter &,
                             mlir::RewritePatternSet &);
void populateComputedSlicePatterns(const MILToZinTypeConverter &,
                                   mlir::RewritePatternSet &);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_CHOOSE_H
