//===- ValueLives.cpp - How long values are needed ------------------------===//

#include "Layers/ValueLives.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

ValueLives::ValueLives(Block &block, const TargetDescription &target) {
  llvm::DenseMap<Value, Value> shown;
  llvm::MapVector<Value, Life> lifeOf;
  for (auto [position, layer] : llvm::enumerate(block.without_terminator())) {
    positions[&layer] = position;
    if (isa<ConstantOp>(layer))
      continue;
    bool isView = isa<ReshapeOp, InputViewOp>(layer);
    size_t first = position;
    for (Value operand : layer.getOperands()) {
      Value root = shown.lookup_or(operand, operand);
      if (isView)
        shown[layer.getResult(0)] = root;
      auto life = lifeOf.find(root);
      if (isView || life == lifeOf.end())
        continue;
      if (isa<ConcatOp>(layer)) {
        first = std::min(first, life->second.first);
      } else {
        life->second.last = position;
        life->second.moved += bytesInL2(shapeOf(operand), target);
      }
    }
    if (isView)
      continue;
    Value result = layer.getResult(0);
    int64_t bytes = bytesInL2(shapeOf(result), target);
    lifeOf[result] = {bytes, first, position, bytes};
  }
  // What is larger passes through tiles.
  for (const auto &[value, life] : lifeOf)
    if (life.moved > life.bytes && life.bytes <= target.usableL2Bytes())
      lives.push_back(life);
}

int64_t
ValueLives::peakBeside(const Life &life,
                       llvm::function_ref<bool(const Life &)> counts) const {
  size_t count = life.last - life.first + 1;
  SmallVector<int64_t> changes(count + 1, 0);
  for (const Life &other : lives) {
    if (other.first > life.last || other.last < life.first || !counts(other))
      continue;
    changes[std::max(other.first, life.first) - life.first] += other.bytes;
    changes[std::min(other.last, life.last) - life.first + 1] -= other.bytes;
  }
  int64_t alive = 0, peak = 0;
  for (int64_t change : changes)
    peak = std::max(peak, alive += change);
  return peak;
}

int64_t ValueLives::bytesBeside(const Life &life, int64_t room) const {
  return room - peakBeside(life, [&](const Life &other) {
           return !life.goesBefore(other);
         });
}

int64_t ValueLives::bytesDriven(const Life &life, int64_t room) const {
  int64_t driven = 0;
  int64_t peak = peakBeside(life, [&](const Life &other) {
    driven += life.goesBefore(other) ? other.moved : 0;
    return true;
  });
  return peak + life.bytes > room ? driven : 0;
}
