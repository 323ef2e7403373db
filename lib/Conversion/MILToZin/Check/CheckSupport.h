//===- CheckSupport.h - What the target can run -----------------*- C++ -*-===//
//
// One function an op, in the file of its family. Each refusal names the
// constraint, the value and the limit; docs/constraints.md has a line for every
// id.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_CHECK_CHECKSUPPORT_H
#define ANE_LIB_CONVERSION_MILTOZIN_CHECK_CHECKSUPPORT_H

#include "Check/IntegerRanges.h"
#include "Lowering.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::lowering {

class SupportChecker {
public:
  SupportChecker(mlir::MLIRContext *context, const TargetDescription &target)
      : target(target), lowered(getLoweredOps(context)) {}

  /// `found` is what the integers of the function can be.
  llvm::LogicalResult check(mil::FuncOp func, const IntegerRanges &found);

private:
  /// Finds the values that come to nothing but functions that make the same of
  /// a large number and an infinity, by way of what moves or chooses them.
  void findSaturated(mil::FuncOp func);
  llvm::LogicalResult check(mlir::Operation *op);
  /// That nothing is left which a pass in front of the conversion gave up on:
  /// constants, and layers that are written out step by step.
  llvm::LogicalResult checkLeft(mlir::Operation *op);
  /// That what a function returns can be a port.
  llvm::LogicalResult checkOutputs(mil::ReturnOp result);
  /// That the engine holds what an op makes.
  llvm::LogicalResult checkResults(mlir::Operation *op);
  /// That a port can lie as `mil.layout` among the attributes of a parameter or
  /// an output says.
  llvm::LogicalResult checkLayout(mlir::Location location,
                                  const llvm::Twine &what,
                                  mlir::DictionaryAttr attrs, mlir::Type type);
  /// An op that long rows or columns are refused at.
  struct Uncut {
    mlir::StringAttr op;
    mlir::LocationAttr location;
    mlir::RankedTensorType type; ///< of columns only

    explicit operator bool() const { return op && location; }
  };
  /// What a pass has left on a function; nothing where that is not one.
  static Uncut uncutOf(mil::FuncOp func, llvm::StringRef mark);
  /// At the op that mil-split-long-rows has no rule for.
  llvm::LogicalResult refuseRows(const Uncut &uncut,
                                 mlir::RankedTensorType type);
  /// At the op that mil-fold-long-columns has no rule for.
  llvm::LogicalResult refuseColumns(const Uncut &uncut);

  /// What counts elements, with a limit that is below that of rows and columns.
  bool refuseCounted(mil::FuncOp func, const Uncut &uncut);

  // Ops that mil-decompose left, for they are too large or for no reason that
  // is known here: they are always refused.
  llvm::LogicalResult checkOp(mil::PowOp op);
  llvm::LogicalResult checkOp(mil::ReduceLogSumOp op);
  llvm::LogicalResult checkOp(mil::ReduceLogSumExpOp op);
  llvm::LogicalResult checkOp(mil::TopkOp op);
  llvm::LogicalResult checkOp(mil::OneHotOp op);
  llvm::LogicalResult checkOp(mil::ArgsortOp op);
  llvm::LogicalResult checkOp(mil::ResampleOp op);
  llvm::LogicalResult checkOp(mil::AffineOp op);
  llvm::LogicalResult checkOp(mil::ConvQuantizedOp op);
  llvm::LogicalResult checkOp(mil::BandPartOp op);
  llvm::LogicalResult checkOp(mil::CropResizeOp op);
  llvm::LogicalResult checkOp(mil::L2PoolOp op);
  llvm::LogicalResult checkOp(mil::ReverseSequenceOp op);
  llvm::LogicalResult checkOp(mil::GruOp op);
  llvm::LogicalResult checkOp(mil::LstmOp op);
  llvm::LogicalResult checkOp(mil::RnnOp op);
  llvm::LogicalResult checkOp(mil::WhileLoopOp op);
  using NamedValue = std::pair<llvm::StringLiteral, mlir::Value>;
  llvm::LogicalResult refuseRecurrent(mlir::Operation *op,
                                      llvm::ArrayRef<NamedValue> activations);
  llvm::LogicalResult refuseSort(mlir::Operation *op, mlir::Value x,
                                 mlir::Value result,
                                 std::optional<int64_t> dim);
  llvm::LogicalResult refuseCount(mlir::Operation *op, mlir::Value x,
                                  std::optional<int64_t> dim);
  llvm::LogicalResult refuseSamples(mlir::Operation *op, mlir::Value x,
                                    mlir::Value result);
  llvm::LogicalResult refuseUnknown(mlir::Operation *op);
  llvm::LogicalResult refuseLogarithm(mlir::Operation *op);

  /// What an op must know at compile time, and numbers that fp16 cannot hold.
  llvm::LogicalResult checkConstants(mlir::Operation *op);
  llvm::LogicalResult requireConstant(mlir::Operation *op, mlir::Value value,
                                      llvm::StringRef name);
  llvm::LogicalResult requireConstants(
      mlir::Operation *op,
      llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> inputs);
  llvm::LogicalResult requireHalf(mlir::Operation *op, llvm::StringRef what,
                                  std::optional<double> tooLarge);

  // Quotients of fp16 numbers by a known number.
  llvm::LogicalResult checkDivisor(mlir::Operation *op, mlir::Value divisor);
  llvm::LogicalResult checkOp(mil::RealDivOp op);
  llvm::LogicalResult checkOp(mil::FloorDivOp op);
  llvm::LogicalResult checkOp(mil::ModOp op);

  // Places along a dimension, which fp16 has to tell apart.
  llvm::LogicalResult checkOp(mil::ReduceArgmaxOp op);
  llvm::LogicalResult checkOp(mil::ReduceArgminOp op);
  llvm::LogicalResult checkPlaces(mlir::Operation *op, mlir::Value x,
                                  std::optional<int64_t> dim);

  // Windows.
  llvm::LogicalResult requireWeight(mlir::Operation *op, mlir::Value weight);
  llvm::LogicalResult checkOp(mil::ConvOp op);
  llvm::LogicalResult checkOp(mil::ConvTransposeOp op);
  llvm::LogicalResult checkOp(mil::MaxPoolOp op);
  llvm::LogicalResult checkOp(mil::AvgPoolOp op);
  /// Padding and number of spatial dimensions of a window.
  llvm::LogicalResult checkWindow(mlir::Operation *op,
                                  const mil::Window &window);
  llvm::LogicalResult checkPaddedInput(mil::ConvOp op);
  template <typename PoolOp> llvm::LogicalResult checkPool(PoolOp op);

  // Normalization.
  llvm::LogicalResult checkOp(mil::BatchNormOp op);
  llvm::LogicalResult checkOp(mil::LocalResponseNormOp op);

  // Elements that change places.
  llvm::LogicalResult checkOp(mil::SliceByIndexOp op);
  llvm::LogicalResult checkOp(mil::SliceBySizeOp op);
  llvm::LogicalResult checkOp(mil::SliceUpdateOp op);
  template <typename Op> llvm::LogicalResult checkComputedSlice(Op op);
  llvm::LogicalResult checkOp(mil::GatherOp op);
  llvm::LogicalResult checkOp(mil::GatherAlongAxisOp op);
  llvm::LogicalResult checkOp(mil::GatherNdOp op);
  template <typename Op>
  llvm::LogicalResult checkScatter(Op op, int64_t extent, int64_t elements);
  llvm::LogicalResult checkOp(mil::ScatterOp op);
  llvm::LogicalResult checkOp(mil::ScatterAlongAxisOp op);
  llvm::LogicalResult checkOp(mil::ScatterNdOp op);
  static constexpr llvm::StringLiteral computedIndices = "computed indices";
  /// A choice among `extent` elements by comparing indices with their numbers.
  llvm::LogicalResult checkChosen(mlir::Operation *op, int64_t extent,
                                  int64_t elements,
                                  llvm::StringRef indices = computedIndices);
  /// An op that becomes a product with constant matrices.
  llvm::LogicalResult checkMatrix(mlir::Operation *op, int64_t elements);
  llvm::LogicalResult checkOp(mil::CumsumOp op);
  llvm::LogicalResult checkResampling(mlir::Operation *op,
                                      const mil::Resampling &resampling);
  llvm::LogicalResult checkOp(mil::ResizeOp op);
  llvm::LogicalResult checkOp(mil::TileOp op);
  llvm::LogicalResult checkOp(mil::PadOp op);
  llvm::LogicalResult checkOp(mil::ReshapeOp op);
  llvm::LogicalResult checkOp(mil::ReshapeLikeOp op);

  std::string id(llvm::StringRef constraint) const {
    return target.rule(constraint);
  }

  const TargetDescription &target;
  llvm::DenseSet<mlir::OperationName> lowered;
  /// Of the function that is looked at.
  const IntegerRanges *ranges = nullptr;
  llvm::DenseSet<mlir::Value> saturated;
};

/// Reports every op of a program that the target cannot run, with the violated
/// constraint. docs/constraints.md lists them. `ranges` are those of the
/// functions, in their order.
llvm::LogicalResult checkMILSupport(mlir::ModuleOp program,
                                    const TargetDescription &target,
                                    llvm::ArrayRef<IntegerRanges> ranges);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_CHECK_CHECKSUPPORT_H
