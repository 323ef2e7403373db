//===- UnrollRecurrent.cpp - Recurrent layers step by step ----------------===//
//
// A state is [1, b, H] throughout, so that each step is a slice of the input
// projection along its first dimension. Gates lie side by side in the last one,
// each from a multiple of the option `gate-alignment` on.
//
//===----------------------------------------------------------------------===//

#include "Constants/Parameters.h"
#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Activation.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

namespace ane::mil {
#define GEN_PASS_DEF_UNROLLRECURRENT
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The elements of a constant input; zeros where it is absent.
std::optional<SmallVector<double>> numbersOrZeros(Value value, int64_t count) {
  return value ? getConstantNumbers(value) : SmallVector<double>(count, 0);
}

/// The constant inputs of one direction, at hand.
struct Weights {
  int64_t hidden, inputs;
  SmallVector<double> ih, hh, bias;
};

std::optional<Weights> weightsOf(Value ih, Value hh, Value bias) {
  RankedTensorType ihType = staticType(ih), hhType = staticType(hh);
  if (!ihType || !hhType)
    return std::nullopt;
  auto ihNumbers = getConstantNumbers(ih), hhNumbers = getConstantNumbers(hh);
  auto biasNumbers = numbersOrZeros(bias, hhType.getDimSize(0));
  if (!ihNumbers || !hhNumbers || !biasNumbers)
    return std::nullopt;
  return Weights{hhType.getDimSize(1), ihType.getDimSize(1), *ihNumbers,
                 *hhNumbers, *biasNumbers};
}

/// An activation that an input names. The engine's table of tanh is four times
/// as exact as that of sigmoid, which is (tanh(x / 2) + 1) / 2: the weights are
/// halved, and a line follows the curve.
class Activation {
public:
  Activation(Value name, StringRef defaultName)
      : name(activationName(name ? *getConstantString(name) : defaultName)) {}

  /// What the argument is multiplied by beforehand.
  double scale() const { return name == "sigmoid" ? 0.5 : 1; }

  /// Whether `bend` makes the same op for both.
  bool bendsLike(const Activation &other) const {
    return isTanh() ? other.isTanh() : name == other.name;
  }
  Value bend(Replacer &r, Value value) const {
    if (name == "relu")
      return r.unary<ReluOp>(value);
    if (name == "hard_sigmoid")
      return line(r, value, 0.2);
    return isTanh() ? r.unary<TanhOp>(value) : value;
  }
  Value finish(Replacer &r, Value value) const {
    return name == "sigmoid" ? line(r, value, 0.5) : value;
  }

  Value operator()(Replacer &r, Value value) const {
    return finish(r, bend(r, value));
  }

private:
  bool isTanh() const { return name == "tanh" || name == "sigmoid"; }

  /// min(max(slope * x + 0.5, 0), 1).
  static Value line(Replacer &r, Value value, double slope) {
    return r.with<SigmoidHardOp>(value, r.scalar(slope, value),
                                 r.scalar(0.5, value));
  }

  StringRef name;
};

/// Rows of a weight, and what they are multiplied by.
struct Gate {
  int64_t index;
  double scale;
};

/// Makes the ops of one direction of a layer.
class Unroller {
public:
  Unroller(Replacer &r, int64_t gateAlignment, Operation *op, int64_t hidden)
      : r(r), location(op->getLoc()), x(op->getOperand(0)), hidden(hidden),
        pitch(llvm::alignTo(hidden, gateAlignment)) {
    ArrayRef<int64_t> shape = staticType(x).getShape();
    steps = shape[0];
    batch = shape[1];
  }

  /// The rows of [G * H, columns] for these gates, in this order.
  Value matrix(ArrayRef<double> rows, int64_t columns, ArrayRef<Gate> gates) {
    return r.tensor(padded(rows, columns, gates),
                    {int64_t(gates.size()) * pitch, columns}, x);
  }
  Value vector(ArrayRef<double> numbers, ArrayRef<Gate> gates) {
    return r.tensor(padded(numbers, 1, gates), {int64_t(gates.size()) * pitch},
                    x);
  }

  Value linear(Value value, Value matrix, Value bias = {}) {
    RankedTensorType type = staticType(value);
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = staticType(matrix).getDimSize(0);
    return LinearOp::create(r.rewriter, location, type.clone(shape), value,
                            matrix, bias);
  }

  /// What these gates take from the input, of all steps.
  Value projection(const Weights &weights, ArrayRef<double> bias,
                   ArrayRef<Gate> gates) {
    return linear(x, matrix(weights.ih, weights.inputs, gates),
                  vector(bias, gates));
  }
  /// The part of it of one step.
  Value stepOf(Value projection, int64_t step) {
    return r.slice(projection, 0, step, 1);
  }

  /// The gates from `first` to before `end` of [1, b, G * pitch]; the last one
  /// without what fills it up.
  Value gates(Value all, int64_t first, int64_t end) {
    return r.slice(all, 2, first * pitch, (end - first - 1) * pitch + hidden);
  }

  /// The part of an initial state [b, width] of this direction.
  Value initial(Value state, int64_t offset) {
    int64_t width = staticType(state).getDimSize(1);
    state = r.reshape(state, {1, batch, width});
    return r.slice(state, 2, offset, hidden);
  }

  Replacer &r;
  Location location;
  Value x;
  int64_t hidden, pitch, steps, batch;

private:
  SmallVector<double> padded(ArrayRef<double> rows, int64_t columns,
                             ArrayRef<Gate> gates) const {
    SmallVector<double> result(gates.size() * pitch * columns, 0);
    int64_t count = hidden * columns;
    for (auto [place, gate] : llvm::enumerate(gates))
      for (int64_t i = 0; i < count; ++i)
        result[place * pitch * columns + i] =
            rows[gate.index * count + i] * gate.scale;
    return result;
  }
};

/// What a direction computed: the first state of each step, in the order of
/// computation, and the last states.
struct Computed {
  SmallVector<Value> sequence;
  SmallVector<Value, 2> last;
};

/// Runs `step(projection, states)`, which replaces the states, for each step.
template <typename StepFn>
Computed runSteps(Unroller &u, Value projection, bool reverse,
                  SmallVector<Value, 2> states, StepFn step) {
  Computed computed;
  for (int64_t t = 0; t < u.steps; ++t) {
    step(u.stepOf(projection, reverse ? u.steps - 1 - t : t), states);
    computed.sequence.push_back(states.front());
  }
  computed.last = std::move(states);
  return computed;
}

StringRef directionOf(Value direction) {
  return direction ? *getConstantString(direction) : "forward";
}

/// Replaces a layer of one direction; its output is `all` steps or the last.
LogicalResult replaceOne(Unroller &u, bool all, const Computed &computed) {
  SmallVector<Value> results = {all ? u.r.concat(computed.sequence, 0)
                                    : computed.last.front()};
  for (Value state : computed.last)
    results.push_back(u.r.reshape(state, {u.batch, u.hidden}));
  return u.r.replace(results);
}

LogicalResult unroll(Replacer &r, int64_t gateAlignment, RnnOp op) {
  std::optional<Weights> weights =
      weightsOf(op.getWeightIh(), op.getWeightHh(), op.getBias());
  if (!weights)
    return failure();
  Activation activation(op.getActivation(), "tanh");
  Gate only = {0, activation.scale()};
  Unroller u(r, gateAlignment, op, weights->hidden);
  Value projection = u.projection(*weights, weights->bias, only);
  Value matrix = u.matrix(weights->hh, u.hidden, only);
  auto step = [&](Value input, auto &states) {
    Value sum = r.binary<AddOp>(input, u.linear(states[0], matrix));
    states[0] = activation(r, u.gates(sum, 0, 1));
  };
  return replaceOne(u, *op.getOutputSequenceOrDefault(),
                    runSteps(u, projection,
                             directionOf(op.getDirection()) == "reverse",
                             {u.initial(op.getInitialH(), 0)}, step));
}

LogicalResult unroll(Replacer &r, int64_t gateAlignment, GruOp op) {
  enum : int64_t { Reset, New, Update };
  std::optional<Weights> weights =
      weightsOf(op.getWeightIh(), op.getWeightHh(), op.getBias());
  if (!weights)
    return failure();
  int64_t hidden = weights->hidden;
  std::optional<SmallVector<double>> inputBias =
      numbersOrZeros(op.getInputBias(), 3 * hidden);
  std::optional<bool> resetAfter = op.getResetAfterOrDefault();
  if (!inputBias || !resetAfter)
    return failure();

  // With reset_after r multiplies the bias of o, which stays with its product.
  SmallVector<double> stateBias(3 * hidden, 0);
  for (int64_t i = 0; i < 3 * hidden; ++i) {
    bool staysInside = *resetAfter && i / hidden == New;
    (staysInside ? stateBias : *inputBias)[i] += weights->bias[i];
  }
  // In this order the two of one activation are neighbours.
  Activation recurrent(op.getRecurrentActivation(), "sigmoid");
  Activation activation(op.getActivation(), "tanh");
  const Gate order[] = {{Reset, recurrent.scale()},
                        {Update, recurrent.scale()},
                        {New, activation.scale()}};
  Unroller u(r, gateAlignment, op, weights->hidden);
  Value projection = u.projection(*weights, *inputBias, order);
  Value matrix, newMatrix, bias;
  if (*resetAfter) {
    matrix = u.matrix(weights->hh, hidden, order);
    bias = u.vector(stateBias, order);
  } else {
    matrix = u.matrix(weights->hh, hidden, ArrayRef(order).take_front(2));
    newMatrix = u.matrix(weights->hh, hidden, order[2]);
  }

  auto step = [&](Value input, auto &states) {
    Value h = states[0];
    Value product = u.linear(h, matrix, bias);
    Value both = recurrent(
        r, r.binary<AddOp>(u.gates(input, 0, 2), u.gates(product, 0, 2)));
    Value reset = u.gates(both, 0, 1), update = u.gates(both, 1, 2);
    Value fromState;
    if (*resetAfter) {
      fromState = r.binary<MulOp>(reset, u.gates(product, 2, 3));
    } else {
      Value kept = r.binary<MulOp>(reset, h);
      fromState = u.gates(u.linear(kept, newMatrix), 0, 1);
    }
    Value next =
        activation(r, r.binary<AddOp>(u.gates(input, 2, 3), fromState));
    // (1 - z) * o + z * h
    Value change = r.binary<MulOp>(update, r.binary<SubOp>(h, next));
    states[0] = r.binary<AddOp>(next, change);
  };
  return replaceOne(u, *op.getOutputSequenceOrDefault(),
                    runSteps(u, projection,
                             directionOf(op.getDirection()) == "reverse",
                             {u.initial(op.getInitialH(), 0)}, step));
}

/// One direction of an lstm.
struct LstmDirection {
  Weights weights;
  SmallVector<double> peephole; ///< empty where there is none
  bool reverse;
  int64_t offset; ///< of its part of the initial states
};

/// max(min(c, clip), -clip).
Value clipped(Replacer &r, Value c, double clip) {
  if (std::isinf(clip) && clip > 0)
    return c;
  if (clip > 0)
    return r.with<ClipOp>(c, r.scalar(-clip, c), r.scalar(clip, c));
  return r.binary<MaximumOp>(r.binary<MinimumOp>(c, clip), -clip);
}

Computed unrollDirection(Unroller &u, LstmOp op, const LstmDirection &layer,
                         double clip) {
  enum : int64_t { Entry, Forget, Exit, Candidate };
  Replacer &r = u.r;
  Activation recurrent(op.getRecurrentActivation(), "sigmoid");
  Activation cell(op.getCellActivation(), "tanh");
  Activation activation(op.getActivation(), "tanh");
  const Gate order[] = {{Entry, recurrent.scale()},
                        {Forget, recurrent.scale()},
                        {Exit, recurrent.scale()},
                        {Candidate, cell.scale()}};
  Value projection = u.projection(layer.weights, layer.weights.bias, order);
  Value matrix = u.matrix(layer.weights.hh, u.hidden, order);
  bool sees = !layer.peephole.empty();
  SmallVector<Value, 3> peephole;
  if (sees)
    for (const Gate &gate : ArrayRef(order).take_front(3)) {
      SmallVector<double> part(
          ArrayRef(layer.peephole).slice(gate.index * u.hidden, u.hidden));
      for (double &number : part)
        number *= gate.scale;
      peephole.push_back(r.tensor(part, {1, 1, u.hidden}, u.x));
    }

  auto step = [&](Value input, auto &states) {
    Value c = states[1];
    Value sum = r.binary<AddOp>(input, u.linear(states[0], matrix));
    // Without peepholes all gates are bent at once, and finished at once.
    Value bent, three;
    if (!sees) {
      bool together = recurrent.bendsLike(cell);
      bent = together ? recurrent.bend(r, sum) : Value();
      three = recurrent.finish(
          r, together ? u.gates(bent, Entry, Candidate)
                      : recurrent.bend(r, u.gates(sum, Entry, Candidate)));
    }
    auto gateOf = [&](int64_t gate, Value state) {
      if (three)
        return u.gates(three, gate, gate + 1);
      Value seen = r.binary<MulOp>(state, peephole[gate]);
      return recurrent(r, r.binary<AddOp>(u.gates(sum, gate, gate + 1), seen));
    };
    Value candidate =
        bent ? cell.finish(r, u.gates(bent, Candidate, Candidate + 1))
             : cell(r, u.gates(sum, Candidate, Candidate + 1));
    Value kept = r.binary<MulOp>(gateOf(Forget, c), c);
    Value added = r.binary<MulOp>(gateOf(Entry, c), candidate);
    Value next = clipped(r, r.binary<AddOp>(kept, added), clip);
    states[0] = r.binary<MulOp>(
        gateOf(Exit, next),
        activation.scale() == 1
            ? activation(r, next)
            : activation(r, r.binary<MulOp>(next, activation.scale())));
    states[1] = next;
  };
  return runSteps(u, projection, layer.reverse,
                  {u.initial(op.getInitialH(), layer.offset),
                   u.initial(op.getInitialC(), layer.offset)},
                  step);
}

LogicalResult unroll(Replacer &r, int64_t gateAlignment, LstmOp op) {
  StringRef direction = directionOf(op.getDirection());
  double clip = INFINITY;
  if (Value given = op.getClip()) {
    std::optional<double> value = getConstantFloat(given);
    if (!value)
      return failure();
    clip = *value;
  }
  SmallVector<LstmDirection, 2> layers;
  auto addLayer = [&](Value ih, Value hh, Value bias, Value peephole,
                      bool reverse) -> LogicalResult {
    std::optional<Weights> weights = weightsOf(ih, hh, bias);
    std::optional<SmallVector<double>> seen = numbersOrZeros(peephole, 0);
    if (!weights || !seen)
      return failure();
    int64_t offset = layers.size() * weights->hidden;
    layers.push_back({std::move(*weights), std::move(*seen), reverse, offset});
    return success();
  };
  bool both = direction == "bidirectional";
  if (failed(addLayer(op.getWeightIh(), op.getWeightHh(), op.getBias(),
                      op.getPeephole(), direction == "reverse")))
    return failure();
  if (both && failed(addLayer(op.getWeightIhBack(), op.getWeightHhBack(),
                              op.getBiasBack(), op.getPeepholeBack(), true)))
    return failure();

  Unroller u(r, gateAlignment, op, layers.front().weights.hidden);
  Computed forward = unrollDirection(u, op, layers[0], clip);
  if (!both)
    return replaceOne(u, *op.getOutputSequenceOrDefault(), forward);

  Computed backward = unrollDirection(u, op, layers[1], clip);
  SmallVector<Value> last;
  for (auto [ahead, back] : llvm::zip_equal(forward.last, backward.last))
    last.push_back(u.r.concat({ahead, back}, 2));
  SmallVector<Value> results;
  if (*op.getOutputSequenceOrDefault()) {
    // States lie where their input does.
    std::reverse(backward.sequence.begin(), backward.sequence.end());
    results.push_back(u.r.concat(
        {u.r.concat(forward.sequence, 0), u.r.concat(backward.sequence, 0)},
        2));
  } else {
    results.push_back(last.front());
  }
  for (Value state : last)
    results.push_back(r.reshape(state, {u.batch, 2 * u.hidden}));
  return r.replace(results);
}

template <typename Op> struct UnrollRule : OpRewritePattern<Op> {
  UnrollRule(MLIRContext *context, int64_t limit, int64_t gateAlignment)
      : OpRewritePattern<Op>(context), limit(limit),
        gateAlignment(gateAlignment) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || !staticType(op.getInitialH()))
      return rewriter.notifyMatchFailure(op, "no static tensor");
    if (type.getDimSize(0) > limit)
      return rewriter.notifyMatchFailure(op, "more steps than the limit");
    if (llvm::any_of(op->getOperands(), [](Value operand) {
          return getConstantString(operand) == disputedActivation;
        }))
      return rewriter.notifyMatchFailure(op, "an activation of two meanings");
    if (!knowsParameters(op))
      return rewriter.notifyMatchFailure(op, "a parameter is not known");
    Replacer r(rewriter, op);
    if (failed(unroll(r, gateAlignment, op)))
      return rewriter.notifyMatchFailure(op, "a weight is not at hand");
    return success();
  }

  int64_t limit, gateAlignment;
};

class UnrollRecurrent : public mil::impl::UnrollRecurrentBase<UnrollRecurrent> {
public:
  using UnrollRecurrentBase::UnrollRecurrentBase;

  void runOnOperation() override {
    if (gateAlignment < 1) {
      emitError(getOperation().getLoc())
          << "gate-alignment is " << int64_t(gateAlignment)
          << "; it must be at least 1";
      return signalPassFailure();
    }
    if (!getAnalysis<Inventory>().hasAny<GruOp, LstmOp, RnnOp>())
      return markAllAnalysesPreserved();
    auto [layersBefore, stepsBefore] = count();
    RewritePatternSet patterns(&getContext());
    populateUnrollRecurrentPatterns(patterns, unrollLimit, gateAlignment);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    auto [layersAfter, stepsAfter] = count();
    numLayers += layersBefore - layersAfter;
    numSteps += stepsBefore - stepsAfter;
  }

private:
  /// The layers of known length and their steps. Marks those beyond the limit.
  std::pair<int64_t, int64_t> count() {
    int64_t layers = 0, steps = 0;
    getOperation().walk([&](Operation *op) {
      if (!isa<GruOp, LstmOp, RnnOp>(op))
        return;
      RankedTensorType type = staticType(op->getOperand(0));
      if (!type)
        return;
      ++layers;
      steps += type.getDimSize(0);
      if (type.getDimSize(0) > unrollLimit)
        op->setAttr(MILDialect::unrollLimitAttrName,
                    Builder(op->getContext()).getI64IntegerAttr(unrollLimit));
    });
    return {layers, steps};
  }
};

} // namespace

void ane::mil::populateUnrollRecurrentPatterns(RewritePatternSet &patterns,
                                               int64_t limit,
                                               int64_t gateAlignment) {
  patterns.add<UnrollRule<GruOp>, UnrollRule<LstmOp>, UnrollRule<RnnOp>>(
      patterns.getContext(), limit, gateAlignment);
}
