//===- MILToZin.h - Patterns from MIL ops to layers -------------*- C++ -*-===//
//
// For pipelines that bring their own pass: the type converter, the patterns and
// the check that must have succeeded before the patterns apply.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_MILTOZIN_H
#define ANE_CONVERSION_MILTOZIN_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"

namespace ane {

/// MIL tensors of fp16, fp32, bool and integers of 8 to 32 bits become 5-D
/// tensors of fp16, true being 1. Other types stay; they belong to constants
/// that patterns read and nobody else does.
class MILToZinTypeConverter : public mlir::TypeConverter {
public:
  MILToZinTypeConverter();
};

/// Norms of up to `refineMeansUpTo` numbers subtract a mean twice. What an
/// index chooses is several rows where it has more than `longestRow` elements.
void populateMILToZinPatterns(const MILToZinTypeConverter &converter,
                              mlir::RewritePatternSet &patterns,
                              int64_t refineMeansUpTo, int64_t longestRow);

/// The ops that a pattern turns into layers of the engine.
llvm::DenseSet<mlir::OperationName> getLoweredOps(mlir::MLIRContext *context);

/// Reports, at `op`, a computed value that the engine cannot hold: `what`, by
/// its element type, rank and extents.
llvm::LogicalResult checkEngineType(mlir::Operation *op,
                                    const llvm::Twine &what, mlir::Type type,
                                    const TargetDescription &target);

} // namespace ane

#endif // ANE_CONVERSION_MILTOZIN_H
