//===- LowerReduce.cpp - Reductions and softmax ---------------------------===//
//
// The planar engine reduces the columns of a tile, and its rows if there is one
// group. Other dimensions are brought there: by strides where elements are
// rows already, by a transposed write where they are not.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// The product of the extents of dimensions [first, last].
int64_t extentOf(const View &view, unsigned first, unsigned last) {
  int64_t product = 1;
  for (unsigned dim = first; dim <= last; ++dim)
    product *= view.shape[dim];
  return product;
}

PEParams reductionParams(ReductionType kind, int64_t count) {
  PEParams params;
  params.reduce = kind == ReductionType::Max ? PEReduce::max : PEReduce::sum;
  if (kind == ReductionType::Avg)
    params.finalScale = 1.0 / count;
  return params;
}

/// A view of one group and one depth slice.
View planes(const View &base, int64_t offset, int64_t channels,
            int64_t planeStride, int64_t rows, int64_t rowStride,
            int64_t columns) {
  View view = base;
  view.offset += offset;
  view.shape = {1, 1, channels, rows, columns};
  view.strides = {planeStride * channels, planeStride * channels, planeStride,
                  rowStride};
  return view;
}

void emitReduction(TaskBuilder &b, const PEParams &params, const View &x,
                   const View &y) {
  b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, params, x, nullptr, y);
}

/// log2 of e, the factor between the exponent of e and that of 2, as the
/// engine's fp16 constant.
constexpr double log2OfE = 1.4426950408889634;

NeuronAttr neuron(MLIRContext *context, NonLinearMode mode) {
  return NeuronAttr::get(context, mode, {}, {});
}

} // namespace

/// Reduces the columns and the dimensions from `firstDim` to the rows, all
/// others becoming channels. The result has one column.
View Lowering::reduceColumns(ReductionOp op, const View &x, unsigned firstDim,
                             const View *y) {
  std::array<int64_t, numDims> shape = x.shape;
  for (unsigned dim = firstDim; dim < numDims; ++dim)
    shape[dim] = 1;
  View result = y ? *y : b.makeScratch(shape);
  int64_t pitch = *x.linearPitch(), resultPitch = *result.linearPitch();
  int64_t rows = firstDim < W ? extentOf(x, firstDim, H) : 1;
  int64_t kept = x.rows() / rows;
  PEParams params = reductionParams(op.getKind(), rows * x.shape[W]);
  for (int64_t begin = 0; begin < kept; begin += b.target.maxChannels) {
    int64_t count = std::min(b.target.maxChannels, kept - begin);
    emitReduction(b, params,
                  planes(x, begin * rows * pitch, count, rows * pitch, rows,
                         pitch, x.shape[W]),
                  planes(result, begin * resultPitch, count, resultPitch, 1,
                         resultPitch, 1));
  }
  if (!y)
    return result;
  return *y;
}

/// Reduces dimensions [firstDim, lastDim] of a view with one column: every
/// element has its own row, so strides bring the dimensions to the rows.
FailureOr<View> Lowering::reduceCells(ReductionOp op, const View &x,
                                      unsigned firstDim, unsigned lastDim,
                                      const View *y) {
  int64_t reduced = extentOf(x, firstDim, lastDim);
  int64_t outer = firstDim > 0 ? extentOf(x, 0, firstDim - 1) : 1;
  int64_t inner = lastDim < H ? extentOf(x, lastDim + 1, H) : 1;
  if (reduced > b.target.maxHeight || inner > b.target.maxChannels)
    return refuse(op, (b.target.name + "-reduce-c1").str(),
                  "a reduction over " + Twine(reduced) + " of " +
                      Twine(outer * reduced * inner) +
                      " elements does not fit a task of " +
                      Twine(b.target.maxHeight) + " rows and " +
                      Twine(b.target.maxChannels) +
                      " channels; reduce in two steps");
  std::array<int64_t, numDims> shape = x.shape;
  for (unsigned dim = firstDim; dim <= lastDim; ++dim)
    shape[dim] = 1;
  View result = y ? *y : b.makeScratch(shape);
  int64_t pitch = *x.linearPitch(), resultPitch = *result.linearPitch();
  PEParams params = reductionParams(op.getKind(), reduced);
  for (int64_t i = 0; i < outer; ++i)
    emitReduction(b, params,
                  planes(x, i * reduced * inner * pitch, inner, pitch, reduced,
                         inner * pitch, 1),
                  planes(result, i * inner * resultPitch, inner, resultPitch, 1,
                         resultPitch, 1));
  return result;
}

/// Reduces dimensions [firstDim, lastDim] of a view whose columns stay: a
/// transposed write lays the dimensions along columns, the reduction stores its
/// channels, the former columns, back along columns.
FailureOr<View> Lowering::reduceRows(ReductionOp op, const View &x,
                                     unsigned firstDim, unsigned lastDim,
                                     const View *y) {
  int64_t reduced = extentOf(x, firstDim, lastDim);
  int64_t outer = firstDim > 0 ? extentOf(x, 0, firstDim - 1) : 1;
  int64_t inner = lastDim < H ? extentOf(x, lastDim + 1, H) : 1;
  int64_t columns = x.shape[W];
  if (reduced > b.target.maxWidth)
    return refuse(op, (b.target.name + "-reduce-c2").str(),
                  "a reduction over " + Twine(reduced) +
                      " elements does not fit a row of " +
                      Twine(b.target.maxWidth) + "; reduce in two steps");
  std::array<int64_t, numDims> shape = x.shape;
  for (unsigned dim = firstDim; dim <= lastDim; ++dim)
    shape[dim] = 1;

  // [outer, 1, reduced, inner, columns] turns into
  // [outer, 1, columns, inner, reduced], stored as [outer][inner][columns].
  int64_t pitch = *x.linearPitch();
  View source = x;
  source.shape = {outer, 1, reduced, inner, columns};
  source.strides = {reduced * inner * pitch, reduced * inner * pitch,
                    inner * pitch, pitch};
  View turned = b.makeScratch({outer * inner, 1, columns, 1, reduced});
  int64_t turnedPitch = turned.strides[H];
  View target = turned;
  target.shape = {outer, 1, columns, inner, reduced};
  target.strides = {inner * columns * turnedPitch,
                    inner * columns * turnedPitch, turnedPitch,
                    columns * turnedPitch};
  b.emitTransposedCopy(source, target);

  View result = y ? *y : b.makeScratch(shape);
  int64_t resultPitch = *result.linearPitch();
  View rows = result;
  rows.shape = {outer * inner, 1, 1, 1, columns};
  rows.strides = {resultPitch, resultPitch, resultPitch, resultPitch};
  PEParams params = reductionParams(op.getKind(), reduced);
  params.vectorResult = true;
  emitReduction(b, params, turned, rows);
  return result;
}

LogicalResult Lowering::reduce(ReductionOp op, View x,
                               SmallVector<int64_t> axes, const View &y) {
  auto isReduced = [&](unsigned dim) {
    return llvm::is_contained(axes, int64_t(dim));
  };
  llvm::erase_if(axes, [&](int64_t axis) { return x.shape[axis] == 1; });
  if (axes.empty()) {
    b.emitCopy(x, y);
    return success();
  }
  x = b.linearize(x);
  while (!axes.empty()) {
    if (isReduced(W)) {
      // The columns and every reduced dimension right above them.
      unsigned first = W;
      while (first > 0 && (isReduced(first - 1) || x.shape[first - 1] == 1) &&
             extentOf(x, first - 1, H) <= b.target.maxHeight)
        --first;
      llvm::erase_if(axes, [&](int64_t axis) { return axis >= first; });
      x = reduceColumns(op, x, first, axes.empty() ? &y : nullptr);
      continue;
    }
    // The innermost run of reduced dimensions.
    unsigned last = axes.back(), first = last;
    while (first > 0 && (isReduced(first - 1) || x.shape[first - 1] == 1) &&
           extentOf(x, first - 1, last) <= b.target.maxHeight)
      --first;
    llvm::erase_if(axes, [&](int64_t axis) { return axis >= first; });
    const View *target = axes.empty() ? &y : nullptr;
    FailureOr<View> reduced = x.shape[W] == 1
                                  ? reduceCells(op, x, first, last, target)
                                  : reduceRows(op, x, first, last, target);
    if (failed(reduced))
      return failure();
    x = *reduced;
  }
  return success();
}

LogicalResult Lowering::lower(ReductionOp op) {
  SmallVector<int64_t> axes(op.getAxes());
  llvm::sort(axes);
  return reduce(op, viewOf(op.getX()), axes, resultView(op.getResult()));
}

/// exp(x - largest), by way of 2^((x - largest) * log2(e)).
View Lowering::shiftedExponential(const View &x, const View &largest) {
  View shifted = b.makeScratch(x.shape), exponential = b.makeScratch(x.shape);
  PEParams subtract;
  subtract.negate2 = true;
  subtract.scale = log2OfE;
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, subtract, x,
           &largest, shifted);

  KernelParams exp2;
  exp2.activation = neuron(x.buffer.getContext(), NonLinearMode::exp2);
  exp2.outputs = x.shape[C];
  b.emitNE(Opcode::NEFUSED_BYPASS, UnitType::NEBypass, NEParams(), shifted,
           exponential, b.makeKernel(exp2));
  return exponential;
}

/// y = exponential * reciprocal.
void Lowering::normalize(const View &exponential, const View &reciprocal,
                         const View &y) {
  PEParams multiply;
  multiply.op = PEOp::mul;
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, multiply,
           exponential, &reciprocal, y);
}

/// Softmax of every row: the planar engine reduces columns.
void Lowering::softmaxOverColumns(const View &x, const View &y) {
  View largest = b.makeScratch({1, 1, x.shape[C], 1, 1});
  PEParams max;
  max.reduce = PEReduce::max;
  emitReduction(b, max, x, largest);
  View exponential = shiftedExponential(x, largest);

  View reciprocal = b.makeScratch({1, 1, x.shape[C], 1, 1});
  PEParams sum;
  sum.reduce = PEReduce::sum;
  sum.post = PEPost::reciprocal;
  emitReduction(b, sum, exponential, reciprocal);
  normalize(exponential, reciprocal, y);
}

/// Softmax along channels: the neural engine reduces them.
void Lowering::softmaxOverChannels(const View &x, const View &y) {
  std::array<int64_t, numDims> one = x.shape;
  one[C] = 1;
  View largest = b.makeScratch(one);
  NEParams max;
  max.op = MACOp::max;
  max.lowestPadding = true;
  max.unicast = x.shape[C];
  b.emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, max, x, largest);
  View exponential = shiftedExponential(x, largest);

  View reciprocal = b.makeScratch(one);
  KernelParams inverse;
  inverse.activation = neuron(x.buffer.getContext(), NonLinearMode::inv);
  NEParams sum;
  sum.op = MACOp::mac;
  sum.unicast = 0;
  b.emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, sum, exponential, reciprocal,
           b.makeKernel(inverse));
  normalize(exponential, reciprocal, y);
}

LogicalResult Lowering::lower(SoftmaxOp op) {
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  unsigned axis = op.getAxis();
  if (axis != W) {
    if (x.shape[axis] > b.target.maxUnicastChannels)
      return refuse(op, (b.target.name + "-softmax-c1").str(),
                    "the axis has " + Twine(x.shape[axis]) +
                        " elements, the limit is " +
                        Twine(b.target.maxUnicastChannels));
    softmaxOverChannels(x.swapped(C, axis), y.swapped(C, axis));
    return success();
  }
  // Every row is a channel of its own, as many as a task can have.
  x = b.linearize(x);
  View rows = x.withRows(1, 1, x.rows(), 1),
       result = y.withRows(1, 1, x.rows(), 1);
  for (int64_t begin = 0; begin < x.rows(); begin += b.target.maxChannels) {
    int64_t count = std::min(b.target.maxChannels, x.rows() - begin);
    softmaxOverColumns(rows.sliced(C, begin, count),
                       result.sliced(C, begin, count));
  }
  return success();
}
