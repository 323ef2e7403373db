//===- SignalRules.cpp - Columns of signals and the ops on them -----------===//

#include "Signals/SignalRules.h"
#include "LongRows/LongRows.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

std::optional<SignalRule> SignalRule::getAlike(Operation *op) {
  int64_t extent = shapeOf(op->getResult(0)).back();
  for (Value result : op->getResults())
    if (shapeOf(result).empty() || shapeOf(result).back() != extent)
      return std::nullopt;
  SignalRule rule(Kind::Alike, op->getResult(0));
  // Of what has MovesElements those that are no layer where columns stay.
  rule.looksOn = isa<ExpandDimsOp, SqueezeOp, SplitOp, ReshapeOp>(op);
  // The others have parameters or indices behind the first operand.
  if (op->hasTrait<ChannelParameters>() || !op->hasTrait<Elementwise>()) {
    if (shapeOf(op->getOperand(0)).back() != extent)
      return std::nullopt;
    if (!isa<ConcatOp, StackOp, GatherAlongAxisOp>(op))
      return rule;
  }
  rule.signals.clear();
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getRank() > 0 && type.getShape().back() == extent)
      rule.signals.push_back(index);
  }
  return rule;
}

std::optional<SignalRule>
SignalRule::getSlice(Operation *op, std::optional<SmallVector<SliceDim>> dims) {
  if (!dims || dims->back().step != 1 ||
      shapeOf(op->getResult(0)).back() != dims->back().extent ||
      llvm::any_of(*dims, [](const SliceDim &dim) { return dim.step < 1; }))
    return std::nullopt;
  SignalRule rule(Kind::Slice, op->getOperand(0));
  rule.before = -dims->back().begin;
  rule.looksOn = true;
  return rule;
}

std::optional<SignalRule> SignalRule::getPad(PadOp op) {
  std::optional<SmallVector<int64_t>> padding = getConstantInts(op.getPad());
  std::optional<StringRef> mode =
      op.getMode() ? getConstantString(op.getMode()) : StringRef("constant");
  if (!padding || padding->size() < 2 || !mode)
    return std::nullopt;
  SignalRule rule(Kind::Pad, op->getOperand(0));
  rule.before = *(padding->end() - 2);
  rule.reflects = *mode == "reflect";
  if (llvm::any_of(ArrayRef(*padding).drop_back(2),
                   [](int64_t count) { return count != 0; }) ||
      std::max(rule.before, padding->back()) >= rule.extent)
    return std::nullopt;
  return rule;
}

template <typename Op> std::optional<SignalRule> SignalRule::getWindow(Op op) {
  FailureOr<Window> window = mil::getWindow(op);
  if (failed(window))
    return std::nullopt;
  SignalRule rule(Kind::Window, op->getOperand(0));
  rule.down = window->stride.back();
  rule.before = window->padBefore.back();
  rule.reach = reachOf(*window);
  size_t last = window->kernel.size() - 1;
  if (!seesInput(*window, last))
    return std::nullopt;
  if constexpr (std::is_same_v<Op, ConvOp>) {
    rule.products = llvm::product_of(shapeOf(op.getWeight()));
  } else if constexpr (std::is_same_v<Op, AvgPoolOp>) {
    std::optional<bool> excludes = op.getExcludePaddingFromAverageOrDefault();
    if (!excludes || (!*excludes && passesPadding(*window, last)))
      return std::nullopt;
  }
  return rule;
}

std::optional<SignalRule> SignalRule::getTransposed(ConvTransposeOp op) {
  FailureOr<Window> window = mil::getWindow(op);
  if (failed(window))
    return std::nullopt;
  SignalRule rule(Kind::Transposed, op->getOperand(0));
  rule.up = window->stride.back();
  rule.before = window->padBefore.back();
  rule.reach = reachOf(*window);
  // All of the result comes from something of the operand.
  if (rule.before >= rule.reach ||
      !comesFromInput(*window, window->kernel.size() - 1))
    return std::nullopt;
  rule.products = llvm::product_of(shapeOf(op.getWeight())) / rule.up;
  return rule;
}

std::optional<SignalRule> SignalRule::getNearest(UpsampleNearestNeighborOp op) {
  SignalRule rule(Kind::Nearest, op->getOperand(0));
  int64_t made = shapeOf(op.getResult()).back();
  if (made % rule.extent != 0)
    return std::nullopt;
  rule.up = made / rule.extent;
  return rule;
}

std::optional<SignalRule> SignalRule::get(Operation *op) {
  auto isSignal = [](Value value) {
    RankedTensorType type = staticType(value);
    if (!type || type.getRank() == 0)
      return false;
    // What has rows of its own is an image.
    return type.getRank() < 4 || *(type.getShape().end() - 2) == 1;
  };
  if (isa<ConstOp>(op) || op->getNumOperands() == 0 ||
      op->getNumResults() == 0 || !llvm::all_of(op->getResults(), isSignal))
    return std::nullopt;
  if (op->hasTrait<Elementwise>() && !op->hasTrait<ChannelParameters>())
    return getAlike(op);
  if (!isSignal(op->getOperand(0)))
    return std::nullopt;
  // The bounds of an update count columns.
  if (op->hasTrait<Elementwise>() ||
      (leavesRows(op) && !isa<SliceUpdateOp>(op)))
    return getAlike(op);
  return llvm::TypeSwitch<Operation *, std::optional<SignalRule>>(op)
      .Case([&](ReshapeOp) { return getAlike(op); })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [](auto slice) { return getSlice(slice, mil::getSlice(slice)); })
      .Case([](PadOp pad) { return getPad(pad); })
      .Case<ConvOp, MaxPoolOp, AvgPoolOp, L2PoolOp>(
          [](auto window) { return getWindow(window); })
      .Case([](ConvTransposeOp conv) { return getTransposed(conv); })
      .Case([](UpsampleNearestNeighborOp up) { return getNearest(up); })
      .Default(std::nullopt);
}

ColumnRange SignalRule::needs(ColumnRange results) const {
  auto [begin, end] = results;
  switch (kind) {
  case Kind::Alike:
    return results;
  case Kind::Slice:
    return {begin - before, end - before};
  case Kind::Window:
    return {begin * down - before, (end - 1) * down - before + reach};
  case Kind::Transposed:
    // Column i adds to i * up - before and what its window covers behind it.
    return {llvm::divideCeilSigned(begin + before - reach + 1, up),
            llvm::divideFloorSigned(end - 1 + before, up) + 1};
  case Kind::Nearest:
    return {begin / up, llvm::divideCeilSigned(end, up)};
  case Kind::Pad: {
    ColumnRange needed = {begin - before, end - before};
    int64_t front = std::max<int64_t>(-needed.begin, 0),
            behind = std::max<int64_t>(needed.end - extent, 0);
    // What is mirrored lies beside the edge; of the others something has to be
    // there.
    needed.end = std::max(needed.end, reflects && front > 0 ? front + 1 : 1);
    needed.begin =
        std::min(needed.begin,
                 extent - 1 - (reflects && behind > 0 ? behind : int64_t(0)));
    return needed;
  }
  }
  llvm_unreachable("every kind is known");
}

ColumnRange SignalRule::partFor(ColumnRange results) const {
  ColumnRange part = needs(results);
  if (kind == Kind::Window)
    part.begin = results.begin * down;
  else if (kind == Kind::Transposed)
    part.begin = results.begin / up;
  return part.within(extent);
}

int64_t SignalRule::latestBegin(int64_t first) const {
  int64_t needed = needs({first, first + 1}).begin;
  switch (kind) {
  case Kind::Window:
    return needed > 0 ? needed / down : 0;
  case Kind::Transposed:
    return needed > 0 ? std::min(first, needed * up) : 0;
  default:
    return first;
  }
}

SmallVector<Value> SignalRule::apply(Replacer &r, Operation *op,
                                     ValueRange operands,
                                     ColumnRange results) const {
  int64_t count = results.count();
  Value x = operands[signals.front()];
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<ConvOp, MaxPoolOp, AvgPoolOp, L2PoolOp>(
          [&](auto window) -> SmallVector<Value> {
            Window whole = *mil::getWindow(window);
            return {windowOn(r, window,
                             padded(whole, whole.kernel.size() - 1, before,
                                    needs(results).end - partFor(results).end),
                             withRow(window.getResult(), count), x)};
          })
      .Case([&](ConvTransposeOp conv) -> SmallVector<Value> {
        int64_t behind =
            (partFor(results).end - 1) * up + reach - (results.end + before);
        Window whole = *mil::getWindow(conv);
        return {windowOn(r, conv,
                         padded(whole, whole.kernel.size() - 1, before, behind),
                         withRow(conv.getResult(), count), x)};
      })
      .Case([&](UpsampleNearestNeighborOp nearest) -> SmallVector<Value> {
        return {repeatedOn(r, nearest, lastAxis(x), up, results.begin, count,
                           [x](int64_t, int64_t) { return x; })};
      })
      .Case([&](PadOp pad) -> SmallVector<Value> {
        ColumnRange needed = {results.begin - before, results.end - before};
        int64_t front = std::max<int64_t>(-needed.begin, 0),
                behind = std::max<int64_t>(needed.end - extent, 0);
        ColumnRange part = partFor(results);
        SmallVector<int64_t> padding(2 * shapeOf(x).size(), 0);
        *(padding.end() - 2) = front;
        padding.back() = behind;
        Value made = x;
        if (front > 0 || behind > 0)
          made = PadOp::create(r.rewriter, op->getLoc(),
                               withRow(x, part.count() + front + behind), x,
                               r.ints(padding), pad.getMode(),
                               pad.getConstantVal());
        return {r.slice(made, lastAxis(made),
                        needed.begin - (part.begin - front), count)};
      })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto slice) -> SmallVector<Value> {
            SmallVector<SliceDim> dims = *mil::getSlice(slice);
            Value made = x;
            for (auto [axis, dim] : llvm::enumerate(ArrayRef(dims).drop_back()))
              made = sliceDim(r, made, axis, dim);
            SmallVector<int64_t> shape(shapeOf(slice.getResult()));
            shape.back() = count;
            return {shapeOf(made) == ArrayRef(shape) ? made
                                                     : r.reshape(made, shape)};
          })
      .Case([&](ReshapeOp reshape) -> SmallVector<Value> {
        SmallVector<int64_t> shape(shapeOf(reshape.getResult()));
        shape.back() = count;
        return {r.reshape(x, shape)};
      })
      .Default([&](Operation *op) -> SmallVector<Value> {
        IRMapping mapping;
        for (auto [index, operand] : llvm::enumerate(op->getOperands()))
          mapping.map(operand, operands[index]);
        Operation *part = r.rewriter.clone(*op, mapping);
        dropNames(part);
        for (Value result : part->getResults())
          result.setType(withRow(result, count));
        return llvm::to_vector_of<Value>(part->getResults());
      });
}
