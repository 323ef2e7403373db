//===- Inventory.h - What kinds of ops a function has -----------*- C++ -*-===//

#ifndef ANE_SUPPORT_INVENTORY_H
#define ANE_SUPPORT_INVENTORY_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace ane {

/// The kinds of ops in an op and the types of their results and of the
/// arguments of blocks, each once.
///
/// An analysis: a pass that is about few kinds asks it whether there is
/// something to do at all. Each walk over a long program brings all of it into
/// the cache again, so one walk is shared by all passes that leave the program
/// as it was.
class Inventory {
public:
  explicit Inventory(mlir::Operation *root) {
    root->walk([&](mlir::Operation *op) {
      kinds.insert(op->getName().getTypeID());
      types.insert_range(op->getResultTypes());
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          types.insert_range(block.getArgumentTypes());
      hasInnerBlocks |= op->getNumRegions() > 0 && op != root;
    });
  }

  template <typename... Ops> bool hasAny() const {
    return (kinds.contains(mlir::TypeID::get<Ops>()) || ...);
  }
  /// In the order in which they come first.
  llvm::ArrayRef<mlir::Type> getTypes() const { return types.getArrayRef(); }
  /// Whether a tensor, be it a constant, has a dimension of more elements than
  /// `extent`.
  bool hasExtentAbove(int64_t extent) const {
    return llvm::any_of(types, [extent](mlir::Type type) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      return tensor && llvm::any_of(tensor.getShape(), [extent](int64_t each) {
               return each > extent;
             });
    });
  }
  /// Whether ops inside hold blocks. Passes that take values apart leave such a
  /// function alone: what blocks read stays, and the target refuses them.
  bool hasBlocks() const { return hasInnerBlocks; }

private:
  llvm::SmallDenseSet<mlir::TypeID> kinds;
  llvm::SmallSetVector<mlir::Type, 8> types;
  bool hasInnerBlocks = false;
};

} // namespace ane

#endif // ANE_SUPPORT_INVENTORY_H
