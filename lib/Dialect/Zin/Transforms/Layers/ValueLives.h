//===- ValueLives.h - How long values are needed ----------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_VALUELIVES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_VALUELIVES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// Something that is to lie in L2 from one layer of a block to another.
struct Life {
  int64_t bytes;
  size_t first, last; ///< positions of layers
  int64_t moved;      ///< bytes that layers write and read of it
  bool stays = false; ///< whatever else is there

  /// The scratchpad goes first to what moves most for its bytes and its time
  /// there.
  bool goesBefore(const Life &other) const {
    return !other.stays && moved * other.area() > other.moved * area();
  }

private:
  double area() const { return double(bytes) * (last - first + 1); }
};

/// The values that layers of a block compute for others, and what was added to
/// them. Views are those of the value that they show, what is joined lies where
/// it is joined, and ports lie in memory.
class ValueLives {
public:
  ValueLives(mlir::Block &block, const TargetDescription &target);

  size_t positionOf(mlir::Operation *layer) const {
    return positions.lookup(layer);
  }

  /// The bytes of L2 that are left for `life` from its first to its last layer,
  /// where it has those up to `room` that no value needs which goes before it.
  int64_t bytesBeside(const Life &life, int64_t room) const;

  /// The bytes that values move through memory because `life` takes their
  /// place.
  int64_t bytesDriven(const Life &life, int64_t room) const;

  /// What is left for others is without this from now on.
  void add(Life life) {
    life.stays = true;
    lives.push_back(life);
  }

private:
  /// The most of what lives at a layer of `life` at a time, of the others that
  /// `counts` says yes to.
  int64_t peakBeside(const Life &life,
                     llvm::function_ref<bool(const Life &)> counts) const;

  llvm::DenseMap<mlir::Operation *, size_t> positions;
  llvm::SmallVector<Life> lives;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_VALUELIVES_H
