//===- OutputGroups.cpp - Products in parts of outputs --------------------===//

#include "Split/OutputGroups.h"
#include "Split/LayerRegions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// With fewer layers nothing is between them that is not written over.
constexpr size_t leastLayers = 3;

/// The dimension that has the outputs of a product of columns with constant
/// coefficients, if it is another one than that of the columns.
std::optional<unsigned> outputsOf(Operation *layer) {
  if (auto product = dyn_cast<MatMulOp>(layer);
      product && product.getOutputsOnRows() && isConstant(product.getKernel()))
    return H;
  auto conv = dyn_cast<ConvOp>(layer);
  if (conv && conv.getGroups() == 1 && isConstant(conv.getKernel()) &&
      llvm::product_of(shapeOf(conv.getKernel()).take_back(2)) == 1 &&
      shapeOf(conv.getResult())[H] == 1)
    return C;
  return std::nullopt;
}

/// Adds layers to a group, from its first one on, as long as they can be of it.
class GroupGrower {
public:
  explicit GroupGrower(Operation *first)
      : shape(shapeOf(first->getResult(0))) {}

  bool add(Operation *layer, BlockDim dim) {
    if (dim != BlockDim{W} || shapeOf(layer->getResult(0)) != shape ||
        !(outputsOf(layer) || isFunction(layer)))
      return false;
    members.insert(layer);
    return true;
  }

  /// Whether this layer, which was added last, alone has readers outside.
  bool isClosedBy(Operation *last) const {
    return members.size() >= leastLayers && isFunction(last) &&
           llvm::all_of(members, [&](Operation *layer) {
             return layer == last ||
                    llvm::all_of(layer->getUsers(), [&](Operation *user) {
                      return members.contains(user);
                    });
           });
  }

private:
  bool isFunction(Operation *layer) const {
    return layer->hasTrait<Elementwise>() &&
           llvm::all_of(layer->getOperands(), [&](Value operand) {
             return isConstant(operand) ||
                    members.contains(operand.getDefiningOp());
           });
  }

  ArrayRef<int64_t> shape;
  llvm::SmallPtrSet<Operation *, 8> members;
};

} // namespace

SmallVector<OutputGroup> zin::findOutputGroups(const LayerRegion &region) {
  SmallVector<OutputGroup> groups;
  auto layers = region.layers.getArrayRef();
  for (size_t first = 0; first < layers.size(); ++first) {
    Operation *product = layers[first].first;
    std::optional<unsigned> outputs = outputsOf(product);
    if (!outputs ||
        shapeOf(product->getResult(0))[*outputs] < partsOfGroup * outputsOfPart)
      continue;
    GroupGrower grower(product);
    std::optional<size_t> last;
    for (size_t index = first; index < layers.size(); ++index) {
      auto [layer, dim] = layers[index];
      if (!grower.add(layer, dim))
        break;
      if (grower.isClosedBy(layer) && !isReadBehind(layer, region))
        last = index;
    }
    if (!last)
      continue;
    groups.push_back({first, *last});
    first = *last;
  }
  return groups;
}

LayerRegion zin::partsOf(ArrayRef<Operation *> group) {
  LayerRegion parts;
  unsigned outputs = *outputsOf(group.front());
  for (Operation *layer : group)
    parts.layers[layer] = BlockDim{outputs};
  parts.extent = shapeOf(group.back()->getResult(0))[outputs];
  parts.blockCount = llvm::alignTo(llvm::divideCeil(parts.extent, partsOfGroup),
                                   outputsOfPart);
  return parts;
}
