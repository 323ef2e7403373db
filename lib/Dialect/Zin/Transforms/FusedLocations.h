//===- FusedLocations.h - Where fused layers come from ----------*- C++ -*-===//
//
// A layer that takes others up has their locations behind its own, which names
// it. RationaleZin.md, "Locations", has the rules.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_FUSEDLOCATIONS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_FUSEDLOCATIONS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/DenseMap.h"

namespace ane::zin {

/// Collects what layers take up, and gives them its locations once at the end:
/// one for each step of a chain that is merged would stay in memory.
class FusedLocations {
public:
  /// `to` takes up `from`, with what that has taken up.
  void add(mlir::Operation *to, mlir::Operation *from);
  void add(mlir::Operation *to, llvm::ArrayRef<mlir::Location> from);
  /// The location of a layer, with those of what it has taken up.
  void append(mlir::Operation *layer,
              llvm::SmallVectorImpl<mlir::Location> &locations) const;
  /// For a layer that is erased.
  void forget(mlir::Operation *layer) { taken.erase(layer); }
  /// Sets the locations of all layers that have taken something up.
  void apply();

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Location, 2>> taken;
};

/// What computes and is gone behind a pattern was taken up by the layers that
/// the pattern made or changed, but for those that it only gave another operand
/// in the place of what it replaced. Layers that move elements neither take nor
/// are taken: others go through them.
class FusionListener : public mlir::RewriterBase::ForwardingListener {
public:
  explicit FusionListener(mlir::RewriterBase::Listener *next)
      : ForwardingListener(next) {}
  ~FusionListener() override { locations.apply(); }

  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        llvm::LogicalResult status) override;
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationModified(mlir::Operation *op) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::ValueRange values) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::Operation *other) override {
    notifyOperationReplaced(op, other->getResults());
  }
  void notifyOperationErased(mlir::Operation *op) override;

private:
  void takeUp(mlir::Operation *op);
  void takeGone();

  FusedLocations locations;
  bool isInPattern = false;
  /// Of one pattern: layers that it made or changed, where they come from that
  /// are gone, makers of what these read, and how often a reader will be told
  /// as modified for a new operand.
  llvm::SmallVector<mlir::Operation *> changed;
  llvm::SmallVector<mlir::Location> gone;
  llvm::SmallVector<mlir::Operation *> makers;
  llvm::SmallDenseMap<mlir::Operation *, unsigned> newOperands;
};

/// Applies patterns on layers until none matches any more, with locations kept.
llvm::LogicalResult
rewriteLayers(mlir::Region &region,
              const mlir::FrozenRewritePatternSet &patterns,
              mlir::RewriterBase::Listener *listener = nullptr);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_FUSEDLOCATIONS_H
