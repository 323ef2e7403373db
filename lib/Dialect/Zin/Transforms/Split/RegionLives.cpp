//===- RegionLives.cpp - What of a region lies in L2 at a time ------------===//

#include "Split/RegionLives.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether a product writes a value as other products read it, with its rows
/// along columns: nobody else reads it.
bool isWrittenTurned(Value value) {
  auto before = value.getDefiningOp<MatMulOp>();
  return before && !before.getOutputsOnRows() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           auto product = dyn_cast<MatMulOp>(use.getOwner());
           return product && use.getOperandNumber() == 0 &&
                  !product.getContractRows() && isConstant(product.getKernel());
         });
}

} // namespace

bool zin::isElementByElement(Operation *layer) {
  return layer->hasTrait<Elementwise>() || isa<SoftmaxOp>(layer);
}

RegionLives::RegionLives(const LayerRegion &region, const RegionFinder &finder)
    : region(region), finder(finder) {
  findLives();
  for (auto [index, entry] : llvm::enumerate(region.layers))
    findPassing(index, entry.first, entry.second);
}

int64_t RegionLives::blockBytes(int64_t bytes, Halo halo, int64_t count) const {
  int64_t units = std::min(count + halo.size(), region.extent);
  return llvm::divideCeil(bytes * units, region.extent);
}

void RegionLives::findLives() {
  // Until which layer a value is read, through views of it, and what of it
  // beside a block.
  struct Reads {
    size_t last;
    Halo halo;
  };
  llvm::MapVector<Value, Reads> readsOf;
  llvm::DenseMap<Value, Value> viewed;
  auto rootOf = [&](Value value) {
    auto root = viewed.find(value);
    return root == viewed.end() ? value : root->second;
  };
  llvm::DenseMap<Operation *, size_t> indexOf;
  llvm::SetVector<Value> shared;
  for (auto [index, entry] : llvm::enumerate(region.layers)) {
    auto [layer, dim] = entry;
    indexOf[layer] = index;
    std::optional<OperandDims> dims = operandDims(layer, dim);
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
      Value root = rootOf(operand);
      bool isInside = region.contains(root.getDefiningOp());
      if (needed && (isInside || region.staged.contains({operand, *needed}))) {
        Reads &reads = readsOf[root];
        reads.last = index;
        reads.halo.include(isInside ? region.halos.lookup(root.getDefiningOp())
                                    : region.haloOfOperands(layer));
      } else if (!needed && !isConstant(operand) &&
                 !isWeighed(layer, operand) && !finder.bandsOf(layer, dim)) {
        shared.insert(operand);
      }
      if (isView(layer))
        viewed[layer->getResult(0)] = root;
    }
  }
  for (Value value : shared)
    sharedBytes += finder.bytesOf(value);
  for (auto [value, reads] : readsOf) {
    Operation *producer = value.getDefiningOp();
    bool isInside = region.contains(producer);
    Life life = {finder.bytesOf(value), reads.halo,
                 isInside ? indexOf.lookup(producer) : 0, reads.last};
    // It is written over an operand that nothing reads later.
    life.isWrittenOver =
        isInside && isElementByElement(producer) &&
        llvm::any_of(producer->getOperands(), [&](Value operand) {
          auto read = readsOf.find(rootOf(operand));
          return read != readsOf.end() && read->second.last == life.first &&
                 finder.bytesOf(read->first) == life.bytes;
        });
    if (isInside)
      findLifeInGroup(life, indexOf.lookup(producer));
    // What a group turns is gone when it begins.
    if (std::optional<OutputGroup> group = groupOf(life.last);
        group && group->first > life.first && turns(life.last) &&
        value == region.layers.getArrayRef()[life.last].first->getOperand(0))
      life.last = group->first - 1;
    lives.push_back(life);
  }
}

std::optional<OutputGroup> RegionLives::groupOf(size_t layer) const {
  auto found = llvm::find_if(
      region.groups, [&](OutputGroup group) { return group.contains(layer); });
  return found == region.groups.end() ? std::nullopt : std::optional(*found);
}

bool RegionLives::turns(size_t layer) const {
  auto product = dyn_cast<MatMulOp>(region.layers.getArrayRef()[layer].first);
  return product && !product.getContractRows() &&
         !isWrittenTurned(product.getX());
}

/// Of what lies between the layers of a group there is a part, and of the
/// products the next one. The result is there while parts of it are computed.
void RegionLives::findLifeInGroup(Life &life, size_t maker) const {
  std::optional<OutputGroup> group = groupOf(maker);
  if (!group)
    return;
  if (maker == group->last) {
    life.first = group->first;
    life.isWrittenOver = false;
    return;
  }
  bool isProduct =
      isa<ConvOp, MatMulOp>(region.layers.getArrayRef()[maker].first);
  life.bytes = llvm::divideCeil(life.bytes * (isProduct ? 2 : 1), partsOfGroup);
}

void RegionLives::findPassing(size_t index, Operation *layer, BlockDim dim) {
  Halo halo = region.halos.lookup(layer);
  if (const RowBands *rows = finder.bandsOf(layer, dim)) {
    Value x = layer->getOperand(0);
    weighed.push_back({index, rows, finder.bytesOf(x), shapeOf(x)[H], halo});
    return;
  }
  if (isa<SoftmaxOp>(layer))
    exponentials.push_back({index, finder.bytesOf(layer->getResult(0)), halo});
  auto product = dyn_cast<MatMulOp>(layer);
  if (!product)
    return;
  if (turns(index)) {
    OutputGroup readers = {index, index};
    // All parts read it, and it is there before the first one.
    if (std::optional<OutputGroup> group = groupOf(index))
      readers = {index - (index == group->first && index > 0), group->last};
    for (size_t each = readers.first; each <= readers.last; ++each)
      passing.push_back({each, finder.bytesOf(product.getX()), halo});
  }
  // What constant coefficients give is turned where it is written.
  if (!product.getOutputsOnRows() && !isConstant(product.getKernel()))
    passing.push_back({index, finder.bytesOf(product.getResult()), halo});
}

int64_t RegionLives::peakBytes(int64_t count, bool withExponentials) const {
  size_t size = region.layers.size();
  SmallVector<int64_t, 64> changes(size + 1, 0), inside(size, 0);
  changes.front() += sharedBytes;
  for (const Life &life : lives) {
    int64_t bytes = blockBytes(life.bytes, life.halo, count);
    changes[life.first + life.isWrittenOver] += bytes;
    changes[life.last + 1] -= bytes;
  }
  for (const Passing &each : passing)
    inside[each.layer] += blockBytes(each.bytes, each.halo, count);
  if (withExponentials)
    for (const Passing &each : exponentials)
      inside[each.layer] += blockBytes(each.bytes, each.halo, count);
  for (const Weighed &each : weighed)
    inside[each.layer] += each.bytes *
                          each.rows->mostRows(count + each.halo.size()) /
                          each.extent;
  int64_t alive = 0, peak = 0;
  for (size_t index = 0; index < size; ++index) {
    alive += changes[index];
    peak = std::max(peak, alive + inside[index]);
  }
  return peak;
}
