//===- Passes.h - Passes on the MIL dialect ---------------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_PASSES_H
#define ANE_DIALECT_MIL_TRANSFORMS_PASSES_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/WeightChoices.h"
#include "ane/Support/PassStatistic.h"
#include "ane/Target/H13.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseSet.h"

namespace ane::frontend {
class BlobFile;
} // namespace ane::frontend

namespace ane::mil {

#define GEN_PASS_DECL
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"

/// mil-load-weights for text that may read one file only, which it calls
/// `path`, or none if `file` is null.
std::unique_ptr<mlir::Pass>
createLoadWeights(llvm::StringRef path,
                  std::shared_ptr<const frontend::BlobFile> file);

/// The rules of mil-decompose.
void populateDecomposePatterns(mlir::RewritePatternSet &patterns);

/// The rules of mil-unroll-recurrent, for layers of up to `limit` steps.
void populateUnrollRecurrentPatterns(mlir::RewritePatternSet &patterns,
                                     int64_t limit, int64_t gateAlignment);

/// The ops that patterns start from.
llvm::DenseSet<mlir::OperationName>
getRootOps(mlir::RewritePatternSet &patterns);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_PASSES_H
