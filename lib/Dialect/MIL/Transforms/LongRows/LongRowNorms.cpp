//===- LongRowNorms.cpp - Normalisation of rows that are cut --------------===//
//
// Means and norms of the parts give those of all.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

struct Norm {
  Value x;
  SmallVector<int64_t> axes;
  /// Whether it is about the mean, over the root of the mean of the squares;
  /// else as it is, over the root of their sum.
  bool isCentred;
  double epsilon;
  /// Null, or as they broadcast.
  Value gamma, beta;
};

} // namespace

/// What the parts give, joined by an op.
template <typename Op> static Value joined(Replacer &r, ArrayRef<Value> parts) {
  Value all;
  for (Value part : parts)
    all = all ? r.binary<Op>(all, part) : part;
  return all;
}

/// Elements are divided by the largest of them, so that no square passes fp16.
/// The norms of parts are joined as norms, and so is the root of epsilon, as
/// one more element.
static Parts normalized(Replacer &r, Parts list, const Norm &norm) {
  int64_t last = lastAxis(norm.x), extent = shapeOf(norm.x).back();
  double number = 1;
  for (int64_t axis : norm.axes)
    number *= double(shapeOf(norm.x)[axis]);
  // A mean is rounded. That of the differences is what it left.
  for (int i = 0; i < (norm.isCentred ? 2 : 0); ++i) {
    Parts means;
    for (Value part : list)
      means.push_back(
          r.binary<MulOp>(r.reduce<ReduceMeanOp>(part, norm.axes, true),
                          double(shapeOf(part).back()) / double(extent)));
    Value mean = joined<AddOp>(r, means);
    for (Value &part : list)
      part = r.binary<SubOp>(part, mean);
  }
  Parts tops, norms;
  for (Value part : list)
    tops.push_back(
        r.reduce<ReduceMaxOp>(r.unary<AbsOp>(part), norm.axes, true));
  Value top = joined<MaximumOp>(r, tops);
  for (Value &part : list) {
    part = r.binary<RealDivOp>(part, top);
    norms.push_back(r.reduce<ReduceL2NormOp>(part, norm.axes, true));
  }
  Value root = r.reduce<ReduceL2NormOp>(r.concat(norms, last), {last}, true);
  double scale = 1 / std::sqrt(number);
  root = r.binary<MulOp>(root, scale);
  SmallVector<double> more(llvm::product_of(shapeOf(root)),
                           std::sqrt(norm.epsilon) *
                               (norm.isCentred ? 1 : scale));
  Value least = r.binary<RealDivOp>(r.tensor(more, shapeOf(root), root), top);
  root = r.reduce<ReduceL2NormOp>(r.concat({root, least}, last), {last}, true);

  auto partOf = [&](Value parameter, int64_t begin, int64_t count) {
    return shapeOf(parameter).back() == 1
               ? parameter
               : r.slice(parameter, lastAxis(parameter), begin, count);
  };
  int64_t begin = 0;
  for (Value &part : list) {
    int64_t count = shapeOf(part).back();
    part = r.binary<RealDivOp>(part, root);
    if (!norm.isCentred)
      part = r.binary<MulOp>(part, scale);
    if (norm.gamma)
      part = r.binary<MulOp>(part, partOf(norm.gamma, begin, count));
    if (norm.beta)
      part = r.binary<AddOp>(part, partOf(norm.beta, begin, count));
    begin += count;
  }
  return list;
}

/// Channels that are normalised by themselves, as many of an image at a time as
/// the scratchpad holds beside what becomes of a part of them.
static LogicalResult splitOver(LongRows &rows, Replacer &r, Operation *op,
                               const Norm &norm) {
  enum : int64_t { Batch, Channels };
  // Rows that an access to the scratchpad reads at once: with fewer it takes
  // more cycles than memory does (assigned).
  constexpr int64_t leastTogether = 4;
  ArrayRef<int64_t> shape = shapeOf(norm.x);
  Parts list = rows.assemble(r, shape.back(), rows.limit,
                             [&](int64_t begin, int64_t count) {
                               return rows.take(r, norm.x, begin, count);
                             });
  bool isApart = norm.axes.front() > Channels && shape.size() < mostDims;
  int64_t images = isApart ? shape[Batch] : 1,
          channels = isApart ? shape[Channels] : 1,
          bytes = llvm::product_of(shape) / (images * channels) * elementBytes,
          most = std::min(h13.l2Bytes / 2 / bytes, channels);
  int64_t rowBytes = shape.back() * elementBytes;
  if (most * bytes < leastTogether * rowBytes || images * channels <= most)
    return rows.become(r, op, normalized(r, std::move(list), norm));
  // Joined as they lie in the surface, so that none of them is moved twice.
  Parts all;
  for (int64_t image = 0; image < images; ++image) {
    Parts blocks;
    for (int64_t first = 0; first < channels; first += most) {
      int64_t count = std::min(most, channels - first);
      auto ownOf = [&](Value value) {
        if (value && shapeOf(value)[Channels] > 1)
          value = r.slice(value, Channels, first, count);
        return value && shapeOf(value)[Batch] > 1
                   ? r.slice(value, Batch, image, 1)
                   : value;
      };
      Norm own = norm;
      own.gamma = ownOf(norm.gamma);
      own.beta = ownOf(norm.beta);
      blocks.push_back(LongRows::fold(
          r, normalized(r, llvm::map_to_vector(list, ownOf), own)));
    }
    all.push_back(r.concat(blocks, Channels));
  }
  rows.setFolded(r, op->getResult(0), r.concat(all, Batch));
  return success();
}

/// A parameter in another shape and the element type of `x`.
static Value parameterAs(Replacer &r, Value parameter, ArrayRef<int64_t> shape,
                         Value x) {
  return parameter ? r.reshape(r.convert(parameter, x), shape) : Value();
}

LogicalResult ane::mil::splitNorm(LongRows &rows, Replacer &r,
                                  InstanceNormOp op) {
  Value x = op.getX();
  std::optional<double> epsilon = op.getEpsilonOrDefault();
  if (!epsilon)
    return failure();
  SmallVector<int64_t> shape(lastAxis(x) + 1, 1);
  shape[1] = shapeOf(x)[1];
  return splitOver(rows, r, op,
                   {x, llvm::to_vector(llvm::seq<int64_t>(2, lastAxis(x) + 1)),
                    /*isCentred=*/true, *epsilon,
                    parameterAs(r, op.getGamma(), shape, x),
                    parameterAs(r, op.getBeta(), shape, x)});
}

LogicalResult ane::mil::splitNorm(LongRows &rows, Replacer &r, LayerNormOp op) {
  Value x = op.getX();
  std::optional<double> epsilon = op.getEpsilonOrDefault();
  auto axes = reducedAxes(op.getAxes(), lastAxis(x) + 1);
  if (!epsilon || !axes)
    return failure();
  SmallVector<int64_t> shape(lastAxis(x) + 1, 1);
  for (int64_t axis : *axes)
    shape[axis] = shapeOf(x)[axis];
  return splitOver(rows, r, op,
                   {x, *axes, /*isCentred=*/true, *epsilon,
                    parameterAs(r, op.getGamma(), shape, x),
                    parameterAs(r, op.getBeta(), shape, x)});
}

LogicalResult ane::mil::splitNorm(LongRows &rows, Replacer &r, L2NormOp op) {
  Value x = op.getX();
  std::optional<double> epsilon = op.getEpsilonOrDefault();
  if (!epsilon)
    return failure();
  return splitOver(
      rows, r, op,
      {x, llvm::to_vector(llvm::seq(lastAxis(x) - 2, lastAxis(x) + 1)),
       /*isCentred=*/false, *epsilon, Value(), Value()});
}
