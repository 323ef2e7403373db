//===- Recurrent.cpp - Recurrent layers -----------------------------------===//

#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Activation.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

using Activation = double (*)(double);

/// The activation that an input names.
Activation getActivation(MILOp op, StringRef input) {
  StringRef activation = activationName(getString(op, input));
  if (activation == "relu")
    return [](double x) { return x < 0 ? 0 : x; };
  if (activation == "sigmoid")
    return [](double x) { return 1 / (1 + std::exp(-x)); };
  if (activation == "hard_sigmoid")
    return [](double x) { return std::min(std::max(0.2 * x + 0.5, 0.0), 1.0); };
  if (activation == "linear")
    return [](double x) { return x; };
  return [](double x) { return std::tanh(x); };
}

double dot(const double *x, const double *y, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

/// One direction of a layer.
struct Direction {
  const Tensor *x;
  const Tensor *weightIh;
  const Tensor *weightHh;
  const Tensor *bias;
  bool reverse;

  int64_t steps() const { return x->getDimSize(0); }
  int64_t batch() const { return x->getDimSize(1); }
  int64_t inputs() const { return x->getDimSize(2); }
  int64_t hidden() const { return weightHh->getDimSize(1); }

  /// Row `row` of W x + b.
  double fromInput(int64_t row, const double *input) const {
    return dot(weightIh->floats().data() + row * inputs(), input, inputs()) +
           (bias ? bias->floats()[row] : 0);
  }
  /// Row `row` of U h.
  double fromState(int64_t row, const double *state) const {
    return dot(weightHh->floats().data() + row * hidden(), state, hidden());
  }
};

/// Part `index` of a vector of parts, zeros where it is absent.
double partOf(const Tensor *vector, int64_t index) {
  return vector ? vector->floats()[index] : 0;
}

/// Where one direction writes: a range of the last dimension of each result,
/// from `offset` on. The first result has the first state of all steps or only
/// of the last, the others have the last states.
struct Outputs {
  SmallVector<Tensor> &results;
  int64_t offset;
  bool allSteps;
  /// Steps lie where their input does, not in the order of computation.
  bool inPlace;
};

/// Runs a direction for each element of the batch. `step(input, states)`
/// replaces the states, which start as `initial` says; the first is the output.
template <typename StepFn>
void runDirection(MLIRContext *context, const Direction &direction,
                  ArrayRef<const Tensor *> initial, Outputs out, StepFn step) {
  int64_t hidden = direction.hidden(), batch = direction.batch();
  Tensor &sequence = out.results.front();
  int64_t width = sequence.getDimSize(2);
  mlir::parallelFor(context, 0, batch, [&](size_t n) {
    SmallVector<std::vector<double>, 2> states;
    for (const Tensor *tensor : initial) {
      ArrayRef<double> state =
          tensor->floats().slice(n * width + out.offset, hidden);
      states.emplace_back(state.begin(), state.end());
    }
    auto write = [&](int64_t place) {
      llvm::copy(states[0], sequence.floats().data() +
                                (place * batch + n) * width + out.offset);
    };
    for (int64_t t = 0; t < direction.steps(); ++t) {
      int64_t at = direction.reverse ? direction.steps() - 1 - t : t;
      step(direction.x->floats().data() + (at * batch + n) * direction.inputs(),
           states);
      if (out.allSteps)
        write(out.inPlace ? at : t);
    }
    if (!out.allSteps)
      write(0);
    for (auto [i, state] : llvm::enumerate(states))
      llvm::copy(state,
                 out.results[i + 1].floats().data() + n * width + out.offset);
  });
}

SmallVector<Tensor> resultsOf(Operation *op) {
  SmallVector<Tensor> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    results.push_back(resultOf(op, i));
  return results;
}

/// The direction that an op's own weights, those without `_back`, are for.
template <typename Op> Direction onlyDirection(Op op, Inputs<Op> in) {
  bool reverse = getString(op, "direction") == "reverse";
  return {in.getX(), in.getWeightIh(), in.getWeightHh(), in.getBias(), reverse};
}

SmallVector<Tensor> rnn(RnnOp op, Inputs<RnnOp> in) {
  SmallVector<Tensor> results = resultsOf(op);
  Direction layer = onlyDirection(op, in);
  Activation activation = getActivation(op, "activation");
  runDirection(op.getContext(), layer, {in.getInitialH()},
               {results, 0, in.getBool("output_sequence"), false},
               [&](const double *input, auto &states) {
                 std::vector<double> h(layer.hidden());
                 for (int64_t i = 0; i < layer.hidden(); ++i)
                   h[i] = activation(layer.fromInput(i, input) +
                                     layer.fromState(i, states[0].data()));
                 states[0] = std::move(h);
               });
  return results;
}

/// Gates r, o, z.
SmallVector<Tensor> gru(GruOp op, Inputs<GruOp> in) {
  SmallVector<Tensor> results = resultsOf(op);
  Direction layer = onlyDirection(op, in);
  layer.bias = in.getInputBias();
  const Tensor *bias = in.getBias();
  bool resetAfter = in.getBool("reset_after");
  Activation gate = getActivation(op, "recurrent_activation");
  Activation activation = getActivation(op, "activation");
  int64_t hidden = layer.hidden();

  auto step = [&](const double *input, auto &states) {
    std::vector<double> &h = states[0];
    auto preactivation = [&](int64_t row) {
      return layer.fromInput(row, input) + layer.fromState(row, h.data()) +
             partOf(bias, row);
    };
    std::vector<double> r(hidden), reset(hidden), next(hidden);
    for (int64_t i = 0; i < hidden; ++i) {
      r[i] = gate(preactivation(i));
      reset[i] = r[i] * h[i];
    }
    for (int64_t i = 0; i < hidden; ++i) {
      double o = layer.fromInput(hidden + i, input);
      if (resetAfter)
        o += r[i] *
             (layer.fromState(hidden + i, h.data()) + partOf(bias, hidden + i));
      else
        o += layer.fromState(hidden + i, reset.data()) +
             partOf(bias, hidden + i);
      double z = gate(preactivation(2 * hidden + i));
      next[i] = (1 - z) * activation(o) + z * h[i];
    }
    h = std::move(next);
  };
  runDirection(op.getContext(), layer, {in.getInitialH()},
               {results, 0, in.getBool("output_sequence"), false}, step);
  return results;
}

/// Gates i, f, o, g.
SmallVector<Tensor> lstm(LstmOp op, Inputs<LstmOp> in) {
  SmallVector<Tensor> results = resultsOf(op);
  Activation gate = getActivation(op, "recurrent_activation");
  Activation cell = getActivation(op, "cell_activation");
  Activation activation = getActivation(op, "activation");
  double clip = floatOr(in.getClip(), INFINITY);

  auto run = [&](const Direction &layer, const Tensor *peephole, Outputs out) {
    int64_t hidden = layer.hidden();
    auto step = [&](const double *input, auto &states) {
      std::vector<double> &h = states[0], &c = states[1];
      auto preactivation = [&](int64_t row) {
        return layer.fromInput(row, input) + layer.fromState(row, h.data());
      };
      auto peep = [&](int64_t part, int64_t i) {
        return peephole ? peephole->floats()[part * hidden + i] * c[i] : 0;
      };
      std::vector<double> next(hidden);
      for (int64_t i = 0; i < hidden; ++i) {
        double entry = gate(preactivation(i) + peep(0, i));
        double forget = gate(preactivation(hidden + i) + peep(1, i));
        double candidate = cell(preactivation(3 * hidden + i));
        c[i] =
            std::max(std::min(forget * c[i] + entry * candidate, clip), -clip);
        double exit = gate(preactivation(2 * hidden + i) + peep(2, i));
        next[i] = exit * activation(c[i]);
      }
      h = std::move(next);
    };
    runDirection(op.getContext(), layer, {in.getInitialH(), in.getInitialC()},
                 out, step);
  };

  bool allSteps = in.getBool("output_sequence");
  run(onlyDirection(op, in), in.getPeephole(), {results, 0, allSteps, false});
  if (getString(op, "direction") == "bidirectional")
    run({in.getX(), in.getWeightIhBack(), in.getWeightHhBack(),
         in.getBiasBack(), /*reverse=*/true},
        in.getPeepholeBack(),
        {results, in.getWeightHh()->getDimSize(1), allSteps, true});
  return results;
}

} // namespace

void ane::reference::registerRecurrentOps(OpTable &table) {
  table.add<GruOp>(gru);
  table.add<LstmOp>(lstm);
  table.add<RnnOp>(rnn);
}
