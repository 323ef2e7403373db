//===- Lowering.h - Shared pieces of the MIL to Zin rules -------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_LOWERING_H
#define ANE_LIB_CONVERSION_MILTOZIN_LOWERING_H

#include "ane/Conversion/MILToZin.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::lowering {

using Shape5 = llvm::SmallVector<int64_t, zin::numDims>;

/// A MIL shape as one of the unit level: aligned at the last dimension. Up to
/// rank 4 the dimensions are N, C, H, W; with rank 5 they are N, D, C, H, W.
/// `rank` is the rank to align to, at least that of `shape`.
Shape5 alignShape(llvm::ArrayRef<int64_t> shape, size_t rank);

/// The dimension of the unit level that dimension `axis` of a MIL tensor of
/// rank `rank` becomes.
unsigned alignAxis(int64_t axis, int64_t rank);

/// The fp16 tensor type of a shape.
mlir::RankedTensorType halfType(mlir::MLIRContext *context,
                                llvm::ArrayRef<int64_t> shape);

/// The type of the host's tensor, of a parameter or result with these
/// attributes: that of the value, unless something else is said.
mlir::Type hostTypeOf(mlir::DictionaryAttr attrs, mlir::Type type);

/// The shape of a MIL value, which has been checked to be a static tensor.
llvm::ArrayRef<int64_t> milShape(mlir::Value value);

using zin::reshapeTo;

/// A layer `[N, C, L]` of a one-dimensional convolution or pool has its length
/// along the columns: [N, 1, C, 1, L]. Two-dimensional ones stay as aligned.
Shape5 windowShape(llvm::ArrayRef<int64_t> shape);

/// The elements of a constant rounded to fp16, with another shape. fp16 data is
/// referenced, not copied; bool becomes 0 and 1. Nothing if the value is no
/// constant of floats, integers or bool.
mlir::ElementsAttr halfConstant(mlir::Value value,
                                llvm::ArrayRef<int64_t> shape);

/// The same as a `zin.constant`.
mlir::Value materializeHalf(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// An operand of an op with a shape of the unit level: a constant that is at
/// hand, or else what `original` was converted to.
mlir::Value operandAs(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value original, mlir::Value converted,
                      llvm::ArrayRef<int64_t> shape);

/// A finite number of which rounding to fp16 makes an infinity, if there is one
/// among the values or the elements of a constant.
std::optional<double> findHalfOverflow(llvm::ArrayRef<double> values);
std::optional<double> findHalfOverflow(mlir::Value value);

/// A constant from numbers, rounded to fp16.
mlir::Value materializeHalf(mlir::OpBuilder &builder, mlir::Location location,
                            llvm::ArrayRef<double> values,
                            llvm::ArrayRef<int64_t> shape);

/// A reduction of dimensions of the unit level; see zin::ReductionOp.
mlir::Value reduceOver(mlir::OpBuilder &builder, mlir::Location location,
                       zin::ReductionType kind, mlir::Value x,
                       llvm::ArrayRef<int64_t> axes, bool square = false,
                       zin::PEPost post = zin::PEPost::none,
                       double epsilon = 0);

void populateActivationPatterns(const MILToZinTypeConverter &,
                                mlir::RewritePatternSet &);
/// A convolution over depth, rows and columns of [N, Cin, depth, rows, columns]
/// with a constant kernel, and a bias [1, 1, Cout, 1, 1] if not null. Null
/// where the elements of the kernel are not at hand.
mlir::Value convolveVolume(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::Value x, mlir::Value weight, mlir::Value bias,
                           const mil::Window &window, int64_t groups);

void populateConvTransposePatterns(const MILToZinTypeConverter &,
                                   mlir::RewritePatternSet &);
void populateConvPatterns(const MILToZinTypeConverter &,
                          mlir::RewritePatternSet &, int64_t longestRow);
void populateElementwisePatterns(const MILToZinTypeConverter &,
                                 mlir::RewritePatternSet &);
void populateGatherPatterns(const MILToZinTypeConverter &,
                            mlir::RewritePatternSet &, int64_t longestRow);
void populateLinearPatterns(const MILToZinTypeConverter &,
                            mlir::RewritePatternSet &);
void populateNormalizationPatterns(const MILToZinTypeConverter &,
                                   mlir::RewritePatternSet &,
                                   int64_t refineMeansUpTo);
void populateProgramPatterns(const MILToZinTypeConverter &,
                             mlir::RewritePatternSet &);
void populateRearrangePatterns(const MILToZinTypeConverter &,
                               mlir::RewritePatternSet &);
void populateReductionPatterns(const MILToZinTypeConverter &,
                               mlir::RewritePatternSet &);
void populateResizePatterns(const MILToZinTypeConverter &,
                            mlir::RewritePatternSet &);
void populateSlicePatterns(const MILToZinTypeConverter &,
                           mlir::RewritePatternSet &);
void populateTensorPatterns(const MILToZinTypeConverter &,
                            mlir::RewritePatternSet &);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_LOWERING_H
