//===- SignalRegionBands.cpp - How wide the bands of a region are ---------===//

#include "Signals/SignalRegions.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/H13.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The part of L2 beyond which a value goes through memory between ops, and
/// that of what a band has at a time. Assigned.
constexpr int64_t largeDenominator = 4;
constexpr int64_t bandDenominator = 2;
/// A band is as wide as fits, or narrower down to this part. Assigned.
constexpr int64_t narrowestDenominator = 3;
/// Ops with weights of a region whose bands are tried. Assigned.
constexpr size_t mostCuts = 40;
/// Bands have to save this part of what the ops take. Assigned.
constexpr int64_t leastGainDenominator = 10;

int64_t columnBytes(Value value) {
  return llvm::product_of(shapeOf(value).drop_back()) * elementBytes;
}

/// What comes from memory for each task: weights.
int64_t weightBytes(Operation *op, const SignalRule &rule) {
  int64_t bytes = 0;
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if (!rule.isSignal(index))
      if (RankedTensorType type = staticType(operand))
        bytes += type.getNumElements() * elementBytes;
  return bytes;
}

bool hasProducts(Operation *op) { return isa<ConvOp, ConvTransposeOp>(op); }

} // namespace

bool SignalRegions::isLarge(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > 0 && !value.getDefiningOp<ConstOp>() &&
         bytesOf(value) > l2Bytes / largeDenominator;
}

/// What takes longest of each op, as bytes that memory moves meanwhile.
double SignalRegions::costOf(const SignalRegion &region) const {
  double cost = 0;
  auto isInMemory = [&](Value value) {
    return isLarge(value) || isa<BlockArgument>(value);
  };
  for (auto &[op, rule] : region.ops) {
    if (rule.isView())
      continue;
    double moved = weightBytes(op, rule);
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index) && isInMemory(operand))
        moved += bytesOf(operand);
    for (Value result : op->getResults())
      if (isInMemory(result))
        moved += bytesOf(result);
    cost +=
        std::max(moved, double(rule.getProducts()) *
                            shapeOf(op->getResult(0)).back() / productsPerByte);
  }
  return cost;
}

double SignalRegions::costOfBands(const SignalRegion &region,
                                  const BandColumns &columns) const {
  double band = 0, once = 0;
  for (auto &[op, rule] : region.ops) {
    if (rule.isView())
      continue;
    double moved = weightBytes(op, rule) + h13.taskBytes();
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index) && region.inputs.contains(operand))
        moved += columnBytes(operand) * columns.lookup(operand).count();
    band += std::max(moved, double(rule.getProducts()) *
                                columns.lookup(op->getResult(0)).count() /
                                productsPerByte);
  }
  for (Value output : region.outputs)
    band += columnBytes(output) * region.partOf(output, 0).count();
  // Parts of columns of a parameter are made of a copy.
  for (Value input : region.inputs)
    if (isa<BlockArgument>(input))
      once += 2 * bytesOf(input);
  return band * region.bands + once;
}

namespace {

/// The most bytes that values of a band have at a time. What is another look at
/// a value keeps that.
int64_t peakBytes(const SignalRegion &region, const BandColumns &columns) {
  llvm::DenseMap<Value, Value> origins;
  auto originOf = [&](Value value) {
    auto found = origins.find(value);
    return found == origins.end() ? value : found->second;
  };
  llvm::DenseMap<Value, Operation *> lastReader;
  for (auto &[op, rule] : region.ops) {
    if (rule.isView())
      for (Value result : op->getResults())
        origins[result] = originOf(op->getOperand(0));
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index))
        lastReader[originOf(operand)] = op;
  }
  auto bytesOf = [&](Value value) {
    return columnBytes(value) * columns.lookup(value).count();
  };
  int64_t held = 0, peak = 0;
  llvm::DenseSet<Value> present;
  for (auto &[op, rule] : region.ops) {
    SmallVector<Value> touched;
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index))
        touched.push_back(originOf(operand));
    if (!rule.isView())
      llvm::append_range(touched, op->getResults());
    for (Value value : touched)
      if (present.insert(value).second)
        held += bytesOf(value);
    peak = std::max(peak, held);
    for (Value value : touched) {
      auto last = lastReader.find(value);
      if ((last == lastReader.end() || last->second == op) &&
          present.erase(value))
        held -= bytesOf(value);
    }
  }
  return peak;
}

} // namespace

double SignalRegions::chooseBands(SignalRegion &region) const {
  int64_t align = 1, units = std::numeric_limits<int64_t>::max();
  for (Value output : region.outputs) {
    int64_t scale = region.scales.lookup(output);
    align = std::max(align, lineColumns / std::gcd(lineColumns, scale));
    units =
        std::min(units, llvm::divideCeilSigned(shapeOf(output).back(), scale));
  }
  double before = costOf(region), least = before;
  int64_t widest = 0;
  SignalRegion best;
  // Each width is three quarters of the one before.
  for (int64_t width = units / 2; width >= align; width = width * 3 / 4) {
    if (widest > 0 && width < widest / narrowestDenominator)
      break;
    region.step = width - width % align;
    region.bands = llvm::divideCeil(units, region.step);
    // One in the middle has something to overlap with at both sides.
    std::optional<BandColumns> columns = region.columnsOf(region.bands / 2);
    if (!columns || peakBytes(region, *columns) > l2Bytes / bandDenominator)
      continue;
    widest = std::max(widest, width);
    double cost = costOfBands(region, *columns);
    if (cost < least) {
      least = cost;
      best.step = region.step;
      best.bands = region.bands;
    }
  }
  region.step = best.step;
  region.bands = best.bands;
  return before - least < before / leastGainDenominator ? 0 : before - least;
}

/// Cuts ops at those with weights into regions of their own, as bands are worth
/// it.
void SignalRegions::addParts(ArrayRef<std::pair<Operation *, SignalRule>> ops,
                             std::vector<SignalRegion> &found) const {
  SmallVector<size_t> cuts = {0};
  for (auto [index, entry] : llvm::enumerate(ops))
    if (index > 0 && hasProducts(entry.first))
      cuts.push_back(index);
  cuts.push_back(ops.size());
  // What the ops in front of each cut save at most, and the last region of
  // them.
  SmallVector<double> most(cuts.size(), 0);
  SmallVector<size_t> begins(cuts.size());
  SmallVector<std::optional<SignalRegion>> regions(cuts.size());
  for (size_t end = 1; end < cuts.size(); ++end) {
    most[end] = most[end - 1];
    begins[end] = end - 1;
    for (size_t begin = end; begin-- > 0 && end - begin <= mostCuts;) {
      std::optional<SignalRegion> region =
          make(ops.slice(cuts[begin], cuts[end] - cuts[begin]));
      double saved = region ? chooseBands(*region) : 0;
      if (saved == 0 || most[begin] + saved <= most[end])
        continue;
      most[end] = most[begin] + saved;
      begins[end] = begin;
      regions[end] = std::move(region);
    }
  }
  SmallVector<SignalRegion> chosen;
  for (size_t end = cuts.size() - 1; end > 0; end = begins[end])
    if (most[end] > most[begins[end]])
      chosen.push_back(std::move(*regions[end]));
  for (SignalRegion &region : llvm::reverse(chosen))
    found.push_back(std::move(region));
}
