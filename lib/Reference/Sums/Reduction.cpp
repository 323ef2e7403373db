//===- Reduction.cpp - Reduction along axes -------------------------------===//

#include "Sums/Reduction.h"
#include "Elements/Elementwise.h"
#include "Sums/Panel.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

Strides ane::reference::reductionStrides(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> axes) {
  SmallVector<int64_t> kept(shape);
  for (int64_t axis : axes)
    kept[fromFront(axis, shape.size())] = 1;
  return broadcastStrides(kept, shape);
}

SmallVector<int64_t> ane::reference::axesOrAll(const Tensor *axes,
                                               int64_t rank) {
  if (axes)
    return SmallVector<int64_t>(axes->ints());
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

namespace {

/// Combines the elements of `x` that fall on the same place of `result`, in
/// row-major order: `fn(partial, element)`, beginning with `initial`. Both
/// tensors have the payload T.
template <typename T, typename Fn>
void accumulate(Tensor &result, const Tensor &x, const Tensor *axes, T initial,
                Fn fn) {
  auto out = result.values<T>();
  llvm::fill(out, initial);
  const T *next = x.values<T>().data();
  Strides strides =
      reductionStrides(x.getShape(), axesOrAll(axes, x.getRank()));
  forEachIndex<1>(x.getShape(), {strides}, [&](std::array<int64_t, 1> at) {
    T &partial = out[at[0]];
    partial = fn(partial, *next++);
  });
}

/// Registers a reduction to a sum of `fn(x)`. Integers wrap to 64 bits.
template <typename Op, typename Fn> void addSum(OpTable &table, Fn fn) {
  table.add<Op>([fn](Op op, Inputs<Op> in) {
    Tensor result = resultOf(op);
    withPayload(result, [&](auto payload) {
      using T = decltype(payload);
      accumulate(result, *in.getX(), in.getAxes(), T(0), [&](T sum, T x) {
        return static_cast<T>(SumOf<T>(sum) + SumOf<T>(fn(x)));
      });
    });
    return result;
  });
}

/// Registers the reduction to an extreme; `fn` gives the one of two. `outmost`
/// gives what everything else is more extreme than.
template <typename Op, typename Fn, typename Outmost>
void addExtreme(OpTable &table, Fn fn, Outmost outmost) {
  table.add<Op>([=](Op op, Inputs<Op> in) {
    Tensor result = resultOf(op);
    if (result.isFloat())
      accumulate(result, *in.getX(), in.getAxes(), outmost(double()), fn);
    else
      accumulate(result, *in.getX(), in.getAxes(), outmost(int64_t()), fn);
    return result;
  });
}
double lowest(double) { return -INFINITY; }
int64_t lowest(int64_t) { return std::numeric_limits<int32_t>::min(); }
double highest(double) { return INFINITY; }
int64_t highest(int64_t) { return std::numeric_limits<int32_t>::max(); }

Tensor reduceProd(ReduceProdOp op, Inputs<ReduceProdOp> in) {
  Tensor result = resultOf(op);
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    accumulate(result, *in.getX(), in.getAxes(), T(1), [](T product, T x) {
      return static_cast<T>(SumOf<T>(product) * SumOf<T>(x));
    });
  });
  return result;
}

/// A mean of integers is exact before it is truncated towards zero, as
/// NumPy's mean followed by astype. The mean of nothing is NaN, or 0 as an
/// integer.
Tensor reduceMean(ReduceMeanOp op, Inputs<ReduceMeanOp> in) {
  Tensor result = resultOf(op);
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    accumulate(result, *in.getX(), in.getAxes(), T(0), std::plus<T>());
    auto out = result.values<T>();
    if (out.empty())
      return;
    int64_t count = in.getX()->getNumElements() / out.size();
    for (T &sum : out)
      sum = result.isFloat() || count != 0 ? sum / static_cast<T>(count) : 0;
  });
  return result;
}

/// Zeros of the shape of a result, in fp64 whatever its element type.
Tensor wideResultOf(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return Tensor(type.clone(Float64Type::get(op->getContext())));
}

/// Registers a reduction to a function of a sum in real numbers, which integers
/// enter and leave by conversion.
template <typename Op, typename TermFn, typename Fn>
void addFunctionOfSum(OpTable &table, TermFn term, Fn fn) {
  table.add<Op>([=](Op op, Inputs<Op> in) {
    Tensor result = wideResultOf(op);
    accumulate(result, convert(*in.getX(), result.getElementType()),
               in.getAxes(), 0.0,
               [=](double sum, double x) { return sum + term(x); });
    llvm::transform(result.floats(), result.floats().begin(), fn);
    return convert(result, resultOf(op).getElementType());
  });
}

Tensor reduceLogSumExp(ReduceLogSumExpOp op, Inputs<ReduceLogSumExpOp> in) {
  Tensor largest = wideResultOf(op), result = wideResultOf(op);
  Tensor x = convert(*in.getX(), result.getElementType());
  accumulate(largest, x, in.getAxes(), lowest(double()),
             [](double a, double b) { return larger(a, b); });
  Strides strides =
      reductionStrides(x.getShape(), axesOrAll(in.getAxes(), x.getRank()));
  const double *next = x.floats().data();
  forEachIndex<1>(x.getShape(), {strides}, [&](std::array<int64_t, 1> at) {
    double shift = largest.floats()[at[0]];
    // An infinite maximum would make inf - inf of itself.
    result.floats()[at[0]] +=
        std::exp(std::isinf(shift) ? *next : *next - shift);
    ++next;
  });
  for (auto [sum, shift] : llvm::zip_equal(result.floats(), largest.floats()))
    sum = std::log(sum) + (std::isinf(shift) ? 0 : shift);
  return convert(result, resultOf(op).getElementType());
}

/// Registers the search for the first element that `beats` all others. A NaN
/// beats every number.
template <typename Op, typename Beats>
void addArg(OpTable &table, Beats beats) {
  table.add<Op>([beats](Op op, Inputs<Op> in) {
    Tensor result = resultOf(op);
    AxisSplit split(in.getX()->getShape(), in.getInt("axis"));
    withPayload(*in.getX(), [&](auto payload) {
      auto x = in.getX()->template values<decltype(payload)>();
      for (int64_t place = 0; place < split.outer * split.inner; ++place) {
        int64_t first = place / split.inner * split.extent * split.inner +
                        place % split.inner;
        int64_t best = 0;
        for (int64_t i = 1; i < split.extent; ++i) {
          auto champion = x[first + best * split.inner];
          auto candidate = x[first + i * split.inner];
          if (champion == champion &&
              (candidate != candidate || beats(candidate, champion)))
            best = i;
        }
        result.ints()[place] = best;
      }
    });
    return result;
  });
}

} // namespace

void ane::reference::registerReductionOps(OpTable &table) {
  addSum<ReduceSumOp>(table, [](auto x) { return x; });
  addSum<ReduceL1NormOp>(table, [](auto x) { return std::abs(x); });
  addSum<ReduceSumSquareOp>(table, [](auto x) { return x * x; });
  addExtreme<ReduceMaxOp>(
      table, [](auto x, auto y) { return larger(x, y); },
      [](auto kind) { return lowest(kind); });
  addExtreme<ReduceMinOp>(
      table, [](auto x, auto y) { return smaller(x, y); },
      [](auto kind) { return highest(kind); });
  table.add<ReduceProdOp>(reduceProd);
  table.add<ReduceMeanOp>(reduceMean);
  addFunctionOfSum<ReduceL2NormOp>(
      table, [](double x) { return x * x; },
      [](double sum) { return std::sqrt(sum); });
  addFunctionOfSum<ReduceLogSumOp>(
      table, [](double x) { return x; },
      [](double sum) { return std::log(sum); });
  table.add<ReduceLogSumExpOp>(reduceLogSumExp);
  addArg<ReduceArgmaxOp>(table, [](auto x, auto y) { return x > y; });
  addArg<ReduceArgminOp>(table, [](auto x, auto y) { return x < y; });
}
