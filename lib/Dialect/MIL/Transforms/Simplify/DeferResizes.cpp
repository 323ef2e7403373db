//===- DeferResizes.cpp - Resize what pointwise convolutions give ---------===//

#include "Replacer.h"
#include "Simplify/JoinedPhases.h"
#include "Simplify/JoinedProducts.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace ane::mil {
#define GEN_PASS_DEF_DEFERRESIZES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

constexpr int64_t channels = 1;

/// Elements that a task moves in a cycle, about: fewer than the banks of L2
/// could let pass. Assigned, from what tasks of many shapes cost.
constexpr double movedPerCycle = 32;
/// How often an element is moved by a resize, which takes one dimension after
/// the other, by a sum, and to a place beside what it is joined with.
constexpr double movesOfResize = 3, movesOfSum = 2, movesOfJoining = 1;

/// What an op that makes images larger takes; null for another op.
Value resizedFrom(Operation *op) {
  constexpr int64_t imageDims = 2;
  std::optional<Resampling> resampling = op ? getResampling(op) : std::nullopt;
  if (!resampling || resampling->dims > imageDims)
    return {};
  Value x = op->getOperand(0);
  RankedTensorType from = staticType(x), to = staticType(op->getResult(0));
  bool grows = from && to && from.getRank() == 2 + imageDims &&
               from.getNumElements() < to.getNumElements();
  return grows ? x : Value();
}

/// The pointwise convolutions that read a value, and nothing else does; as one
/// that has the outputs of all of them.
struct Readers {
  SmallVector<ConvOp> convs;
  int64_t outputs = 0;

  /// No convolutions if there is another reader.
  static Readers of(Value value);

  Value weight(Replacer &r) const;
  /// Null where none of them has one.
  Value bias(Replacer &r) const;
  /// Puts the outputs in the place of those of the convolutions.
  void replace(PatternRewriter &rewriter, Value all);
};

Readers Readers::of(Value value) {
  Readers readers;
  for (Operation *user : value.getUsers()) {
    auto conv = dyn_cast<ConvOp>(user);
    RankedTensorType type =
        conv ? staticType(conv.getResult()) : RankedTensorType();
    // Weights and biases of several are joined.
    if (!type || conv.getX() != value || !multipliesEachPixel(conv) ||
        conv->getBlock() != value.getParentBlock() ||
        (conv.getBias() && !getConstantElements(conv.getBias())))
      return {};
    readers.convs.push_back(conv);
    readers.outputs += type.getDimSize(channels);
  }
  auto typesOf = [](ConvOp conv) {
    Value bias = conv.getBias();
    return std::tuple(getElementTypeOrSelf(conv.getType()),
                      getElementTypeOrSelf(conv.getWeight().getType()),
                      bias ? getElementTypeOrSelf(bias.getType()) : Type());
  };
  if (!llvm::all_equal(llvm::map_range(readers.convs, typesOf)))
    return {};
  llvm::sort(readers.convs,
             [](ConvOp a, ConvOp b) { return a->isBeforeInBlock(b); });
  return readers;
}

Value Readers::weight(Replacer &r) const {
  SmallVector<Value> weights;
  // Of their own, since those of later convolutions may stand behind the first.
  for (ConvOp conv : convs)
    weights.push_back(r.constant(getConstantElements(conv.getWeight())));
  return r.concat(weights, 0);
}

Value Readers::bias(Replacer &r) const {
  SmallVector<Value> biases;
  for (ConvOp conv : convs)
    if (Value bias = conv.getBias())
      biases.push_back(r.constant(getConstantElements(bias)));
  return biases.empty() ? Value() : r.concat(biases, 0);
}

void Readers::replace(PatternRewriter &rewriter, Value all) {
  int64_t begin = 0;
  for (ConvOp conv : convs) {
    Replacer r(rewriter, conv);
    int64_t count = shapeOf(conv.getResult())[channels];
    Value own = convs.size() > 1 ? r.slice(all, channels, begin, count) : all;
    (void)r.replace(own);
    begin += count;
  }
}

/// conv(concat(x, resize(s))) -> conv(x) + resize(conv(s)).
class Deferral {
public:
  explicit Deferral(Value x) : x(x), readers(Readers::of(x)) {
    auto concat = x.getDefiningOp<ConcatOp>();
    isJoined = concat && joinsAlong(concat, channels);
    parts = isJoined ? SmallVector<Value>(concat.getValues())
                     : SmallVector<Value>{x};
    // A resize that others read stays anyway.
    for (Value part : parts) {
      Value from = resizedFrom(part.getDefiningOp());
      sources.push_back(isJoined && !part.hasOneUse() ? Value() : from);
    }
  }

  /// Whether there is something to resize later, and that takes fewer cycles.
  bool isCheaper() const;
  void apply(PatternRewriter &rewriter);
  size_t numResizes() const { return llvm::count_if(sources, isThere); }

private:
  static bool isThere(Value value) { return bool(value); }

  Value x;
  Readers readers;
  bool isJoined;
  /// What the convolutions read, and for each what it is resized from.
  SmallVector<Value> parts, sources;
};

bool Deferral::isCheaper() const {
  if (readers.convs.empty() || llvm::none_of(sources, isThere))
    return false;
  double outputs = readers.outputs, saved = 0;
  auto pixelsOf = [](Value value) {
    return double(staticType(value).getNumElements()) /
           shapeOf(value)[channels];
  };
  for (auto [part, from] : llvm::zip_equal(parts, sources)) {
    double count = shapeOf(part)[channels], pixels = pixelsOf(part);
    // A value that others read has a place of its own as well.
    if (!from) {
      if (!part.hasOneUse() || isa<BlockArgument>(part))
        saved += movesOfJoining * pixels * count / movedPerCycle;
      continue;
    }
    double moves = movesOfResize + (isJoined ? movesOfSum : 0);
    saved += pixels * (movesOfResize * count - moves * outputs) / movedPerCycle;
    saved += (pixels - pixelsOf(from)) * count * outputs /
             double(h13.neuralEngines * h13.macsPerCycle);
  }
  return saved > 0;
}

void Deferral::apply(PatternRewriter &rewriter) {
  ConvOp first = readers.convs.front();
  SmallVector<Operation *> others(ArrayRef(readers.convs).drop_front());
  takeLocations(first, others);
  Replacer r(rewriter, first);
  Value weight = readers.weight(r), bias = readers.bias(r);
  auto product = [&](const JoinedParts &read, bool withBias) {
    SmallVector<int64_t> shape(shapeOf(read.values.front()));
    shape[channels] = readers.outputs;
    return makePointwise(r, first, read, shape, withBias ? bias : Value());
  };

  // The product of what stays has the bias, or the first one. It is made last,
  // so that its results need not wait for others.
  bool needsBias = llvm::all_of(sources, isThere);
  JoinedParts whole;
  SmallVector<Value> sums;
  int64_t begin = 0;
  for (auto [part, from] : llvm::zip_equal(parts, sources)) {
    JoinedParts alone;
    (from ? alone : whole).add(r, from ? from : part, weight, channels, begin);
    begin += shapeOf(part)[channels];
    if (!from)
      continue;
    IRMapping mapping;
    mapping.map(from, product(alone, std::exchange(needsBias, false)));
    Operation *later = rewriter.clone(*part.getDefiningOp(), mapping);
    dropNames(later);
    Value result = later->getResult(0);
    SmallVector<int64_t> shape(shapeOf(result));
    shape[channels] = readers.outputs;
    result.setType(cast<RankedTensorType>(first.getType()).clone(shape));
    sums.push_back(result);
  }
  if (!whole.values.empty())
    sums.insert(sums.begin(), product(whole, /*withBias=*/true));
  Value sum = sums.front();
  for (Value next : ArrayRef(sums).drop_front())
    sum = r.binary<AddOp>(sum, next);
  readers.replace(rewriter, sum);
  eraseUnread(x);
}

class DeferResizes : public mil::impl::DeferResizesBase<DeferResizes> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    bool resizes = inventory.hasAny<ConvOp>() && hasResize(inventory);
    if (!resizes && !inventory.hasAny<ConvTransposeOp>())
      return markAllAnalysesPreserved();
    if (resizes)
      deferResizes();
    for (auto conv : llvm::make_early_inc_range(
             getOperation().getBody().getOps<ConvTransposeOp>())) {
      PatternRewriter rewriter(&getContext());
      numJoined += succeeded(joinPhases(rewriter, conv));
    }
  }

private:
  void deferResizes() {
    // What convolutions read is erased only when they are replaced, so that
    // these values are there until it is their turn.
    SmallVector<Value> read;
    for (Operation &op : getOperation().getBody().front())
      if ((isa<ConcatOp>(op) || resizedFrom(&op)) &&
          !Readers::of(op.getResult(0)).convs.empty())
        read.push_back(op.getResult(0));
    PatternRewriter rewriter(&getContext());
    for (Value x : read) {
      Deferral deferral(x);
      if (!deferral.isCheaper())
        continue;
      numDeferred += deferral.numResizes();
      deferral.apply(rewriter);
    }
  }
};

} // namespace
