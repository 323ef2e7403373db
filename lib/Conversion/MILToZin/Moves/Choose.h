//===- Choose.h - Elements at places that the program computes --*- C++ -*-===//
//
// The engine has no addresses that it computes. An index is a number in fp16; a
// comparison with 0, 1, 2, ... makes it a row of zeros and a one, and a product
// with that row takes the element. Nothing is rounded: 0 times anything is 0 on
// the engine, infinities too (measured).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_MOVES_CHOOSE_H
#define ANE_LIB_CONVERSION_MILTOZIN_MOVES_CHOOSE_H

#include "AlongDim.h"
#include "Elements/ElementLayers.h"

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

/// Where the slices are that a gather with known indices takes: along its axis,
/// or where it has batches or tuples, along all dimensions from the first to
/// the last that it chooses in as one.
struct KnownPlaces {
  llvm::SmallVector<int64_t> places;
  int64_t extent; ///< of the dimension that they count
};
/// Nothing where indices are computed.
std::optional<KnownPlaces> knownPlaces(mil::GatherOp op);
std::optional<KnownPlaces> knownPlaces(mil::GatherNdOp op);

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

/// What a computed index chooses: `inner` elements, which are one row, or
/// several of one length where one is longer than those of the engine.
struct Slice {
  Slice(int64_t inner, int64_t longestRow);

  /// `extent` slices in each batch.
  Shape5 shape(int64_t batch, int64_t extent) const;
  /// The dimension of that shape which has the slices.
  unsigned dim() const { return rows == 1 ? zin::H : zin::C; }

  int64_t rows, columns;
  int64_t longestRow; ///< of the engine
};

/// Rows of zeros and ones, [1, 1, batch or 1, M, K], times `x`, which has the
/// shape of K slices in each batch; the result has that of M. On the planar
/// engine, which keeps every number, unless that takes very many products.
mlir::Value chooseSlices(const ElementLayers &layers, mlir::Value rows,
                         mlir::Value x, const Slice &slice);

/// `x` with a dimension multiplied by a computed matrix of zeros and ones,
/// [1, 1, 1, M, K].
mlir::Value multiplyBy(const ElementLayers &layers, mlir::Value matrix,
                       mlir::Value x, unsigned dim, int64_t longestRow);

/// A rule for an op that chooses among slices.
template <typename MILOp>
struct ChoosingRule : mlir::OpConversionPattern<MILOp> {
  ChoosingRule(const mlir::TypeConverter &converter, mlir::MLIRContext *context,
               int64_t longestRow)
      : mlir::OpConversionPattern<MILOp>(converter, context),
        longestRow(longestRow) {}

  const int64_t longestRow;
};

void populateScatterPatterns(const MILToZinTypeConverter &,
                             mlir::RewritePatternSet &, int64_t longestRow);
void populateComputedSlicePatterns(const MILToZinTypeConverter &,
                                   mlir::RewritePatternSet &,
                                   int64_t longestRow);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_MOVES_CHOOSE_H
