//===- LowerSoftmax.cpp - Softmax -----------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// log2 of e, the factor between the exponent of e and that of 2, as the
/// engine's fp16 constant.
constexpr double log2OfE = 1.4426950408889634;

NeuronAttr neuron(MLIRContext *context, NonLinearMode mode) {
  return NeuronAttr::get(context, mode, {}, {});
}

} // namespace

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

/// Softmax along any dimension: the planar engine reduces.
LogicalResult Lowering::softmaxByReduction(SoftmaxOp op, const View &x,
                                           unsigned axis, const View &y) {
  std::array<int64_t, numDims> one = x.shape;
  one[axis] = 1;
  View largest = b.makeScratch(one);
  if (failed(reduce(op, {.kind = ReductionType::Max}, x, {axis}, largest)))
    return failure();
  View exponential = shiftedExponential(x, largest);
  View reciprocal = b.makeScratch(one);
  if (failed(reduce(op, {.post = PEPost::reciprocal}, exponential, {axis},
                    reciprocal)))
    return failure();
  normalize(exponential, reciprocal, y);
  return success();
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
  if (axis != W && x.shape[axis] > b.target.maxUnicastChannels)
    return softmaxByReduction(op, x, axis, y);
  if (axis != W) {
    softmaxOverChannels(x.swapped(C, axis), y.swapped(C, axis));
    return success();
  }
  // Every row is a channel of its own, as many as a task can have.
  x = b.linearize(x);
  View rows = x.withRows(1, 1, x.rows(), 1),
       result = y.withRows(1, 1, x.rows(), 1);
  for (int64_t begin = 0; begin < x.rows(); begin += b.target.maxChannels) {
    int64_t count = std::min(b.target.maxChannels, x.rows() - begin);
    if (failed(softmaxByReduction(op, rows.sliced(C, begin, count), W,
                                  result.sliced(C, begin, count))))
      return failure();
  }
  return success();
}
