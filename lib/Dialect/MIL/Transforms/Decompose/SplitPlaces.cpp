//===- SplitPlaces.cpp - Places that fp16 does not count ------------------===//
//
// The best of many elements are the best of those of parts. Where one lies is
// the number of its part and its place within that, two integers that fp16
// holds; what reads the place reads these, or the place if fp16 holds that too.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

namespace ane::mil {
#define GEN_PASS_DEF_SPLITPLACES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Which elements of a value are the best along an axis, and among how many of
/// them the best are found at once.
struct Question {
  int64_t axis, count;
  bool smallest;
  int64_t most = largestExactInteger;
};

/// As many as there are numbers for, and of many that are taken as can be
/// compared with each other, in all rows.
int64_t mostAtOnce(RankedTensorType type, int64_t axis, int64_t count) {
  if (count <= mostTaken)
    return largestExactInteger;
  int64_t rows = type.getNumElements() / type.getDimSize(axis);
  return std::min<int64_t>(largestExactInteger,
                           std::sqrt(double(mostAllPairs) / double(rows)));
}

/// Elements that are compared with all others of their part are in a short one:
/// of 4 times as many as are taken a quarter is left for the next round
/// (assigned; with 2 the pairs are fewest, and the parts twice as many).
constexpr int64_t shortPart = 4;

/// In how long parts to look for them, the best way first.
SmallVector<int64_t, 2> partsToTry(RankedTensorType type, int64_t axis,
                                   int64_t count) {
  int64_t most = mostAtOnce(type, axis, count);
  if (count <= mostTaken || shortPart * count >= most)
    return {most};
  return {shortPart * count, most};
}

/// Whether so many of elements that fp16 counts are found in parts as well:
/// there are two at least, and all pairs of all elements would be more.
bool paysInParts(int64_t extent, int64_t count) {
  return count > mostTaken && extent >= 2 * shortPart * count;
}

/// A place along an axis: `part` times the length of a part, and `within`.
struct Place {
  Value part, within;
};

/// The best elements of one part or of several, from the best on.
struct Best {
  Value values;
  Place place;
};

/// The positive number that integers are divided by; nothing if they are not.
std::optional<int64_t> divisorOf(Operation *op, Value dividend) {
  if (!isa<FloorDivOp, RealDivOp, ModOp>(op) || op->getOperand(0) != dividend)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> y = getConstantInts(op->getOperand(1));
  if (!y || y->size() != 1 || y->front() < 1 ||
      shapeOf(op->getResult(0)) != shapeOf(dividend))
    return std::nullopt;
  return y->front();
}

/// Whether a value has integers, all those below `extent`.
bool holdsPlaces(Value value, int64_t extent) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value));
  return type && holdsBelow(type, extent);
}

/// Whether an op does to each place below `extent` the same as to both numbers
/// that stand for it. Of places, some may be chosen by other ones.
bool moves(Operation *op, Value value, int64_t extent) {
  if (auto cast = dyn_cast<CastOp>(op))
    return holdsPlaces(cast.getResult(), extent);
  if (op->getNumOperands() == 0 || op->getOperand(0) != value)
    return false;
  return isa<GatherOp, GatherAlongAxisOp, GatherNdOp>(op) ||
         (isa<ExpandDimsOp, IdentityOp, ReshapeOp, SliceByIndexOp,
              SliceBySizeOp, SqueezeOp, TileOp, TransposeOp>(op) &&
          llvm::all_of(op->getOperands().drop_front(), isConst));
}

/// The axis along which a gather chooses by these places, from the front.
/// Nothing where that is computed, or not all dimensions in front of it are a
/// batch if some are.
std::optional<int64_t> chosenAxis(Operation *op, Value places) {
  std::optional<int64_t> axis, batch = 0;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](GatherOp gather) {
        axis = gather.getAxisOrDefault();
        batch = gather.getBatchDimsOrDefault();
      })
      .Case(
          [&](GatherAlongAxisOp gather) { axis = gather.getAxisOrDefault(); });
  if (!axis || !batch || op->getOperand(0) == places ||
      !staticType(op->getOperand(0)) || !staticType(op->getResult(0)))
    return std::nullopt;
  *axis = fromFront(*axis, shapeOf(op->getOperand(0)).size());
  return *batch == 0 || *batch == *axis ? axis : std::nullopt;
}

/// All that reads places, in order, and what they are divided by.
class Readers {
public:
  /// Of places below `extent`, in parts of up to `most` elements.
  Readers(int64_t extent, int64_t most) : extent(extent), most(most) {}

  /// Fails where something wants to know a place as one number, and where an op
  /// chooses among places by such ones.
  LogicalResult add(Value places) {
    for (Operation *op : places.getUsers()) {
      auto isIt = [&](const auto &reader) { return reader.first == op; };
      if (llvm::any_of(ops, isIt))
        return failure();
      ops.push_back({op, places});
      if (std::optional<int64_t> divisor = divisorOf(op, places)) {
        if (*divisor > most)
          return failure();
        unit = std::lcm(unit, *divisor);
        if (unit > most)
          return failure();
      } else if (!chosenAxis(op, places)) {
        if (!moves(op, places, extent) || failed(add(op->getResult(0))))
          return failure();
      }
    }
    return success();
  }

  SmallVector<std::pair<Operation *, Value>> ops;
  /// The parts have a multiple of these elements, so that a quotient or rest of
  /// a place is one of the place within its part.
  int64_t unit = 1;

private:
  int64_t extent, most;
};

/// The elements of each part, of as few parts as there can be, of about the
/// same length.
int64_t partLength(int64_t extent, int64_t unit, int64_t most) {
  int64_t parts = llvm::divideCeil(extent, most / unit * unit);
  return llvm::alignTo(llvm::divideCeil(extent, parts), unit);
}

/// The best elements of one value and their places in it.
std::pair<Value, Value> takeBest(Replacer &r, Value x, const Question &asked) {
  Location location = x.getLoc();
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[asked.axis] = std::min(asked.count, shape[asked.axis]);
  Type values = type.clone(shape),
       places = RankedTensorType::get(shape, r.rewriter.getI32Type());
  Value axis = r.integer(asked.axis);
  if (asked.count == 1 && asked.smallest)
    return {r.reduce<ReduceMinOp>(x, {asked.axis}, true),
            ReduceArgminOp::create(r.rewriter, location, places, x, axis,
                                   r.boolean(true), Value())};
  if (asked.count == 1)
    return {r.reduce<ReduceMaxOp>(x, {asked.axis}, true),
            ReduceArgmaxOp::create(r.rewriter, location, places, x, axis,
                                   r.boolean(true), Value())};
  auto op = TopkOp::create(r.rewriter, location, TypeRange{values, places}, x,
                           r.integer(shape[asked.axis]), axis,
                           r.boolean(asked.smallest),
                           /*sort=*/Value(), /*return_indices=*/Value(),
                           /*output_indices_dtype=*/Value());
  return {op.getValues(), op.getIndices()};
}

/// The best of those of several parts.
Best merge(Replacer &r, ArrayRef<Best> parts, const Question &asked) {
  auto join = [&](auto member) {
    return r.concat(llvm::map_to_vector(parts, member), asked.axis);
  };
  auto [values, at] =
      takeBest(r, join([](const Best &best) { return best.values; }), asked);
  auto take = [&, at = at](Value numbers) -> Value {
    return GatherAlongAxisOp::create(r.rewriter, at.getLoc(), at.getType(),
                                     numbers, at, r.integer(asked.axis),
                                     /*validate_indices=*/Value());
  };
  return {values,
          {take(join([](const Best &best) { return best.place.part; })),
           take(join([](const Best &best) { return best.place.within; }))}};
}

/// The best of `x`, whose parts have `length` elements. Of equal ones the first
/// is in the first part, so it stays the first. Each of `asked.count` is among
/// the best of its part.
Best takeOfParts(Replacer &r, Value x, const Question &asked, int64_t length) {
  int64_t extent = shapeOf(x)[asked.axis];
  SmallVector<Best> best;
  for (int64_t first = 0; first < extent; first += length) {
    Value part =
        r.slice(x, asked.axis, first, std::min(length, extent - first));
    auto [values, within] = takeBest(r, part, asked);
    auto type = cast<RankedTensorType>(within.getType());
    best.push_back(
        {values,
         {r.constant(DenseElementsAttr::get(type, int32_t(first / length))),
          within}});
  }
  size_t most = asked.most / asked.count;
  while (best.size() > 1) {
    SmallVector<Best> merged;
    for (ArrayRef<Best> rest = best; !rest.empty();) {
      ArrayRef<Best> next = rest.take_front(most);
      merged.push_back(next.size() == 1 ? next.front() : merge(r, next, asked));
      rest = rest.drop_front(next.size());
    }
    best = std::move(merged);
  }
  return best.front();
}

/// What a gather chooses by the places: for each part of what it chooses in the
/// same choice by the place within, kept where the place is in that part.
Value chooseFromParts(Replacer &r, Operation *op, int64_t axis,
                      const Place &place, int64_t length) {
  Value x = op->getOperand(0);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // Chosen rows have the dimensions of the places where the axis was.
  SmallVector<int64_t> aligned(shapeOf(place.part));
  if (isa<GatherOp>(op))
    aligned.append(shapeOf(x).size() - axis - 1, 1);
  Value part = r.reshape(place.part, aligned);
  int64_t extent = shapeOf(x)[axis];
  Value result;
  for (int64_t first = 0; first < extent; first += length) {
    int64_t count = std::min(length, extent - first);
    IRMapping mapping;
    mapping.map(x, r.slice(x, axis, first, count));
    // Of a last part that is shorter, no place is behind its end.
    mapping.map(op->getOperand(1),
                count < length ? r.binary<MinimumOp>(place.within, count - 1)
                               : place.within);
    Operation *chosen = r.rewriter.clone(*op, mapping);
    dropNames(chosen);
    Value own = chosen->getResult(0);
    if (!result) {
      result = own;
      continue;
    }
    int64_t index = first / length;
    Value isOther = LessOp::create(
        r.rewriter, op->getLoc(),
        cast<RankedTensorType>(part.getType()).clone(r.rewriter.getI1Type()),
        part, r.scalar(double(index), part));
    result =
        SelectOp::create(r.rewriter, op->getLoc(), type, isOther, result, own);
  }
  return result;
}

/// Puts the two numbers of each place where one was read.
class Rewriting {
public:
  Rewriting(PatternRewriter &rewriter, int64_t length)
      : rewriter(rewriter), length(length) {}

  void run(const Readers &readers, Value places, const Place &place) {
    split[places] = place;
    SmallVector<Operation *> moved;
    for (auto [op, read] : readers.ops) {
      Replacer r(rewriter, op);
      const Place own = split.lookup(read);
      if (std::optional<int64_t> divisor = divisorOf(op, read)) {
        Value number = isa<ModOp>(op) ? rest(r, own, *divisor)
                                      : quotient(r, own, *divisor);
        (void)r.replace(r.convert(number, op->getResult(0)));
      } else if (std::optional<int64_t> axis = chosenAxis(op, read)) {
        (void)r.replace(chooseFromParts(r, op, *axis, own, length));
      } else {
        split[op->getResult(0)] = {move(op, own.part), move(op, own.within)};
        moved.push_back(op);
      }
    }
    for (Operation *op : llvm::reverse(moved))
      rewriter.eraseOp(op);
  }

private:
  Value rest(Replacer &r, const Place &place, int64_t divisor) {
    return divisor == length ? place.within
                             : r.binary<ModOp>(place.within, double(divisor));
  }

  Value quotient(Replacer &r, const Place &place, int64_t divisor) {
    if (divisor == length)
      return place.part;
    int64_t quotients = length / divisor; // of a part
    return r.binary<AddOp>(r.binary<MulOp>(place.part, double(quotients)),
                           r.binary<FloorDivOp>(place.within, double(divisor)));
  }

  /// A cast only says how many bits a place has, which the two do not need.
  Value move(Operation *op, Value number) {
    if (isa<CastOp>(op))
      return number;
    IRMapping mapping;
    mapping.map(op->getOperand(0), number);
    Operation *copy = rewriter.clone(*op, mapping);
    dropNames(copy);
    Value result = copy->getResult(0);
    result.setType(cast<RankedTensorType>(number.getType())
                       .clone(shapeOf(op->getResult(0))));
    return result;
  }

  PatternRewriter &rewriter;
  int64_t length;
  DenseMap<Value, Place> split;
};

class SplitPlaces : public mil::impl::SplitPlacesBase<SplitPlaces> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<TopkOp>() &&
        !(inventory.hasAny<ReduceArgmaxOp, ReduceArgminOp>() &&
          inventory.hasExtentAbove(largestExactInteger)))
      return markAllAnalysesPreserved();
    // What reads a place is erased, which may be the next op.
    SmallVector<Operation *> choices;
    for (Operation &op : getOperation().getBody().front())
      if (isa<ReduceArgmaxOp, ReduceArgminOp, TopkOp>(op))
        choices.push_back(&op);
    for (Operation *op : choices)
      llvm::TypeSwitch<Operation *>(op)
          .Case([&](ReduceArgmaxOp arg) { splitExtreme(arg, false); })
          .Case([&](ReduceArgminOp arg) { splitExtreme(arg, true); })
          .Case([&](TopkOp topk) { splitTopk(topk); });
  }

private:
  template <typename Op> void splitExtreme(Op op, bool smallest) {
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (axis && staticType(op.getResult()))
      split(op, op.getX(), {*axis, 1, smallest}, op.getResult());
  }

  void splitTopk(TopkOp op) {
    std::optional<int64_t> axis = op.getAxisOrDefault();
    std::optional<bool> ascending = op.getAscendingOrDefault();
    RankedTensorType values = staticType(op.getValues());
    if (!axis || !ascending || !values)
      return;
    int64_t count = values.getDimSize(fromFront(*axis, values.getRank()));
    split(op, op.getX(), {*axis, count, *ascending}, op.getIndices());
  }

  /// `places` is null where the op does not say where the best elements are.
  void split(Operation *op, Value x, Question asked, Value places) {
    RankedTensorType type = staticType(x);
    if (!type)
      return;
    asked.axis = fromFront(asked.axis, type.getRank());
    int64_t extent = type.getDimSize(asked.axis);
    bool isCounted = extent <= largestExactInteger;
    if (asked.count < 1 || (isCounted && !paysInParts(extent, asked.count)))
      return;
    std::optional<Readers> readers;
    for (int64_t most : partsToTry(type, asked.axis, asked.count)) {
      asked.most = most;
      readers.emplace(extent, most);
      if (!places || isCounted || succeeded(readers->add(places)))
        break;
      readers.reset();
    }
    // The best of two parts at least are looked through at once.
    if (!readers || asked.count > asked.most / 2)
      return;
    PatternRewriter rewriter(op->getContext());
    Replacer r(rewriter, op);
    int64_t length = partLength(extent, readers->unit, asked.most);
    Best best = takeOfParts(r, x, asked, length);
    // In front of all that is rewritten.
    if (auto topk = dyn_cast<TopkOp>(op))
      give(r, topk.getValues(), r.unary<IdentityOp>(best.values));
    auto aligned = [&](Value number) {
      return r.reshape(number, shapeOf(places));
    };
    if (isCounted && places && !places.use_empty()) {
      Value place = r.binary<AddOp>(
          r.binary<MulOp>(aligned(best.place.part), double(length)),
          aligned(best.place.within));
      give(r, places, r.convert(place, places));
    } else if (!readers->ops.empty()) {
      Rewriting(rewriter, length)
          .run(*readers, places,
               {aligned(best.place.part), aligned(best.place.within)});
    }
    rewriter.eraseOp(op);
    eraseUnread({best.place.part, best.place.within});
    ++numSplit;
  }

  static void give(Replacer &r, Value old, Value made) {
    takeNames(cast<OpResult>(made), cast<OpResult>(old));
    r.rewriter.replaceAllUsesWith(old, made);
  }
};

} // namespace
