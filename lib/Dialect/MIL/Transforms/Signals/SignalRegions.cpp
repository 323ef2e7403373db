//===- SignalRegions.cpp - Ops on signals that bands go through -----------===//

#include "Signals/SignalRegions.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/OpsBehind.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Ops of a region: all of a program may hang together. Assigned.
constexpr size_t mostOps = 4096;
/// Columns of a value for one of another. Assigned.
constexpr int64_t mostScale = 1 << 16;

/// Columns of a value for those of another one.
struct Rate {
  int64_t up = 1, down = 1;

  /// Nothing for more, or fewer, than a region may have.
  std::optional<Rate> times(int64_t moreUp, int64_t moreDown) const {
    if (moreUp > mostScale || moreDown > mostScale)
      return std::nullopt;
    Rate rate = {up * moreUp, down * moreDown};
    int64_t common = std::gcd(rate.up, rate.down);
    rate = {rate.up / common, rate.down / common};
    if (rate.up > mostScale || rate.down > mostScale)
      return std::nullopt;
    return rate;
  }
  std::optional<Rate> behind(const SignalRule &rule) const {
    return times(rule.getUp(), rule.getDown());
  }
  std::optional<Rate> before(const SignalRule &rule) const {
    return times(rule.getDown(), rule.getUp());
  }
  bool operator==(const Rate &) const = default;
};

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

/// The ops around a seed. Values that are more or fewer columns for those of
/// the seed by one way than by another keep an op out.
SignalOps SignalRegions::grow(
    Operation *seed,
    const llvm::DenseMap<Operation *, SignalRule> &rules) const {
  SignalOps region;
  SmallVector<Operation *> work;
  // Of values, for the columns of the seed.
  llvm::DenseMap<Value, Rate> rates;
  auto add = [&](Operation *op, std::optional<Rate> rate) {
    auto found = rules.find(op);
    if (!rate || found == rules.end() || region.contains(op) ||
        region.size() == mostOps)
      return;
    const SignalRule &rule = found->second;
    std::optional<Rate> ofOperand = rate->before(rule);
    if (!ofOperand)
      return;
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      bool isInside = region.contains(operand.getDefiningOp());
      auto known = rates.find(operand);
      if (rule.isSignal(index)
              ? known != rates.end() && known->second != *ofOperand
              : isInside)
        return;
    }
    for (Value result : op->getResults()) {
      auto known = rates.find(result);
      if (known != rates.end() && known->second != *rate)
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
        rates[operand] = *ofOperand;
    for (Value result : op->getResults())
      rates[result] = *rate;
    region.insert({op, rule});
    work.push_back(op);
  };
  add(seed, Rate());
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
          add(user->first, rates.lookup(result).behind(user->second));
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
  llvm::DenseSet<Operation *> inside;
  for (auto &[op, rule] : ops)
    inside.insert(op);
  auto behind = opsBehind(ops.front().first, ops.back().first,
                          [&](Operation *op) { return inside.contains(op); });
  llvm::erase_if(
      ops, [&](const auto &entry) { return behind.contains(entry.first); });
  return ops;
}

} // namespace

/// The rates of all signals of some ops, counted from those of the first op, to
/// which all hang together. Nothing where a signal has several.
static std::optional<llvm::DenseMap<Value, Rate>>
ratesOf(const SignalOps &ops) {
  llvm::DenseMap<Value, Rate> rates;
  auto set = [&](Value value, std::optional<Rate> rate) {
    return rate && rates.try_emplace(value, *rate).first->second == *rate;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[op, rule] : ops) {
      std::optional<Rate> rate;
      if (rates.empty())
        rate = Rate();
      for (Value result : op->getResults())
        if (auto known = rates.find(result); known != rates.end())
          rate = known->second;
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        if (auto known = rates.find(operand);
            !rate && rule.isSignal(index) && known != rates.end())
          rate = known->second.behind(rule);
      if (!rate)
        continue;
      size_t before = rates.size();
      for (Value result : op->getResults())
        if (!set(result, rate))
          return std::nullopt;
      for (auto [index, operand] : llvm::enumerate(op->getOperands()))
        if (rule.isSignal(index) && !set(operand, rate->before(rule)))
          return std::nullopt;
      changed |= rates.size() != before;
    }
  }
  return rates;
}

/// Rates as columns for one of the signal that has the fewest. Nothing where
/// some would be too many.
static std::optional<llvm::DenseMap<Value, int64_t>>
scalesOf(const llvm::DenseMap<Value, Rate> &rates) {
  int64_t denominators = 1, common = 0;
  for (auto &[value, rate] : rates) {
    denominators = std::lcm(denominators, rate.down);
    if (denominators > mostScale)
      return std::nullopt;
  }
  for (auto &[value, rate] : rates)
    common = std::gcd(common, rate.up * (denominators / rate.down));
  llvm::DenseMap<Value, int64_t> scales;
  for (auto &[value, rate] : rates) {
    int64_t scale = rate.up * (denominators / rate.down) / common;
    if (scale > mostScale)
      return std::nullopt;
    scales[value] = scale;
  }
  return scales;
}

std::optional<SignalRegion>
SignalRegions::make(ArrayRef<std::pair<Operation *, SignalRule>> ops) const {
  // What sees nothing beside it runs in blocks of rows as well.
  if (llvm::none_of(
          ops, [](const auto &entry) { return entry.second.seesBeside(); }))
    return std::nullopt;
  SignalRegion region;
  for (const auto &entry : ops)
    region.ops.insert(entry);
  auto rates = ratesOf(region.ops);
  if (!rates)
    return std::nullopt;
  auto scales = scalesOf(*rates);
  if (!scales)
    return std::nullopt;
  region.scales = std::move(*scales);
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
