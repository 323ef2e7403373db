//===- SignalRegions.cpp - Ops on signals that bands go through -----------===//

#include "SignalRegions.h"
#include "ane/Dialect/MIL/IR/MIL.h"
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
/// Products that the engine makes while memory moves a byte: 4096 at 1430 MHz
/// and 51 GB/s (inferred, measured).
constexpr int64_t productsPerByte = 115;
/// Bytes that memory moves while a task begins: 44 cycles (documented).
constexpr int64_t bytesPerTask = 1570;
constexpr int64_t elementBytes = 2;
/// Ops of a region, and those with weights of one whose bands are tried: all of
/// a program may hang together. Assigned.
constexpr size_t mostOps = 4096, mostCuts = 40;
/// Bands have to save this part of what the ops take. Assigned.
constexpr int64_t leastGainDenominator = 10;

int64_t columnBytes(Value value) {
  return llvm::product_of(shapeOf(value).drop_back()) * elementBytes;
}
int64_t bytesOf(Value value) {
  return columnBytes(value) * shapeOf(value).back();
}

bool isConstant(Value value) {
  Operation *maker = value.getDefiningOp();
  return maker && maker->hasTrait<OpTrait::ConstantLike>();
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

ColumnRange SignalRegion::partOf(Value output, int64_t index) const {
  int64_t columns = step * scales.lookup(output),
          extent = shapeOf(output).back();
  return {index * columns, index + 1 == bands ? extent : (index + 1) * columns};
}

std::optional<BandColumns> SignalRegion::columnsOf(int64_t index) const {
  /// What readers need of a value: from where on it has to be right, and from
  /// where to where there has to be something.
  struct Need {
    int64_t first = std::numeric_limits<int64_t>::max();
    ColumnRange part = {std::numeric_limits<int64_t>::max(), 0};
  };
  llvm::DenseMap<Value, Need> needs;
  auto add = [&](Value value, int64_t first, ColumnRange part) {
    Need &need = needs[value];
    need.first = std::min(need.first, std::max<int64_t>(first, 0));
    need.part.begin = std::min(need.part.begin, part.begin);
    need.part.end = std::max(need.part.end, part.end);
  };
  for (Value output : outputs) {
    ColumnRange part = partOf(output, index);
    add(output, part.begin, part);
  }
  BandColumns columns;
  for (auto &[op, rule] : llvm::reverse(ops)) {
    Need need;
    for (Value result : op->getResults()) {
      auto found = needs.find(result);
      if (found == needs.end())
        continue;
      need.first = std::min(need.first, found->second.first);
      need.part.begin = std::min(need.part.begin, found->second.part.begin);
      need.part.end = std::max(need.part.end, found->second.part.end);
    }
    // Nobody in this band reads it.
    if (need.part.end == 0)
      return std::nullopt;
    int64_t extent = shapeOf(op->getResult(0)).back(), step = rule.getStep();
    ColumnRange results = {std::min(need.part.begin, need.first),
                           need.part.end};
    results.begin = std::min(results.begin, rule.latestBegin(need.first));
    results.begin -= results.begin % step;
    results.end =
        std::min<int64_t>(llvm::alignTo(results.end, rule.getUp()), extent);
    // Rows of an odd number of lines begin in different banks of L2.
    if (!rule.isView() &&
        llvm::divideCeil(results.count(), lineColumns) % 2 == 0) {
      if (results.begin >= step && step == lineColumns)
        results.begin -= step;
      else if (results.end + lineColumns <= extent)
        results.end += lineColumns;
    }
    for (Value result : op->getResults())
      columns[result] = results;
    ColumnRange part = rule.partFor(results);
    if (part.count() <= 0)
      return std::nullopt;
    int64_t first = rule.needs({need.first, results.end}).begin;
    for (auto [number, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(number))
        add(operand, first, part);
  }
  for (Value input : inputs) {
    const Need &need = needs[input];
    int64_t begin = std::min(need.part.begin, need.first);
    columns[input] = {begin - begin % lineColumns, need.part.end};
  }
  return columns;
}

bool SignalRegions::isLarge(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > 0 && !isConstant(value) &&
         bytesOf(value) > l2Bytes / largeDenominator;
}

/// The ops around a seed. Values that are more or fewer columns for those of
/// the seed by one way than by another keep an op out.
SignalOps SignalRegions::grow(
    Operation *seed,
    const llvm::DenseMap<Operation *, SignalRule> &rules) const {
  SignalOps region;
  SmallVector<Operation *> work;
  // Columns of a value for those of the seed, as a fraction.
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> rates;
  auto times = [](std::pair<int64_t, int64_t> rate, int64_t up, int64_t down) {
    rate = {rate.first * up, rate.second * down};
    int64_t common = std::gcd(rate.first, rate.second);
    return std::pair(rate.first / common, rate.second / common);
  };
  auto add = [&](Operation *op, std::pair<int64_t, int64_t> rate) {
    auto found = rules.find(op);
    if (found == rules.end() || region.contains(op) || region.size() == mostOps)
      return;
    const SignalRule &rule = found->second;
    auto ofOperand = times(rate, rule.getDown(), rule.getUp());
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      bool isInside = region.contains(operand.getDefiningOp());
      auto known = rates.find(operand);
      if (rule.isSignal(index)
              ? known != rates.end() && known->second != ofOperand
              : isInside)
        return;
    }
    for (Value result : op->getResults()) {
      auto known = rates.find(result);
      if (known != rates.end() && known->second != rate)
        return;
      for (OpOperand &use : result.getUses()) {
        auto user = region.find(use.getOwner());
        if (user != region.end() &&
            !user->second.isSignal(use.getOperandNumber()))
          return;
      }
    }
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index))
        rates[operand] = ofOperand;
    for (Value result : op->getResults())
      rates[result] = rate;
    region.insert({op, rule});
    work.push_back(op);
  };
  add(seed, {1, 1});
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    const SignalRule &rule = region.find(op)->second;
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (Operation *producer = operand.getDefiningOp();
          producer && rule.isSignal(index))
        add(producer, rates.lookup(operand));
    for (Value result : op->getResults())
      for (OpOperand &use : result.getUses())
        if (auto user = rules.find(use.getOwner());
            user != rules.end() &&
            user->second.isSignal(use.getOperandNumber()))
          add(user->first, times(rates.lookup(result), user->second.getUp(),
                                 user->second.getDown()));
  }
  return region;
}

namespace {

/// In the order of the program, without what would need the results of bands
/// before all are there.
SmallVector<std::pair<Operation *, SignalRule>> makeConvex(SignalOps region) {
  auto ops = region.takeVector();
  llvm::sort(ops, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  llvm::DenseSet<Operation *> inside, behind;
  for (auto &[op, rule] : ops)
    inside.insert(op);
  Operation *last = ops.back().first;
  for (Operation *op = ops.front().first;; op = op->getNextNode()) {
    bool needsBehind = false, needsInside = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        needsBehind |= behind.contains(operand.getDefiningOp());
        needsInside |= inside.contains(operand.getDefiningOp());
      }
    });
    if (needsBehind || (needsInside && !inside.contains(op)))
      behind.insert(op);
    if (op == last)
      break;
  }
  SmallVector<std::pair<Operation *, SignalRule>> convex;
  for (auto &entry : ops)
    if (!behind.contains(entry.first))
      convex.push_back(std::move(entry));
  return convex;
}

} // namespace

std::optional<SignalRegion>
SignalRegions::make(ArrayRef<std::pair<Operation *, SignalRule>> ops) const {
  // What sees nothing beside it runs in blocks of rows as well.
  if (llvm::none_of(
          ops, [](const auto &entry) { return entry.second.seesBeside(); }))
    return std::nullopt;
  SignalRegion region;
  for (const auto &entry : ops)
    region.ops.insert(entry);
  // From the first op on, all of which hang together.
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> rates;
  int64_t denominators = 1;
  auto set = [&](Value value, int64_t up, int64_t down) {
    int64_t common = std::gcd(up, down);
    std::pair<int64_t, int64_t> rate = {up / common, down / common};
    auto [known, isNew] = rates.try_emplace(value, rate);
    denominators = std::lcm(denominators, rate.second);
    return isNew || known->second == rate;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[op, rule] : region.ops) {
      std::optional<std::pair<int64_t, int64_t>> rate;
      for (Value result : op->getResults())
        if (auto known = rates.find(result); known != rates.end())
          rate = known->second;
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        if (auto known = rates.find(operand);
            !rate && rule.isSignal(index) && known != rates.end())
          rate = {known->second.first * rule.getUp(),
                  known->second.second * rule.getDown()};
      if (!rate && rates.empty())
        rate = {1, 1};
      if (!rate)
        continue;
      size_t before = rates.size();
      for (Value result : op->getResults())
        if (!set(result, rate->first, rate->second))
          return std::nullopt;
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        if (rule.isSignal(index) && !set(operand, rate->first * rule.getDown(),
                                         rate->second * rule.getUp()))
          return std::nullopt;
      changed |= rates.size() != before;
    }
  }
  constexpr int64_t mostScale = 1 << 16;
  if (denominators > mostScale)
    return std::nullopt;
  int64_t common = 0;
  for (auto &[value, rate] : rates)
    common = std::gcd(common, rate.first * (denominators / rate.second));
  for (auto &[value, rate] : rates) {
    int64_t scale = rate.first * (denominators / rate.second) / common;
    if (scale > mostScale)
      return std::nullopt;
    region.scales[value] = scale;
  }
  for (auto &[op, rule] : region.ops) {
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      if (!rule.isSignal(index) || region.ops.contains(operand.getDefiningOp()))
        continue;
      if (!region.scales.contains(operand))
        return std::nullopt;
      region.inputs.insert(operand);
    }
    for (Value result : op->getResults()) {
      if (!region.scales.contains(result))
        return std::nullopt;
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !region.ops.contains(user);
          }))
        region.outputs.insert(result);
    }
  }
  if (region.outputs.empty())
    return std::nullopt;
  return region;
}

/// What takes longest of each op, as bytes that memory moves meanwhile.
int64_t SignalRegions::costOf(const SignalRegion &region) const {
  int64_t cost = 0;
  auto isInMemory = [&](Value value) {
    return isLarge(value) || isa<BlockArgument>(value);
  };
  for (auto &[op, rule] : region.ops) {
    if (rule.isView())
      continue;
    int64_t moved = weightBytes(op, rule);
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index) && isInMemory(operand))
        moved += bytesOf(operand);
    for (Value result : op->getResults())
      if (isInMemory(result))
        moved += bytesOf(result);
    cost +=
        std::max(moved, rule.getProducts() * shapeOf(op->getResult(0)).back() /
                            productsPerByte);
  }
  return cost;
}

int64_t SignalRegions::costOfBands(const SignalRegion &region,
                                   const BandColumns &columns) const {
  int64_t band = 0, once = 0;
  for (auto &[op, rule] : region.ops) {
    if (rule.isView())
      continue;
    int64_t moved = weightBytes(op, rule) + bytesPerTask;
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (rule.isSignal(index) && region.inputs.contains(operand))
        moved += columnBytes(operand) * columns.lookup(operand).count();
    band += std::max(moved, rule.getProducts() *
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

int64_t SignalRegions::chooseBands(SignalRegion &region) const {
  int64_t align = 1, units = std::numeric_limits<int64_t>::max();
  for (Value output : region.outputs) {
    int64_t scale = region.scales.lookup(output);
    align = std::max(align, lineColumns / std::gcd(lineColumns, scale));
    units =
        std::min(units, llvm::divideCeilSigned(shapeOf(output).back(), scale));
  }
  int64_t before = costOf(region), least = before, widest = 0;
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
    int64_t cost = costOfBands(region, *columns);
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
  SmallVector<int64_t> most(cuts.size(), 0);
  SmallVector<size_t> begins(cuts.size());
  SmallVector<std::optional<SignalRegion>> regions(cuts.size());
  for (size_t end = 1; end < cuts.size(); ++end) {
    most[end] = most[end - 1];
    begins[end] = end - 1;
    for (size_t begin = end; begin-- > 0 && end - begin <= mostCuts;) {
      std::optional<SignalRegion> region =
          make(ops.slice(cuts[begin], cuts[end] - cuts[begin]));
      int64_t saved = region ? chooseBands(*region) : 0;
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

std::vector<SignalRegion> SignalRegions::find(FuncOp func) const {
  std::vector<SignalRegion> found;
  SmallVector<Operation *> seeds;
  for (Operation &op : func.getBody().front())
    if (llvm::any_of(op.getResults(),
                     [&](Value value) { return isLarge(value); }))
      seeds.push_back(&op);
  if (seeds.empty())
    return found;
  llvm::DenseMap<Operation *, SignalRule> rules;
  for (Operation &op : func.getBody().front())
    if (std::optional<SignalRule> rule = SignalRule::get(&op))
      rules.insert({&op, *rule});
  for (Operation *seed : seeds) {
    if (!rules.contains(seed))
      continue;
    auto ops = makeConvex(grow(seed, rules));
    addParts(ops, found);
    // What was left out may have a region of its own.
    rules.erase(seed);
    for (auto &[op, rule] : ops)
      rules.erase(op);
  }
  return found;
}
