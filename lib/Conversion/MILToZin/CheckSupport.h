//===- CheckSupport.h - What the target can run -----------------*- C++ -*-===//
//
// One function an op, in the file of its family. Each refusal names the
// constraint, the value and the limit; docs/constraints.md has a line for every
// id.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_CHECKSUPPORT_H
#define ANE_LIB_CONVERSION_MILTOZIN_CHECKSUPPORT_H

#include "Lowering.h"
#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::lowering {

class SupportChecker {
public:
  SupportChecker(mlir::MLIRContext *context, const TargetDescription &target)
      : target(target), lowered(getLoweredOps(context)) {}

  llvm::LogicalResult check(mil::FuncOp func);

private:
  llvm::LogicalResult check(mlir::Operation *op);

  /// Element type, rank and extents of a computed value.
  llvm::LogicalResult checkType(mlir::Operation *op, const llvm::Twine &what,
                                mlir::Type type);
  /// What an op must know at compile time, and numbers that fp16 cannot hold.
  llvm::LogicalResult checkConstants(mlir::Operation *op);
  llvm::LogicalResult requireConstant(mlir::Operation *op, mlir::Value value,
                                      llvm::StringRef name);
  llvm::LogicalResult requireConstants(
      mlir::Operation *op,
      llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> inputs);
  llvm::LogicalResult requireHalf(mlir::Operation *op, llvm::StringRef what,
                                  std::optional<double> tooLarge);

  // Windows.
  llvm::LogicalResult checkOp(mil::ConvOp op);
  llvm::LogicalResult checkOp(mil::ConvTransposeOp op);
  llvm::LogicalResult checkOp(mil::MaxPoolOp op);
  llvm::LogicalResult checkOp(mil::AvgPoolOp op);
  /// Padding and number of spatial dimensions of a window.
  llvm::LogicalResult checkWindow(mlir::Operation *op,
                                  const mil::Window &window);
  template <typename PoolOp> llvm::LogicalResult checkPool(PoolOp op);

  // Functions of elements.
  llvm::LogicalResult checkOp(mil::CastOp op);

  // Normalization.
  llvm::LogicalResult checkOp(mil::BatchNormOp op);

  // Elements that change places.
  llvm::LogicalResult checkOp(mil::SliceByIndexOp op);
  llvm::LogicalResult checkOp(mil::SliceBySizeOp op);
  llvm::LogicalResult checkOp(mil::GatherOp op);
  llvm::LogicalResult checkOp(mil::TileOp op);
  llvm::LogicalResult checkOp(mil::PadOp op);
  llvm::LogicalResult checkOp(mil::ReshapeOp op);

  std::string id(llvm::StringRef constraint) const {
    return (target.name + "-" + constraint).str();
  }

  const TargetDescription &target;
  llvm::DenseSet<mlir::OperationName> lowered;
};

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_CHECKSUPPORT_H
