//===- FusedLocations.cpp - Where fused layers come from ------------------===//

#include "FusedLocations.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/RewriteOps.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Of a layer; far more than a network fuses. A chain of merged functions would
/// take time by the square of its length.
constexpr size_t mostTaken = 256;

bool computes(Operation *op) {
  return isa<UnitOp>(op) && !op->hasTrait<MovesElements>() &&
         !isa<ConstantOp>(op);
}

} // namespace

void FusedLocations::append(Operation *layer,
                            SmallVectorImpl<Location> &locations) const {
  locations.push_back(layer->getLoc());
  if (auto known = taken.find(layer); known != taken.end())
    llvm::append_range(locations, known->second);
}

void FusedLocations::add(Operation *to, ArrayRef<Location> from) {
  // What a layer was split into has its location: nothing is added then.
  auto isNew = [&](Location location) { return location != to->getLoc(); };
  if (llvm::none_of(from, isNew))
    return;
  SmallVector<Location, 2> &locations = taken[to];
  llvm::append_range(locations, llvm::make_filter_range(from, isNew));
  if (locations.size() > mostTaken)
    locations.truncate(mostTaken);
}

void FusedLocations::add(Operation *to, Operation *from) {
  SmallVector<Location> locations;
  append(from, locations);
  add(to, locations);
}

void FusedLocations::apply() {
  for (auto &[layer, locations] : taken) {
    locations.insert(locations.begin(), layer->getLoc());
    layer->setLoc(FusedLoc::get(layer->getContext(), locations));
  }
  taken.clear();
}

void FusionListener::notifyPatternBegin(const Pattern &pattern, Operation *op) {
  ForwardingListener::notifyPatternBegin(pattern, op);
  isInPattern = true;
}

void FusionListener::notifyOperationInserted(Operation *op,
                                             OpBuilder::InsertPoint previous) {
  ForwardingListener::notifyOperationInserted(op, previous);
  if (isInPattern && computes(op))
    changed.push_back(op);
}

void FusionListener::notifyOperationModified(Operation *op) {
  ForwardingListener::notifyOperationModified(op);
  auto told = newOperands.find(op);
  if (told != newOperands.end() && told->second > 0)
    --told->second;
  else if (isInPattern && computes(op) && !llvm::is_contained(changed, op))
    changed.push_back(op);
}

void FusionListener::notifyOperationReplaced(Operation *op, ValueRange values) {
  ForwardingListener::notifyOperationReplaced(op, values);
  if (isInPattern)
    for (Operation *reader : op->getUsers())
      ++newOperands[reader];
}

void FusionListener::notifyOperationErased(Operation *op) {
  ForwardingListener::notifyOperationErased(op);
  if (isInPattern) {
    llvm::erase(changed, op);
    llvm::erase(makers, op);
    newOperands.erase(op);
    takeUp(op);
  }
  locations.forget(op);
}

/// What computes `op`'s operands alone goes with it, once the pattern is done.
void FusionListener::takeUp(Operation *op) {
  if (computes(op))
    locations.append(op, gone);
  for (Value operand : op->getOperands())
    if (Operation *maker = operand.getDefiningOp();
        maker && !isa<ConstantOp>(maker))
      makers.push_back(maker);
}

void FusionListener::notifyPatternEnd(const Pattern &pattern,
                                      LogicalResult status) {
  ForwardingListener::notifyPatternEnd(pattern, status);
  isInPattern = false;
  if (succeeded(status) && !changed.empty())
    takeGone();
  changed.clear();
  gone.clear();
  makers.clear();
  newOperands.clear();
}

void FusionListener::takeGone() {
  // The driver erases these later.
  SmallPtrSet<Operation *, 8> dead;
  while (!makers.empty()) {
    Operation *maker = makers.pop_back_val();
    auto isGone = [&](Operation *user) { return dead.contains(user); };
    if (!dead.contains(maker) && llvm::all_of(maker->getUsers(), isGone) &&
        !llvm::is_contained(changed, maker)) {
      dead.insert(maker);
      takeUp(maker);
    }
  }
  if (!gone.empty())
    for (Operation *layer : changed)
      locations.add(layer, gone);
}

LogicalResult ane::zin::rewriteLayers(Region &region,
                                      const FrozenRewritePatternSet &patterns,
                                      RewriterBase::Listener *listener) {
  FusionListener fusion(listener);
  return rewriteOps(region, patterns,
                    GreedyRewriteConfig().setListener(&fusion));
}
